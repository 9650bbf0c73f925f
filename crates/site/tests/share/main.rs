//! Sessions that are shared hold no secret, in no form, and are otherwise what they were.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a failure here is a failed test"
)]

mod leaks;
mod places;
mod same;
#[path = "../../../redact/tests/samples/mod.rs"]
mod samples;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use app::{App, Environment, Flags};
use redact::Decisions;
use site::{ShareError, ShareForm, Shared, share};
use sources::{Source, find_at};
use story::Detail;

/// An app whose settings and sessions are those of no user.
fn app() -> App {
    let variables = [("TZ".to_owned(), "UTC".to_owned())].into();
    App::new(Environment { variables, ..Environment::default() }, Flags::default())
}

fn source(path: &Path) -> Source {
    find_at(&[path.to_path_buf()]).sources.into_iter().find(|source| source.input.path() == Some(path)).unwrap()
}

fn replaced(app: &App, path: &Path) -> Shared {
    share(app, &source(path), &BTreeSet::new(), &mut |_| Decisions::replace_all(), &|_| {}).unwrap()
}

/// The session in one form, with everything that is written beside it.
fn written(app: &App, shared: &mut Shared, form: ShareForm) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("out.{}", form.ending()));
    let files = shared.write_file(app, form, Detail::Full, &path).unwrap();
    let mut all = Vec::new();
    for file in files {
        all.extend_from_slice(file.strip_prefix(folder.path()).unwrap().to_string_lossy().as_bytes());
        all.push(b'\n');
        all.extend(fs::read(file).unwrap());
    }
    all
}

fn corpus() -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("RECOUNT_CORPUS").map_or(default, PathBuf::from);
    corpus.is_dir().then_some(corpus)
}

#[test]
fn what_is_likely_stops_the_writing_until_it_is_decided_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    fs::write(&path, r#"{"type":"user","uuid":"u1","message":{"role":"user","content":"DB_PASSWORD=q7Zt0bX9mK2w"}}"#)
        .unwrap();
    let undecided = share(&app(), &source(&path), &BTreeSet::new(), &mut |_| Decisions::default(), &|_| {});
    let Err(ShareError::Undecided(undecided)) = undecided else { panic!("it is decided") };
    assert_eq!(undecided.ids.len(), 1);
}

#[test]
fn a_file_that_changes_between_search_and_reading_is_an_error_and_what_is_appended_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let line = |text: &str| {
        format!("{{\"type\":\"user\",\"uuid\":\"{text}\",\"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}}}\n")
    };
    let shared_after = |change: &dyn Fn()| {
        fs::write(&path, line("first")).unwrap();
        let mut decide = |_: &redact::Findings| {
            change();
            Decisions::replace_all()
        };
        share(&app(), &source(&path), &BTreeSet::new(), &mut decide, &|_| {})
    };
    let mut grown = shared_after(&|| fs::write(&path, line("first") + &line("second")).unwrap()).unwrap();
    let lines = String::from_utf8(written(&app(), &mut grown, ShareForm::Lines)).unwrap();
    assert!(lines.contains("first") && !lines.contains("second"), "{lines}");
    let changed = shared_after(&|| fs::write(&path, line("other")).unwrap());
    assert!(changed.unwrap_err().to_string().contains("was changed while it was read"));
}
