//! Writes Markdown events as HTML.

use std::borrow::Cow;

use maud::Render as _;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, LinkType, Tag, TagEnd};

use super::super::{code, text};
use super::links;
use super::notes::Notes;
use super::tags::{Table, alert, heading, is_of_line};
use crate::text::write;
use styled::clean::clean_text;
use styled::highlight::Language;

/// Maximum nesting of elements. Deeper content is written without its elements.
const MOST: usize = 60;

pub(super) struct Writer {
    page: String,
    /// Text that is not written yet: the end of a URL is only known once all of it is there.
    words: String,
    /// The closing tags of the nested elements, if these were written.
    open: Vec<Option<&'static str>>,
    /// How many of them were written.
    depth: usize,
    links: Vec<Link>,
    /// Whether one of them is a link.
    in_anchor: bool,
    /// The text of the open links.
    link_text: String,
    code: Option<Code>,
    table: Table,
    notes: Notes,
    /// The position for attributes of the item that begins.
    item: Option<usize>,
}

/// A link or an image.
struct Link {
    target: String,
    /// The start of its text.
    start: usize,
    kind: LinkKind,
}

#[derive(Clone, Copy, PartialEq)]
enum LinkKind {
    /// A link that can be followed.
    Anchor,
    /// A link inside one that can be followed.
    Nested,
    /// A link that is shown as text.
    Text,
}

struct Code {
    language: Option<Language>,
    text: String,
}

impl Writer {
    /// Appends to a page.
    pub(super) fn new(page: String) -> Self {
        Self {
            page,
            words: String::new(),
            open: Vec::new(),
            depth: 0,
            links: Vec::new(),
            in_anchor: false,
            link_text: String::new(),
            code: None,
            table: Table::default(),
            notes: Notes::default(),
            item: None,
        }
    }

    pub(super) fn finish(mut self) -> String {
        self.write_words();
        self.notes.write(&mut self.page);
        self.page
    }

    pub(super) fn take(&mut self, event: Event<'_>) {
        match event {
            // Math needs an option that is not set.
            Event::Text(text)
            | Event::InlineHtml(text)
            | Event::Html(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text) => {
                let text = cleaned(&text);
                match &mut self.code {
                    Some(code) => code.text.push_str(&text),
                    None => self.words.push_str(&text),
                }
            }
            Event::Code(code) => {
                self.push("<code>");
                self.write(&cleaned(&code));
                self.page.push_str("</code>");
            }
            Event::SoftBreak | Event::HardBreak => {
                self.push("<br>");
                self.add_to_link(" ");
            }
            Event::Rule => {
                self.end_table();
                self.push("<hr>");
            }
            Event::TaskListMarker(done) => self.task(done),
            Event::FootnoteReference(label) => {
                let number = self.notes.number(&label).to_string();
                self.push("<sup class=\"note\">");
                self.page.push_str(&number);
                self.page.push_str("</sup>");
            }
            Event::Start(tag) => {
                self.write_words();
                self.start(tag);
            }
            Event::End(tag) => {
                if tag == TagEnd::HtmlBlock {
                    self.words.truncate(self.words.trim_end().len());
                }
                self.write_words();
                self.end(tag);
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let item = self.item.take();
        if !is_of_line(&tag) {
            self.end_table();
        }
        match tag {
            Tag::Paragraph => {
                // The checkbox of a task may be in the first paragraph of an item.
                self.item = item;
                self.page.push_str("<p>");
            }
            Tag::Heading { level, .. } => self.page.push_str(heading(level).0),
            Tag::HtmlBlock => self.page.push_str("<p class=\"raw\">"),
            Tag::BlockQuote(kind) => {
                if self.enter("<blockquote", "</blockquote>") {
                    self.page.push_str(kind.map_or(">", alert));
                }
            }
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(info) => Language::named(&info),
                    CodeBlockKind::Indented => None,
                };
                self.code = Some(Code { language, text: String::new() });
            }
            Tag::List(first) => self.list(first),
            Tag::Item => {
                // Items are elements if their list is one.
                if self.open.last().is_some_and(Option::is_some) {
                    self.page.push_str("<li");
                    self.item = Some(self.page.len());
                    self.page.push('>');
                    self.open.push(Some("</li>"));
                    self.depth += 1;
                } else {
                    self.page.push_str("<br>");
                    self.open.push(None);
                }
            }
            Tag::FootnoteDefinition(label) => self.notes.begin(&label, &mut self.page),
            Tag::Table(alignments) => {
                self.table = Table { alignments, is_open: true, ..Table::default() };
                self.page.push_str("<div class=\"table\" tabindex=\"0\"><table>");
            }
            Tag::TableHead => {
                self.table.in_head = true;
                self.page.push_str("<thead><tr>");
            }
            Tag::TableRow => {
                self.table.column = 0;
                self.page.push_str(if self.table.has_body { "<tr>" } else { "<tbody><tr>" });
                self.table.has_body = true;
            }
            Tag::TableCell => self.page.push_str(self.table.cell()),
            Tag::Emphasis => drop(self.enter("<em>", "</em>")),
            Tag::Strong => drop(self.enter("<strong>", "</strong>")),
            Tag::Strikethrough => drop(self.enter("<del>", "</del>")),
            Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. } => {
                self.link(link_type, &dest_url);
            }
            // They need options that are not set.
            Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.page.push_str("</p>"),
            TagEnd::Heading(level) => self.page.push_str(heading(level).1),
            TagEnd::BlockQuote(_)
            | TagEnd::List(_)
            | TagEnd::Item
            | TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough => self.leave(),
            TagEnd::CodeBlock => {
                if let Some(block) = self.code.take() {
                    code(&block.text, block.language, None).render_to(&mut self.page);
                }
            }
            TagEnd::FootnoteDefinition => self.notes.end(&mut self.page),
            TagEnd::Table => self.end_table(),
            TagEnd::TableHead => {
                self.table.in_head = false;
                self.page.push_str("</tr></thead>");
            }
            TagEnd::TableRow => self.page.push_str("</tr>"),
            TagEnd::TableCell => self.page.push_str(if self.table.in_head { "</th>" } else { "</td>" }),
            TagEnd::Link | TagEnd::Image => self.end_link(),
            TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    /// Begins an element that can be nested; returns whether it was written.
    fn enter(&mut self, start: &str, end: &'static str) -> bool {
        let fits = self.depth < MOST;
        if fits {
            self.page.push_str(start);
            self.depth += 1;
        }
        self.open.push(fits.then_some(end));
        fits
    }

    fn leave(&mut self) {
        if let Some(Some(end)) = self.open.pop() {
            self.page.push_str(end);
            self.depth -= 1;
        }
    }

    fn list(&mut self, first: Option<u64>) {
        match first {
            None => drop(self.enter("<ul>", "</ul>")),
            Some(1) => drop(self.enter("<ol>", "</ol>")),
            Some(first) => drop(self.enter(&format!("<ol start=\"{first}\">"), "</ol>")),
        }
    }

    /// Ends the open table. The parser abandons a table that would have too many empty cells without closing it: the
    /// following content seems to be in it.
    fn end_table(&mut self) {
        if std::mem::take(&mut self.table.is_open) {
            self.page.push_str(if self.table.has_body { "</tbody></table></div>" } else { "</table></div>" });
        }
    }

    /// The checkbox of a task, at the beginning of an item.
    fn task(&mut self, done: bool) {
        let (attributes, said) = if done {
            (" class=\"task\" data-done=\"true\"", "<span class=\"unseen\">done: </span>")
        } else {
            (" class=\"task\" data-done=\"false\"", "<span class=\"unseen\">to do: </span>")
        };
        match self.item.take() {
            Some(at) => {
                self.page.insert_str(at, attributes);
                self.page.push_str(said);
            }
            None => self.page.push_str(if done { "[x] " } else { "[ ] " }),
        }
    }

    fn link(&mut self, link_type: LinkType, target: &str) {
        let kind = match links::address(link_type, target) {
            Some(_) if self.in_anchor => LinkKind::Nested,
            Some(address) => {
                self.anchor(&address);
                LinkKind::Anchor
            }
            None => LinkKind::Text,
        };
        self.in_anchor |= kind == LinkKind::Anchor;
        self.links.push(Link { target: target.to_owned(), start: self.link_text.len(), kind });
    }

    fn anchor(&mut self, address: &str) {
        self.page.push_str("<a href=\"");
        text(address).render_to(&mut self.page);
        self.page.push_str("\" rel=\"noopener noreferrer nofollow\">");
    }

    fn end_link(&mut self) {
        let Some(link) = self.links.pop() else { return };
        let said = self.link_text.get(link.start..).unwrap_or("").trim();
        let target = links::shown(&link.target);
        match link.kind {
            LinkKind::Anchor => {
                if said.is_empty() {
                    self.write(&target);
                }
                self.page.push_str("</a>");
                self.in_anchor = false;
            }
            LinkKind::Nested => {}
            LinkKind::Text if said == link.target || target.is_empty() => {}
            LinkKind::Text => {
                self.page.push_str("<span class=\"target\"> (");
                self.write(&target);
                self.page.push_str(")</span>");
            }
        }
        if self.links.is_empty() {
            self.link_text.clear();
        }
    }

    fn add_to_link(&mut self, text: &str) {
        if !self.links.is_empty() {
            self.link_text.push_str(text);
        }
    }

    /// Writes our own markup, after the pending text.
    fn push(&mut self, markup: &str) {
        self.write_words();
        self.page.push_str(markup);
    }

    /// Writes cleaned text.
    fn write(&mut self, text: &str) {
        self.add_to_link(text);
        write(text, &mut self.page);
    }

    /// Writes the pending text, with its URLs as links.
    fn write_words(&mut self) {
        if self.words.is_empty() {
            return;
        }
        let words = std::mem::take(&mut self.words);
        let mut rest = words.as_str();
        if self.links.is_empty() {
            while let Some(found) = links::find(rest) {
                self.write(rest.get(..found.start).unwrap_or(""));
                let address = rest.get(found.clone()).unwrap_or("");
                self.anchor(address);
                self.write(address);
                self.page.push_str("</a>");
                rest = rest.get(found.end..).unwrap_or("");
            }
        }
        self.write(rest);
        // The buffer is reused.
        self.words = words;
        self.words.clear();
    }
}

/// Cleans the text of an event: the source is clean, but entities like `&#27;` produce new characters.
fn cleaned<'t>(read: &'t CowStr<'_>) -> Cow<'t, str> {
    match read {
        CowStr::Borrowed(text) => Cow::Borrowed(text),
        CowStr::Boxed(_) | CowStr::Inlined(_) => clean_text(read),
    }
}
