//! Walks through JSON text, value by value.
//!
//! Made for lines of transcripts: long strings, few other tokens, some damage.
//! Strings are borrowed from the line; those with escapes are unescaped into
//! the [`Scratch`]. What is skipped is checked for its grammar but not unescaped.
//! Nothing recurses, so no nesting can overflow the stack.
//!
//! Inside strings it bends: raw control characters and unknown escapes are taken
//! as they stand, lone surrogates become U+FFFD. Around them it is strict, so
//! that damage is noticed.

use memchr::memchr2;
use wide::{u8x16, u8x32};

use super::{Room, Scratch};

/// How deep values may nest. Real lines stay below a few dozen levels.
pub(crate) const DEEPEST: usize = 1024;

/// Text that is not JSON: where and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Broken {
    /// The byte of the text where it goes wrong.
    pub(crate) at: usize,
    pub(crate) reason: Reason,
}

/// Why text is not JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    CutOff,
    Expected(&'static str),
    TooDeep,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::CutOff => f.write_str("the line ends in the middle of a value"),
            Self::Expected(what) => write!(f, "expected {what}"),
            Self::TooDeep => write!(f, "nested more than {DEEPEST} levels deep"),
        }
    }
}

/// A number as it was written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Whole(i64),
    Float(f64),
}

/// A place in a JSON text.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

/// How many bytes are looked at together.
const BLOCK: usize = 32;

/// Half as many, where what is looked for is near: the end of a key.
const HALF: usize = BLOCK / 2;

impl<'a> Cursor<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// How many bytes have been passed.
    pub(crate) const fn position(&self) -> usize {
        self.at
    }

    fn broken<T>(&self, expected: &'static str) -> Result<T, Broken> {
        let reason = if self.at < self.text.len() { Reason::Expected(expected) } else { Reason::CutOff };
        Err(Broken { at: self.at, reason })
    }

    fn cut_off<T>(&self) -> Result<T, Broken> {
        Err(Broken { at: self.text.len(), reason: Reason::CutOff })
    }

    /// The first byte of the next token, which stays the next.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        loop {
            match *self.text.as_bytes().get(self.at)? {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    /// Passes `byte` if it is the next token.
    #[inline]
    fn eat(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Reads an object; `each` is called with every key and must pass its value.
    #[inline]
    pub(crate) fn object(
        &mut self,
        scratch: &'a Scratch,
        mut each: impl FnMut(&mut Self, &'a str) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        if !self.eat(b'{') {
            return self.broken("an object");
        }
        if self.eat(b'}') {
            return Ok(());
        }
        loop {
            if self.peek() != Some(b'"') {
                return self.broken("a key");
            }
            let key = self.string(scratch)?;
            if !self.eat(b':') {
                return self.broken("a colon after the key");
            }
            each(self, key)?;
            if self.eat(b',') {
                continue;
            }
            return if self.eat(b'}') { Ok(()) } else { self.broken("a comma or the end of the object") };
        }
    }

    /// Reads a list; `each` is called for every item and must pass it.
    #[inline]
    pub(crate) fn list(&mut self, mut each: impl FnMut(&mut Self) -> Result<(), Broken>) -> Result<(), Broken> {
        if !self.eat(b'[') {
            return self.broken("a list");
        }
        if self.eat(b']') {
            return Ok(());
        }
        loop {
            each(self)?;
            if self.eat(b',') {
                continue;
            }
            return if self.eat(b']') { Ok(()) } else { self.broken("a comma or the end of the list") };
        }
    }

    /// Reads a string.
    #[inline]
    pub(crate) fn string(&mut self, scratch: &'a Scratch) -> Result<&'a str, Broken> {
        if !self.eat(b'"') {
            return self.broken("a string");
        }
        let start = self.at;
        match self.short_string_end(start) {
            Some(end) => {
                self.at = end + 1;
                Ok(self.text.get(start..end).unwrap_or_default())
            }
            None => self.long_string(start, scratch),
        }
    }

    /// Where a string without escapes ends, if it does so soon. Most keys end
    /// within half a block, and ids within the one after it.
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
        /// Beyond this a string is unescaped into its final place, so that a giant one
        /// is not in memory a third time.
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

    /// Copies block by block, and cuts off before the first special byte of each.
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
                // Not an escape of JSON: the backslash stands for itself.
                out.push(b'\\');
                at += 1;
            }
        }
    }

    /// Where the quote is that ends the string which begins at `start`.
    ///
    /// Whole blocks at a time: a quote ends the string unless it stands behind an odd
    /// number of backslashes, which an addition with carry finds for all at once.
    fn string_end(&self, start: usize) -> Result<usize, Broken> {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        let bytes = self.text.as_bytes();
        let mut at = start;
        // Whether the first byte of the block is escaped by the last of the one before: 0 or 1.
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

    /// Passes a string without reading it.
    #[inline]
    fn skip_string(&mut self) -> Result<(), Broken> {
        let start = self.at + 1;
        let end = match self.short_string_end(start) {
            Some(end) => end,
            None => self.string_end(start)?,
        };
        self.at = end + 1;
        Ok(())
    }

    /// Reads `true`, `false` or `null`; null is `None`. So are the words that some
    /// writers use for numbers JSON does not have.
    pub(crate) fn literal(&mut self) -> Result<Option<bool>, Broken> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let (length, value) = match rest.as_bytes() {
            [b'n', b'u', b'l', b'l', ..] => (4, None),
            [b't', b'r', b'u', b'e', ..] => (4, Some(true)),
            [b'f', b'a', b'l', b's', b'e', ..] => (5, Some(false)),
            [b'N', b'a', b'N', ..] => (3, None),
            _ if rest.starts_with("Infinity") => (8, None),
            _ if rest.starts_with("-Infinity") => (9, None),
            _ if is_begun(rest) => return self.cut_off(),
            _ => return self.broken("a value"),
        };
        self.at += length;
        Ok(value)
    }

    /// Reads a number.
    pub(crate) fn number(&mut self) -> Result<Number, Broken> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length =
            rest.bytes().take_while(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')).count();
        let digits = rest.get(..length).unwrap_or_default();
        let number = match digits.parse() {
            Ok(whole) => Number::Whole(whole),
            Err(_) => match digits.parse() {
                Ok(float) => Number::Float(float),
                Err(_) => return self.broken("a number"),
            },
        };
        self.at += length;
        Ok(number)
    }

    /// Passes the next value and returns its text.
    pub(crate) fn raw(&mut self) -> Result<&'a str, Broken> {
        self.peek();
        let start = self.at;
        self.skip()?;
        Ok(self.text.get(start..self.at).unwrap_or_default())
    }

    /// Passes the next value.
    #[inline]
    pub(crate) fn skip(&mut self) -> Result<(), Broken> {
        match self.peek() {
            Some(b'"') => self.skip_string(),
            Some(b'{' | b'[') => self.skip_nested(),
            Some(b'-' | b'0'..=b'9') => self.skip_number(),
            Some(_) => self.literal().map(drop),
            None => self.cut_off(),
        }
    }

    /// Passes the next value, which may hold others.
    fn skip_nested(&mut self) -> Result<(), Broken> {
        let bytes = self.text.as_bytes();
        let mut open = Nesting::default();
        loop {
            // Here a value is due.
            match self.peek() {
                Some(b'"') => self.skip_string()?,
                Some(bracket @ (b'{' | b'[')) => {
                    let in_object = bracket == b'{';
                    self.at += 1;
                    if !self.eat(closing(in_object)) {
                        if !open.push(in_object) {
                            return Err(Broken { at: self.at, reason: Reason::TooDeep });
                        }
                        if in_object {
                            self.skip_key()?;
                        }
                        continue;
                    }
                }
                Some(b'-' | b'0'..=b'9') => self.skip_number()?,
                Some(_) => drop(self.literal()?),
                None => return self.cut_off(),
            }
            // Here a value has ended.
            loop {
                let Some(in_object) = open.innermost() else { return Ok(()) };
                match bytes.get(self.at) {
                    Some(b',') => {
                        self.at += 1;
                        if in_object {
                            self.skip_key()?;
                        }
                        break;
                    }
                    Some(&byte) if byte == closing(in_object) => {
                        self.at += 1;
                        open.pop();
                    }
                    Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                    _ => return self.broken("a comma or a closing bracket"),
                }
            }
        }
    }

    fn skip_number(&mut self) -> Result<(), Broken> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        while matches!(bytes.get(self.at), Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')) {
            self.at += 1;
        }
        // Plain digits need no second look.
        let token = self.text.get(start..self.at).unwrap_or_default();
        if token.bytes().all(|byte| byte.is_ascii_digit()) || token.parse::<f64>().is_ok() {
            return Ok(());
        }
        self.at = start;
        match self.literal() {
            Ok(_) => Ok(()),
            Err(_) => self.broken("a number"),
        }
    }

    fn skip_key(&mut self) -> Result<(), Broken> {
        if self.peek() != Some(b'"') {
            return self.broken("a key");
        }
        self.skip_string()?;
        if self.eat(b':') { Ok(()) } else { self.broken("a colon after the key") }
    }
}

/// What a byte behind a backslash stands for; 0 where it is something else. A table,
/// because which escape comes next is what no processor guesses.
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

/// Where the text of a string with escapes is put together.
trait Unescaped {
    /// Appends the first `length` bytes of a block.
    fn append(&mut self, block: &[u8; BLOCK], length: usize);
    fn push(&mut self, byte: u8);
}

impl Unescaped for Vec<u8> {
    /// All of it is copied and cut off again: cheaper than copying just as many bytes.
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

/// The bracket that ends an object or a list.
const fn closing(object: bool) -> u8 {
    if object { b'}' } else { b']' }
}

/// The open brackets around a skipped value: a bit for each, set for objects.
struct Nesting {
    bits: [u64; DEEPEST / 64],
    depth: usize,
}

impl Default for Nesting {
    fn default() -> Self {
        Self { bits: [0; DEEPEST / 64], depth: 0 }
    }
}

impl Nesting {
    fn push(&mut self, object: bool) -> bool {
        let Some(word) = self.bits.get_mut(self.depth / 64) else { return false };
        let bit = 1 << (self.depth % 64);
        if object {
            *word |= bit;
        } else {
            *word &= !bit;
        }
        self.depth += 1;
        true
    }

    fn pop(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn innermost(&self) -> Option<bool> {
        let last = self.depth.checked_sub(1)?;
        self.bits.get(last / 64).map(|word| word & (1 << (last % 64)) != 0)
    }
}

/// Whether `rest` is the beginning of a word and nothing else.
fn is_begun(rest: &str) -> bool {
    !rest.is_empty()
        && ["null", "true", "false", "NaN", "Infinity", "-Infinity"].iter().any(|word| word.starts_with(rest))
}

/// The character of an escape like `u00e9` that begins `bytes`, and how many bytes it takes.
/// A pair of surrogates is one character; a lone one is U+FFFD.
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

/// The number in `u` and four hexadecimal digits.
fn utf16_unit(bytes: &[u8]) -> Option<u32> {
    let (b'u', digits) = (*bytes.first()?, bytes.get(1..5)?) else { return None };
    digits.iter().try_fold(0, |value, &digit| Some(value * 16 + char::from(digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn string(text: &str) -> Result<String, Broken> {
        let scratch = Scratch::default();
        Cursor::new(text).string(&scratch).map(str::to_owned)
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
        // Long strings take another way.
        let text = "line \"quoted\" é🚀\n".repeat(100_000);
        let json = format!("\"{}\"", text.replace('"', "\\\"").replace('\n', "\\n").replace('é', "\\u00e9"));
        assert_eq!(string(&json), Ok(text));
        for cut in ["\"", "\"abc", r#""abc\"#, r#""abc\""#] {
            assert_eq!(string(cut).unwrap_err().reason, Reason::CutOff, "{cut}");
        }
    }

    proptest::proptest! {
        /// Quotes and backslashes in every position of a block, as a strict writer writes them.
        #[test]
        fn strings_read_as_they_were_written(text in r#"([a-é]{0,40}|[\\\\"]{0,5}|[\x00-\x20]|🚀){0,40}"#, tail in "[\\\\\"a]{0,70}") {
            let json = serde_json::to_string(&text).unwrap();
            proptest::prop_assert_eq!(string(&format!("{json}{tail}")), Ok(text));
            let followed = format!("{json},{tail}");
            let mut cursor = Cursor::new(&followed);
            proptest::prop_assert_eq!(cursor.raw(), Ok(json.as_str()));
        }
    }

    #[test]
    fn skipping_checks_the_grammar() {
        for good in [
            "1",
            "-1.5e3",
            "[]",
            "{}",
            "[1,[2,{}],\"]\"]",
            r#"{"a":{"b":[null,true]},"c":NaN}"#,
            "[ 1 , 2 ]",
            "[-Infinity]",
        ] {
            let mut cursor = Cursor::new(good);
            assert_eq!(cursor.skip(), Ok(()), "{good}");
            assert_eq!(cursor.position(), good.len());
        }
        for bad in ["[1 2]", "[1,]", "{1:2}", r#"{"a" 1}"#, r#"{"a":1,}"#, "[1}", "tru e", "nul1", "--1", "1.2.3", "}"]
        {
            let broken = Cursor::new(bad).skip().unwrap_err();
            assert!(matches!(broken.reason, Reason::Expected(_)), "{bad}: {broken:?}");
        }
        for cut in ["", "[", "[1,", r#"{"a""#, r#"{"a":"#, "tru", "[{\"a\":[1"] {
            assert_eq!(Cursor::new(cut).skip().unwrap_err().reason, Reason::CutOff, "{cut}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(Cursor::new(&nested(DEEPEST)).skip(), Ok(()));
        assert_eq!(Cursor::new(&nested(200_000)).skip().unwrap_err().reason, Reason::TooDeep);
    }

    #[test]
    fn numbers() {
        for (json, expected) in [
            ("12", Number::Whole(12)),
            ("-7", Number::Whole(-7)),
            ("1.5", Number::Float(1.5)),
            ("12345678901234567890", Number::Float(12_345_678_901_234_567_890.0)),
            ("1e3", Number::Float(1000.0)),
        ] {
            assert_eq!(Cursor::new(json).number(), Ok(expected));
        }
    }
}
