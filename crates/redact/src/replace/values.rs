//! The values to replace, in all forms in which they may be written.

use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};
use base64::Engine;
use rustc_hash::FxHashMap;

use crate::check;
use crate::find::{find_block, key_material, stands_alone};
use crate::findings::Finding;
use crate::layers::{Finder, Located};
use crate::rule::{Category, Certainty};
use crate::view::View;

/// Names that are words as well: only paths with them are replaced.
const WORDS: [&[u8]; 34] = [
    b"work",
    b"code",
    b"data",
    b"home",
    b"main",
    b"master",
    b"src",
    b"lib",
    b"bin",
    b"tmp",
    b"project",
    b"projects",
    b"server",
    b"client",
    b"web",
    b"api",
    b"ai",
    b"mark",
    b"will",
    b"may",
    b"grace",
    b"hope",
    b"art",
    b"bill",
    b"rob",
    b"max",
    b"pat",
    b"sue",
    b"drew",
    b"summer",
    b"robot",
    b"bot",
    b"worker",
    b"service",
];
/// Whether a name is a word as well, so that only paths tell it.
pub(crate) fn is_word(name: &[u8]) -> bool {
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(name))
}

/// What stands before the name of a user in a path.
const HOMES: [&str; 6] = ["/home/", "/Users/", "\\Users\\", "-home-", "-Users-", "/users/"];

/// The values to replace.
#[derive(Debug)]
pub(super) struct Values {
    automaton: Option<AhoCorasick>,
    forms: Vec<Form>,
    /// Private keys by their material.
    keys: FxHashMap<Vec<u8>, usize>,
}

/// One way to write a value.
#[derive(Debug)]
struct Form {
    text: Vec<u8>,
    finding: Option<usize>,
    /// So many bytes at the beginning stay.
    skip: usize,
    is_word: bool,
    is_exact: bool,
}

impl Values {
    pub(super) fn new(findings: &[Finding], is_replaced: &[bool]) -> Self {
        let mut values = Self { automaton: None, forms: Vec::new(), keys: FxHashMap::default() };
        for (finding, _) in findings.iter().zip(is_replaced).filter(|(_, is_replaced)| **is_replaced) {
            match finding.category {
                Category::Secret => values.secret(finding),
                Category::User => values.user(finding),
                Category::Host => values.host(finding),
                Category::Email | Category::Ip | Category::Account => {
                    values.add(finding, &finding.value, 0, true, false);
                }
                Category::Word => values.add(finding, &finding.value, 0, false, false),
            }
        }
        if !values.keys.is_empty() {
            for first in ["-----BEGIN ", "PuTTY-User-Key-File-"] {
                values.forms.push(Form { text: first.into(), finding: None, skip: 0, is_word: false, is_exact: true });
            }
        }
        if !values.forms.is_empty() {
            values.automaton = AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .match_kind(MatchKind::Standard)
                .build(values.forms.iter().map(|form| &form.text))
                .ok();
        }
        values
    }

    pub(super) fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    fn secret(&mut self, finding: &Finding) {
        if finding.is_block {
            self.keys.insert(finding.value.clone(), finding.id);
        }
        for part in &finding.parts {
            self.add(finding, part, 0, false, true);
        }
        let is_word = finding.certainty == Certainty::Likely;
        for form in forms(&finding.value) {
            self.add(finding, &form, 0, is_word, true);
        }
    }

    fn user(&mut self, finding: &Finding) {
        let name = &finding.value;
        let slug: Vec<u8> = name.iter().map(|&byte| if byte.is_ascii_alphanumeric() { byte } else { b'-' }).collect();
        if name.len() > 2 && !is_word(name) {
            let is_exact = name.len() < 4;
            self.add(finding, name, 0, true, is_exact);
            if slug != *name {
                self.add(finding, &slug, 0, true, is_exact);
            }
            return;
        }
        for home in HOMES {
            let path = [home.as_bytes(), name].concat();
            self.add(finding, &path, home.len(), true, true);
        }
    }

    fn host(&mut self, finding: &Finding) {
        self.add(finding, &finding.value, 0, true, false);
        let label = finding.value.split(|&byte| byte == b'.').next().unwrap_or_default();
        if label.len() >= 8 && label.contains(&b'-') && label.len() < finding.value.len() {
            self.add(finding, label, 0, true, false);
        }
    }

    fn add(&mut self, finding: &Finding, text: &[u8], skip: usize, is_word: bool, is_exact: bool) {
        if !text.is_empty() {
            self.forms.push(Form { text: text.to_vec(), finding: Some(finding.id), skip, is_word, is_exact });
        }
    }

    /// Where a form stands in a view, and what it is.
    fn located(&self, view: &View, form: &Form, range: Range<usize>) -> Option<Located<usize>> {
        let text = view.text();
        if form.is_exact && text.get(range.clone()) != Some(form.text.as_slice()) {
            return None;
        }
        let Some(hit) = form.finding else {
            let block = find_block(view, range.start)?;
            let hit = *self.keys.get(&key_material(view.slice(block.clone())))?;
            return Some(Located { range: block, hit });
        };
        let range = range.start + form.skip..range.end;
        (!form.is_word || stands_alone(view, &range)).then_some(Located { range, hit })
    }
}

impl Finder for Values {
    type Hit = usize;

    fn find(&self, view: &View, is_text: bool, found: &mut Vec<Located<usize>>) {
        let Some(automaton) = &self.automaton else { return };
        let mut done = 0;
        for hit in automaton.find_overlapping_iter(view.text()) {
            let Some(form) = self.forms.get(hit.pattern().as_usize()) else { continue };
            // In data, a short word is there by chance.
            if (form.is_word && !is_text) || (form.finding.is_none() && hit.start() < done) {
                continue;
            }
            if let Some(located) = self.located(view, form, hit.range()) {
                if form.finding.is_none() {
                    done = located.range.end;
                }
                found.push(located);
            }
        }
    }
}

/// The forms in which a secret may be written: as it is, in a URL, in HTML, in base64.
fn forms(value: &[u8]) -> Vec<Vec<u8>> {
    let mut forms = vec![value.to_vec()];
    let mut add = |form: Vec<u8>| {
        if !forms.contains(&form) {
            forms.push(form);
        }
    };
    add(percent_encoded(value));
    add(html_escaped(value));
    if value.len() >= 6 {
        add(check::STANDARD.encode(value).into_bytes());
        add(check::URL_SAFE.encode(value).into_bytes());
    }
    forms
}

fn percent_encoded(value: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(value.len());
    for &byte in value {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            text.push(byte);
        } else {
            text.extend_from_slice(format!("%{byte:02X}").as_bytes());
        }
    }
    text
}

fn html_escaped(value: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(value.len());
    for &byte in value {
        match byte {
            b'&' => text.extend_from_slice(b"&amp;"),
            b'<' => text.extend_from_slice(b"&lt;"),
            b'>' => text.extend_from_slice(b"&gt;"),
            b'"' => text.extend_from_slice(b"&quot;"),
            b'\'' => text.extend_from_slice(b"&#39;"),
            _ => text.push(byte),
        }
    }
    text
}
