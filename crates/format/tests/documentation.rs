//! Checks that `docs/format` is complete, and that all citations of it and links within it resolve.
//!
//! The names are read from the source text: a new row in a table of the crate fails here until the reference describes
//! it.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use format::fields::Shape;
use format::tool::ToolKind;

const PROJECT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const REFERENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/format");
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src");

/// The enums that `tagged!` declares, and the pages that describe their names.
const VOCABULARIES: [(&str, &[&str]); 9] = [
    ("Body", &["entries.md", "stream-json.md"]),
    ("SystemEvent", &["system-entries.md", "stream-json.md"]),
    ("Attachment", &["attachments.md"]),
    ("Progress", &["entries.md"]),
    ("Block", &["content-blocks.md"]),
    ("ReadResult", &["tools.md"]),
    ("StreamEvent", &["stream-json.md"]),
    ("Delta", &["stream-json.md"]),
    ("ControlCall", &["stream-json.md"]),
];

/// recount's own records, which docs/store.md describes.
const NOT_OF_CLAUDE_CODE: [&str; 1] = ["CaptureEvent"];

#[test]
fn citations_name_sections_that_exist() {
    let sections: BTreeSet<String> = pages().iter().flat_map(Page::sections).collect();
    let mut count = 0;
    let mut wrong = Vec::new();
    for path in text_files() {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        for id in citations(&text) {
            count += 1;
            if !sections.contains(id) {
                wrong.push(format!("{}: docs/format {id}", path.display()));
            }
        }
        // The name of the reference before it moved into the project.
        if text.contains(concat!("FORMAT", ".md")) {
            wrong.push(format!("{}: cites a file that does not exist", path.display()));
        }
    }
    assert!(wrong.is_empty(), "citations that lead nowhere:\n{}", wrong.join("\n"));
    assert!(count > 50, "only {count} citations found");
}

#[test]
fn section_ids_are_unique() {
    let mut seen = BTreeSet::new();
    for id in pages().iter().flat_map(Page::sections) {
        assert!(seen.insert(id.clone()), "two sections are called {id}");
    }
}

#[test]
fn links_between_pages_resolve() {
    let pages = pages();
    let mut wrong = Vec::new();
    for page in &pages {
        for target in page.links() {
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let name = if file.is_empty() { page.name.as_str() } else { file };
            let found = pages.iter().find(|page| page.name == name);
            let resolves = match found {
                Some(found) => anchor.is_empty() || found.anchors().contains(anchor),
                None => anchor.is_empty() && Path::new(REFERENCE).join(file).exists(),
            };
            if !resolves {
                wrong.push(format!("{}: {target}", page.name));
            }
        }
    }
    assert!(wrong.is_empty(), "broken links:\n{}", wrong.join("\n"));
}

#[test]
fn every_page_is_listed_on_the_entry_page() {
    let pages = pages();
    let entry = pages.iter().find(|page| page.name == "README.md").unwrap();
    let listed: BTreeSet<String> = entry.links().into_iter().collect();
    for page in pages.iter().filter(|page| page.name != entry.name) {
        assert!(listed.contains(&page.name), "README.md does not link {}", page.name);
    }
}

#[test]
fn every_name_the_crate_reads_is_described() {
    let pages = pages();
    let source = source();
    let mut missing = Vec::new();
    for (vocabulary, described_in) in VOCABULARIES {
        let names = tagged_names(&source, vocabulary);
        assert!(!names.is_empty(), "{vocabulary} has no names");
        missing.extend(undescribed(&pages, described_in, &names).map(|name| format!("{vocabulary} {name}")));
    }
    assert!(missing.is_empty(), "not described in docs/format:\n{}", missing.join("\n"));
}

/// The table of tools is complete, so a tool without a description in prose is in the reference too.
#[test]
fn the_table_of_tools_lists_every_field() {
    let path = Path::new(REFERENCE).join("tools.md");
    let written = fs::read_to_string(&path).unwrap();
    let (begin, end) = ("<!-- tools -->\n", "<!-- end of tools -->");
    let (before, rest) = written.split_once(begin).unwrap();
    let (_, after) = rest.split_once(end).unwrap();
    let header = "| tool | earlier names | family | input | result |\n|---|---|---|---|---|\n";
    let rows: String = ToolKind::ALL.iter().copied().map(tool_row).collect();
    let generated = format!("{before}{begin}{header}{rows}{end}{after}");
    if std::env::var_os("RECOUNT_UPDATE_DOCS").is_some() {
        fs::write(&path, &generated).unwrap();
    }
    let hint = "hint: RECOUNT_UPDATE_DOCS=1 cargo test -p recount-format documentation";
    assert!(fs::read_to_string(&path).unwrap() == generated, "docs/format/tools.md is out of date; {hint}");
}

fn tool_row(kind: ToolKind) -> String {
    let code = |name: &str| format!("`{name}`");
    let earlier: Vec<_> = kind.names().iter().skip(1).map(|name| code(name)).collect();
    let family = kind.nature().family.name();
    let [input, result] = [kind.input_shape(), kind.result_shape()].map(|shape| keys(&shape));
    format!("| {} | {} | {family} | {input} | {result} |\n", code(kind.name()), earlier.join(", "))
}

/// The keys of an object.
fn keys(shape: &Shape) -> String {
    let list = |keys: Vec<String>| if keys.is_empty() { "–".to_owned() } else { format!("`{}`", keys.join(", ")) };
    match shape {
        Shape::Record(fields) => list(fields.iter().map(|(key, shape)| format!("{key}{}", mark(&shape()))).collect()),
        Shape::Tagged { tag, kinds } => {
            let kinds = kinds.iter().map(|(name, shape)| format!("{name}: {}", keys(&shape())));
            format!("by `{tag}`: {}", kinds.collect::<Vec<_>>().join("; "))
        }
        Shape::Either(shapes) => shapes.iter().map(|shape| keys(&shape())).collect::<Vec<_>>().join(" or "),
        _ => "`…`".to_owned(),
    }
}

/// What follows the key of a value.
fn mark(shape: &Shape) -> &'static str {
    match shape {
        Shape::List(_) => "[]",
        Shape::Map(_) | Shape::Record(_) | Shape::Tagged { .. } => "{}",
        Shape::Either(shapes) => shapes.first().map_or("", |first| mark(&first())),
        Shape::Text | Shape::Word(_) | Shape::Id | Shape::Time | Shape::Number | Shape::Flag | Shape::Json => "",
    }
}

#[test]
fn every_vocabulary_has_a_page() {
    for line in source().lines().filter(|line| line.contains(" by \"")) {
        let Some((_, rest)) = line.trim_start().split_once("pub enum ") else { continue };
        let name = rest.split(['<', ':']).next().unwrap();
        let known =
            VOCABULARIES.iter().any(|(vocabulary, _)| *vocabulary == name) || NOT_OF_CLAUDE_CODE.contains(&name);
        assert!(known, "say in VOCABULARIES which page describes the names of {name}");
    }
}

/// A page of the reference.
struct Page {
    name: String,
    /// The lines outside code blocks.
    lines: Vec<String>,
}

impl Page {
    fn headings(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim())
    }

    /// The ids at the start of headings: `A.` for a chapter, `G.3` for a section.
    fn sections(&self) -> Vec<String> {
        let first_words = self.headings().filter_map(|heading| heading.split(' ').next());
        let ids = first_words.filter(|word| word.contains('.')).map(|word| word.trim_end_matches('.'));
        ids.filter(|id| is_section_id(id)).map(str::to_owned).collect()
    }

    /// The anchors that GitHub generates for the headings.
    fn anchors(&self) -> BTreeSet<String> {
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let anchor = |heading: &str| heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-");
        self.headings().map(anchor).collect()
    }

    /// The targets of links within the project.
    fn links(&self) -> Vec<String> {
        let mut targets = Vec::new();
        for line in &self.lines {
            let prose: String = line.split('`').step_by(2).collect();
            let after = prose.split("](").skip(1);
            let inside = after.filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
            targets.extend(inside.filter(|target| !target.starts_with("http")).map(str::to_owned));
        }
        targets
    }

    /// The first words of code spans: `hook_callback{callback_id}` describes `hook_callback`.
    fn code_words(&self) -> impl Iterator<Item = &str> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let spans = self.lines.iter().flat_map(|line| line.split('`').skip(1).step_by(2));
        spans.filter_map(move |span| span.split(|c| !is_part(c)).next())
    }
}

fn pages() -> Vec<Page> {
    let files = fs::read_dir(REFERENCE).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<Page> =
        files.filter(|path| path.extension().is_some_and(|kind| kind == "md")).map(|path| page(&path)).collect();
    pages.sort_by(|one, other| one.name.cmp(&other.name));
    pages
}

fn page(path: &Path) -> Page {
    let mut in_fence = false;
    let mut lines = Vec::new();
    for line in fs::read_to_string(path).unwrap().lines() {
        if line.starts_with("```") {
            in_fence = !in_fence;
        } else if !in_fence {
            lines.push(line.to_owned());
        }
    }
    assert!(!in_fence, "{}: code that is not closed", path.display());
    Page { name: path.file_name().unwrap().to_str().unwrap().to_owned(), lines }
}

/// Whether `word` is a letter followed by numbers: `G`, `G.3`, `B.3.1`.
fn is_section_id(word: &str) -> bool {
    let mut parts = word.split('.');
    let is_letter = |part: &str| part.len() == 1 && part.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.next().is_some_and(is_letter) && parts.all(is_number)
}

/// The sections that a text cites: `docs/format G.3`, `docs/format B.3, H.4`, `docs/format B.1 to B.5`.
fn citations(text: &str) -> Vec<&str> {
    // A citation may continue on the next line of a comment.
    const MARKERS: [&str; 5] = ["//", "///", "//!", "#", "*"];
    let mut words = text.split_whitespace().filter(|word| !MARKERS.contains(word)).peekable();
    let mut ids = Vec::new();
    while let Some(word) = words.next() {
        if word.trim_matches(['(', '`', '"']) != "docs/format" {
            continue;
        }
        while let Some(word) = words.peek() {
            let id = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
            if is_section_id(id) {
                ids.push(id);
            } else if !matches!(*word, "and" | "to") {
                break;
            }
            let goes_on = matches!(*word, "and" | "to") || word.ends_with(',') || word.ends_with(id);
            words.next();
            if !goes_on {
                break;
            }
        }
    }
    ids
}

/// The hand-written files of the project.
fn text_files() -> Vec<PathBuf> {
    const FOLDERS: [&str; 5] = ["bench", "crates", "docs", "fuzz", "script"];
    const GENERATED: [&str; 4] = ["target", "snapshots", "node_modules", "artifacts"];
    const KINDS: [&str; 9] = ["rs", "md", "js", "mjs", "ts", "css", "toml", "sh", "py"];
    let mut folders: Vec<PathBuf> = FOLDERS.iter().map(|folder| Path::new(PROJECT).join(folder)).collect();
    let in_root = fs::read_dir(PROJECT).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = in_root.filter(|path| path.extension().is_some_and(|kind| kind == "md")).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            let name = entry.file_name();
            if kind.is_dir() && !GENERATED.iter().any(|skipped| name == *skipped) {
                folders.push(path);
            } else if kind.is_file() && path.extension().is_none_or(|kind| KINDS.iter().any(|known| kind == *known)) {
                files.push(path);
            }
        }
    }
    files
}

/// The complete source text of the crate.
fn source() -> String {
    let mut text = String::new();
    let mut folders = vec![PathBuf::from(SOURCE)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                text.push_str(&fs::read_to_string(&path).unwrap());
            }
        }
    }
    text
}

/// The names of an enum that `tagged!` declares.
fn tagged_names<'a>(source: &'a str, name: &str) -> Vec<&'a str> {
    let (_, rest) = source.split_once(&format!("pub enum {name}<'a>: \"")).unwrap();
    let (table, _) = rest.split_once("\n    }\n").unwrap();
    names_after_equals(table)
}

/// The names in `Variant(Type) = "one" | "other", …`, for every line.
fn names_after_equals(table: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for line in table.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
        let Some((_, mut rest)) = line.split_once(" = \"") else { continue };
        while let Some((name, after)) = rest.split_once('"') {
            names.push(name);
            let Some(next) = after.strip_prefix(" | \"") else { break };
            rest = next;
        }
    }
    names
}

/// The names that appear in no code span of these pages.
fn undescribed<'a>(pages: &[Page], described_in: &[&str], names: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    let described = pages.iter().filter(|page| described_in.contains(&page.name.as_str()));
    let words: BTreeSet<String> = described.flat_map(Page::code_words).map(str::to_owned).collect();
    names.iter().copied().filter(move |name| !words.contains(*name))
}
