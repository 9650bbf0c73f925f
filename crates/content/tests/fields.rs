//! Tests that no field of a record is left out: each value, alone in its record, is in some section.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "these are tests")]

mod marked;

use content::section::{Body, Section, Value};
use format::block::Block;
use format::fields::{Shape, Visit as _};
use format::tool::{ToolKind, read_result};
use format::{Raw, Scratch};
use marked::{Mark, Marked};
use story::Detail;

/// Keys whose values are in no section, each with the reason.
const EXCEPTIONS: [(&str, &str); 11] = [
    ("base64", "data: an image or a document has it"),
    ("blob", "data"),
    ("data", "data"),
    ("signature", "data that only the API can read"),
    ("encrypted_content", "data that only the API can read"),
    ("originalFile", "the file as it was before"),
    ("originalFileContents", "the file as it was before"),
    ("original_file", "the file as it was before"),
    ("updated_file", "the file as it is after: the change says it"),
    ("claudeMessage", "the message that a record of a capture wraps is the entry itself"),
    ("[capture].timestamp", "the moment of the entry, which is outside the content"),
];

/// Whether a value is left out on purpose.
fn is_exception(path: &str) -> bool {
    let is_meant = |exception: &str| path == exception || path.split('.').any(|key| key == exception);
    EXCEPTIONS.iter().any(|(exception, _)| is_meant(exception))
}

/// Whether some section contains the value.
fn carries(sections: &[Section<'_>], mark: &Mark) -> bool {
    sections.iter().any(|section| match mark {
        Mark::Word(word) => has_word(section, word),
        Mark::Number(number) => has_number(section, *number),
        Mark::Flag => panic!("a flag has no mark"),
    })
}

fn has_word(section: &Section<'_>, word: &str) -> bool {
    let mut has = section.label.key.contains(word);
    section.body.each_text(|text| has |= text.contains(word));
    has || match &section.body {
        Body::Json(json) => json.contains(word),
        Body::Fact(Value::Time(time)) => time.as_str().contains(word),
        Body::File(file) => file.path.contains(word),
        Body::Patch { path, hunks } => {
            path.contains(word) || hunks.iter().flat_map(|hunk| &hunk.lines).any(|line| line.contains(word))
        }
        Body::Replacement { path, .. } => path.contains(word),
        Body::Code { language, .. } => language.contains(word),
        Body::Image(image) => image.media_type.contains(word) || image.data.contains(word),
        Body::Answer { question, .. } => question.contains(word),
        Body::Task(task) => task.status.is_some_and(|status| status.as_str().contains(word)),
        _ => false,
    }
}

#[expect(clippy::cast_precision_loss, reason = "the marks are small")]
fn has_number(section: &Section<'_>, number: i64) -> bool {
    match &section.body {
        Body::Fact(Value::Number(it)) => *it == number,
        Body::Fact(Value::Fraction(it)) => (*it - number as f64).abs() < 0.5,
        Body::Fact(Value::Time(it)) => it.as_str() == number.to_string(),
        Body::Fact(Value::Text(it)) | Body::Group(it) => it.contains(&number.to_string()),
        Body::File(file) => [file.first_line, file.lines, file.total_lines].contains(&Some(number)),
        Body::Patch { hunks, .. } => hunks
            .iter()
            .any(|hunk| [hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines].contains(&Some(number))),
        _ => false,
    }
}

/// Looks for every value in the sections that `of` returns for it.
fn assert_all(
    what: &str,
    marked: &[Marked],
    of: impl Fn(&str, &dyn Fn(&[Section<'_>]) -> bool) -> bool,
) -> Vec<String> {
    let mut missing = Vec::new();
    for leaf in marked.iter().filter(|leaf| !is_exception(&leaf.path)) {
        let is_there = match &leaf.mark {
            Mark::Flag => {
                // A flag is visible by the difference that it makes.
                let shown = |json: &str| {
                    let text = std::cell::RefCell::new(String::new());
                    of(json, &|sections| {
                        *text.borrow_mut() = format!("{sections:?}");
                        true
                    });
                    text.into_inner()
                };
                shown(&leaf.json) != shown(&leaf.bare)
            }
            mark => of(&leaf.json, &|sections| carries(sections, mark)),
        };
        if !is_there {
            missing.push(format!("{what}: {}", leaf.path));
        }
    }
    missing
}

/// The sections of an input.
fn of_input(tool: &str, json: &str, look: &dyn Fn(&[Section<'_>]) -> bool) -> bool {
    let line = format!(
        r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","id":"t1","name":"{tool}","input":{json}}}]}}}}"#
    );
    let scratch = Scratch::default();
    let reading = format::read(line.as_bytes(), &scratch);
    let block = &reading.entries.first().unwrap().body.message().unwrap().content.as_ref().unwrap().blocks()[0];
    let Block::ToolUse(call) = block else { panic!("no call") };
    let mut sections = Vec::new();
    content::call::input(call.input.as_ref().unwrap(), Detail::Raw, &mut |section| sections.push(section));
    look(&sections)
}

/// The sections of a result.
fn of_result(tool: &str, json: &str, look: &dyn Fn(&[Section<'_>]) -> bool) -> bool {
    let scratch = Scratch::default();
    let typed = read_result(Some(tool), Some(Raw::from(json).into()), None, &scratch);
    let mut sections = Vec::new();
    content::call::result(&typed.result, Detail::Raw, &mut |section| sections.push(section));
    look(&sections)
}

/// The sections of an entry.
fn of_entry(json: &str, look: &dyn Fn(&[Section<'_>]) -> bool) -> bool {
    let scratch = Scratch::default();
    let reading = format::read(json.as_bytes(), &scratch);
    let mut sections = Vec::new();
    for entry in &reading.entries {
        content::entry(entry, Detail::Raw, &mut |section| sections.push(section));
    }
    look(&sections)
}

#[test]
fn every_field_of_every_tool_is_in_a_section() {
    let mut missing = Vec::new();
    let mut looked_at = 0;
    for kind in ToolKind::ALL {
        let tool = kind.name();
        let (inputs, results) = (marked::all(&kind.input_shape()), marked::all(&kind.result_shape()));
        looked_at += inputs.len() + results.len();
        missing.extend(assert_all(&format!("{tool} input"), &inputs, |json, look| of_input(tool, json, look)));
        missing.extend(assert_all(&format!("{tool} result"), &results, |json, look| of_result(tool, json, look)));
    }
    assert!(looked_at > 600, "{looked_at}");
    assert!(missing.is_empty(), "{}\n{}", missing.len(), missing.join("\n"));
}

/// The variants of a tagged shape, each with its fields.
fn kinds(shape: &Shape) -> Vec<Marked> {
    assert!(matches!(shape, Shape::Tagged { .. }));
    marked::all(shape)
}

#[test]
fn every_field_of_every_system_event_is_in_a_section() {
    let events = kinds(&format::entry::system::SystemEvent::shape());
    let events: Vec<_> = events.into_iter().map(|event| marked::tagged("type", "system", event)).collect();
    assert!(events.len() > 300, "{}", events.len());
    let missing = assert_all("system", &events, of_entry);
    assert!(missing.is_empty(), "{}\n{}", missing.len(), missing.join("\n"));
}

#[test]
fn every_field_of_every_attachment_is_in_a_section() {
    let attachments = kinds(&format::entry::attachment::Attachment::shape());
    let attachments = attachments.into_iter().map(|inner| marked::within("attachment", inner));
    let attachments: Vec<_> = attachments.map(|inner| marked::tagged("type", "attachment", inner)).collect();
    assert!(attachments.len() > 150, "{}", attachments.len());
    let missing = assert_all("attachment", &attachments, of_entry);
    assert!(missing.is_empty(), "{}\n{}", missing.len(), missing.join("\n"));
}

/// The conversation, which other tests cover, and results of tools, which are shown with their calls.
const APART: [&str; 4] = ["[user].message.", "[assistant].message.", "[attachment].attachment.", ".toolUseResult"];

#[test]
fn every_field_of_every_other_entry_is_in_a_section() {
    let entries = kinds(&format::Body::shape());
    let entries: Vec<_> =
        entries.into_iter().filter(|entry| !APART.iter().any(|apart| entry.path.contains(apart))).collect();
    let missing = assert_all("entry", &entries, of_entry);
    assert!(missing.is_empty(), "{}\n{}", missing.len(), missing.join("\n"));
}
