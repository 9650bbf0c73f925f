//! The filters of `recount cat`.

use std::collections::HashSet;

use format::block::{Call, Content};
use format::tool::Tool;
use format::{Entry, Line, Reading, Time};
use jiff::Timestamp;
use reader::census::subkind;

use crate::range::Range;

/// The conditions: a line must meet every kind of condition given, and at least one of each kind.
#[derive(Debug, Default)]
pub(crate) struct LineFilter {
    pub(crate) types: Vec<TypeName>,
    pub(crate) tools: Vec<String>,
    pub(crate) role: Option<Role>,
    pub(crate) since: Option<Timestamp>,
    pub(crate) until: Option<Timestamp>,
    /// Ids of entries, or prefixes of them.
    pub(crate) uuids: Vec<String>,
    pub(crate) lines: Option<Range>,
}

/// The conditions, with the state they need while lines are read.
#[derive(Debug)]
pub(crate) struct Selection {
    filter: LineFilter,
    /// The calls of the selected tools.
    calls: HashSet<Box<str>>,
}

/// `system`, or `system/turn_duration`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TypeName {
    kind: String,
    below: Option<String>,
}

impl From<&str> for TypeName {
    fn from(text: &str) -> Self {
        match text.split_once('/') {
            Some((kind, below)) => Self { kind: kind.to_owned(), below: Some(below.to_owned()) },
            None => Self { kind: text.to_owned(), below: None },
        }
    }
}

/// The role of a speaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Role {
    /// Prompts, tool results, and other input of the model
    User,
    /// Replies and calls of the model
    Assistant,
    /// Events around the conversation
    System,
}

impl Role {
    const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
        }
    }
}

impl Selection {
    pub(crate) fn new(filter: LineFilter) -> Self {
        Self { filter, calls: HashSet::new() }
    }

    /// Returns whether a condition depends on the content of a line and not only on its number.
    pub(crate) fn needs_reading(&self) -> bool {
        self.filter.role.is_some()
            || self.filter.since.is_some()
            || self.filter.until.is_some()
            || !(self.filter.types.is_empty() && self.filter.tools.is_empty() && self.filter.uuids.is_empty())
    }

    /// Returns whether every line is selected.
    pub(crate) fn is_everything(&self) -> bool {
        self.filter.lines.is_none() && !self.needs_reading()
    }

    /// Returns whether the number of a line is selected.
    pub(crate) fn has_number(&self, line: &Line<'_>) -> bool {
        let last = line.number + line.span - 1;
        self.filter.lines.as_ref().is_none_or(|Range(range)| line.number <= *range.end() && last >= *range.start())
    }

    /// Returns whether no line from this one on can be selected.
    pub(crate) fn is_behind(&self, line: &Line<'_>) -> bool {
        self.filter.lines.as_ref().is_some_and(|Range(range)| line.number > *range.end())
    }

    /// Returns whether an entry of the line meets the conditions. Expects lines in order, since results follow their
    /// calls.
    pub(crate) fn selects(&mut self, reading: &Reading<'_>) -> bool {
        let mut selected = false;
        for entry in &reading.entries {
            // Every entry is examined, to collect its calls.
            selected |= self.selects_entry(entry);
        }
        selected
    }

    fn selects_entry(&mut self, entry: &Entry<'_>) -> bool {
        let of_tool = self.filter.tools.is_empty() || self.is_of_tool(entry);
        of_tool && self.is_of_type(entry) && self.is_of_role(entry) && self.is_in_time(entry) && self.has_uuid(entry)
    }

    fn is_of_type(&self, entry: &Entry<'_>) -> bool {
        let fits = |name: &TypeName| {
            name.kind == entry.body.kind()
                && name.below.as_deref().is_none_or(|below| subkind(&entry.body) == Some(below))
        };
        self.filter.types.is_empty() || self.filter.types.iter().any(fits)
    }

    fn is_of_role(&self, entry: &Entry<'_>) -> bool {
        let Some(role) = self.filter.role else { return true };
        let said =
            entry.body.message().and_then(|message| message.role).map_or(entry.body.kind(), |role| role.as_str());
        said == role.as_str()
    }

    fn is_in_time(&self, entry: &Entry<'_>) -> bool {
        if self.filter.since.is_none() && self.filter.until.is_none() {
            return true;
        }
        let time = entry.envelope.timestamp.or(entry.envelope.audit_timestamp).and_then(Time::timestamp);
        let fits = |time: Timestamp| {
            self.filter.since.is_none_or(|since| time >= since) && self.filter.until.is_none_or(|until| time <= until)
        };
        time.is_some_and(fits)
    }

    fn has_uuid(&self, entry: &Entry<'_>) -> bool {
        let has = |uuid: &str| self.filter.uuids.iter().any(|wanted| uuid.starts_with(wanted.as_str()));
        self.filter.uuids.is_empty() || entry.envelope.uuid.is_some_and(|uuid| has(uuid.as_str()))
    }

    /// Returns whether an entry calls one of the tools, or holds the result of such a call.
    fn is_of_tool(&mut self, entry: &Entry<'_>) -> bool {
        let content = entry.body.message().and_then(|message| message.content.as_ref());
        let mut fits = false;
        for block in content.map_or(&[][..], Content::blocks) {
            fits |= block.call().is_some_and(|call| self.is_wanted_call(call));
            fits |= block.answers().is_some_and(|id| self.calls.contains(id.as_str()));
        }
        fits
    }

    /// Remembers the call, so that its result is selected too.
    fn is_wanted_call(&mut self, call: Call<'_>) -> bool {
        let Some(name) = call.tool else { return false };
        let tool = Tool::named(&name);
        let is_wanted = self.filter.tools.iter().any(|wanted| tool.is_meant_by(wanted));
        if is_wanted {
            self.calls.extend(call.id.map(|id| id.as_str().into()));
        }
        is_wanted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_numbers_are_read() {
        let read = |text: &str| text.parse::<Range>().ok().map(|Range(range)| range.into_inner());
        assert_eq!(read("5..10"), Some((5, 10)));
        assert_eq!(read("5..=10"), Some((5, 10)));
        assert_eq!(read("5.."), Some((5, u64::MAX)));
        assert_eq!(read("..10"), Some((1, 10)));
        assert_eq!(read(".."), Some((1, u64::MAX)));
        assert_eq!(read("7"), Some((7, 7)));
        for nonsense in ["", "0", "0..3", "9..3", "a..b", "-1", "1...3"] {
            assert_eq!(read(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn a_line_that_spans_several_is_selected_if_one_of_them_is() {
        let line = Line { bytes: b"", number: 5, offset: 0, span: 3, unfinished: false };
        let has = |text: &str| {
            Selection::new(LineFilter { lines: text.parse().ok(), ..LineFilter::default() }).has_number(&line)
        };
        assert_eq!(["..4", "..5", "6", "7..9", "8.."].map(has), [false, true, true, true, false]);
    }
}
