//! Reads JSON strings: finds their ends and resolves their escapes.

use memchr::memchr2;
use wide::{u8x16, u8x32};

use super::{Broken, Cursor};
use crate::json::{Room, Scratch};

/// The number of bytes that are examined at once.
const BLOCK: usize = 32;

/// Half a block, for matches that are near, such as the end of a key.
const HALF: usize = BLOCK / 2;

impl<'a> Cursor<'a> {
    /// Reads a string whose opening quote is already consumed.
    #[inline]
    pub(crate) fn rest_of_string(&mut self, scratch: &'a Scratch) -> Result<&'a str, Broken> {
        let start = self.at;
        match self.short_string_end(start) {
            Some(end) => {
                self.at = end + 1;
                Ok(self.text.get(start..end).unwrap_or_default())
            }
            None => self.long_string(start, scratch),
        }
    }

    /// The end of a string without escapes, if it is near. Most keys end within half a block, and ids within the block
    /// after it.
    #[inline]
    fn short_string_end(&self, start: usize) -> Option<usize> {
        let bytes = self.text.as_bytes().get(start..)?;
        let half = bytes.first_chunk::<HALF>()?;
        let specials_of_half = specials_of_half(half);
        if specials_of_half != 0 {
            let first = specials_of_half.trailing_zeros() as usize;
            return (half.get(first) == Some(&b'"')).then_some(start + first);
        }
        let block = bytes.get(HALF..)?.first_chunk::<BLOCK>()?;
        let first = specials(block).trailing_zeros() as usize;
        (block.get(first) == Some(&b'"')).then_some(start + HALF + first)
    }

    /// Reads a string that is long or has escapes.
    #[inline(never)]
    fn long_string(&mut self, start: usize, scratch: &'a Scratch) -> Result<&'a str, Broken> {
        /// Longer strings are unescaped directly into their final place, to avoid a third copy in memory.
        const GIANT: usize = 1 << 20;
        let bytes = self.text.as_bytes();
        let Some(first) = memchr2(b'"', b'\\', bytes.get(start..).unwrap_or_default()) else { return self.cut_off() };
        if bytes.get(start + first) == Some(&b'"') {
            self.at = start + first + 1;
            return Ok(self.text.get(start..start + first).unwrap_or_default());
        }
        if bytes.len() - start > GIANT {
            let length = self.string_end(start)? - start;
            if length > GIANT {
                let mut room = scratch.room(length);
                self.unescape_into(&mut room, start)?;
                return Ok(room.into_text());
            }
        }
        let mut buffer = scratch.borrow_buffer();
        self.unescape_into(&mut buffer, start)?;
        Ok(scratch.keep_buffer(buffer))
    }

    /// Copies block by block, and stops before the first special byte of each block.
    fn unescape_into(&mut self, out: &mut impl Unescaped, start: usize) -> Result<(), Broken> {
        let bytes = self.text.as_bytes();
        let mut at = start;
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            if let Some(block) = rest.first_chunk() {
                let specials = specials(block);
                let plain = if specials == 0 { BLOCK } else { specials.trailing_zeros() as usize };
                out.append(block, plain);
                at += plain;
                if specials == 0 {
                    continue;
                }
            } else {
                let Some(plain) = memchr2(b'"', b'\\', rest) else { return self.cut_off() };
                rest.iter().take(plain).for_each(|&byte| out.push(byte));
                at += plain;
            }
            if bytes.get(at) == Some(&b'"') {
                self.at = at + 1;
                return Ok(());
            }
            let Some(&code) = bytes.get(at + 1) else { return self.cut_off() };
            let simple = ESCAPES.get(usize::from(code)).copied().unwrap_or_default();
            if simple != 0 {
                out.push(simple);
                at += 2;
            } else if let Some((character, length)) = unicode_escape(bytes.get(at + 1..).unwrap_or_default()) {
                character.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| out.push(byte));
                at += 1 + length;
            } else {
                // Not a JSON escape: the backslash is literal.
                out.push(b'\\');
                at += 1;
            }
        }
    }

    /// The position of the quote that ends the string beginning at `start`.
    ///
    /// Works on whole blocks: a quote ends the string unless an odd number of backslashes precedes it, and one addition
    /// with carry determines that for all quotes of a block.
    fn string_end(&self, start: usize) -> Result<usize, Broken> {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        let bytes = self.text.as_bytes();
        let mut at = start;
        // 1 if the previous block escapes the first byte of this block, else 0.
        let mut escaped_first = 0_u64;
        while let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk::<{ 2 * BLOCK }>()) {
            let (quotes, backslashes) = quotes_and_backslashes(block);
            let backslashes = backslashes & !escaped_first;
            let behind = backslashes << 1 | escaped_first;
            let odd_starts = backslashes & !EVEN & !behind;
            let (even_runs, carry) = odd_starts.overflowing_add(backslashes);
            escaped_first = u64::from(carry);
            let escaped = (EVEN ^ (even_runs << 1)) & behind;
            let ends = quotes & !escaped;
            if ends != 0 {
                return Ok(at + ends.trailing_zeros() as usize);
            }
            at += 2 * BLOCK;
        }
        at += usize::from(escaped_first == 1);
        loop {
            match bytes.get(at) {
                Some(b'"') => return Ok(at),
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
                None => return self.cut_off(),
            }
        }
    }

    /// Consumes a string without reading it.
    #[inline]
    pub(super) fn skip_string(&mut self) -> Result<(), Broken> {
        let start = self.at + 1;
        let end = match self.short_string_end(start) {
            Some(end) => end,
            None => self.string_end(start)?,
        };
        self.at = end + 1;
        Ok(())
    }
}

/// The byte that each escape code stands for; 0 for all other codes. A table, because processors cannot predict which
/// escape comes next.
#[expect(clippy::indexing_slicing, reason = "at compile time")]
const ESCAPES: [u8; 256] = {
    let mut table = [0; 256];
    table[b'n' as usize] = b'\n';
    table[b't' as usize] = b'\t';
    table[b'r' as usize] = b'\r';
    table[b'b' as usize] = 8;
    table[b'f' as usize] = 12;
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table[b'/' as usize] = b'/';
    table
};

/// A buffer for the text of a string with escapes.
trait Unescaped {
    /// Appends the first `length` bytes of a block.
    fn append(&mut self, block: &[u8; BLOCK], length: usize);
    fn push(&mut self, byte: u8);
}

impl Unescaped for Vec<u8> {
    /// Copies the whole block and truncates the copy, which is cheaper than copying exactly `length` bytes.
    #[inline]
    fn append(&mut self, block: &[u8; BLOCK], length: usize) {
        let cut = self.len() + length;
        self.extend_from_slice(block);
        self.truncate(cut);
    }

    #[inline]
    fn push(&mut self, byte: u8) {
        Vec::push(self, byte);
    }
}

impl Unescaped for Room<'_> {
    fn append(&mut self, block: &[u8; BLOCK], length: usize) {
        self.extend(block.get(..length).unwrap_or(block));
    }

    fn push(&mut self, byte: u8) {
        self.extend(&[byte]);
    }
}

/// A bit for each quote and backslash in a block.
#[inline]
fn specials(block: &[u8; BLOCK]) -> u32 {
    let block = u8x32::new(*block);
    (block.simd_eq(u8x32::splat(b'"')) | block.simd_eq(u8x32::splat(b'\\'))).to_bitmask()
}

/// A bit for each quote and backslash in half a block.
#[inline]
fn specials_of_half(half: &[u8; HALF]) -> u32 {
    let half = u8x16::new(*half);
    (half.simd_eq(u8x16::splat(b'"')) | half.simd_eq(u8x16::splat(b'\\'))).to_bitmask()
}

/// A bit for each quote in two blocks, and one for each backslash.
#[inline]
fn quotes_and_backslashes(blocks: &[u8; 2 * BLOCK]) -> (u64, u64) {
    let find = |byte: u8| {
        let (halves, _) = blocks.as_chunks::<BLOCK>();
        let mask = |half: &[u8; BLOCK]| u64::from(u8x32::new(*half).simd_eq(u8x32::splat(byte)).to_bitmask());
        halves.iter().rev().fold(0, |bits, half| bits << BLOCK | mask(half))
    };
    (find(b'"'), find(b'\\'))
}

/// The character of an escape such as `u00e9` at the start of `bytes`, and its length in bytes. A surrogate pair is one
/// character; a lone surrogate is U+FFFD.
fn unicode_escape(bytes: &[u8]) -> Option<(char, usize)> {
    let unit = utf16_unit(bytes)?;
    if let Some(character) = char::from_u32(unit) {
        return Some((character, 5));
    }
    let low = bytes.get(5..).filter(|rest| rest.first() == Some(&b'\\')).and_then(|rest| utf16_unit(rest.get(1..)?));
    Some(match low {
        Some(low @ 0xdc00..=0xdfff) if unit < 0xdc00 => {
            let code = 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 11)
        }
        _ => (char::REPLACEMENT_CHARACTER, 5),
    })
}

/// The code unit in `u` and four hexadecimal digits.
fn utf16_unit(bytes: &[u8]) -> Option<u32> {
    let (b'u', digits) = (*bytes.first()?, bytes.get(1..5)?) else { return None };
    digits.iter().try_fold(0, |value, &digit| Some(value * 16 + char::from(digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Reason;

    fn string(text: &str) -> Result<String, Broken> {
        let scratch = Scratch::default();
        let mut cursor = Cursor::new(text);
        assert!(cursor.eat(b'"'));
        cursor.rest_of_string(&scratch).map(str::to_owned)
    }

    #[test]
    fn strings_are_unescaped() {
        for (json, expected) in [
            (r#""""#, ""),
            (r#""plain é""#, "plain é"),
            (r#""a\nb\t\"c\" \\ \/ \b\f\r""#, "a\nb\t\"c\" \\ / \u{8}\u{c}\r"),
            (r#""\u00e9\ud83d\ude80""#, "é🚀"),
            (r#""cut \ud83d here \udc00""#, "cut \u{fffd} here \u{fffd}"),
            (r#""\ud83d\n""#, "\u{fffd}\n"),
            (r#""\ud83dA""#, "\u{fffd}A"),
            (r#""\x \u12""#, "\\x \\u12"),
            ("\"raw\ttab\u{0}\"", "raw\ttab\u{0}"),
            (r#""\u00e9 é \n""#, "é é \n"),
            (
                r#""twelve characters then \"quoted\" and a long tail that needs the vector search""#,
                "twelve characters then \"quoted\" and a long tail that needs the vector search",
            ),
        ] {
            assert_eq!(string(json).as_deref(), Ok(expected), "{json}");
        }
        // Long strings take another path.
        let text = "line \"quoted\" é🚀\n".repeat(100_000);
        let json = format!("\"{}\"", text.replace('"', "\\\"").replace('\n', "\\n").replace('é', "\\u00e9"));
        assert_eq!(string(&json), Ok(text));
        for cut in ["\"", "\"abc", r#""abc\"#, r#""abc\""#] {
            assert_eq!(string(cut).unwrap_err().reason, Reason::CutOff, "{cut}");
        }
    }

    proptest::proptest! {
        /// Quotes and backslashes at every position of a block, as a strict writer escapes them.
        #[test]
        fn strings_read_as_they_were_written(text in r#"([a-é]{0,40}|[\\\\"]{0,5}|[\x00-\x20]|🚀){0,40}"#, tail in "[\\\\\"a]{0,70}") {
            let json = serde_json::to_string(&text).unwrap();
            proptest::prop_assert_eq!(string(&format!("{json}{tail}")), Ok(text));
            let followed = format!("{json},{tail}");
            let mut cursor = Cursor::new(&followed);
            proptest::prop_assert_eq!(cursor.raw(), Ok(json.as_str()));
        }
    }
}

/// The length of the object at the start of `bytes`, by its brackets alone; `None` if a backslash comes before its end
/// or the whole blocks do not contain its end.
pub(super) fn object_length(bytes: &[u8]) -> Option<usize> {
    const LANES: usize = 32;
    // All ones if the block begins inside a string, else 0.
    let mut inside = 0_u32;
    let mut depth = 0_u32;
    for (number, block) in bytes.as_chunks::<LANES>().0.iter().enumerate() {
        let block = u8x32::new(*block);
        let all = |byte: u8| block.simd_eq(u8x32::splat(byte)).to_bitmask();
        if all(b'\\') != 0 {
            return None;
        }
        let texts = within(all(b'"')) ^ inside;
        inside = if texts >> (LANES - 1) == 1 { u32::MAX } else { 0 };
        let (opening, mut closing) = (all(b'{') & !texts, all(b'}') & !texts);
        if closing.count_ones() < depth {
            depth = depth + opening.count_ones() - closing.count_ones();
            continue;
        }
        let mut before = 0;
        while closing != 0 {
            let at = closing.trailing_zeros();
            let opened = (opening & !before & below(at)).count_ones();
            depth = (depth + opened).checked_sub(1)?;
            if depth == 0 {
                return Some(number * LANES + at as usize + 1);
            }
            before = below(at);
            closing &= closing - 1;
        }
        depth += (opening & !before).count_ones();
    }
    None
}

/// The bits below `bit`.
const fn below(bit: u32) -> u32 {
    (1 << bit) - 1
}

/// Turns the bits of quotes into the bits of the text between them.
const fn within(quotes: u32) -> u32 {
    let mut bits = quotes;
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^ bits << 16
}

#[cfg(test)]
mod object_tests {
    use super::object_length;

    #[test]
    fn objects_are_measured_by_their_brackets() {
        for object in [
            r"{}",
            r#"{"a":1}"#,
            r#"{"a":{"b":[{},{"c":"}{"}]},"d":"x}"}"#,
            r#"{"}":"{{{","k":{"":{}}}"#,
            r#"{"a":{"b":{"c":{}}},"1":2}"#,
        ] {
            for padding in 0..70 {
                let object = object.replace('1', &"1".repeat(padding + 1)).replace('x', &"x{".repeat(padding));
                let text = format!("{object},{{}}{}", " ".repeat(64));
                assert_eq!(object_length(text.as_bytes()), Some(object.len()), "{text}");
            }
        }
        assert_eq!(object_length(br#"{"a":"\"}"}                                        "#), None);
        assert_eq!(object_length(br#"{"a":1"#), None);
    }
}
