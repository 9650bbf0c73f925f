//! Changes of texts as patches, as results of edits hold them.

use crate::json::Json;
use crate::object;

/// The change from one text to another as one hunk with three lines around it; none if they are the same. Leading tabs
/// are two spaces each, as in real results.
pub(crate) fn hunks(before: &str, after: &str) -> Vec<Json> {
    let lines = |text| -> Vec<&str> { str::split_inclusive(text, '\n').collect() };
    let (old, new) = (lines(before), lines(after));
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let head = old.iter().zip(&new).take_while(same).count();
    if before == after {
        return Vec::new();
    }
    let most = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(same).count();
    let (start, context) = (head.saturating_sub(3), tail.min(3));
    let mut shown = Vec::new();
    let mut show = |sign: char, lines: &[&str], from: usize, until: usize| {
        for line in lines.iter().take(until).skip(from) {
            let text = line.strip_suffix('\n');
            shown.push(Json::from(format!("{sign}{}", spaced(text.unwrap_or(line)))));
            if text.is_none() {
                shown.push("\\ No newline at end of file".into());
            }
        }
    };
    show(' ', &old, start, head);
    show('-', &old, head, old.len() - tail);
    show('+', &new, head, new.len() - tail);
    show(' ', &old, old.len() - tail, old.len() - tail + context);
    vec![object! {
        "oldStart" => start + 1, "oldLines" => old.len() - tail + context - start,
        "newStart" => start + 1, "newLines" => new.len() - tail + context - start,
        "lines" => shown,
    }]
}

fn spaced(line: &str) -> String {
    let rest = line.trim_start_matches('\t');
    format!("{}{rest}", "  ".repeat(line.len() - rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hunk_has_three_lines_around_it() {
        let before = "a\nb\nc\nd\n\te\nf\ng\nh\ni\n";
        let hunk = &hunks(before, &before.replace("\te", "\t e"))[0];
        assert_eq!(
            hunk.to_string(),
            r#"{"oldStart":2,"oldLines":7,"newStart":2,"newLines":7,"lines":[" b"," c"," d","-  e","+   e"," f"," g"," h"]}"#
        );
        assert!(hunks(before, before).is_empty());
    }

    #[test]
    fn a_missing_newline_is_noted() {
        let hunk = &hunks("a\nb", "a\nb\n")[0];
        assert_eq!(
            hunk.to_string(),
            r#"{"oldStart":1,"oldLines":2,"newStart":1,"newLines":2,"lines":[" a","-b","\\ No newline at end of file","+b"]}"#
        );
    }
}
