//! What a token must satisfy beyond its pattern: checksums and contents.

use base64::Engine;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::engine::{DecodePaddingMode, general_purpose};

use crate::plausible;

/// Decodes base64 with or without padding, in the standard alphabet.
pub(crate) const STANDARD: GeneralPurpose = GeneralPurpose::new(&base64::alphabet::STANDARD, FORGIVING);
/// The same, in the alphabet of URLs.
pub(crate) const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&base64::alphabet::URL_SAFE, FORGIVING);
const FORGIVING: GeneralPurposeConfig = general_purpose::NO_PAD
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);

/// What a token must satisfy beyond its pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Check {
    /// It is no placeholder.
    Plausible,
    /// Nothing.
    AnyText,
    /// It has upper and lower case and digits.
    Mixed,
    /// It looks like a random value.
    Strong,
    /// It has as many different characters as a long random value, rather than a pattern that repeats.
    Varied,
    /// The last six characters are the CRC-32 of those after the prefix, in base 62 (GitHub, npm).
    GitHub,
    /// The last seven characters are the CRC-32 of all others, in base 36 (routable tokens of GitLab).
    GitLab,
    /// It is `user:password` in base64.
    Pair,
    /// It is text in base64.
    Base64Text,
    /// It is a JSON Web Token for the role `service_role`.
    ServiceRole,
    /// It is `tok:…` in base64.
    Intercom,
}

/// What a check says of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// A checksum fits; nothing else need be asked.
    Proven,
    Passes,
    /// The checksum does not fit: it is no valid token, but it may be one with a mistake in it.
    Doubtful,
    Fails,
}

impl Check {
    pub(crate) fn of(self, token: &[u8]) -> Verdict {
        let passes = match self {
            Self::AnyText => true,
            _ if plausible::is_placeholder(token) => false,
            Self::Plausible => true,
            Self::Mixed => is_mixed(token),
            Self::Strong => plausible::is_strong(token),
            Self::Varied => plausible::distinct(token) >= 20,
            Self::GitHub => return Self::sum(github_checksum(token), token),
            Self::GitLab => return Self::sum(gitlab_checksum(token), token),
            Self::Pair => decode(token).is_some_and(|text| is_pair(&text)),
            Self::Base64Text => decode(token).is_some_and(|text| is_text(&text)),
            Self::ServiceRole => jwt_payload(token).is_some_and(|text| contains(&text, b"service_role")),
            Self::Intercom => decode(token).is_some_and(|text| text.starts_with(b"tok:")),
        };
        if passes { Verdict::Passes } else { Verdict::Fails }
    }

    fn sum(expected: Option<Vec<u8>>, token: &[u8]) -> Verdict {
        match expected {
            Some(sum) if token.ends_with(&sum) => Verdict::Proven,
            _ => Verdict::Doubtful,
        }
    }
}

fn is_mixed(token: &[u8]) -> bool {
    token.iter().any(u8::is_ascii_uppercase)
        && token.iter().any(u8::is_ascii_lowercase)
        && token.iter().any(u8::is_ascii_digit)
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    memchr::memmem::find(text, word).is_some()
}

fn jwt_payload(token: &[u8]) -> Option<Vec<u8>> {
    URL_SAFE.decode(token.split(|&byte| byte == b'.').nth(1)?).ok()
}

/// The bytes that a text in base64 stands for.
pub(crate) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    if is_url_safe(text) { URL_SAFE.decode(text) } else { STANDARD.decode(text) }.ok()
}

/// Whether a text in base64 uses the alphabet of URLs.
pub(crate) fn is_url_safe(text: &[u8]) -> bool {
    memchr::memchr2(b'-', b'_', text).is_some()
}

/// Whether the first characters of a text in base64, at most 32 of them, stand for what is asked for.
pub(crate) fn decode_first(text: &[u8], is_it: impl Fn(&[u8]) -> bool) -> bool {
    let mut decoded = [0; 32];
    let alphabet = if is_url_safe(text) { &URL_SAFE } else { &STANDARD };
    alphabet.decode_slice(text, &mut decoded).is_ok_and(|length| decoded.get(..length).is_some_and(is_it))
}

fn is_pair(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    text.split_once(':').is_some_and(|(user, password)| !user.is_empty() && password.len() >= 3)
        && !text.chars().any(char::is_control)
}

/// Whether bytes are text rather than data.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes)
        .is_ok_and(|text| !text.chars().any(|char| char.is_control() && !matches!(char, '\n' | '\r' | '\t' | '\u{1b}')))
}

fn github_checksum(token: &[u8]) -> Option<Vec<u8>> {
    let body = token.get(4..token.len().checked_sub(6)?)?;
    Some(in_base(crc32(body), b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 6))
}

fn gitlab_checksum(token: &[u8]) -> Option<Vec<u8>> {
    let body = token.get(..token.len().checked_sub(7)?)?;
    Some(in_base(crc32(body), b"0123456789abcdefghijklmnopqrstuvwxyz", 7))
}

fn in_base(mut number: u32, digits: &[u8], length: usize) -> Vec<u8> {
    let base = u32::try_from(digits.len()).unwrap_or(1).max(1);
    let mut text = Vec::with_capacity(length);
    for _ in 0..length {
        text.push(usize::try_from(number % base).ok().and_then(|digit| digits.get(digit)).copied().unwrap_or(b'0'));
        number /= base;
    }
    text.reverse();
    text
}

/// CRC-32 as in zip files.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_zip_files() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn a_checksum_that_does_not_fit_makes_a_token_doubtful() {
        let body = b"0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT";
        let mut token = [b"ghp_".as_slice(), body].concat();
        token.extend(in_base(crc32(body), b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 6));
        assert_eq!(Check::GitHub.of(&token), Verdict::Proven);
        token[10] = b'!';
        assert_eq!(Check::GitHub.of(&token), Verdict::Doubtful);
    }
}
