//! What was replaced in a session that is shared, or what has to be decided before.

use std::path::PathBuf;

use redact::{Category, Certainty, LeftOut, Place, Report, Undecided};
use serde::Serialize;
use sources::Problem;

use crate::path;

/// The name and version of the report.
pub const SHARE: &str = "recount.share/1";

/// The report about a session that is shared.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct ShareOut {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = SHARE)))]
    schema: &'static str,
    /// The files that were written, the session's own first; none while a finding is undecided.
    files: Vec<String>,
    /// The version of the rules.
    rules_version: u32,
    findings: Vec<FindingOut>,
    /// Lines that could not be read and are left out.
    left_out: Vec<LeftOutOut>,
    /// Why files of the session could not be read; they are left out.
    problems: Vec<String>,
}

/// Something that was found, however often it occurs.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct FindingOut {
    /// The rule that found it.
    rule: String,
    certainty: &'static str,
    category: &'static str,
    decision: &'static str,
    /// Its beginning and end, as far as they give nothing away.
    preview: String,
    /// The text in its place; null if it was kept or is undecided.
    replacement: Option<String>,
    /// How often a rule found it.
    found: u64,
    /// How often it was replaced, also where only its value tells it.
    replaced: u64,
    /// The first places where it was found.
    places: Vec<PlaceOut>,
}

/// A place in a session.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct PlaceOut {
    /// The file.
    file: String,
    /// The line, from 1; 0 if it is not in a line.
    line: u64,
    /// The field: `message.content[0].text`.
    field: String,
}

/// A line that was left out.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct LeftOutOut {
    /// The file.
    file: String,
    /// The line, from 1.
    line: u64,
    /// Its size.
    bytes: u64,
}

impl ShareOut {
    /// The report about files that were written.
    pub fn written(files: &[PathBuf], report: &Report, problems: &[Problem]) -> Self {
        let findings = report.findings.iter().map(|finding| FindingOut {
            rule: finding.rule.to_owned(),
            certainty: certainty(finding.certainty),
            category: category(finding.category),
            decision: if finding.replacement.is_some() { "replace" } else { "keep" },
            preview: finding.preview.clone(),
            replacement: finding.replacement.clone(),
            found: finding.found,
            replaced: finding.replaced,
            places: places(&finding.places),
        });
        Self {
            schema: SHARE,
            files: files.iter().map(|file| path(file)).collect(),
            rules_version: report.rules_version,
            findings: findings.collect(),
            left_out: left_out(&report.left_out),
            problems: problems.iter().map(Problem::to_string).collect(),
        }
    }

    /// What was found in a session that is not written, because something is undecided.
    pub fn undecided(undecided: &Undecided) -> Self {
        let findings = undecided.findings.list().iter().map(|finding| FindingOut {
            rule: finding.rule.to_owned(),
            certainty: certainty(finding.certainty),
            category: category(finding.category),
            decision: if undecided.ids.contains(&finding.id) { "undecided" } else { "replace" },
            preview: finding.preview.clone(),
            replacement: None,
            found: finding.count,
            replaced: 0,
            places: places(&finding.places),
        });
        Self {
            schema: SHARE,
            files: Vec::new(),
            rules_version: undecided.findings.rules_version(),
            findings: findings.collect(),
            left_out: left_out(undecided.findings.left_out()),
            problems: Vec::new(),
        }
    }
}

fn places(places: &[Place]) -> Vec<PlaceOut> {
    let place =
        |Place { source, line, path }: &Place| PlaceOut { file: source.clone(), line: *line, field: path.clone() };
    places.iter().map(place).collect()
}

fn left_out(lines: &[LeftOut]) -> Vec<LeftOutOut> {
    let line =
        |LeftOut { source, line, bytes }: &LeftOut| LeftOutOut { file: source.clone(), line: *line, bytes: *bytes };
    lines.iter().map(line).collect()
}

const fn certainty(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Certain => "certain",
        Certainty::Likely => "likely",
    }
}

const fn category(category: Category) -> &'static str {
    match category {
        Category::Secret => "secret",
        Category::User => "user",
        Category::Host => "host",
        Category::Email => "email",
        Category::Ip => "ip",
        Category::Account => "account",
        Category::Word => "word",
    }
}
