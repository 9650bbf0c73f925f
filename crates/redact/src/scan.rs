//! The first pass: what is there to replace?

use crate::detector::Detector;
use crate::find::RuleHit;
use crate::findings::{Findings, LeftOut, Place};
use crate::layers::{DEPTH, Found, explore};
use crate::pieces::Chains;
use crate::view::{View, from_json_with_strings, paths};

use rustc_hash::{FxHashMap, FxHashSet};

/// Collects what is to be replaced in a session.
///
/// ```
/// use redact::{Detector, Scanner, Settings};
///
/// let detector = Detector::new(Settings::default()).unwrap();
/// let mut scanner = Scanner::new(&detector);
/// scanner.look("main", 1, br#"{"type":"user","cwd":"/home/ana/shop"}"#);
/// let findings = scanner.finish();
/// assert_eq!(findings.list()[0].replacement, "user-1");
/// ```
#[derive(Debug)]
pub struct Scanner<'a> {
    detector: &'a Detector,
    findings: Findings,
    chains: Chains,
}

impl<'a> Scanner<'a> {
    /// Begins with a session.
    pub fn new(detector: &'a Detector) -> Self {
        Self { detector, findings: Findings::default(), chains: Chains::default() }
    }

    /// Looks at a line, in the order of the file. `source` and `number` only say in the report where it was.
    pub fn look(&mut self, source: &str, number: u64, line: &[u8]) {
        let Some((view, strings)) = from_json_with_strings(line) else {
            if is_unreadable(line) {
                let bytes = u64::try_from(line.len()).unwrap_or(u64::MAX);
                self.findings.leave_out(LeftOut { source: source.to_owned(), line: number, bytes });
            } else {
                self.search(&View::from_text(line), line, source, number);
            }
            return;
        };
        self.search(&view, line, source, number);
        let (detector, findings) = (self.detector, &mut self.findings);
        let place = || Place { source: source.to_owned(), line: number, path: String::new() };
        self.chains.add(line, &strings, |chain| {
            for found in explore(detector, &chain.view(), true, DEPTH) {
                spanning(detector, findings, chain, &found, &place);
            }
        });
    }

    /// Looks at a text that is no line of a transcript: a title, the name of a file.
    pub fn look_at_text(&mut self, source: &str, text: &str) {
        self.search(&View::from_text(text.as_bytes()), text.as_bytes(), source, 0);
    }

    /// Ends the pass.
    pub fn finish(mut self) -> Findings {
        let (detector, findings) = (self.detector, &mut self.findings);
        let place = || Place { source: String::new(), line: 0, path: String::new() };
        self.chains.finish(|chain| {
            for found in explore(detector, &chain.view(), true, DEPTH) {
                spanning(detector, findings, chain, &found, &place);
            }
        });
        self.findings.name(self.detector);
        self.findings
    }

    fn search(&mut self, view: &View, line: &[u8], source: &str, number: u64) {
        let mut seen: FxHashSet<(usize, usize)> = FxHashSet::default();
        let found = explore(self.detector, view, true, DEPTH);
        // Where they stand is worked out in one walk over the line, however many there are.
        let starts = found.iter().filter_map(|found| Some(found.origin().first()?.start));
        let names = if number > 0 { paths(line, starts) } else { FxHashMap::default() };
        for found in found {
            let Some((first, last)) = found.origin().first().zip(found.origin().last()) else { continue };
            // The same bytes, seen through several layers, are one finding.
            let is_new = seen.insert((first.start, last.end));
            let adds_lines = matches!(&found, Found::Plain { lines, .. } if !lines.is_empty());
            if is_new || adds_lines {
                let path = names.get(&first.start).cloned().unwrap_or_default();
                let place = || Place { source: source.to_owned(), line: number, path: path.clone() };
                record(self.detector, &mut self.findings, &found, &place);
            }
        }
    }
}

/// Whether a line is neither JSON nor text, so that a secret in it would not be recognised: another encoding, data.
pub(crate) fn is_unreadable(line: &[u8]) -> bool {
    let nuls = memchr::memchr_iter(0, line).count();
    let odd: usize = line.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
    nuls * 8 > line.len() || odd * 8 > line.len()
}

fn record(detector: &Detector, findings: &mut Findings, found: &Found<RuleHit>, place: &impl Fn() -> Place) {
    match found {
        Found::Plain { hit, value, lines, .. } => findings.record(detector, *hit, value, lines, place()),
        // The depth of this is that of the layers.
        Found::Encoded { inside, .. } => {
            for found in inside {
                record(detector, findings, found, place);
            }
        }
    }
}

/// Notes what stands in several strings.
fn spanning(
    detector: &Detector,
    findings: &mut Findings,
    chain: &crate::pieces::Chain,
    found: &Found<RuleHit>,
    place: &impl Fn() -> Place,
) {
    // What tells a value may stand in one piece, and the value in the next.
    let is_new = match found {
        Found::Plain { hit, value, .. } => !findings.knows(detector, *hit, value),
        Found::Encoded { .. } => false,
    };
    if is_new || chain.origin(found.origin()).is_some() {
        record(detector, findings, found, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;
    use crate::work;

    /// What is looked at in a line with so many findings.
    fn work_for(findings: usize, text: impl Fn(usize) -> String) -> u64 {
        let detector = Detector::new(Settings::default()).unwrap();
        let texts: Vec<String> = (0..findings).map(|number| format!(r#"{{"text":"{}"}}"#, text(number))).collect();
        let line = format!(r#"{{"toolUseResult":[{}]}}"#, texts.join(","));
        work::of(|| {
            let mut scanner = Scanner::new(&detector);
            scanner.look("main", 1, line.as_bytes());
            let found = scanner.finish().list().len();
            assert!(found >= findings, "{}: {found} of {findings}", text(0));
        })
    }

    #[test]
    fn a_line_with_many_findings_takes_linear_work() {
        let kinds: [fn(usize) -> String; 3] = [
            |number| format!("a{number:06}@shop.io"),
            |number| format!("DB_PASSWORD=q7Zt0bX9{}", number + 123_456),
            |number| format!("/home/ana{number:06}/work"),
        ];
        for kind in kinds {
            let (few, many) = (work_for(500, kind), work_for(4000, kind));
            assert!(many < few * 9, "{}: {few}, then {many}", kind(0));
        }
    }
}
