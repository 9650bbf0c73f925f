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
use wide::u8x32;

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
    /// The block of [`BLOCK`] bytes that was last looked at, and a bit for each
    /// quote and backslash in it. Strings are short, so a block serves several.
    block: usize,
    specials: u32,
}

/// How many bytes are looked at together.
const BLOCK: usize = 32;

impl<'a> Cursor<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text, at: 0, block: usize::MAX, specials: 0 }
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

    /// Where the next quote or backslash is.
    #[inline]
    fn special(&mut self, from: usize) -> Option<usize> {
        let mut block = from / BLOCK;
        if block != self.block {
            self.look_at(block)?;
        }
        let mut specials = self.specials & (u32::MAX << (from % BLOCK));
        while specials == 0 {
            block += 1;
            self.look_at(block)?;
            specials = self.specials;
        }
        Some(block * BLOCK + specials.trailing_zeros() as usize)
    }

    /// Finds the quotes and backslashes of a block; `None` past the end.
    #[inline]
    fn look_at(&mut self, block: usize) -> Option<()> {
        let rest = self.text.as_bytes().get(block * BLOCK..).filter(|rest| !rest.is_empty())?;
        let bytes = rest.first_chunk().copied().unwrap_or_else(|| {
            let mut padded = [0; BLOCK];
            for (to, from) in padded.iter_mut().zip(rest) {
                *to = *from;
            }
            padded
        });
        self.block = block;
        self.specials = specials(bytes);
        Some(())
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
        let Some(end) = self.special(start) else { return self.cut_off() };
        if self.text.as_bytes().get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(self.text.get(start..end).unwrap_or_default());
        }
        self.unescape(start, scratch)
    }

    /// Reads a string with escapes that begins at `start`.
    fn unescape(&mut self, start: usize, scratch: &'a Scratch) -> Result<&'a str, Broken> {
        /// Beyond this a string is unescaped into its final place, found by passing it once
        /// more, so that a giant one is not in memory a third time.
        const LONG: usize = 1 << 20;
        self.at = start - 1;
        let mut ahead = self.clone();
        if self.text.len() - start > LONG && ahead.skip_string().map(|()| ahead.at - start > LONG)? {
            let mut room = scratch.room(ahead.at - start);
            self.unescape_into(&mut room, start)?;
            return Ok(room.into_text());
        }
        let mut buffer = scratch.borrow_buffer();
        self.unescape_into(&mut buffer, start)?;
        Ok(scratch.keep_buffer(buffer))
    }

    /// Copies block by block, and cuts off behind the first special byte of each.
    fn unescape_into(&mut self, out: &mut impl Unescaped, start: usize) -> Result<(), Broken> {
        let bytes = self.text.as_bytes();
        let mut from = start;
        loop {
            let rest = bytes.get(from..).unwrap_or_default();
            if let Some(block) = rest.first_chunk() {
                let specials = specials(*block);
                let plain = if specials == 0 { BLOCK } else { specials.trailing_zeros() as usize };
                out.append(block, plain);
                from += plain;
                if specials == 0 {
                    continue;
                }
            } else {
                let Some(plain) = memchr2(b'"', b'\\', rest) else { return self.cut_off() };
                rest.iter().take(plain).for_each(|&byte| out.push(byte));
                from += plain;
            }
            let at = from;
            if bytes.get(at) == Some(&b'"') {
                self.at = at + 1;
                return Ok(());
            }
            let Some(&code) = bytes.get(at + 1) else { return self.cut_off() };
            if let Some(plain) = simple_escape(code) {
                out.push(plain);
                from = at + 2;
            } else if let Some((character, length)) = unicode_escape(bytes.get(at + 1..).unwrap_or_default()) {
                character.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| out.push(byte));
                from = at + 1 + length;
            } else {
                // Not an escape of JSON: the backslash stands for itself.
                out.push(b'\\');
                from = at + 1;
            }
        }
    }

    /// Passes a string without reading it.
    #[inline]
    fn skip_string(&mut self) -> Result<(), Broken> {
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        loop {
            let Some(found) = self.special(at) else { return self.cut_off() };
            if bytes.get(found) == Some(&b'"') {
                self.at = found + 1;
                return Ok(());
            }
            at = found + 2;
        }
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

/// What a backslash and `code` stand for; `None` where it is something else.
#[inline]
const fn simple_escape(code: u8) -> Option<u8> {
    match code {
        b'n' => Some(b'\n'),
        b'"' | b'\\' | b'/' => Some(code),
        b't' => Some(b'\t'),
        b'r' => Some(b'\r'),
        b'b' => Some(8),
        b'f' => Some(12),
        _ => None,
    }
}

/// Where the text of a string with escapes is put together.
trait Unescaped {
    /// Appends the first `length` bytes of a block.
    fn append(&mut self, block: &[u8; BLOCK], length: usize);
    fn push(&mut self, byte: u8);
}

impl Unescaped for Vec<u8> {
    /// The whole block is copied and cut off again: cheaper than copying just as many bytes.
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
fn specials(block: [u8; BLOCK]) -> u32 {
    let block = u8x32::new(block);
    (block.simd_eq(u8x32::splat(b'"')) | block.simd_eq(u8x32::splat(b'\\'))).to_bitmask()
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
