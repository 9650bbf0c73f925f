//! Markdown laid out for a terminal.
//!
//! Supports tables, strikethrough and task lists. HTML is shown as text. A line break in the source is a line break
//! here, too, since people and models who chat in Markdown mean it that way. Excessively deep nesting is shown as plain
//! text.

mod blocks;
mod table;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::clean::clean_text;
use crate::highlight::{Language, highlight};
use crate::line::Line;
use crate::nesting::is_parsed;
use crate::style::{Role, Style};
use blocks::{Blocks, Container};
use table::Table;

/// The maximum length of a rule.
const RULE: usize = 40;

/// Lays out Markdown in lines of at most `width` columns, without blank lines at the end.
pub fn markdown(text: &str, width: usize) -> Vec<Line> {
    let text = clean_text(text);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut page = Page::new(width);
    if !is_parsed(&text) {
        page.prose = Line::all(&text, Style::PLAIN);
        page.push_prose();
        return page.blocks.finish();
    }
    for event in Parser::new_ext(&text, options) {
        page.take(event);
    }
    page.blocks.finish()
}

/// All extensions of GitHub.
pub fn github_flavoured() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_GFM
}

/// A document being laid out.
struct Page {
    blocks: Blocks,
    /// The lines of the current paragraph, heading or cell.
    prose: Vec<Line>,
    /// The styles of the open marks; the last one applies.
    styles: Vec<Style>,
    /// The targets of the open links and images, with their text so far.
    links: Vec<Link>,
    lists: Vec<List>,
    code: Option<Code>,
    table: Option<Table>,
}

struct Link {
    kind: LinkType,
    target: String,
    text: String,
}

struct List {
    /// The number of the next item, in a numbered list.
    next: Option<u64>,
    /// Whether there is space between the items.
    loose: bool,
}

struct Code {
    language: Option<Language>,
    text: String,
}

impl Page {
    fn new(width: usize) -> Self {
        Self {
            blocks: Blocks::new(width),
            prose: Vec::new(),
            styles: Vec::new(),
            links: Vec::new(),
            lists: Vec::new(),
            code: None,
            table: None,
        }
    }

    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            // Inline HTML is text, and the last three need options that are not set.
            Event::Text(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::FootnoteReference(text) => self.text(&text, self.style()),
            Event::Code(text) => self.text(&text, self.style() | Role::Code),
            Event::Html(text) => self.html(&text),
            Event::SoftBreak | Event::HardBreak => self.prose.push(Line::new()),
            Event::Rule => {
                self.push_table();
                self.blocks.open();
                let rule = "─".repeat(RULE.min(self.blocks.room()));
                self.blocks.push(&Line::new().with(&rule, Role::Quiet));
                self.blocks.close();
            }
            Event::TaskListMarker(done) => self.text(if done { "[x] " } else { "[ ] " }, Role::Quiet.into()),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        if self.table.is_some() && is_block(&tag) {
            self.push_table();
        }
        match tag {
            Tag::Paragraph => {
                // Only the items of loose lists have paragraphs.
                if let (Some(list), true) = (self.lists.last_mut(), self.blocks.in_item()) {
                    list.loose = true;
                }
                self.blocks.open();
            }
            Tag::Heading { level, .. } => {
                self.blocks.open();
                let marks = "#".repeat(level as usize) + " ";
                self.text(&marks, Role::Quiet.into());
                self.styles.push(Role::Heading.into());
            }
            Tag::BlockQuote(_) => {
                self.push_prose();
                self.blocks.open();
                self.blocks.enter(Container::quote());
            }
            Tag::CodeBlock(kind) => {
                self.push_prose();
                self.blocks.open();
                let language = match kind {
                    CodeBlockKind::Fenced(info) => Language::named(&info),
                    CodeBlockKind::Indented => None,
                };
                self.code = Some(Code { language, text: String::new() });
            }
            Tag::HtmlBlock => self.blocks.open(),
            Tag::List(next) => {
                self.push_prose();
                self.blocks.open();
                self.lists.push(List { next, loose: false });
            }
            Tag::Item => {
                self.blocks.open();
                let number = self.lists.last_mut().and_then(|list| list.next.as_mut());
                let marker = match number {
                    Some(next) => {
                        let marker = format!("{next}. ");
                        *next = next.saturating_add(1);
                        marker
                    }
                    None => "• ".to_owned(),
                };
                self.blocks.enter(Container::item(&marker));
            }
            Tag::Table(alignments) => {
                self.push_prose();
                self.blocks.open();
                self.table = Some(Table::new(alignments));
            }
            Tag::TableRow => self.table.iter_mut().for_each(Table::begin_row),
            Tag::Emphasis => self.styles.push(self.style() | Role::Emphasis),
            Tag::Strong => self.styles.push(self.style() | Role::Strong),
            Tag::Strikethrough => {
                self.text("~~", self.style() | Role::Quiet);
                self.styles.push(self.style() | Role::Struck);
            }
            Tag::Link { link_type, dest_url, .. } => {
                let style = if is_linkable(link_type, &dest_url) { self.style() | Role::Link } else { self.style() };
                self.styles.push(style);
                self.links.push(Link { kind: link_type, target: dest_url.into_string(), text: String::new() });
            }
            Tag::Image { link_type, dest_url, .. } => {
                self.text("image: ", self.style() | Role::Quiet);
                self.links.push(Link { kind: link_type, target: dest_url.into_string(), text: String::new() });
            }
            // All except the first two need options that are not set.
            Tag::TableHead
            | Tag::TableCell
            | Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => {
                self.push_prose();
                self.blocks.close();
            }
            TagEnd::Heading(_) => {
                self.styles.pop();
                self.push_prose();
                self.blocks.close();
            }
            TagEnd::BlockQuote(_) => {
                self.push_prose();
                self.blocks.leave();
                self.blocks.close();
            }
            TagEnd::CodeBlock => self.push_code(),
            TagEnd::List(_) => {
                self.lists.pop();
                // No space follows a list inside a tight list.
                if self.lists.last().is_none_or(|list| list.loose) || !self.blocks.in_item() {
                    self.blocks.close();
                }
            }
            TagEnd::Item => {
                self.push_prose();
                self.blocks.leave();
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.prose);
                self.table.iter_mut().for_each(|table| table.push(&cell));
            }
            TagEnd::Table => self.push_table(),
            TagEnd::Emphasis | TagEnd::Strong => drop(self.styles.pop()),
            TagEnd::Strikethrough => {
                self.styles.pop();
                self.text("~~", self.style() | Role::Quiet);
            }
            TagEnd::Link => {
                self.styles.pop();
                self.push_target();
            }
            TagEnd::Image => self.push_target(),
            TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    fn style(&self) -> Style {
        self.styles.last().copied().unwrap_or_default()
    }

    fn text(&mut self, text: &str, style: Style) {
        if let Some(code) = &mut self.code {
            code.text.push_str(text);
            return;
        }
        if let Some(link) = self.links.last_mut() {
            link.text.push_str(text);
        }
        if self.prose.is_empty() {
            self.prose.push(Line::new());
        }
        if let Some(line) = self.prose.last_mut() {
            line.push(text, style);
        }
    }

    /// A piece of an HTML block, which ends with its line.
    fn html(&mut self, text: &str) {
        for line in text.lines() {
            self.prose.push(Line::new().with(line, self.style()));
        }
    }

    /// Adds the target of the link that ends here, unless its text already shows it.
    fn push_target(&mut self) {
        let Some(link) = self.links.pop() else { return };
        // An image in a link is part of its text.
        if let Some(outer) = self.links.last_mut() {
            outer.text.push_str(&link.text);
        }
        let target = link.target.strip_prefix("mailto:").unwrap_or(&link.target);
        if !target.is_empty() && link.text.trim() != target && link.kind != LinkType::Email {
            self.text(&format!(" ({})", link.target), Role::Quiet.into());
        }
    }

    fn push_prose(&mut self) {
        for line in std::mem::take(&mut self.prose) {
            self.blocks.wrap(&line);
        }
    }

    fn push_table(&mut self) {
        let Some(table) = self.table.take() else { return };
        for line in table.lines(self.blocks.room()) {
            self.blocks.push(&line);
        }
        self.blocks.close();
    }

    fn push_code(&mut self) {
        let Some(code) = self.code.take() else { return };
        let lines = match code.language {
            Some(language) => highlight(&code.text, language),
            None => Line::all(&code.text, Style::PLAIN),
        };
        for line in &lines {
            self.blocks.code(line);
        }
        self.blocks.close();
    }
}

/// Whether this cannot be in a table. The parser does not close a table with very many empty cells: everything after it
/// seems to be inside.
fn is_block(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::Paragraph
            | Tag::Heading { .. }
            | Tag::BlockQuote(_)
            | Tag::CodeBlock(_)
            | Tag::HtmlBlock
            | Tag::List(_)
            | Tag::Table(_)
    )
}

/// Whether a terminal can open the target of a link.
fn is_linkable(kind: LinkType, target: &str) -> bool {
    let scheme = target.split_once(':').map_or("", |(scheme, _)| scheme);
    kind == LinkType::Email
        || ["http", "https", "mailto", "file"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests;
