//! Tests that `page/lexer.js` finds the same tokens in any code as `highlight/lexer.rs`.

use std::path::{Path, PathBuf};

use browser::{Browser, Page};
use serde_json::{Value, json};
use styled::highlight::export::languages_json;
use styled::highlight::tokens;

use crate::code::{Code, Collection};
use crate::modules::{call, load};

/// The approximate number of bytes sent to the browser at a time.
const BATCH: usize = 2_000_000;

/// The first token that differs in the script.
const COMPARE: &str = "(pieces) => pieces.flatMap(([language, text, expected]) => {
    const found = [];
    exported.lexText(compiled[language], text, (from, to, role) => {
        if (from < to) found.push(from, to, role);
    });
    const at = Array.from({ length: Math.max(found.length, expected.length) }, (_, at) => at)
        .find((at) => found[at] !== expected[at]);
    if (at === undefined) return [];
    const token = (list) => list.slice(at - (at % 3), at - (at % 3) + 3);
    const from = Math.max(0, Math.min(token(found)[0] ?? Infinity, token(expected)[0] ?? Infinity) - 60);
    return [{ language, near: text.slice(from, from + 140), from, script: token(found), rust: token(expected) }];
})";

/// The tokens that Rust finds, in the units of a script: UTF-16 offsets over all lines.
fn expected(code: &Code) -> Vec<Value> {
    let mut start = 0;
    let mut found = Vec::new();
    for (line, tokens) in tokens(&code.text, code.language) {
        let units = |text: &str| text.encode_utf16().count();
        for token in tokens.iter().filter(|token| token.start < token.end) {
            let from = start + units(&line[..token.start]);
            let to = from + units(&line[token.start..token.end]);
            found.extend([json!(from), json!(to), json!(format!("{:?}", token.role).to_ascii_lowercase())]);
        }
        start += units(line) + 1;
    }
    found
}

fn assert_equal(page: &Page<'_>, pieces: &[Code]) {
    let mut different: Vec<Value> = Vec::new();
    let mut batch = Vec::new();
    let mut bytes = 0;
    for (at, code) in pieces.iter().enumerate() {
        let expected = expected(code);
        bytes += code.text.len() + expected.len() * 8;
        batch.push(json!([code.language.name(), code.text, expected]));
        if bytes > BATCH || at + 1 == pieces.len() {
            different.extend(call(page, COMPARE, &json!(batch)).as_array().unwrap().iter().cloned());
            (batch, bytes) = (Vec::new(), 0);
        }
    }
    let some: Vec<String> = different.iter().take(10).map(Value::to_string).collect();
    assert!(different.is_empty(), "{} of {} pieces differ:\n{}", different.len(), pieces.len(), some.join("\n"));
}

/// A page with the lexer, and with all languages in `globalThis.compiled`.
fn page(browser: &Browser) -> Page<'_> {
    let page = browser.page().unwrap();
    load(&page, "page/lexer.js");
    let compile = "globalThis.compiled = Object.fromEntries(
        Object.entries(specs).map(([name, spec]) => [name, exported.compileLanguage(spec)]))";
    page.evaluate(&format!("{{ const specs = {}; {compile}; 0 }}", languages_json())).unwrap();
    page
}

#[test]
fn both_lexers_find_the_same_in_generated_code() {
    let mut code = Collection::default();
    code.add_nonsense(120);
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for folder in ["crates/page", "crates/server", "crates/testkit", "docs"] {
        code.add_files(&workspace.join(folder));
    }
    assert!(code.pieces.len() > 4000, "{}", code.pieces.len());
    assert_equal(&page(&Browser::launch().unwrap()), &code.pieces);
}

/// The published transcripts beside the checkout, if there are any.
#[test]
fn both_lexers_find_the_same_in_the_corpus() {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("RECOUNT_CORPUS").map_or(default, PathBuf::from);
    if !corpus.is_dir() {
        eprintln!("no corpus at {}", corpus.display());
        return;
    }
    let mut code = Collection::default();
    code.add_sessions(&corpus);
    assert!(code.pieces.len() > 1000, "{}", code.pieces.len());
    assert_equal(&page(&Browser::launch().unwrap()), &code.pieces);
}
