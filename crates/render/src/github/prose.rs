//! Markdown of the model, made safe to embed in a document of ours.
//!
//! It is edited in place rather than rewritten, so that the reader sees the model's own text:
//! - headings are demoted, so that they nest below the heading of the turn;
//! - HTML is shown as text;
//! - images become links: opening a document must not cause requests;
//! - links lead to the web, to mail, or to relative paths;
//! - names after an `@` become code, or GitHub would notify their owners;
//! - unclosed code is closed.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, LinkType, Parser, Tag, TagEnd};

use styled::clean::clean_text;
use styled::github_flavoured;
use styled::nesting::is_parsed;

use super::literal::{self, mention_at};

/// The highest heading level that a text may use.
const HIGHEST: usize = 3;
/// The lowest heading level in Markdown.
const LOWEST: usize = 6;
/// A text that must parse as a paragraph of its own after any other text.
const SENTINEL: &str = "end";
/// The escape of `<` outside code.
const LESS: &str = "&lt;";

/// A text that is safe in the document.
pub(super) struct Prose {
    /// The text.
    pub text: String,
    /// The bullet of the list that it ends with.
    pub last_bullet: Option<char>,
}

/// Edits a text at the start of a line, below a list with `bullet` if there is one.
pub(super) fn prose(text: &str, bullet: Option<char>) -> Prose {
    edit(&clean_text(text), bullet)
}

/// Edits a text inside a list or a quotation.
pub(super) fn nested(text: &str) -> String {
    // The width of a tab depends on its column, and whether text is code depends on that.
    edit(&clean_text(text).replace('\t', "    "), None).text
}

fn edit(original: &str, bullet: Option<char>) -> Prose {
    if !is_parsed(original) {
        return Prose { text: literal::lines(original), last_bullet: None };
    }
    let (text, signs) = without_html(original.trim());
    let mut editor = Editor { text: &text, signs: &signs, edits: Vec::new() };
    let events: Vec<_> = Parser::new_ext(&text, github_flavoured()).into_offset_iter().collect();
    // Edits at the same position apply in this order.
    editor.headings(&events);
    editor.mentions(&events);
    editor.links(&events);
    editor.code(&events);
    let last_bullet = editor.lists(&events, bullet);
    let edited = editor.finish();
    // Markdown has corner cases in which an edit changes the meaning of other text. Such a text is shown literally.
    if is_harmless(&edited) {
        Prose { text: edited, last_bullet }
    } else {
        Prose { text: literal::lines(original), last_bullet: None }
    }
}

/// Whether a text is safe in a document, whatever follows it.
fn is_harmless(text: &str) -> bool {
    let document = format!("{text}\n\n{SENTINEL}");
    let mut depth = 0_usize;
    let mut last = String::new();
    for event in Parser::new_ext(&document, github_flavoured()) {
        match event {
            Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::Image { .. }) => return false,
            Event::Start(Tag::Heading { level, .. }) if self::depth(level) < HIGHEST => return false,
            Event::Start(Tag::Link { link_type, dest_url, .. })
                if link_type != LinkType::Email && !leads_somewhere_good(&dest_url) =>
            {
                return false;
            }
            Event::Start(tag) => {
                if depth == 0 && tag == Tag::Paragraph {
                    last.clear();
                }
                depth += 1;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Text(text) => last.push_str(&text),
            _ => {}
        }
    }
    last == SENTINEL
}

type EventRange<'t> = (Event<'t>, Range<usize>);

/// The text with no `<` but those of autolinks, and the positions of the others.
///
/// Which text is code is only known once there is no HTML: a comment may hide a fence, and a fence may hide a comment.
/// So all are replaced first, and those in code are restored.
fn without_html(text: &str) -> (String, Vec<usize>) {
    let mut without = String::with_capacity(text.len() + text.len() / 16);
    let mut signs = Vec::new();
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'<', rest.as_bytes()) {
        let (before, sign) = rest.split_at_checked(at).unwrap_or((rest, ""));
        without.push_str(before);
        let after = sign.get(1..).unwrap_or_default();
        if is_address(after) {
            without.push('<');
        } else {
            signs.push(without.len());
            without.push_str(LESS);
        }
        rest = after;
    }
    without.push_str(rest);
    (without, signs)
}

/// Whether `<` and this text begin with an autolink.
fn is_address(text: &str) -> bool {
    let is_web = text.starts_with("https://") || text.starts_with("http://");
    let end = text.find(|c: char| c == '>' || c == '<' || c == '`' || c.is_whitespace());
    is_web && end.is_some_and(|end| text.get(end..).is_some_and(|rest| rest.starts_with('>')))
}

/// Edits of a text, in any order.
struct Editor<'t> {
    text: &'t str,
    signs: &'t [usize],
    edits: Vec<(Range<usize>, String)>,
}

impl Editor<'_> {
    fn replace(&mut self, range: Range<usize>, with: impl Into<String>) {
        self.edits.push((range, with.into()));
    }

    fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    fn headings(&mut self, events: &[EventRange<'_>]) {
        let levels = events.iter().filter_map(|(event, _)| match event {
            Event::Start(Tag::Heading { level, .. }) => Some(depth(*level)),
            _ => None,
        });
        let Some(highest) = levels.min() else { return };
        let by = HIGHEST.saturating_sub(highest);
        for (event, range) in events {
            if let Event::Start(Tag::Heading { level, .. }) = event {
                let wanted = (depth(*level) + by).min(LOWEST);
                // Only underlined headings span several lines.
                if self.slice(range.clone()).trim_end().contains('\n') {
                    self.underlined(range, wanted);
                } else {
                    self.replace(range.start..range.start, "#".repeat(wanted - depth(*level)));
                }
            }
        }
    }

    /// A heading with an underline, which can only express levels 1 and 2.
    fn underlined(&mut self, range: &Range<usize>, level: usize) {
        self.replace(range.start..range.start, "#".repeat(level) + " ");
        let heading = self.text.get(range.clone()).unwrap_or_default().trim_end();
        let end = heading.rfind('\n').unwrap_or(heading.len());
        self.join(&(range.start..range.start + end));
        self.replace(range.start + end..range.start + heading.len(), "");
    }

    fn links(&mut self, events: &[EventRange<'_>]) {
        let mut disarmed = 0;
        for (number, (event, range)) in events.iter().enumerate() {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. })
                    if !leads_somewhere_good(dest_url) =>
                {
                    disarmed = self.disarm(range, disarmed);
                }
                Event::Start(Tag::Image { .. }) => {
                    let is_nameless = matches!(events.get(number + 1), Some((Event::End(TagEnd::Image), _)));
                    // An exclamation mark before the link would turn it back into an image.
                    let mark = if self.slice(0..range.start).ends_with('!') { "\\!" } else { "" };
                    let name = if is_nameless { "image" } else { "" };
                    self.replace(range.start..range.start + 2, format!("{mark}[{name}"));
                }
                _ => {}
            }
        }
    }

    /// Turns a link into plain text. All its brackets are escaped: the rest could form another link.
    ///
    /// Up to `done` this has already happened, for an enclosing link. Returns the new value of `done`.
    fn disarm(&mut self, range: &Range<usize>, done: usize) -> usize {
        if range.end <= done {
            return done;
        }
        let mut is_escaped = false;
        let link = self.text.get(range.clone()).unwrap_or_default();
        for (at, byte) in link.bytes().enumerate() {
            if matches!(byte, b'[' | b']') && !is_escaped {
                self.replace(range.start + at..range.start + at, "\\");
            }
            is_escaped = byte == b'\\' && !is_escaped;
        }
        range.end
    }

    fn mentions(&mut self, events: &[EventRange<'_>]) {
        let is_text = |event: &Event<'_>| matches!(event, Event::Text(text) if text.contains('`'));
        // A lone backtick would pair with ours.
        if memchr::memchr(b'@', self.text.as_bytes()).is_none() || events.iter().any(|(event, _)| is_text(event)) {
            return;
        }
        let mut opaque = 0_usize;
        for (event, range) in events {
            match event {
                Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::CodeBlock(_)) => opaque += 1,
                Event::End(TagEnd::Link | TagEnd::Image | TagEnd::CodeBlock) => opaque = opaque.saturating_sub(1),
                Event::Text(_) if opaque == 0 => self.mentions_in(range),
                _ => {}
            }
        }
    }

    fn mentions_in(&mut self, range: &Range<usize>) {
        let text = self.text.get(range.clone()).unwrap_or_default();
        let mut before = self.slice(0..range.start).chars().next_back().unwrap_or(' ');
        for (at, character) in text.char_indices() {
            if let Some(name) = text.get(at..).and_then(|rest| mention_at(rest, before)) {
                let start = range.start + at;
                let end = start + name.len();
                // Adjacent code would merge with it.
                if !self.slice(end..self.text.len()).starts_with('`') {
                    self.replace(start..start, "`");
                    self.replace(end..end, "`");
                }
            }
            before = character;
        }
    }

    /// Restores `<` in code, and closes unclosed code.
    fn code(&mut self, events: &[EventRange<'_>]) {
        let mut depth = 0_usize;
        for (event, range) in events {
            match event {
                Event::Code(_) => self.restore_in_line(range),
                Event::Start(tag) => {
                    if let Tag::CodeBlock(kind) = tag {
                        self.restore(range);
                        if depth == 0 && matches!(kind, CodeBlockKind::Fenced(_)) {
                            self.close(range);
                        }
                    }
                    depth += 1;
                }
                Event::End(_) => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// Restores `<` in inline code. Code that spans several lines is joined into one: a tag at the start of a line
    /// would end the paragraph, and the code with it.
    fn restore_in_line(&mut self, range: &Range<usize>) {
        if self.restore(range) {
            self.join(range);
        }
    }

    /// Restores `<` in code; returns whether there was any.
    fn restore(&mut self, range: &Range<usize>) -> bool {
        let first = self.signs.partition_point(|sign| *sign < range.start);
        let signs = self.signs.get(first..).unwrap_or_default();
        let signs = signs.iter().take_while(|sign| **sign < range.end);
        let edits = signs.map(|sign| (*sign..sign + LESS.len(), "<".to_owned()));
        let before = self.edits.len();
        self.edits.extend(edits);
        self.edits.len() > before
    }

    /// Joins several lines, without the markers of a quotation at their starts.
    fn join(&mut self, range: &Range<usize>) {
        let lines = self.text.get(range.clone()).unwrap_or_default();
        for (at, _) in lines.match_indices('\n') {
            let next = lines.get(at..).unwrap_or_default().trim_start_matches(['\n', ' ', '\t', '>']);
            self.replace(range.start + at..range.end - next.len(), " ");
        }
    }

    fn close(&mut self, range: &Range<usize>) {
        if range.end < self.text.trim_end().len() {
            return;
        }
        let block = self.slice(range.clone());
        let mark = block.chars().next().unwrap_or('`');
        let marks = block.len() - block.trim_start_matches(mark).len();
        let last = block.trim_end().rsplit_once('\n').map_or("", |(_, last)| last);
        let end = last.trim_start_matches(' ');
        // A fence that is indented further is code.
        if last.len() - end.len() > 3 || end.len() < marks || end.contains(|c| c != mark) {
            let end = format!("\n{}", mark.to_string().repeat(marks));
            self.replace(self.text.len()..self.text.len(), end);
        }
    }

    /// Keeps the list at the start of the text apart from the one above; returns the bullet of the last list.
    fn lists(&mut self, events: &[EventRange<'_>], above: Option<char>) -> Option<char> {
        let mut depth = 0_usize;
        let mut last = None;
        for (number, (event, range)) in events.iter().enumerate() {
            match event {
                Event::Start(tag) => {
                    if depth == 0 {
                        last = None;
                    }
                    if let (0, Tag::List(None)) = (depth, tag) {
                        let bullet = self.slice(range.clone()).chars().find(|c| !c.is_whitespace());
                        last = bullet;
                        if number == 0 && bullet == above {
                            last = bullet.map(|_| '+');
                            self.rebullet(events);
                        }
                    }
                    depth += 1;
                }
                Event::End(_) => depth = depth.saturating_sub(1),
                Event::Rule if depth == 0 => last = None,
                _ => {}
            }
        }
        last
    }

    /// Changes the bullet of the first list.
    fn rebullet(&mut self, events: &[EventRange<'_>]) {
        let mut depth = 0_usize;
        for (event, range) in events {
            match event {
                Event::Start(Tag::Item) if depth == 1 => {
                    if self.slice(range.clone()).starts_with(['-', '*', '+']) {
                        self.replace(range.start..range.start + 1, "+");
                    }
                    depth += 1;
                }
                Event::Start(_) => depth += 1,
                Event::End(_) => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    fn finish(mut self) -> String {
        self.edits.sort_by_key(|(range, _)| (range.start, range.end));
        let mut edited = String::with_capacity(self.text.len() + 64);
        let mut at = 0;
        for (range, with) in &self.edits {
            if range.start < at {
                continue;
            }
            edited.push_str(self.text.get(at..range.start).unwrap_or_default());
            edited.push_str(with);
            at = range.end;
        }
        edited.push_str(self.text.get(at..).unwrap_or_default());
        edited.truncate(edited.trim_end().len());
        edited
    }
}

fn depth(level: HeadingLevel) -> usize {
    level as usize
}

/// Whether a link leads to the web, to mail, or to a relative path.
fn leads_somewhere_good(target: &str) -> bool {
    let scheme = target.find([':', '/', '?', '#']).filter(|at| target.as_bytes().get(*at) == Some(&b':'));
    scheme.and_then(|at| target.get(..at)).is_none_or(|scheme| {
        let is = |known: &str| scheme.eq_ignore_ascii_case(known);
        is("https") || is("http") || is("mailto") || is_file_name(scheme)
    })
}

/// Whether a scheme is really a file name before a line number: `src/main.rs:12` without its folder.
fn is_file_name(scheme: &str) -> bool {
    scheme.contains('.') && !scheme.contains(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_')))
}

#[cfg(test)]
mod tests;
