//! Tests that settings, prices, zones, roots, the index and the clock are resolved only in `app`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "these are tests")]

use std::fs;
use std::path::{Path, PathBuf};

/// Code that only `app` may contain.
const FORBIDDEN: [&str; 15] = [
    "Prices::default(",
    "TimeZone::system(",
    "Config::load(",
    "Environment::of_process(",
    "Zoned::now(",
    "Timestamp::now(",
    "Index::open(",
    "Index::in_memory(",
    "env::home_dir(",
    "env::current_dir(",
    "TimeZone::UTC",
    "Locale::default(",
    "Currency::default(",
    "folders::cache(",
    "folders::data(",
];

/// Exceptions: the file, the code, and the reason.
const ALLOWED: [(&str, &str, &str); 2] = [
    ("cli/src/main.rs", "Environment::of_process(", "the one place where an app is built from the process"),
    ("cli/src/capture.rs", "Currency::default(", "settings that cannot be read do not keep a run from being recorded"),
];

/// The crates of the front doors.
const DOORS: [&str; 3] = ["cli", "server", "site"];

/// The Rust files below a folder, except tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
}

/// The lines of a file, except tests, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    (1..).zip(code.lines()).filter(|(_, line)| !line.trim_start().starts_with("//"))
}

#[test]
fn no_door_resolves_settings_by_itself() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for door in DOORS {
        sources(&crates.join(door).join("src"), &mut files);
    }
    assert!(files.len() > 100, "only {} files were looked at", files.len());
    let mut wrong = Vec::new();
    for path in &files {
        let name = path.strip_prefix(crates).unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(path).unwrap();
        for (number, line) in lines(&text) {
            for word in FORBIDDEN.iter().filter(|word| line.contains(*word)) {
                if !ALLOWED.iter().any(|(file, allowed, _)| *file == name && allowed == word) {
                    wrong.push(format!("{name}:{number}: {word} belongs to `app`; take it from the App"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_exception_is_needed() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for (file, word, _) in ALLOWED {
        let text = fs::read_to_string(crates.join(file)).unwrap();
        assert!(text.contains(word), "{file} does not say {word} any more");
    }
}

/// `human::Currency` formats all amounts, since it knows the user's symbol and rate.
#[test]
fn no_door_writes_a_dollar_sign_before_an_amount() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for door in ["cli", "server", "site", "page", "render", "live"] {
        sources(&crates.join(door).join("src"), &mut files);
    }
    let mut wrong = Vec::new();
    for path in &files {
        let text = fs::read_to_string(path).unwrap();
        for (number, line) in lines(&text) {
            if line.contains("\"${") || line.contains("${:.") || line.contains(" ${cost") {
                wrong.push(format!("{}:{number}: {}", path.display(), line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
