//! Escapes of JSON strings and URLs, and escape sequences of terminals.

/// The byte that begins a sequence of a terminal.
pub(crate) const ESCAPE: u8 = 0x1b;

/// What an escape stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decoded {
    Byte(u8),
    Char(char),
    NewLine,
    /// The beginning of a sequence of a terminal.
    Terminal,
}

/// Decodes the escape that bytes begin with: its length and what it stands for.
pub(crate) type Decoder = fn(&[u8]) -> Option<(usize, Decoded)>;

/// Escapes of JSON and of most languages: `\n`, `\"`, `\u0041`.
pub(crate) fn unescape(bytes: &[u8]) -> Option<(usize, Decoded)> {
    let decoded = match bytes.get(1)? {
        b'n' => Decoded::NewLine,
        b't' => Decoded::Byte(b'\t'),
        b'r' => Decoded::Byte(b'\r'),
        b'b' => Decoded::Byte(8),
        b'f' => Decoded::Byte(12),
        &byte @ (b'"' | b'\\' | b'/') => Decoded::Byte(byte),
        b'u' => return unicode(bytes),
        _ => return None,
    };
    Some((2, decoded))
}

fn unicode(bytes: &[u8]) -> Option<(usize, Decoded)> {
    let first = unit(bytes)?;
    let (length, code) = match first {
        0xd800..=0xdbff => {
            let rest = bytes.get(6..)?;
            match unit(rest).filter(|second| rest.starts_with(b"\\u") && (0xdc00..=0xdfff).contains(second)) {
                Some(second) => (12, 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)),
                None => (6, 0xfffd),
            }
        }
        code => (6, code),
    };
    let decoded = match char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER) {
        '\n' => Decoded::NewLine,
        '\u{1b}' => Decoded::Terminal,
        char => Decoded::Char(char),
    };
    Some((length, decoded))
}

/// The value of the four digits of `\u0041`.
fn unit(bytes: &[u8]) -> Option<u32> {
    bytes.get(2..6)?.iter().try_fold(0, |value, &digit| Some(value * 16 + char::from(digit).to_digit(16)?))
}

/// Escapes of URLs: `%2B`.
pub(crate) fn percent(bytes: &[u8]) -> Option<(usize, Decoded)> {
    let high = char::from(*bytes.get(1)?).to_digit(16)?;
    let low = char::from(*bytes.get(2)?).to_digit(16)?;
    Some((3, Decoded::Byte(u8::try_from(high * 16 + low).ok()?)))
}

/// The length of the terminal's escape sequence at the beginning of `bytes`, whose first byte stands for the escape.
pub(crate) fn sequence_length(bytes: &[u8]) -> usize {
    if bytes.get(1) != Some(&b'[') {
        return 1;
    }
    let parameters = bytes.iter().skip(2).take(32).take_while(|byte| (0x20..=0x3f).contains(*byte)).count();
    let end = bytes.get(2 + parameters).filter(|byte| (0x40..=0x7e).contains(*byte));
    if end.is_some() { 3 + parameters } else { 1 }
}
