//! Takes lines through all passes.

#![allow(dead_code, clippy::unwrap_used, reason = "each test uses a part of it, and a failure here is a failed test")]

use std::sync::LazyLock;

use redact::{Decisions, Detector, Finding, Findings, Replacer, Scanner, Settings, Tracer};

static DETECTOR: LazyLock<Detector> = LazyLock::new(|| Detector::new(Settings::default()).unwrap());

/// The lines without anything that was found, likely or certain.
pub(crate) fn share<L: AsRef<[u8]>>(lines: &[L]) -> Vec<String> {
    let bytes = share_bytes(&DETECTOR, lines);
    bytes.into_iter().map(|line| String::from_utf8_lossy(&line).into_owned()).collect()
}

pub(crate) fn share_bytes<L: AsRef<[u8]>>(detector: &Detector, lines: &[L]) -> Vec<Vec<u8>> {
    let mut replacer = replacer(detector, lines);
    lines.iter().map(|line| replacer.line(line.as_ref()).into_owned()).collect()
}

pub(crate) fn replacer<L: AsRef<[u8]>>(detector: &Detector, lines: &[L]) -> Replacer {
    let mut tracer = Tracer::new(findings(detector, lines), &Decisions::replace_all()).unwrap();
    for line in lines {
        tracer.look(line.as_ref());
    }
    tracer.finish()
}

pub(crate) fn findings<L: AsRef<[u8]>>(detector: &Detector, lines: &[L]) -> Findings {
    let mut scanner = Scanner::new(detector);
    for (index, line) in lines.iter().enumerate() {
        scanner.look("main", index as u64 + 1, line.as_ref());
    }
    scanner.finish()
}

pub(crate) fn found<L: AsRef<[u8]>>(lines: &[L]) -> Vec<Finding> {
    findings(&DETECTOR, lines).list().to_vec()
}

/// The built-in rules without settings.
pub(crate) fn detector() -> &'static Detector {
    &DETECTOR
}
