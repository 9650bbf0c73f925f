//! Names and values of facts, as people write them. All outputs use them, so their wording is the same.

use std::borrow::Cow;

use format::tool::TaskStatus;
use format::{Text, Time};
use jiff::tz::TimeZone;

use crate::section::{Body, File, Label, Section, Task, TaskEvent, Value};

/// The unit of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// Things.
    Count,
    /// None: it is a name, such as the number of a pull request.
    Name,
    Millis,
    Seconds,
    Bytes,
}

/// Keys whose label differs from their spelling, or whose numbers have a unit.
const KEYS: &[(&str, &str, Unit)] = &[
    ("-A", "lines after", Unit::Count),
    ("-B", "lines before", Unit::Count),
    ("-C", "lines around", Unit::Count),
    ("-i", "ignore case", Unit::Count),
    ("-n", "line numbers", Unit::Count),
    ("-o", "only what matches", Unit::Count),
    ("afkTimeoutMs", "no answer after", Unit::Millis),
    ("agentType", "agent type", Unit::Count),
    ("allowedPrompts", "allowed without asking again", Unit::Count),
    ("args", "arguments", Unit::Count),
    ("assistantAutoBackgrounded", "sent to the background by Claude", Unit::Count),
    ("awaitingLeaderApproval", "waits for the leader's approval", Unit::Count),
    ("backgroundTaskId", "runs in the background as", Unit::Count),
    ("backgroundedByUser", "sent to the background by you", Unit::Count),
    ("bytes", "size", Unit::Bytes),
    ("codeText", "status", Unit::Count),
    ("code", "status", Unit::Name),
    ("content", "content", Unit::Count),
    ("context", "lines around", Unit::Count),
    ("dangerouslyDisableSandbox", "outside the sandbox", Unit::Count),
    ("dimensions", "", Unit::Count),
    ("exitCode", "exit code", Unit::Name),
    ("exit_code", "exit code", Unit::Name),
    ("addBlockedBy", "blocked by", Unit::Count),
    ("addBlocks", "blocks", Unit::Count),
    ("filePath", "file", Unit::Count),
    ("file_path", "file", Unit::Count),
    ("file_type", "file type", Unit::Count),
    ("firstPage", "first page", Unit::Name),
    ("head_limit", "limit", Unit::Count),
    ("humanSchedule", "schedule", Unit::Count),
    ("isAsync", "in the background", Unit::Count),
    ("line", "line", Unit::Name),
    ("multiSelect", "several may be chosen", Unit::Count),
    ("n", "limit", Unit::Count),
    ("notebook_path", "notebook", Unit::Count),
    ("number", "number", Unit::Name),
    ("originalHeight", "height", Unit::Count),
    ("originalWidth", "width", Unit::Count),
    ("originalSize", "size", Unit::Bytes),
    ("outputFile", "output in", Unit::Count),
    ("persistedOutputPath", "only the beginning; all of it is in", Unit::Count),
    ("persistedOutputSize", "all of it has", Unit::Bytes),
    ("planFilePath", "the plan is in", Unit::Count),
    ("planWasEdited", "edited by you", Unit::Count),
    ("pr", "pull request", Unit::Count),
    ("rawOutputPath", "all of it is in", Unit::Count),
    ("ref", "branch", Unit::Count),
    ("replaceAll", "replace all", Unit::Count),
    ("resolvedModel", "model", Unit::Count),
    ("resume", "continues", Unit::Count),
    ("returnCodeInterpretation", "meaning of the exit code", Unit::Count),
    ("run_in_background", "in the background", Unit::Count),
    ("size", "size", Unit::Bytes),
    ("size_bytes", "size", Unit::Bytes),
    ("status", "status", Unit::Name),
    ("subagent_type", "agent type", Unit::Count),
    ("timeout", "timeout", Unit::Millis),
    ("tokenSaverOutput", "what the model saw of it", Unit::Count),
    ("toolStats", "", Unit::Count),
    // Not the cost: the sum of all requests is shown elsewhere.
    ("totalTokens", "tokens of the last request", Unit::Count),
    ("totalToolUseCount", "tool calls", Unit::Count),
    ("total_bytes", "size", Unit::Bytes),
    ("totalBytes", "size", Unit::Bytes),
    ("unanswered", "no answer", Unit::Count),
    ("usage", "last request:", Unit::Count),
    ("userModified", "changed by you", Unit::Count),
    ("wait_up_to", "waits at most", Unit::Seconds),
    ("ws", "socket", Unit::Count),
];

/// The table row of a key.
fn known(key: &str) -> Option<(&'static str, Unit)> {
    KEYS.iter().find(|(known, _, _)| *known == key).map(|(_, label, unit)| (*label, *unit))
}

/// Endings of keys that name the unit.
const ENDINGS: [(&str, Unit); 5] = [
    ("Ms", Unit::Millis),
    ("_ms", Unit::Millis),
    ("Seconds", Unit::Seconds),
    ("_seconds", Unit::Seconds),
    ("_bytes", Unit::Bytes),
];

/// The unit of a key, and the key without it.
fn split_unit(key: &str) -> (&str, Unit) {
    ENDINGS.iter().find_map(|(end, unit)| Some((key.strip_suffix(end)?, *unit))).unwrap_or((key, Unit::Count))
}

impl<'e> Label<'e> {
    /// A label of one word or key.
    pub const fn new(key: &'e str) -> Self {
        Self { group: "", key, is_verbatim: false }
    }

    /// The label as people write it; empty if there is none.
    ///
    /// ```
    /// use content::section::Label;
    /// assert_eq!(Label::new("totalToolUseCount").words(), "tool calls");
    /// assert_eq!(Label::new("max_turns").words(), "max turns");
    /// assert_eq!(Label { group: "commit", ..Label::new("sha") }.words(), "commit sha");
    /// ```
    pub fn words(&self) -> Cow<'e, str> {
        if self.is_verbatim {
            return Cow::Borrowed(self.key);
        }
        let own = words_of(self.key);
        // A key of several words is clear by itself; one such as `url` or `name` is not.
        let is_short = !own.contains(' ') && !self.group.is_empty();
        let group = if is_short { words_of(self.group) } else { Cow::Borrowed("") };
        if group.is_empty() || group == own { own } else { Cow::Owned(format!("{group} {own}")) }
    }

    fn unit(&self) -> Unit {
        if self.is_verbatim {
            return Unit::Name;
        }
        known(self.key).map_or_else(|| split_unit(self.key).1, |(_, unit)| unit)
    }
}

/// Labels of the main content of a call, which needs no heading below the line of the call.
const MAIN: [&str; 25] = [
    "code",
    "command",
    "content",
    "contents",
    "details",
    "display",
    "file_text",
    "json",
    "lastPrompt",
    "listing",
    "message",
    "outputs",
    "plan",
    "rendered",
    "result",
    "script",
    "served",
    "short_summary",
    "skillMd",
    "snippet",
    "source",
    "stdout",
    "text",
    "tree",
    "output",
];

/// The label of what a program wrote to its standard error.
pub(crate) const STDERR: &str = "stderr";

impl<'e> Section<'e> {
    /// Whether the thread of an agent contains it too: the agent's task and its answer.
    pub fn is_in_thread(&self) -> bool {
        matches!(self.body, Body::Prose(_)) && matches!(self.label.key, "prompt" | "answer")
    }

    /// Whether it is what a program wrote to its standard error.
    pub fn is_stderr(&self) -> bool {
        self.label.key == STDERR && matches!(self.body, Body::Output(_))
    }

    /// Whether `next`, which follows it, continues the same list.
    pub fn is_listed_with(&self, next: &Self) -> bool {
        match (&self.body, &next.body) {
            (Body::Fact(_), Body::Fact(_))
            | (Body::Link { .. }, Body::Link { .. })
            | (Body::Task(_), Body::Task(_)) => true,
            (Body::Item(_), Body::Item(_)) => self.label == next.label,
            _ => false,
        }
    }

    /// The heading of the section; `None` if the section needs none.
    pub fn heading(&self) -> Option<Cow<'e, str>> {
        let is_headed = self.body.has_heading() && !MAIN.contains(&self.label.key);
        Some(self.label.words()).filter(|words| is_headed && !words.is_empty())
    }
}

/// A key of the format in words: `worktreePath` is `worktree path`.
fn words_of(key: &str) -> Cow<'_, str> {
    if let Some((label, _)) = known(key) {
        return Cow::Borrowed(label);
    }
    if key.contains(' ') {
        return Cow::Borrowed(key);
    }
    let (key, _) = split_unit(key);
    let is_plain = |c: char| !c.is_ascii_uppercase() && c != '_';
    if key.chars().all(is_plain) {
        return Cow::Borrowed(key);
    }
    let mut words = String::with_capacity(key.len() + 4);
    let mut before = ' ';
    for letter in key.chars() {
        if letter == '_' || (letter.is_ascii_uppercase() && !before.is_ascii_uppercase()) {
            words.push(' ');
        }
        if letter != '_' {
            words.push(letter.to_ascii_lowercase());
        }
        before = letter;
    }
    let words = words.trim_start();
    let words = ["is ", "has ", "was "].iter().find_map(|start| words.strip_prefix(start)).unwrap_or(words);
    Cow::Owned(words.to_owned())
}

impl Value<'_> {
    /// The value as people write it.
    ///
    /// ```
    /// use content::section::{Label, Value};
    /// assert_eq!(Value::Number(120_000).words(Label::new("timeout")), "2 min");
    /// assert_eq!(Value::Number(45_215).words(Label::new("totalTokens")), "45,215");
    /// assert_eq!(Value::Word("in_progress").words(Label::new("status")), "in progress");
    /// ```
    pub fn words(&self, label: Label<'_>) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Word(word) => spaced(word),
            Self::Id(id) => Cow::Borrowed(id),
            Self::Time(time) => Cow::Owned(moment(*time)),
            Self::Number(number) => Cow::Owned(counted(*number, label.unit())),
            Self::Fraction(number) => Cow::Owned(fraction(*number, label.unit())),
            Self::Flag(true) => Cow::Borrowed("yes"),
            Self::Flag(false) => Cow::Borrowed("no"),
        }
    }
}

/// A word of the format, as people write it.
fn spaced(word: &str) -> Cow<'_, str> {
    if word.contains('_') { Cow::Owned(word.replace('_', " ")) } else { Cow::Borrowed(word) }
}

/// A timestamp in UTC; unchanged if it cannot be parsed.
fn moment(time: Time<'_>) -> String {
    let written = human::date_and_time(time.milliseconds(), &TimeZone::UTC);
    if written.is_empty() { time.as_str().to_owned() } else { format!("{written} UTC") }
}

fn counted(number: i64, unit: Unit) -> String {
    let Ok(positive) = u64::try_from(number) else { return number.to_string() };
    match unit {
        Unit::Count => human::thousands(positive),
        Unit::Name => number.to_string(),
        Unit::Millis => human::duration(positive),
        Unit::Seconds => human::duration(positive.saturating_mul(1000)),
        Unit::Bytes => human::bytes(positive),
    }
}

fn fraction(number: f64, unit: Unit) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "it stops at the largest number")]
    let whole = |number: f64| number.round() as i64;
    match unit {
        Unit::Millis => counted(whole(number), Unit::Millis),
        Unit::Seconds => counted(whole(number * 1000.0), Unit::Millis),
        Unit::Count | Unit::Name | Unit::Bytes => number.to_string(),
    }
}

impl Task<'_> {
    /// That it is in progress, with its wording while it is: `in progress: Digging the beds`; empty if it is not.
    pub fn progress(&self) -> Cow<'static, str> {
        if self.status != Some(TaskStatus::InProgress) {
            Cow::Borrowed("")
        } else if self.active_form.is_empty() || self.active_form == self.text {
            Cow::Borrowed("in progress")
        } else {
            Cow::Owned(format!("in progress: {}", self.active_form))
        }
    }

    /// What the call changed about it: `started`, `done, reworded from “Dig”`; empty if nothing.
    pub fn news(&self) -> Cow<'static, str> {
        let Some(event) = self.event else { return Cow::Borrowed("") };
        if self.reworded_from.is_empty() {
            return Cow::Borrowed(event.words());
        }
        let before = if event == TaskEvent::Reworded { String::new() } else { format!("{}, ", event.words()) };
        Cow::Owned(format!("{before}reworded from “{}”", self.reworded_from))
    }

    /// The remarks after the task: its owner, the tasks that it waits for, and the tasks that wait for it.
    pub fn remarks(&self) -> String {
        let numbers = |ids: &[Text<'_>]| ids.iter().map(|id| format!("#{id}")).collect::<Vec<_>>().join(", ");
        let with = |words: &str, ids: &[Text<'_>]| (!ids.is_empty()).then(|| format!("{words} {}", numbers(ids)));
        let own = (!self.remark.is_empty()).then(|| self.remark.to_owned());
        let other = match self.status {
            Some(TaskStatus::Other(status)) => Some(status.to_string()),
            Some(_) | None => None,
        };
        let remarks = [own, other, with("blocked by", self.blocked_by), with("blocks", self.blocks)];
        remarks.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl File<'_> {
    /// The range of lines: `lines 9–11 of 200`; empty if it is the whole file or unknown.
    pub fn range(&self) -> String {
        let number = |line: Option<i64>| line.and_then(|line| u64::try_from(line).ok());
        let start = number(self.first_line).unwrap_or(1).max(1);
        let lines = number(self.lines).unwrap_or_else(|| self.text.lines().count() as u64);
        let last = start.saturating_add(lines).saturating_sub(1);
        let [start_words, last_words] = [start, last].map(human::thousands);
        match number(self.total_lines) {
            Some(total) if lines < total || start > 1 => {
                format!("lines {start_words}–{last_words} of {}", human::thousands(total))
            }
            _ if start > 1 => format!("lines {start_words}–{last_words}"),
            _ => String::new(),
        }
    }

    /// Its lines, each with its number; `None` if it is not known which lines of the file they are.
    pub fn numbered(&self) -> Option<impl Iterator<Item = (usize, &str)>> {
        self.first_line.map(|_| (self.start()..).zip(self.text.trim_end_matches('\n').split('\n')))
    }

    /// The number of columns that its line numbers take.
    pub fn number_width(&self) -> usize {
        let last = self.start().saturating_add(self.text.trim_end_matches('\n').split('\n').count()) - 1;
        last.checked_ilog10().map_or(1, |digits| digits as usize + 1)
    }

    /// The number of the first line.
    pub fn start(&self) -> usize {
        self.first_line.and_then(|line| usize::try_from(line).ok()).unwrap_or(1).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_become_words() {
        let cases = [
            ("worktreePath", "worktree path"),
            ("is_splitpane", "splitpane"),
            ("wasInterrupted", "interrupted"),
            ("durationMs", "duration"),
            ("delaySeconds", "delay"),
            ("url", "url"),
            ("answer", "answer"),
            ("toolUseID", "tool use id"),
        ];
        for (key, words) in cases {
            assert_eq!(Label::new(key).words(), words);
        }
        let within = |group, key| Label { group, ..Label::new(key) }.words();
        assert_eq!(within("pr", "number"), "pull request number");
        assert_eq!(within("routing", "senderColor"), "sender color");
        assert_eq!(within("usage", "input_tokens"), "input tokens");
        assert_eq!(Label { is_verbatim: true, ..Label::new("maxRows") }.words(), "maxRows");
    }

    #[test]
    fn keys_are_in_order_and_once() {
        let keys: Vec<&str> = KEYS.iter().map(|(key, _, _)| *key).collect();
        let twice = keys.iter().find(|key| keys.iter().filter(|other| other == key).count() > 1);
        assert_eq!(twice, None);
    }

    #[test]
    fn values_have_units() {
        let words = |key, value: Value<'static>| value.words(Label::new(key)).into_owned();
        assert_eq!(words("durationSeconds", Value::Fraction(3.5)), "3.5 s");
        assert_eq!(words("persistedOutputSize", Value::Number(52_100)), "52.1 kB");
        assert_eq!(words("exitCode", Value::Number(-1)), "-1");
        assert_eq!(words("code", Value::Number(1200)), "1200");
        assert_eq!(words("nextFireAt", Value::Time(Time::from("1790207640000"))), "23 Sep 2026 23:54 UTC");
        assert_eq!(words("nextFireAt", Value::Time(Time::from("soon"))), "soon");
        assert_eq!(words("replace_all", Value::Flag(true)), "yes");
    }

    #[test]
    fn files_say_which_lines_they_are() {
        let file = |first_line, lines, total_lines| {
            File { path: "", first_line, lines, total_lines, text: "a\nb".into() }.range()
        };
        assert_eq!(file(Some(9), Some(3), Some(1200)), "lines 9–11 of 1,200");
        assert_eq!(file(Some(9), None, None), "lines 9–10");
        assert_eq!(file(Some(1), Some(2), Some(2)), "");
        assert_eq!(file(None, None, None), "");
    }
}
