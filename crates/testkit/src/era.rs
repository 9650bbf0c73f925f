//! The eras of the transcript format and the versions within them.
//!
//! [`Version`] answers what a version writes, so that each fact of the version timeline (docs/format J) is in one
//! place.

use std::fmt;
use std::str::FromStr;

/// A range of CLI versions with similar transcripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Era {
    /// 1.0: inline sidechains, resume copies history into a new file.
    V1_0,
    /// 2.0: top-level agent files, file history, queue operations, slugs.
    V2_0,
    /// 2.1.12 to 2.1.29: the progress flood, `subagents/`, placeholder usage.
    V2_1_12,
    /// 2.1.59 to 2.1.71: `Agent`, `caller`, final usage on the last block.
    V2_1_63,
    /// 2.1.97 to 2.1.145: attachments instead of progress, empty thinking.
    V2_1_97,
    /// 2.1.219 to 2.1.245: token reminders, prompt sources, file history deltas.
    V2_1_2xx,
    /// 2.1.280 onward: speech in thinking, placeholder usage again, Code Mode, lines about the owner and data flow.
    V2_1_326,
}

impl Era {
    /// All eras, oldest first.
    pub const ALL: [Era; 7] =
        [Era::V1_0, Era::V2_0, Era::V2_1_12, Era::V2_1_63, Era::V2_1_97, Era::V2_1_2xx, Era::V2_1_326];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Era::V1_0 => "1.0",
            Era::V2_0 => "2.0",
            Era::V2_1_12 => "2.1.12",
            Era::V2_1_63 => "2.1.63",
            Era::V2_1_97 => "2.1.97",
            Era::V2_1_2xx => "2.1.2xx",
            Era::V2_1_326 => "2.1.326",
        }
    }

    /// The CLI versions that sessions of this era are written with.
    pub fn versions(self) -> &'static [Version] {
        const fn v(major: u16, minor: u16, patch: u16) -> Version {
            Version { major, minor, patch }
        }
        match self {
            Era::V1_0 => const { &[v(1, 0, 8), v(1, 0, 35), v(1, 0, 43), v(1, 0, 51), v(1, 0, 56)] },
            Era::V2_0 => const { &[v(2, 0, 55), v(2, 0, 64), v(2, 0, 76)] },
            Era::V2_1_12 => const { &[v(2, 1, 12), v(2, 1, 17), v(2, 1, 22), v(2, 1, 29), v(2, 1, 42)] },
            Era::V2_1_63 => const { &[v(2, 1, 59), v(2, 1, 63), v(2, 1, 71)] },
            Era::V2_1_97 => const { &[v(2, 1, 97), v(2, 1, 108), v(2, 1, 112), v(2, 1, 145)] },
            Era::V2_1_2xx => const { &[v(2, 1, 219), v(2, 1, 226), v(2, 1, 232), v(2, 1, 245)] },
            Era::V2_1_326 => const { &[v(2, 1, 280), v(2, 1, 311), v(2, 1, 323), v(2, 1, 326), v(2, 1, 330)] },
        }
    }

    /// The models of this era: the main one and the cheaper one.
    pub fn models(self) -> (&'static str, &'static str) {
        match self {
            Era::V1_0 => ("claude-opus-4-20250514", "claude-sonnet-4-20250514"),
            Era::V2_0 => ("claude-sonnet-4-5-20250929", "claude-haiku-4-5-20251001"),
            Era::V2_1_12 => ("claude-opus-4-5-20251101", "claude-haiku-4-5-20251001"),
            Era::V2_1_63 => ("claude-opus-4-6", "claude-haiku-4-5-20251001"),
            Era::V2_1_97 => ("claude-opus-4-8", "claude-sonnet-5"),
            Era::V2_1_2xx => ("claude-opus-5", "claude-sonnet-5"),
            Era::V2_1_326 => ("claude-opus-5-5", "claude-sonnet-5-5"),
        }
    }

    /// The first day of the era as year, month, day.
    pub fn begins(self) -> (i64, i64, i64) {
        match self {
            Era::V1_0 => (2025, 6, 23),
            Era::V2_0 => (2025, 11, 24),
            Era::V2_1_12 => (2026, 1, 18),
            Era::V2_1_63 => (2026, 2, 26),
            Era::V2_1_97 => (2026, 4, 9),
            Era::V2_1_2xx => (2026, 8, 3),
            // A day before the price of cache reads changed.
            Era::V2_1_326 => (2026, 10, 6),
        }
    }
}

impl fmt::Display for Era {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Era {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Era::ALL
            .into_iter()
            .find(|era| era.name() == name)
            .ok_or_else(|| format!("unknown era `{name}` (one of 1.0, 2.0, 2.1.12, 2.1.63, 2.1.97, 2.1.2xx, 2.1.326)"))
    }
}

/// A CLI version, as in the `version` field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    major: u16,
    minor: u16,
    patch: u16,
}

/// Where the envelope of an entry is (`cwd`, `sessionId`, `version`, …).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Before the message, up to 2.1.7x.
    EnvelopeFirst,
    /// After the message, from 2.1.7x on.
    EnvelopeLast,
}

/// The meaning of `usage` in the lines of one API message (docs/format C.4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsageTruth {
    /// Placeholder on all lines but the last; `stop_reason` null everywhere.
    LastLine,
    /// The same placeholder on every line, `stop_reason` always null.
    Placeholder,
    /// Placeholder on all lines but the last, which also has `stop_reason`.
    LastLineWithReason,
    /// Final figures and `stop_reason` on every line.
    EveryLine,
}

/// Where the entries of subagents are written (docs/format G.7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentPlace {
    /// In the main file, `isSidechain: true`.
    Inline,
    /// `<slug>/agent-<7 hex>.jsonl`.
    TopLevel,
    /// `<slug>/<session>/subagents/agent-<id>.jsonl`.
    Companion,
}

impl Version {
    /// The version `major.minor.patch`.
    pub const fn new(major: u16, minor: u16, patch: u16) -> Self {
        Self { major, minor, patch }
    }

    /// Whether this version is `major.minor.patch` or newer.
    pub fn since(self, major: u16, minor: u16, patch: u16) -> bool {
        self >= Self::new(major, minor, patch)
    }

    /// The position of the envelope.
    pub fn layout(self) -> Layout {
        if self.since(2, 1, 76) { Layout::EnvelopeLast } else { Layout::EnvelopeFirst }
    }

    /// Which lines of a message have its true usage.
    pub fn usage_truth(self) -> UsageTruth {
        if self.has_placeholders_again() {
            UsageTruth::LastLineWithReason
        } else if self.since(2, 1, 97) {
            UsageTruth::EveryLine
        } else if self.since(2, 1, 59) {
            UsageTruth::LastLineWithReason
        } else if self.since(2, 1, 12) {
            UsageTruth::Placeholder
        } else {
            UsageTruth::LastLine
        }
    }

    /// Where subagents are written.
    pub fn agent_place(self) -> AgentPlace {
        if self.since(2, 1, 3) {
            AgentPlace::Companion
        } else if self.since(2, 0, 20) {
            AgentPlace::TopLevel
        } else {
            AgentPlace::Inline
        }
    }

    /// Whether entries have `gitBranch` (from 1.0.4x).
    pub fn has_git_branch(self) -> bool {
        self.since(1, 0, 43)
    }

    /// Whether entries have the three-word `slug` (from 2.0.5x, fewer in the newest).
    pub fn has_slug(self) -> bool {
        self.since(2, 0, 50) && !self.since(2, 1, 200)
    }

    /// Whether `progress` entries are stored.
    pub fn has_progress(self) -> bool {
        self.since(2, 1, 12) && !self.since(2, 1, 82)
    }

    /// Whether `attachment` entries are stored.
    pub fn has_attachments(self) -> bool {
        self.since(2, 1, 97)
    }

    /// Whether the text of `thinking` blocks is left out.
    pub fn hides_thinking(self) -> bool {
        self.since(2, 1, 76)
    }

    /// Whether lines before the last of a message have placeholders as usage once more, without the keys that only
    /// final usage has.
    pub fn has_placeholders_again(self) -> bool {
        self.since(2, 1, 270)
    }

    /// Whether its models say in `thinking` blocks what the user sees between calls.
    pub fn speaks_in_thinking(self) -> bool {
        self.since(2, 1, 280)
    }

    /// Whether the lines about owners, tools, modes and data flow are written.
    pub fn has_owner_lines(self) -> bool {
        self.since(2, 1, 311)
    }

    /// Whether the subagent tool is called `Agent` instead of `Task`.
    pub fn says_agent(self) -> bool {
        self.since(2, 1, 63)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut numbers = text.split('.').map(str::parse::<u16>);
        match (numbers.next(), numbers.next(), numbers.next(), numbers.next()) {
            (Some(Ok(major)), Some(Ok(minor)), Some(Ok(patch)), None) => Ok(Self { major, minor, patch }),
            _ => Err(format!("`{text}` is not a version like 2.1.226")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back_to_eras() {
        for era in Era::ALL {
            assert_eq!(era.name().parse(), Ok(era));
        }
        assert!("3.0".parse::<Era>().is_err());
    }

    #[test]
    fn versions_are_ordered_by_number() {
        let version: Version = "2.1.97".parse().unwrap();
        assert!(version.since(2, 1, 12) && !version.since(2, 1, 108));
        assert_eq!(version.to_string(), "2.1.97");
        assert!("2.1".parse::<Version>().is_err());
    }
}
