//! The report of `recount check`: the contents of sources, and the parts that are unknown or damaged.

use std::collections::BTreeMap;

use ledger::OutdatedList;
use reader::census::{Census, Kinds, Seen, SourceLine, Tally, ToolCount};
use serde::Serialize;
use sources::{Problem, Source, SourceKind};

/// The name and version of the report of a check.
pub const CHECK: &str = "recount.check/1";

/// The report of a check.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct CheckOut<'a> {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = CHECK)))]
    schema: &'static str,
    exit_code: u8,
    sources: Sources<'a>,
    lines: u64,
    bytes: u64,
    blank_lines: u64,
    spread_objects: u64,
    wrapped: BTreeMap<&'static str, u64>,
    repaired: BTreeMap<&'static str, u64>,
    versions: Vec<VersionCount<'a>>,
    entries: KindCounts<'a>,
    blocks: KindCounts<'a>,
    tools: Tools<'a>,
    prompts_without_session: SeenAt<'a>,
    foreign: Vec<Foreign>,
    unknown: Unknown<'a>,
    /// The price list, if it is older than a model of the sessions.
    outdated_prices: Option<OutdatedPrices>,
    malformed: Malformed<'a>,
    problems: Vec<ProblemRow>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct Sources<'a> {
    total: u64,
    transcripts: u64,
    subagents: u64,
    journals: u64,
    histories: u64,
    captures: u64,
    foreign: u64,
    empty: u64,
    not_transcripts: SeenAt<'a>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct SeenAt<'a> {
    count: u64,
    first: Option<At<'a>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct At<'a> {
    file: std::borrow::Cow<'a, str>,
    line: u64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct VersionCount<'a> {
    version: &'a str,
    entries: u64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct KindCounts<'a> {
    total: u64,
    kinds: Vec<KindCount<'a>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct KindCount<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    count: u64,
    below: Vec<BelowCount<'a>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct BelowCount<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    count: u64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct Tools<'a> {
    total: Counts,
    without_call: Counts,
    by_name: Vec<Tool<'a>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct Tool<'a> {
    name: &'a str,
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct Counts {
    calls: u64,
    results: u64,
    typed: u64,
    failed: u64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct Foreign {
    agent: String,
    files: u64,
    entries: u64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct Unknown<'a> {
    /// How often data that no known version writes occurs.
    count: u64,
    /// The versions that wrote it, the oldest first.
    versions: Vec<UnknownVersion<'a>>,
    /// The newest version of Claude Code whose format is known.
    known_version: &'static str,
    /// What to do about it, in words.
    advice: Option<String>,
    kinds: Vec<UnknownKind<'a>>,
    fields: Vec<UnknownField<'a>>,
    values: Vec<OddValue<'a>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct UnknownVersion<'a> {
    version: &'a str,
    count: u64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct OutdatedPrices {
    /// The day of the price list.
    checked: &'static str,
    /// The models without a price.
    models: Vec<String>,
    /// What to do about it, in words.
    advice: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct UnknownKind<'a> {
    of: &'static str,
    name: &'a str,
    #[serde(flatten)]
    seen: SeenAt<'a>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct UnknownField<'a> {
    record: &'static str,
    field: &'a str,
    #[serde(flatten)]
    seen: SeenAt<'a>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct OddValue<'a> {
    record: &'static str,
    field: &'static str,
    expected: &'static str,
    #[serde(flatten)]
    seen: SeenAt<'a>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct Malformed<'a> {
    count: u64,
    lines: Vec<MalformedRow<'a>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct MalformedRow<'a> {
    #[serde(flatten)]
    at: Option<At<'a>>,
    byte: usize,
    reason: &'a str,
    unfinished: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct ProblemRow {
    kind: &'static str,
    message: String,
    hint: &'static str,
}

impl<'a> CheckOut<'a> {
    /// The JSON of a census of sources, with problems and their hints, the price list if it is outdated, and the exit
    /// code.
    pub fn of(
        census: &'a Census,
        inputs: &[Source],
        problems: &[(&Problem, &'static str)],
        outdated: Option<&OutdatedList>,
        exit_code: u8,
    ) -> Self {
        let novelty = census.novelty();
        let at = |place: SourceLine| At {
            file: inputs.get(place.source).map_or_else(String::new, |source| source.input.to_string()).into(),
            line: place.line,
        };
        let seen = |seen: &Seen| SeenAt { count: seen.count, first: seen.first.map(at) };
        let sources = |kind| census.sources.get(&kind).copied().unwrap_or(0);
        Self {
            schema: CHECK,
            exit_code,
            sources: Sources {
                total: census.source_count(),
                transcripts: sources(SourceKind::Transcript),
                subagents: sources(SourceKind::Subagent),
                journals: sources(SourceKind::Journal),
                histories: sources(SourceKind::History) + sources(SourceKind::Prompts),
                captures: sources(SourceKind::Capture),
                foreign: census.foreign.values().map(|foreign| foreign.sources).sum(),
                empty: census.empty_sources,
                not_transcripts: seen(&census.other_sources),
            },
            lines: census.lines,
            bytes: census.bytes,
            blank_lines: census.blank_lines,
            spread_objects: census.spread_objects,
            wrapped: [
                ("several", census.wrapped.several),
                ("arrays", census.wrapped.arrays),
                ("loglines", census.wrapped.loglines),
            ]
            .into(),
            repaired: [("invalid_utf8", census.repaired.invalid_utf8), ("debris", census.repaired.debris)].into(),
            versions: census
                .versions_in_order()
                .into_iter()
                .map(|(version, entries)| VersionCount { version, entries })
                .collect(),
            entries: KindCounts::of(census.entry_count(), &census.entries),
            blocks: KindCounts::of(census.block_count(), &census.blocks),
            tools: Tools {
                total: census.tool_total().into(),
                without_call: census.without_call.into(),
                by_name: (census.tools.by_size(|count| count.calls).into_iter())
                    .map(|(name, count)| Tool { name, counts: (*count).into() })
                    .collect(),
            },
            prompts_without_session: seen(&census.prompts_without_session),
            foreign: (census.foreign.iter())
                .map(|(agent, foreign)| Foreign {
                    agent: agent.to_string(),
                    files: foreign.sources,
                    entries: foreign.entries.count,
                })
                .collect(),
            outdated_prices: outdated.map(|list| OutdatedPrices {
                checked: list.checked,
                models: list.models.iter().cloned().collect(),
                advice: list.to_string(),
            }),
            unknown: Unknown {
                count: novelty.as_ref().map_or(0, |novelty| novelty.times),
                advice: novelty.as_ref().map(ToString::to_string),
                versions: (novelty.into_iter().flat_map(|novelty| novelty.versions))
                    .map(|(version, count)| UnknownVersion { version, count })
                    .collect(),
                known_version: format::NEWEST_VERSION,
                kinds: named(&census.unknown_kinds)
                    .map(|(of, name, times)| UnknownKind { of, name, seen: seen(times) })
                    .collect(),
                fields: named(&census.unknown_fields)
                    .map(|(record, field, times)| UnknownField { record, field, seen: seen(times) })
                    .collect(),
                values: (census.odd_values.iter())
                    .map(|(value, times)| OddValue {
                        record: value.record,
                        field: value.field,
                        expected: value.expected,
                        seen: seen(times),
                    })
                    .collect(),
            },
            malformed: Malformed {
                count: census.malformed.count,
                lines: (census.malformed.first.iter())
                    .map(|line| MalformedRow {
                        at: Some(at(line.place)),
                        byte: line.byte,
                        reason: &line.reason,
                        unfinished: line.unfinished,
                    })
                    .collect(),
            },
            problems: problems.iter().map(|(problem, hint)| ProblemRow::of(problem, hint)).collect(),
        }
    }
}

/// The counted names, by group.
fn named<'a>(
    groups: &'a BTreeMap<&'static str, Tally<Seen>>,
) -> impl Iterator<Item = (&'static str, &'a str, &'a Seen)> {
    groups.iter().flat_map(|(group, tally)| tally.by_name().into_iter().map(|(name, seen)| (*group, name, seen)))
}

impl<'a> KindCounts<'a> {
    fn of(total: u64, tally: &'a Tally<Kinds>) -> Self {
        let below = |kinds: &'a Kinds| {
            let below = kinds.below.by_size(|count| *count);
            below.into_iter().map(|(kind, count)| BelowCount { kind, count: *count }).collect()
        };
        let kinds = tally.by_size(|kinds| kinds.count).into_iter();
        Self {
            total,
            kinds: kinds.map(|(kind, kinds)| KindCount { kind, count: kinds.count, below: below(kinds) }).collect(),
        }
    }
}

impl From<ToolCount> for Counts {
    fn from(ToolCount { calls, results, typed, failed }: ToolCount) -> Self {
        Self { calls, results, typed, failed }
    }
}

impl ProblemRow {
    fn of(problem: &Problem, hint: &'static str) -> Self {
        let kind = match problem {
            Problem::Missing { .. } => "missing",
            Problem::Unreadable { .. } => "unreadable",
            Problem::NoSessions { .. } => "no_sessions",
            Problem::NoRoots { .. } => "no_roots",
            Problem::NoTranscripts { .. } => "no_transcripts",
            Problem::NotAFile { .. } => "not_a_file",
            Problem::Secret { .. } => "secret",
            Problem::Empty { .. } => "empty",
            Problem::NotATranscript { .. } => "not_a_transcript",
            Problem::Foreign { .. } => "foreign",
        };
        Self { kind, message: problem.to_string(), hint }
    }
}
