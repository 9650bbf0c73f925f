//! A session that is shared reads, shows and counts as before, and the same session gives the same output.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use reader::SessionReader;
use redact::Decisions;
use site::{ShareForm, share};
use sources::{Source, SourceKind, find_at};
use testkit::era::Era;
use testkit::root::{RootOptions, write_root};

use crate::{app, corpus, replaced, written};

/// What must not change: counts, structure, the fate of each line, tokens and costs.
fn essence(reader: &mut SessionReader) -> String {
    let prices = ledger::Prices::default();
    let totals = reader.ledger().map(|ledger| format!("{:?}", ledger.summary(&prices).totals)).unwrap_or_default();
    let (story, _) = reader.parts();
    let facts = &story.facts;
    let threads: Vec<String> = story
        .threads()
        .map(|(id, thread)| {
            let kinds = thread.steps.iter().filter_map(|step| Some(std::mem::discriminant(&story.step(*step)?.kind)));
            format!("{id:?} {} turns {:?}", thread.turns.len(), kinds.collect::<Vec<_>>())
        })
        .collect();
    format!(
        "{:?}\n{:?} {:?} {:?}\n{}\n{totals}\n{}",
        facts.counts,
        facts.first,
        facts.last,
        facts.models,
        story.accounting(),
        threads.join("\n")
    )
}

fn sessions(folder: &Path) -> Vec<Source> {
    let found = find_at(&[folder.to_path_buf()]);
    found.sources.into_iter().filter(|source| source.kind == SourceKind::Transcript).collect()
}

fn stays_the_same(folder: &Path) -> usize {
    let app = app();
    let sessions = sessions(folder);
    for source in &sessions {
        let (mut before, _) = SessionReader::counted(source, None, &|_| {}).unwrap();
        let mut shared = share(&app, source, &BTreeSet::new(), &mut |_| Decisions::replace_all(), &|_| {}).unwrap();
        assert_eq!(essence(&mut before), essence(shared.reader()), "{}", source.input);
        assert_eq!(shared.report.lines_left_out, 0, "{}", source.input);
    }
    sessions.len()
}

#[test]
fn sessions_of_the_corpus_read_and_count_as_before() {
    let Some(corpus) = corpus() else { return };
    assert!(stays_the_same(&corpus) > 10);
}

#[test]
fn generated_sessions_of_all_eras_read_and_count_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let options = RootOptions { bytes: 1_500_000, eras: Era::ALL.to_vec(), ..RootOptions::default() };
    write_root(folder.path(), &options).unwrap();
    assert!(stays_the_same(folder.path()) >= Era::ALL.len());
}

#[test]
fn shared_lines_are_a_transcript_that_reads_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let options = RootOptions { bytes: 600_000, eras: Era::ALL.to_vec(), ..RootOptions::default() };
    write_root(folder.path(), &options).unwrap();
    let app = app();
    for source in sessions(folder.path()) {
        let (mut before, _) = SessionReader::counted(&source, None, &|_| {}).unwrap();
        let mut shared = share(&app, &source, &BTreeSet::new(), &mut |_| Decisions::replace_all(), &|_| {}).unwrap();
        let copies = tempfile::tempdir().unwrap();
        let name = source.input.path().unwrap().file_name().unwrap();
        let path = copies.path().join(name);
        shared.write_file(&app, ShareForm::Lines, story::Detail::Full, &path).unwrap();
        let lines = |path: &Path| fs::read(path).unwrap().split(|byte| *byte == b'\n').count();
        assert_eq!(lines(source.input.path().unwrap()), lines(&path));
        let copy = sessions(copies.path()).into_iter().find(|copy| copy.input.path() == Some(&path)).unwrap();
        let (mut after, _) = SessionReader::counted(&copy, None, &|_| {}).unwrap();
        let calls = |reader: &mut SessionReader| {
            let (story, _) = reader.parts();
            (story.facts.counts, story.facts.first, story.threads().len())
        };
        assert_eq!(calls(&mut before), calls(&mut after), "{}", source.input);
    }
}

#[test]
fn the_same_session_gives_the_same_output() {
    let folder = tempfile::tempdir().unwrap();
    let options = RootOptions { bytes: 400_000, eras: Era::ALL.to_vec(), ..RootOptions::default() };
    write_root(folder.path(), &options).unwrap();
    let app = app();
    for source in sessions(folder.path()) {
        let path = source.input.path().unwrap();
        let (mut one, mut other) = (replaced(&app, path), replaced(&app, path));
        for form in ShareForm::ALL {
            assert!(written(&app, &mut one, form) == written(&app, &mut other, form), "{path:?} {form:?}");
        }
    }
}
