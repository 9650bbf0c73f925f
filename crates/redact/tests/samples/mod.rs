//! A sample of every kind of secret, made up when the tests run, after the public facts of its form.
//!
//! The table says how each kind looks, independently of the patterns that find it. No sample stands in the repository.

#![allow(dead_code, reason = "each test uses a part of it")]
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "a failure here is a failed test, and the alphabets are short"
)]

mod table;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use testkit::Rng;

pub(crate) use table::SAMPLES;

const B62: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A text with a secret in it.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) rule: &'static str,
    /// The text around the secret, which is needed to recognise some.
    pub(crate) before: String,
    pub(crate) secret: String,
    pub(crate) after: String,
}

impl Sample {
    pub(crate) fn text(&self) -> String {
        format!("{}{}{}", self.before, self.secret, self.after)
    }

    /// The text with the secret cut into pieces of this length by `seam`.
    pub(crate) fn cut(&self, length: usize, seam: &str) -> String {
        let chars: Vec<char> = self.secret.chars().collect();
        let pieces: Vec<String> = chars.chunks(length).map(|piece| piece.iter().collect()).collect();
        format!("{}{}{}", self.before, pieces.join(seam), self.after)
    }
}

/// One sample of every kind.
pub(crate) fn all(seed: u64) -> Vec<Sample> {
    let mut rng = Rng::new(seed);
    SAMPLES.iter().map(|(rule, template)| sample(rule, template, &mut rng)).collect()
}

fn sample(rule: &'static str, template: &str, rng: &mut Rng) -> Sample {
    let (before, rest) = template.split_once('«').expect("a secret in the template");
    let (secret, after) = rest.split_once('»').expect("an end of the secret");
    Sample { rule, before: fill(before, rng), secret: fill(secret, rng), after: fill(after, rng) }
}

/// Fills in `{alphabet:length}` and the other forms.
fn fill(template: &str, rng: &mut Rng) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((plain, after)) = rest.split_once('{') {
        text.push_str(plain);
        let Some((form, after)) = after.split_once('}').filter(|(form, _)| is_form(form)) else {
            text.push('{');
            rest = after;
            continue;
        };
        rest = after;
        let (name, argument) = form.split_once(':').unwrap_or((form, ""));
        let made = match name {
            "github" => {
                let body = random(B62, 30, rng);
                format!("{body}{}", in_base(crc32(body.as_bytes()), B62, 6))
            }
            "gitlab" => in_base(crc32(text.as_bytes()), "0123456789abcdefghijklmnopqrstuvwxyz", 7),
            "uuid" => {
                let mut part = |length| random("0123456789abcdef", length, rng);
                format!("{}-{}-{}-{}-{}", part(8), part(4), part(4), part(4), part(12))
            }
            "jwt" => {
                let head = URL_SAFE_NO_PAD.encode(r#"{"alg":"HS256","typ":"JWT"}"#);
                let body =
                    URL_SAFE_NO_PAD.encode(format!(r#"{{"role":"{argument}","sub":"{}"}}"#, random(B62, 16, rng)));
                format!("{head}.{body}.{}", random(alphabet("url"), 43, rng))
            }
            "json64" => STANDARD.encode(format!(r#"{{"key":"{}"}}"#, random(B62, argument.parse().unwrap(), rng))),
            "pair64" => STANDARD.encode(format!("ana:{}", random(B62, argument.parse().unwrap(), rng))),
            "text64" => STANDARD.encode(random(B62, argument.parse().unwrap(), rng)),
            "tok64" => STANDARD.encode(format!("tok:{}", random("0123456789abcdef", 41, rng))),
            "key64" => STANDARD
                .encode(format!("-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----\n", lines(6, rng))),
            "lines" => lines(argument.parse().unwrap(), rng),
            _ => random(alphabet(name), argument.parse().unwrap(), rng),
        };
        text.push_str(&made);
    }
    text.push_str(rest);
    text
}

fn is_form(form: &str) -> bool {
    let name = form.split(':').next().unwrap_or_default();
    !name.is_empty()
        && name.len() <= 6
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && (form.contains(':') || matches!(name, "github" | "gitlab" | "uuid" | "tok64" | "key64"))
}

/// Lines of base64, as in a key.
fn lines(count: usize, rng: &mut Rng) -> String {
    let lines: Vec<String> = (0..count).map(|_| random(alphabet("b64"), 64, rng)).collect();
    lines.join("\n")
}

fn alphabet(name: &str) -> &'static str {
    match name {
        "b62" => B62,
        "b64" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        "url" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
        "hex" => "0123456789abcdef",
        "HEX" => "0123456789ABCDEF",
        "low" => "0123456789abcdefghijklmnopqrstuvwxyz",
        "up" => "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "let" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
        "dig" => "123456789",
        "b32" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        "bech" => "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
        other => panic!("no alphabet is called {other}"),
    }
}

/// Random characters: of each kind that the alphabet has, near the beginning, because a token of letters alone is rare.
fn random(alphabet: &str, length: usize, rng: &mut Rng) -> String {
    let chars: Vec<char> = alphabet.chars().collect();
    let mut text: Vec<char> = (0..length).map(|_| chars[rng.below(chars.len())]).collect();
    let kinds: [fn(&char) -> bool; 3] = [char::is_ascii_digit, char::is_ascii_uppercase, char::is_ascii_lowercase];
    for (at, kind) in kinds.into_iter().enumerate().filter(|_| length >= 10) {
        if let Some(char) = chars.iter().rev().find(|char| kind(char)) {
            text[2 * at + 1] = *char;
            text[length - 2 * at - 2] = *char;
        }
    }
    // A separator at the end of a token is not told from punctuation behind it.
    while let Some(last) = text.last_mut().filter(|last| matches!(**last, '-' | '_')) {
        *last = chars[rng.below(chars.len())];
    }
    text.into_iter().collect()
}

pub(crate) fn in_base(mut number: u32, digits: &str, length: usize) -> String {
    let digits: Vec<char> = digits.chars().collect();
    let mut text = Vec::new();
    for _ in 0..length {
        text.push(digits[number as usize % digits.len()]);
        number /= digits.len() as u32;
    }
    text.iter().rev().collect()
}

pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    !sum
}
