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

use wide::u8x32;

use super::Scratch;

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
        let bytes = u8x32::new(bytes);
        let specials = bytes.simd_eq(u8x32::splat(b'"')) | bytes.simd_eq(u8x32::splat(b'\\'));
        self.block = block;
        self.specials = specials.to_bitmask();
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
        self.unescape(start, end, scratch)
    }

    /// The rest of a string that begins at `start` and has its first escape at `escape`.
    fn unescape(&mut self, start: usize, mut escape: usize, scratch: &'a Scratch) -> Result<&'a str, Broken> {
        let bytes = self.text.as_bytes();
        let mut out = scratch.string();
        let mut from = start;
        loop {
            out.push_str(self.text.get(from..escape).unwrap_or_default());
            if bytes.get(escape) == Some(&b'"') {
                self.at = escape + 1;
                return Ok(out.into_bump_str());
            }
            let Some(&code) = bytes.get(escape + 1) else { return self.cut_off() };
            from = escape + 2;
            match code {
                b'n' => out.push('\n'),
                b'"' => out.push('"'),
                b'\\' => out.push('\\'),
                b't' => out.push('\t'),
                b'r' => out.push('\r'),
                b'/' => out.push('/'),
                b'b' => out.push('\u{8}'),
                b'f' => out.push('\u{c}'),
                b'u' => {
                    let (character, length) = unicode_escape(bytes.get(from..).unwrap_or_default());
                    out.push(character);
                    from += length;
                }
                // Not an escape of JSON: the backslash stands for itself.
                _ => {
                    out.push('\\');
                    from = escape + 1;
                }
            }
            let Some(next) = self.special(from) else { return self.cut_off() };
            escape = next;
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
        const WORDS: [(&str, Option<bool>); 6] = [
            ("true", Some(true)),
            ("false", Some(false)),
            ("null", None),
            ("NaN", None),
            ("Infinity", None),
            ("-Infinity", None),
        ];
        let rest = self.text.get(self.at..).unwrap_or_default();
        for (word, value) in WORDS {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        if !rest.is_empty() && WORDS.iter().any(|(word, _)| word.starts_with(rest)) {
            return self.cut_off();
        }
        self.broken("a value")
    }

    /// Reads a number.
    pub(crate) fn number(&mut self) -> Result<Number, Broken> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest.bytes().take_while(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')).count();
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
        let mut open = Nesting::default();
        loop {
            // Here a value is due.
            match self.peek() {
                Some(b'"') => self.skip_string()?,
                Some(b'{') => {
                    self.at += 1;
                    if !self.eat(b'}') {
                        if !open.push(true) {
                            return Err(Broken { at: self.at, reason: Reason::TooDeep });
                        }
                        self.skip_key()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.at += 1;
                    if !self.eat(b']') {
                        if !open.push(false) {
                            return Err(Broken { at: self.at, reason: Reason::TooDeep });
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
                if self.eat(b',') {
                    if in_object {
                        self.skip_key()?;
                    }
                    break;
                }
                if !self.eat(if in_object { b'}' } else { b']' }) {
                    return self.broken("a comma or a closing bracket");
                }
                open.pop();
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
        if object { *word |= bit } else { *word &= !bit }
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

/// The character of a `\u` escape whose digits begin `bytes`, and how many bytes it takes.
/// A pair of surrogates is one character; a lone one is U+FFFD.
fn unicode_escape(bytes: &[u8]) -> (char, usize) {
    let Some(unit) = hex4(bytes) else { return (char::REPLACEMENT_CHARACTER, 0) };
    if let Some(character) = char::from_u32(unit) {
        return (character, 4);
    }
    let low = bytes.get(4..6).filter(|head| head == b"\\u").and_then(|_| hex4(bytes.get(6..)?));
    match low {
        Some(low @ 0xdc00..=0xdfff) if unit < 0xdc00 => {
            let code = 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 10)
        }
        _ => (char::REPLACEMENT_CHARACTER, 4),
    }
}

fn hex4(bytes: &[u8]) -> Option<u32> {
    let digits = bytes.get(..4)?;
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
            (r#""\x \u12""#, "\\x \u{fffd}12"),
            ("\"raw\ttab\u{0}\"", "raw\ttab\u{0}"),
            (r#""twelve characters then \"quoted\" and a long tail that needs the vector search""#,
             "twelve characters then \"quoted\" and a long tail that needs the vector search"),
        ] {
            assert_eq!(string(json).as_deref(), Ok(expected), "{json}");
        }
        for cut in ["\"", "\"abc", r#""abc\"#, r#""abc\""#] {
            assert_eq!(string(cut).unwrap_err().reason, Reason::CutOff, "{cut}");
        }
    }

    #[test]
    fn skipping_checks_the_grammar() {
        for good in ["1", "-1.5e3", "[]", "{}", "[1,[2,{}],\"]\"]", r#"{"a":{"b":[null,true]},"c":NaN}"#, "[ 1 , 2 ]", "[-Infinity]"] {
            let mut cursor = Cursor::new(good);
            assert_eq!(cursor.skip(), Ok(()), "{good}");
            assert_eq!(cursor.position(), good.len());
        }
        for bad in ["[1 2]", "[1,]", "{1:2}", r#"{"a" 1}"#, r#"{"a":1,}"#, "[1}", "tru e", "nul1", "--1", "1.2.3", "}"] {
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
        for (json, expected) in [("12", Number::Whole(12)), ("-7", Number::Whole(-7)), ("1.5", Number::Float(1.5)),
            ("12345678901234567890", Number::Float(12_345_678_901_234_567_890.0)), ("1e3", Number::Float(1000.0))] {
            assert_eq!(Cursor::new(json).number(), Ok(expected));
        }
    }
}
