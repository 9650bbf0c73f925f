//! Puts words, numbers and lines of output together.

use std::borrow::Cow;

use format::Text;
use format::id::TaskId;

use crate::preview::{LONGEST, preview, shortened, without_escapes};

/// The text, or an empty string.
pub(super) fn word(text: Option<Text<'_>>) -> &str {
    text.map_or("", Text::as_str)
}

/// The id of a task, or an empty string.
pub(super) fn task(id: Option<TaskId<'_>>) -> &str {
    id.map_or("", TaskId::as_str)
}

/// The first that is not empty.
pub(super) fn first_of<'a>(texts: impl IntoIterator<Item = &'a str>) -> &'a str {
    texts.into_iter().find(|text| !text.trim().is_empty()).unwrap_or_default()
}

/// Both texts joined by `between`; if one is empty, the other alone.
pub(super) fn pair(one: &str, between: &str, other: &str) -> String {
    // Both may be long; only their first words fit into the line.
    let (one, other) = (preview(one), preview(other));
    if one.is_empty() || other.is_empty() { format!("{one}{other}") } else { format!("{one}{between}{other}") }
}

/// All that are not empty, joined by `between`.
pub(super) fn list<'a>(texts: impl IntoIterator<Item = &'a str>, between: &str) -> String {
    texts
        .into_iter()
        .filter(|text| !text.trim().is_empty())
        .take(LONGEST)
        .map(preview)
        .collect::<Vec<_>>()
        .join(between)
}

/// `1 line`, `1,204 lines`, `no matches`. Negative numbers count as zero.
pub(super) fn counted(number: impl TryInto<u64>, noun: &str) -> String {
    human::plural(number.try_into().unwrap_or_default(), noun)
}

/// A number of bytes; empty if unknown.
pub(super) fn sized(bytes: Option<i64>) -> String {
    bytes.and_then(|bytes| u64::try_from(bytes).ok()).map(human::bytes).unwrap_or_default()
}

/// A path in its one spelling, truncated at the start if it is too long: its end is more useful.
pub(super) fn path(path: &str) -> Cow<'_, str> {
    match human::path_spelling(path) {
        Cow::Borrowed(path) => human::shorten_path(path, LONGEST - 20),
        Cow::Owned(path) => human::shorten_path(&path, LONGEST - 20).into_owned().into(),
    }
}

/// The text of the first heading or line of a document.
pub(super) fn title(document: &str) -> &str {
    first_of(document.lines()).trim_start_matches(['#', ' '])
}

/// The first words of prose, without heading markers.
pub(super) fn prose(text: &str) -> Box<str> {
    preview(without_escapes(text).trim_start_matches(['#', ' ', '\n']))
}

/// An identifier of the format, written as words.
pub(super) fn spaced(word: &str) -> String {
    word.replace('_', " ")
}

/// A number of seconds, as text.
pub(super) fn seconds(seconds: f64) -> String {
    if seconds < 120.0 { format!("{seconds:.0} s") } else { format!("{:.0} min", seconds / 60.0) }
}

/// The first line of output that contains words.
pub(super) fn first_line(output: &str) -> Cow<'_, str> {
    spoken(output).find(|line| !is_preamble(line)).or_else(|| spoken(output).next()).unwrap_or_default()
}

/// Lines printed before or beside the output that matters: `> garden@1.0.0 test`, `[test] $ make`, the total and the
/// dots of `ls -l`.
fn is_preamble(line: &str) -> bool {
    const STARTS: [&str; 4] = ["> ", "$ ", "total ", "Shell cwd was reset to "];
    const ENDS: [&str; 2] = [" .", " .."];
    STARTS.iter().any(|start| line.starts_with(start))
        || ENDS.iter().any(|end| line.ends_with(end))
        || (line.starts_with('[') && line.contains("] $ "))
}

/// The line near the end in which a test run reports its result: `12 passed`, `0 fail`.
fn verdict(output: &str) -> Option<Cow<'_, str>> {
    const NEAR: usize = 8;
    const WORDS: [&str; 2] = [" pass", " fail"];
    let ends_in_digit = |text: &str| text.ends_with(|c: char| c.is_ascii_digit());
    let is_verdict =
        |line: &str| WORDS.iter().any(|word| line.split_once(word).is_some_and(|(before, _)| ends_in_digit(before)));
    let tail = memchr::memrchr_iter(b'\n', output.as_bytes()).nth(NEAR);
    let tail = tail.and_then(|at| output.get(at..)).unwrap_or(output);
    WORDS.iter().any(|word| tail.contains(word)).then(|| spoken(tail).find(|line| is_verdict(line))).flatten()
}

/// The number of lines in a text.
pub(super) fn line_count(text: &str) -> usize {
    let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    breaks + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// The most informative line of output, with the number of lines.
pub(super) fn gist(output: &str) -> String {
    let output = output.trim();
    let first = verdict(output).unwrap_or_else(|| first_line(output));
    match line_count(output) {
        0 | 1 => first.into_owned(),
        number => format!("{} ({})", shortened(&first, LONGEST - 40), counted(number, "line")),
    }
}

/// The line of output that most likely describes the error.
pub(super) fn complaint(output: &str) -> Cow<'_, str> {
    /// A program that has not mentioned an error by then is unlikely to do so.
    const FAR: usize = 400;
    let complaints = || spoken(output).take(FAR).filter(|line| is_complaint(line));
    // Indented lines are usually source locations, or details of a complaint that is not indented.
    let outright = complaints().find(|line| !line.starts_with([' ', '\t']));
    outright.or_else(|| complaints().next()).unwrap_or_else(|| first_line(output))
}

fn is_complaint(line: &str) -> bool {
    const WORDS: [&str; 14] = [
        "Error",
        "error:",
        "error[",
        "ERROR",
        "error ",
        "fatal:",
        "FAIL",
        "panicked at",
        "Exception",
        "No such file",
        "not found",
        "denied",
        "cannot ",
        "Cannot ",
    ];
    WORDS.iter().any(|word| line.contains(word)) && !line.contains("0 error")
}

/// The lines that contain a letter or a digit, without terminal escapes and rules of `=`; of an overwritten line, the
/// last state.
fn spoken(output: &str) -> impl Iterator<Item = Cow<'_, str>> {
    output
        .split('\n')
        .filter_map(last_state)
        .map(without_escapes)
        .filter(|line| line.chars().any(char::is_alphanumeric))
        .map(|line| if line.starts_with("===") { line.trim_matches(['=', ' ']).to_owned().into() } else { line })
}

/// The last state of an overwritten line, if it contains words.
fn last_state(line: &str) -> Option<&str> {
    match memchr::memchr(b'\r', line.as_bytes()) {
        None => Some(line).filter(|line| !line.trim().is_empty()),
        Some(_) => line.rsplit('\r').find(|state| !state.trim().is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(counted(0, "match"), "no matches");
        assert_eq!(counted(-3_i64, "line"), "no lines");
        assert_eq!(counted(1_u64, "file"), "1 file");
        assert_eq!(counted(1_234_007_usize, "match"), "1,234,007 matches");
        assert_eq!(sized(Some(68_033)), "68.0 kB");
        assert_eq!(sized(Some(9_120_331)), "9.1 MB");
        assert_eq!(sized(Some(-1)), "");
    }

    #[test]
    fn output() {
        assert_eq!(gist("one\n"), "one");
        assert_eq!(gist("\n----\n\u{1b}[1m\u{1b}[31mone\u{1b}[0m\ntwo"), "one (3 lines)");
        assert_eq!(gist("10 %\r50 %\r100 %\r\n"), "100 %");
        assert_eq!(gist("\u{1b}]8;;http://a\u{7}link\u{1b}]8;;\u{1b}\\"), "link");
        assert_eq!(
            gist("===== test session starts =====\ntest_a.py ..\n\n===== 2 passed in 0.1s ====="),
            "2 passed in 0.1s (4 lines)"
        );
        assert_eq!(gist("total 8\n-rw-r--r-- beds.py"), "-rw-r--r-- beds.py (2 lines)");
        assert_eq!(gist(""), "");
        assert_eq!(gist("\u{1b}"), "");
    }

    #[test]
    fn complaints() {
        let trace = "Traceback (most recent call last):\n  raise ValueError(1)\nValueError: too deep";
        assert_eq!(complaint(trace), "ValueError: too deep");
        assert_eq!(complaint("> dig\n\nmake: *** [dig] Error 2"), "make: *** [dig] Error 2");
        assert_eq!(complaint("beds.py\n  3:1 - error: no spade"), "  3:1 - error: no spade");
        assert_eq!(complaint("dug two of three"), "dug two of three");
    }

    #[test]
    fn windows_paths_have_one_spelling() {
        assert_eq!(path(r"c:\go\segments\path.go"), path("C:/go/segments/path.go"));
        assert_eq!(path(r"/w/a\b"), r"/w/a\b");
    }

    #[test]
    fn long_paths_keep_their_end() {
        let long = format!("/{}/beds.py", "garden/".repeat(100));
        let shown = path(&long);
        assert!(shown.starts_with('…') && shown.ends_with("/beds.py") && shown.chars().count() <= LONGEST);
    }
}
