//! False alarms: published transcripts have few secrets, and every certain finding in them was reviewed by hand.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod sharing;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use redact::{Category, Certainty};

/// Certain findings in all of the corpus (59 MB), each looked at by hand: one, in the base64 of a picture, where the four
/// letters that begin a page token of Facebook stand by chance.
const REVIEWED: usize = 1;

fn corpus() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("RECOUNT_CORPUS").map_or(beside, PathBuf::from);
    corpus.is_dir().then_some(corpus)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            files.push(path);
        }
    }
}

#[test]
fn real_transcripts_give_few_false_alarms() {
    let Some(corpus) = corpus() else { return };
    let mut files = Vec::new();
    collect(&corpus, &mut files);
    let mut bytes = 0;
    let mut counts: BTreeMap<(Certainty, &str), usize> = BTreeMap::new();
    let mut certain = 0;
    for file in &files {
        let content = std::fs::read(file).unwrap();
        bytes += content.len();
        let lines: Vec<&[u8]> = content.split(|&byte| byte == b'\n').collect();
        for finding in sharing::findings(sharing::detector(), &lines).list() {
            *counts.entry((finding.certainty, finding.rule)).or_default() += 1;
            if finding.category == Category::Secret {
                certain += usize::from(finding.certainty == Certainty::Certain);
                println!(
                    "{:?} {} {} {:?} {}",
                    finding.certainty,
                    finding.rule,
                    finding.preview,
                    finding.places.first(),
                    file.display()
                );
            }
        }
    }
    for ((certainty, rule), count) in &counts {
        println!("{certainty:?} {rule}: {count}");
    }
    println!("{certain} certain secrets in {} MB", bytes / 1_000_000);
    assert!(certain <= REVIEWED, "{certain} certain findings, but {REVIEWED} were reviewed");
}
