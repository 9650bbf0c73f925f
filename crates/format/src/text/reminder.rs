//! Finds `<system-reminder>` blocks, the notes from Claude Code to the model, anywhere in a text (docs/format F.2).

use std::borrow::Cow;

use memchr::memmem;

const OPEN: &str = "<system-reminder>";
const CLOSE: &str = "</system-reminder>";

/// Splits off the reminders at the end of a text, as in tool results.
///
/// A reminder counts only at the start of a line, so a tag that is quoted in a sentence stays. The contents are in the
/// order of the text.
///
/// ```
/// let text = "     1→fn main() {}\n\n<system-reminder>\nBe careful.\n</system-reminder>\n";
/// assert_eq!(format::text::split_trailing_reminders(text), ("     1→fn main() {}", vec!["Be careful."]));
/// ```
pub fn split_trailing_reminders(text: &str) -> (&str, Vec<&str>) {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((before, raw)) = last_reminder(rest) {
        found.push(inside(raw));
        rest = before;
    }
    found.reverse();
    // Only the line breaks before a reminder belong to it; a text without reminders stays unchanged.
    (if found.is_empty() { text } else { rest.trim_end_matches('\n') }, found)
}

/// Splits a text before the reminder that ends it. The second part is the reminder with all surrounding whitespace.
pub(super) fn last_reminder(text: &str) -> Option<(&str, &str)> {
    let body = text.trim_end().strip_suffix(CLOSE)?;
    let at = match memmem::rfind(body.as_bytes(), b"\n<system-reminder>") {
        Some(line_break) => line_break + 1,
        None => body.starts_with(OPEN).then_some(0)?,
    };
    // If another closing tag comes in between, the last one closes nothing.
    if body.get(at..)?.contains(CLOSE) {
        return None;
    }
    text.split_at_checked(text.get(..at)?.trim_end_matches('\n').len())
}

/// The content of a reminder; apart from whitespace, `raw` holds nothing else.
pub(super) fn inside(raw: &str) -> &str {
    let body = raw.trim();
    body.strip_prefix(OPEN).and_then(|body| body.strip_suffix(CLOSE)).unwrap_or(body).trim()
}

/// The contents of all reminders in a text.
pub fn reminders(text: &str) -> Vec<&str> {
    cut(text).1
}

/// The text without its reminders and without the blank lines they leave.
///
/// For display. File contents may quote reminders; use [`split_trailing_reminders`] there.
pub fn strip_reminders(text: &str) -> Cow<'_, str> {
    let (pieces, found) = cut(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut kept = pieces.into_iter().filter(|piece| !piece.trim().is_empty());
    let Some(first) = kept.next() else { return Cow::Borrowed("") };
    let mut out = Cow::Borrowed(first.trim_matches('\n'));
    let mut broken = first.ends_with('\n');
    for piece in kept {
        let joined = out.to_mut();
        if broken || piece.starts_with('\n') {
            joined.push('\n');
        }
        joined.push_str(piece.trim_matches('\n'));
        broken = piece.ends_with('\n');
    }
    out
}

/// The text between the reminders, and the contents of the reminders.
fn cut(text: &str) -> (Vec<&str>, Vec<&str>) {
    let mut pieces = Vec::new();
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(OPEN) {
        // Nothing after this is closed either.
        let Some((inner, after)) = after.split_once(CLOSE) else { break };
        pieces.push(before);
        found.push(inner.trim());
        rest = after;
    }
    pieces.push(rest);
    (pieces, found)
}

#[cfg(test)]
mod tests {
    use super::super::{SegmentKind, segments};
    use super::*;

    #[test]
    fn reminders_before_and_after_a_prompt_are_segments() {
        let text = "<system-reminder>one</system-reminder>\n<system-reminder>two</system-reminder>\ndig\n\n\
                    <system-reminder>\nthree\n</system-reminder>\n";
        let kinds: Vec<_> = segments(text).into_iter().map(|segment| segment.kind).collect();
        assert_eq!(
            kinds,
            [
                SegmentKind::Reminder("one"),
                SegmentKind::Reminder("two"),
                SegmentKind::Plain("dig"),
                SegmentKind::Reminder("three")
            ]
        );
    }

    #[test]
    fn a_reminder_in_a_sentence_stays() {
        let text = "why is there <system-reminder>this</system-reminder>";
        assert_eq!(segments(text).remove(0).kind, SegmentKind::Plain(text));
        assert_eq!(split_trailing_reminders(text), (text, vec![]));
        assert_eq!(reminders(text), ["this"]);
        assert_eq!(strip_reminders(text), "why is there ");
    }

    #[test]
    fn a_text_without_reminders_is_not_touched() {
        for text in ["", "a\n\n", "<system-reminder>open", "closed</system-reminder>"] {
            assert_eq!(strip_reminders(text), text);
            assert_eq!(split_trailing_reminders(text), (text, vec![]));
        }
    }

    #[test]
    fn stripping_closes_the_gap() {
        assert_eq!(strip_reminders("a\n<system-reminder>x</system-reminder>\nb"), "a\nb");
        assert_eq!(strip_reminders("a<system-reminder>x</system-reminder>b"), "ab");
        assert_eq!(strip_reminders("<system-reminder>x</system-reminder>\n"), "");
        assert_eq!(
            strip_reminders("a\n\n<system-reminder>x</system-reminder>\n<system-reminder>y</system-reminder>"),
            "a"
        );
    }

    #[test]
    fn a_reminder_may_mention_its_own_tag() {
        let text = "a\n<system-reminder>ignore <system-reminder> tags</system-reminder>";
        assert_eq!(split_trailing_reminders(text), ("a", vec!["ignore <system-reminder> tags"]));
    }

    #[test]
    fn only_the_end_is_split_off() {
        let text = "<system-reminder>head</system-reminder>\nbody\n<system-reminder>x</system-reminder>\n\
                    <system-reminder>y</system-reminder>";
        assert_eq!(split_trailing_reminders(text), ("<system-reminder>head</system-reminder>\nbody", vec!["x", "y"]));
    }
}
