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

mod string;

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
    /// How many values enclose the present one. Counted for values that are read as for those that are skipped: whether
    /// a text is too deep must not depend on which of its fields the reader knows.
    depth: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0 }
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
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Counts a value that holds others. After an error nothing is read on, so nothing is counted back.
    #[inline]
    const fn enter(&mut self) -> Result<(), Broken> {
        if self.depth == DEEPEST {
            return Err(Broken { at: self.at, reason: Reason::TooDeep });
        }
        self.depth += 1;
        Ok(())
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
        self.enter()?;
        loop {
            if !self.eat(b'"') {
                return self.broken("a key");
            }
            let key = self.rest_of_string(scratch)?;
            if !self.eat(b':') {
                return self.broken("a colon after the key");
            }
            each(self, key)?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return self.broken("a comma or the end of the object"),
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(())
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
        self.enter()?;
        loop {
            each(self)?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return self.broken("a comma or the end of the list"),
            }
        }
        self.at += 1;
        self.depth -= 1;
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

    /// Reads a number; `None` for `-Infinity`, which JSON does not have.
    pub(crate) fn number(&mut self) -> Result<Option<Number>, Broken> {
        /// As many digits fit into an `i64` whatever they are.
        const SAFE_DIGITS: usize = 18;
        let rest = self.text.get(self.at..).unwrap_or_default();
        let digits = rest.bytes().take_while(u8::is_ascii_digit);
        let (length, value) = digits.fold((0, 0_i64), |(length, value), digit| {
            (length + 1, value.wrapping_mul(10).wrapping_add(i64::from(digit - b'0')))
        });
        let goes_on = matches!(rest.as_bytes().get(length), Some(b'-' | b'+' | b'.' | b'e' | b'E'));
        if (1..=SAFE_DIGITS).contains(&length) && !goes_on {
            self.at += length;
            return Ok(Some(Number::Whole(value)));
        }
        self.odd_number(rest)
    }

    /// Reads a number that has a sign, a fraction or very many digits.
    fn odd_number(&mut self, rest: &str) -> Result<Option<Number>, Broken> {
        let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let digits = rest.get(..rest.bytes().take_while(is_part).count()).unwrap_or_default();
        let number = match (digits.parse(), digits.parse()) {
            (Ok(whole), _) => Number::Whole(whole),
            (_, Ok(float)) => Number::Float(float),
            _ => return self.no_number().map(|()| None),
        };
        self.at += digits.len();
        Ok(Some(number))
    }

    /// The text between this place and a later one.
    pub(crate) fn text_until(&self, later: &Self) -> &'a str {
        self.text.get(self.at..later.at).unwrap_or_default()
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

    /// Passes the next value without a look at what is in it: an object by its brackets, a text by its quotes.
    pub(crate) fn pass(&mut self) -> Result<(), Broken> {
        if self.peek() == Some(b'{')
            && let Some(length) = string::object_length(self.text.as_bytes().get(self.at..).unwrap_or_default())
        {
            self.at += length;
            return Ok(());
        }
        self.skip()
    }

    /// Passes the next value, which may hold others.
    fn skip_nested(&mut self) -> Result<(), Broken> {
        let bytes = self.text.as_bytes();
        let mut open = Nesting::within(self.depth);
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
        self.no_number()
    }

    /// Passes the word that begins like a number.
    fn no_number(&mut self) -> Result<(), Broken> {
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

/// The bracket that ends an object or a list.
const fn closing(object: bool) -> u8 {
    if object { b'}' } else { b']' }
}

/// The open brackets around a skipped value: a bit for each, set for objects.
///
/// Real values are nested a few levels deep, so the first bits are at hand and cost nothing to set up.
#[derive(Default)]
struct Nesting {
    first: u64,
    deeper: Vec<u64>,
    depth: usize,
    /// How many brackets enclose the value itself.
    around: usize,
}

impl Nesting {
    fn within(around: usize) -> Self {
        Self { around, ..Self::default() }
    }

    fn word(&mut self, level: usize) -> Option<&mut u64> {
        match (level / 64).checked_sub(1) {
            None => Some(&mut self.first),
            Some(word) => self.deeper.get_mut(word),
        }
    }

    fn push(&mut self, object: bool) -> bool {
        if self.around + self.depth == DEEPEST {
            return false;
        }
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.deeper.resize(self.depth / 64, 0);
        }
        let level = self.depth;
        self.depth += 1;
        if let Some(word) = self.word(level) {
            let bit = 1 << (level % 64);
            *word = if object { *word | bit } else { *word & !bit };
        }
        true
    }

    fn pop(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn innermost(&mut self) -> Option<bool> {
        let last = self.depth.checked_sub(1)?;
        self.word(last).map(|word| *word & (1 << (last % 64)) != 0)
    }
}

/// Whether `rest` is the beginning of a word and nothing else.
fn is_begun(rest: &str) -> bool {
    !rest.is_empty()
        && ["null", "true", "false", "NaN", "Infinity", "-Infinity"].iter().any(|word| word.starts_with(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // Values that are read count like those that are skipped.
        for (depth, fits) in [(DEEPEST + 1, true), (DEEPEST + 2, false)] {
            let json = nested(depth);
            let read = Cursor::new(&json).list(|cursor| cursor.list(Cursor::skip));
            assert_eq!((read.is_ok(), Cursor::new(&json).skip().is_ok()), (fits, fits), "{depth}");
        }
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
            assert_eq!(Cursor::new(json).number(), Ok(Some(expected)));
        }
        for (json, is_word) in [("-Infinity", true), ("-", false), ("1-", false), ("-Inf", false)] {
            assert_eq!(Cursor::new(json).number().is_ok(), is_word, "{json}");
            assert_eq!(Cursor::new(json).skip().is_ok(), is_word, "{json}");
        }
    }
}
