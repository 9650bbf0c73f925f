//! Finds pieces of secrets in an output, whatever the output has made of them.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use rustc_hash::FxHashMap;

use crate::samples::{SAMPLES, Sample};

/// A piece of a secret that is this long is a leak.
const LEAK: usize = 14;

/// The pieces of secrets, and the rules they belong to.
pub(crate) struct Pieces {
    rules: FxHashMap<Vec<u8>, &'static str>,
    lengths: Vec<usize>,
}

impl Pieces {
    pub(crate) fn of(samples: &[Sample]) -> Self {
        let mut pieces = FxHashMap::default();
        for sample in samples {
            let secret = squeezed(body(&sample.secret).as_bytes());
            for piece in secret.windows(LEAK.min(secret.len())) {
                pieces.insert(piece.to_vec(), sample.rule);
            }
        }
        // The name of a rule may be a part of its tokens.
        let names: Vec<Vec<u8>> = SAMPLES.iter().map(|(rule, _)| rule.as_bytes().to_vec()).collect();
        pieces.retain(|piece, _| !names.iter().any(|name| name.windows(piece.len()).any(|part| part == piece)));
        let mut lengths: Vec<usize> = pieces.keys().map(Vec::len).collect();
        lengths.sort_unstable();
        lengths.dedup();
        Self { rules: pieces, lengths }
    }

    /// The rules whose secrets are still in an output: as it is, without markup and escapes, or in base64.
    pub(crate) fn left_in(&self, output: &[u8]) -> Vec<(&'static str, String)> {
        let mut left: Vec<(&'static str, String)> = Vec::new();
        let mut look = |text: &[u8]| {
            for &length in &self.lengths {
                for piece in text.windows(length) {
                    if let Some(rule) = self.rules.get(piece) {
                        left.push((rule, String::from_utf8_lossy(piece).into_owned()));
                    }
                }
            }
        };
        let plain = without_markup(output);
        look(&squeezed(output));
        look(&squeezed(&plain));
        for text in [output, &plain] {
            for run in text.split(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_'))) {
                for skipped in 0..4 {
                    let run = run.get(skipped..).filter(|run| run.len() >= 20).unwrap_or_default();
                    let run = &run[..run.len() / 4 * 4];
                    let decoded = STANDARD_NO_PAD.decode(run).or_else(|_| URL_SAFE_NO_PAD.decode(run));
                    look(&squeezed(&decoded.unwrap_or_default()));
                }
            }
        }
        left.sort_unstable();
        left.dedup_by_key(|(rule, _)| *rule);
        left
    }
}

/// The part of a secret that is secret: a private key without its first and last line.
fn body(secret: &str) -> String {
    let secret = secret.strip_prefix("PuTTY-User-Key-File-").unwrap_or(secret);
    let lines: Vec<&str> = secret.lines().filter(|line| !line.starts_with("-----")).collect();
    if lines.is_empty() { secret.to_owned() } else { lines.concat() }
}

/// A text without what may stand between the pieces of a wrapped one.
fn squeezed(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text).replace("\\n", "").replace("\\r", "").replace("\\u001b[0m", "");
    text.bytes().filter(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b',' | b'\\')).collect()
}

/// The text of a page, with the characters that entities stand for.
fn without_markup(page: &[u8]) -> Vec<u8> {
    let page = String::from_utf8_lossy(page);
    let mut text = String::with_capacity(page.len());
    let mut rest = &*page;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        rest = after.split_once('>').map_or("", |(_, rest)| rest);
    }
    text.push_str(rest);
    for (entity, char) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
        text = text.replace(entity, char);
    }
    text.into_bytes()
}
