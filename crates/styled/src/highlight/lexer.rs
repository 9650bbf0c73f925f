//! The lexer: reads one line after another according to a language's table.
//!
//! Nothing is looked at more than a few times, whatever the input, so the time is linear.
//!
//! `assets/script/page/lexer.js` is the same lexer for the script of a page. A test holds the two equal
//! (`crates/browser/tests/scripts/lexer.rs`).

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Token;
use super::spec::{Block, Quote, Reach, Spec};
use crate::style::Role;

/// May be part of a word.
const WORD: u8 = 1;
/// Begins a number.
const DIGIT: u8 = 2;
/// May begin a comment, a string or a heredoc.
const MARK: u8 = 4;
/// Begins a word with a sigil.
const SIGIL: u8 = 8;

/// Words longer than this are not looked up.
const LONGEST_WORD: usize = 24;

/// Reads the lines of one piece of code.
pub(super) struct Lexer {
    spec: &'static Spec,
    classes: [u8; 256],
    words: FxHashMap<&'static str, Role>,
    state: State,
    /// The word that ends the heredoc which begins with the next line.
    awaited: Option<Rc<str>>,
}

/// The construct that the next character belongs to.
#[derive(Clone)]
enum State {
    Code,
    Comment { block: &'static Block, depth: usize },
    String { quote: &'static Quote },
    Heredoc { end: Rc<str> },
    Tag,
}

/// The current line.
struct Reading<'c> {
    text: &'c str,
    /// The position reached in it.
    at: usize,
    tokens: Vec<Token>,
}

impl<'c> Reading<'c> {
    fn rest(&self) -> &'c str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn before(&self) -> Option<u8> {
        self.byte(self.at.checked_sub(1)?)
    }

    fn piece(&self, from: usize, to: usize) -> &'c str {
        self.text.get(from..to).unwrap_or("")
    }

    /// Gives everything from `from` up to here this role.
    fn push_token(&mut self, from: usize, role: Role) {
        self.tokens.push(Token { start: from, end: self.at, role });
    }

    fn skip_to_end(&mut self) {
        self.at = self.text.len();
    }
}

impl Lexer {
    pub(super) fn new(spec: &'static Spec) -> Self {
        let mut classes = [0; 256];
        let mut set = |byte: u8, class: u8| {
            if let Some(place) = classes.get_mut(usize::from(byte)) {
                *place |= class;
            }
        };
        (b'a'..=b'z').chain(b'A'..=b'Z').chain([b'_']).chain(0x80..=0xff).for_each(|byte| set(byte, WORD));
        (b'0'..=b'9').for_each(|byte| set(byte, WORD | DIGIT));
        spec.word.bytes().for_each(|byte| set(byte, WORD));
        spec.sigils.bytes().for_each(|byte| set(byte, WORD | SIGIL));
        let comments = spec.line_comments.iter().copied().chain(spec.block_comments.iter().map(|block| block.open));
        let marks = comments.chain(spec.strings.iter().map(|quote| quote.open)).chain(spec.heredoc);
        marks.filter_map(|mark| mark.bytes().next()).for_each(|byte| set(byte, MARK));
        let types = spec.types.split_ascii_whitespace().map(|word| (word, Role::Type));
        let keywords = spec.keywords.split_ascii_whitespace().map(|word| (word, Role::Keyword));
        Self { spec, classes, words: types.chain(keywords).collect(), state: State::Code, awaited: None }
    }

    /// Adds the parts of a line that have a role, in their order.
    pub(super) fn line(&mut self, text: &str, tokens: &mut Vec<Token>) {
        let mut reading = Reading { text, at: 0, tokens: std::mem::take(tokens) };
        self.read(&mut reading);
        *tokens = reading.tokens;
    }

    fn read(&mut self, reading: &mut Reading<'_>) {
        let text = reading.text;
        if let State::Code = self.state
            && let Some((_, role)) = self.spec.line_starts.iter().find(|(start, _)| text.starts_with(start))
        {
            reading.skip_to_end();
            return reading.push_token(0, *role);
        }
        while reading.at < text.len() {
            match self.state.clone() {
                State::Code if self.spec.markup => self.markup(reading),
                State::Code => self.code(reading),
                State::Tag => self.tag(reading),
                State::Comment { block, depth } => self.comment(reading, block, depth, 0),
                State::String { quote } => self.string(reading, quote, 0),
                State::Heredoc { end } => self.heredoc(reading, &end),
            }
        }
        if let Some(end) = self.awaited.take() {
            self.state = State::Heredoc { end };
        }
    }

    fn class(&self, byte: Option<u8>) -> u8 {
        byte.and_then(|byte| self.classes.get(usize::from(byte))).copied().unwrap_or(0)
    }

    /// Reads up to something that changes the state, or to the end of the line.
    fn code(&mut self, reading: &mut Reading<'_>) {
        while let Some(byte) = reading.byte(reading.at) {
            let class = self.class(Some(byte));
            if class & MARK != 0 && self.mark(reading) {
                return;
            }
            if class & DIGIT != 0 {
                number(reading);
            } else if class & WORD != 0 {
                self.word(reading, class & SIGIL != 0);
            } else {
                reading.at += 1;
            }
        }
    }

    /// Reads a comment or a string if one begins here.
    fn mark(&mut self, reading: &mut Reading<'_>) -> bool {
        let rest = reading.rest();
        let spec = self.spec;
        if let Some(block) = spec.block_comments.iter().find(|block| rest.starts_with(block.open)) {
            self.comment(reading, block, 0, block.open.len());
            return true;
        }
        let may_comment = !spec.comment_after_blank || matches!(reading.before(), None | Some(b' ' | b'\t'));
        if may_comment && spec.line_comments.iter().any(|mark| rest.starts_with(mark)) {
            let start = reading.at;
            reading.skip_to_end();
            reading.push_token(start, Role::Comment);
            return true;
        }
        let apostrophe = spec.apostrophes && self.class(reading.before()) & WORD != 0;
        let quote = spec.strings.iter().find(|quote| !apostrophe && rest.starts_with(quote.open));
        if let Some(quote) = quote.filter(|quote| quote.reach != Reach::Character || is_character(rest, quote)) {
            self.string(reading, quote, quote.open.len());
            return true;
        }
        spec.heredoc.is_some_and(|mark| self.await_heredoc(reading, mark))
    }

    /// Reads a comment from here; its first `skip` bytes are the opening mark.
    fn comment(&mut self, reading: &mut Reading<'_>, block: &'static Block, depth: usize, skip: usize) {
        let start = reading.at;
        let mut depth = depth.max(1);
        reading.at += skip;
        let (open, close) = (block.open.as_bytes().first(), block.close.as_bytes().first());
        while let Some(byte) = reading.byte(reading.at) {
            if Some(&byte) == close && reading.rest().starts_with(block.close) {
                reading.at += block.close.len();
                depth -= 1;
                if depth == 0 {
                    break;
                }
            } else if block.nested && Some(&byte) == open && reading.rest().starts_with(block.open) {
                reading.at += block.open.len();
                depth += 1;
            } else {
                reading.at += 1;
            }
        }
        self.state = if depth == 0 { State::Code } else { State::Comment { block, depth } };
        reading.push_token(start, Role::Comment);
    }

    /// Reads a string from here; its first `skip` bytes are the opening mark.
    fn string(&mut self, reading: &mut Reading<'_>, quote: &'static Quote, skip: usize) {
        let start = reading.at;
        reading.at += skip;
        let inside = if self.spec.markup { State::Tag } else { State::Code };
        self.state = if quote.reach == Reach::Lines { State::String { quote } } else { inside.clone() };
        let close = quote.close.as_bytes().first();
        while let Some(byte) = reading.byte(reading.at) {
            if Some(&byte) == close && reading.rest().starts_with(quote.close) {
                reading.at += quote.close.len();
                self.state = inside;
                break;
            }
            let escaped = quote.escape.is_some_and(|escape| char::from(byte) == escape);
            reading.at = reading.text.len().min(reading.at + 1 + usize::from(escaped));
        }
        let is_key = self.spec.key.is_some_and(|mark| reading.rest().trim_start().starts_with(mark));
        reading.push_token(start, if is_key && skip > 0 { Role::Key } else { Role::String });
    }

    /// Records the word that ends a heredoc, if one is announced here: `<<EOF`, `<<-'EOF'`.
    fn await_heredoc(&mut self, reading: &mut Reading<'_>, mark: &str) -> bool {
        // `<<<word` is a string, not a heredoc.
        let Some(rest) = reading.rest().strip_prefix(mark).filter(|_| reading.before() != Some(b'<')) else {
            return false;
        };
        let stripped = rest.strip_prefix(['-', '~']).unwrap_or(rest);
        let quoted = stripped.strip_prefix(['\'', '"']).unwrap_or(stripped);
        let length = quoted.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let (word, after) = quoted.split_at_checked(length).unwrap_or(("", quoted));
        // `1 <<n` is a shift.
        let sure = quoted.len() < rest.len() || word.starts_with(|c: char| c.is_ascii_uppercase() || c == '_');
        let closed = quoted.len() == stripped.len() || after.starts_with(['\'', '"']);
        if word.is_empty() || !sure || !closed {
            return false;
        }
        let start = reading.at;
        reading.at = reading.text.len() - after.len() + usize::from(quoted.len() < stripped.len());
        reading.push_token(start, Role::String);
        self.awaited = Some(word.into());
        true
    }

    fn heredoc(&mut self, reading: &mut Reading<'_>, end: &str) {
        if reading.text.trim().trim_end_matches([';', ')', ',']) == end {
            self.state = State::Code;
        }
        reading.skip_to_end();
        reading.push_token(0, Role::String);
    }

    fn word(&self, reading: &mut Reading<'_>, set_apart: bool) {
        let start = reading.at;
        let after_dot = reading.before() == Some(b'.');
        reading.at += 1;
        while self.class(reading.byte(reading.at)) & WORD != 0 {
            reading.at += 1;
        }
        let word = reading.piece(start, reading.at);
        if let Some(role) = self.role(word, set_apart, after_dot, reading.rest()) {
            reading.push_token(start, role);
        }
    }

    fn role(&self, word: &str, set_apart: bool, after_dot: bool, rest: &str) -> Option<Role> {
        let spec = self.spec;
        if spec.key.is_some_and(|mark| is_key(rest, mark)) {
            return Some(Role::Key);
        }
        let mut lower = [0; LONGEST_WORD];
        let mut looked_up = word;
        if spec.ignore_case
            && let Some(place) = lower.get_mut(..word.len())
        {
            place.copy_from_slice(word.as_bytes());
            place.make_ascii_lowercase();
            looked_up = std::str::from_utf8(place).unwrap_or(word);
        }
        match self.words.get(looked_up).copied() {
            Some(role) if !after_dot => Some(role),
            _ if (set_apart && word.len() > 1) || (spec.capital_types && is_capital(word)) => Some(Role::Type),
            _ => None,
        }
    }

    /// Reads text up to a tag or a comment.
    fn markup(&mut self, reading: &mut Reading<'_>) {
        let Some(found) = memchr::memchr(b'<', reading.rest().as_bytes()) else { return reading.skip_to_end() };
        reading.at += found;
        if let Some(block) = self.spec.block_comments.iter().find(|block| reading.rest().starts_with(block.open)) {
            return self.comment(reading, block, 0, block.open.len());
        }
        reading.at += 1;
        if matches!(reading.byte(reading.at), Some(b'/' | b'!' | b'?')) {
            reading.at += 1;
        }
        let start = reading.at;
        while self.class(reading.byte(reading.at)) & WORD != 0 {
            reading.at += 1;
        }
        if reading.at > start {
            reading.push_token(start, Role::Keyword);
            self.state = State::Tag;
        }
    }

    /// Reads the attributes of a tag up to its end, or to a string.
    fn tag(&mut self, reading: &mut Reading<'_>) {
        while let Some(byte) = reading.byte(reading.at) {
            let rest = reading.rest();
            if byte == b'>' {
                reading.at += 1;
                self.state = State::Code;
                return;
            }
            if let Some(quote) = self.spec.strings.iter().find(|quote| rest.starts_with(quote.open)) {
                return self.string(reading, quote, quote.open.len());
            }
            let start = reading.at;
            reading.at += 1;
            if self.class(Some(byte)) & WORD != 0 {
                while self.class(reading.byte(reading.at)) & WORD != 0 {
                    reading.at += 1;
                }
                reading.push_token(start, Role::Key);
            }
        }
    }
}

/// Whether a text begins with a quoted character.
fn is_character(text: &str, quote: &Quote) -> bool {
    /// As in `'\u{10ffff}'`.
    const LONGEST_ESCAPE: usize = 10;
    let mut characters = text.chars().skip(1);
    let first = characters.next();
    if first.is_some() && first == quote.escape {
        return characters.skip(1).take(LONGEST_ESCAPE).any(|c| quote.close.starts_with(c));
    }
    first.is_some_and(|c| !quote.close.starts_with(c)) && characters.next().is_some_and(|c| quote.close.starts_with(c))
}

/// Whether the following text makes the word before it a key. A colon needs a blank after it: `http://` is not a key.
fn is_key(rest: &str, mark: char) -> bool {
    rest.trim_start_matches(' ')
        .strip_prefix(mark)
        .is_some_and(|after| mark != ':' || after.is_empty() || after.starts_with([' ', '\t']))
}

/// Whether a word looks like `Like` or `T` but not `LIKE`.
fn is_capital(word: &str) -> bool {
    let mut bytes = word.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_uppercase())
        && (word.len() == 1 || bytes.any(|byte| byte.is_ascii_lowercase()))
}

/// Reads a number: `42`, `0xff_u8`, `1.5e-3`, `10px`.
fn number(reading: &mut Reading<'_>) {
    let start = reading.at;
    let hexadecimal = matches!(reading.byte(start + 1), Some(b'x' | b'X'));
    let mut previous = 0;
    while let Some(byte) = reading.byte(reading.at) {
        let goes_on = match byte {
            b'.' => reading.byte(reading.at + 1).is_some_and(|next| next.is_ascii_digit()),
            b'+' | b'-' => !hexadecimal && matches!(previous, b'e' | b'E'),
            byte => byte.is_ascii_alphanumeric() || byte == b'_',
        };
        if !goes_on {
            break;
        }
        previous = byte;
        reading.at += 1;
    }
    reading.push_token(start, Role::Number);
}
