//! The document as blocks with blank lines between them.
//!
//! Markdown merges two consecutive lists with the same bullet. So the sheet remembers its last block, and changes the
//! bullet where its own list would merge with one at the end of a reply.

use std::io::{self, Write};

/// A document that is being written.
pub(super) struct Sheet<'w> {
    out: &'w mut dyn Write,
    after: After,
}

/// The last block on a sheet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Nothing,
    Block,
    /// An item of the sheet's own list.
    Item {
        bullet: char,
        /// Whether it has blocks below it.
        is_open: bool,
    },
    /// A list at the end of a text.
    List(char),
}

impl<'w> Sheet<'w> {
    pub(super) fn new(out: &'w mut dyn Write) -> Self {
        Self { out, after: After::Nothing }
    }

    /// Writes a block.
    pub(super) fn block(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.part()?;
        self.after = After::Block;
        self.lines(text, "")
    }

    /// Writes a text that may end with a list, given by its bullet.
    pub(super) fn text(&mut self, text: &str, last_bullet: Option<char>) -> io::Result<()> {
        self.block(text)?;
        if let Some(bullet) = last_bullet {
            self.after = After::List(bullet);
        }
        Ok(())
    }

    /// Writes an item of a list.
    pub(super) fn item(&mut self, text: &str) -> io::Result<()> {
        let bullet = match self.after {
            After::Item { bullet, is_open } => {
                if is_open {
                    self.part()?;
                }
                bullet
            }
            After::List(other) => {
                self.part()?;
                if other == '-' { '*' } else { '-' }
            }
            After::Nothing | After::Block => {
                self.part()?;
                '-'
            }
        };
        self.after = After::Item { bullet, is_open: false };
        writeln!(self.out, "{bullet} {text}")
    }

    /// Writes a block that belongs to the last item.
    pub(super) fn below(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        let After::Item { bullet, .. } = self.after else { return self.block(text) };
        self.part()?;
        self.after = After::Item { bullet, is_open: true };
        self.lines(text, "  ")
    }

    /// The bullet of the list at the end, if there is one.
    pub(super) fn last_bullet(&self) -> Option<char> {
        match self.after {
            After::Item { bullet, .. } | After::List(bullet) => Some(bullet),
            After::Nothing | After::Block => None,
        }
    }

    fn part(&mut self) -> io::Result<()> {
        if self.after == After::Nothing { Ok(()) } else { writeln!(self.out) }
    }

    fn lines(&mut self, text: &str, indent: &str) -> io::Result<()> {
        text.lines().try_for_each(|line| match line {
            "" => writeln!(self.out),
            line => writeln!(self.out, "{indent}{line}"),
        })
    }
}

/// A block as a quotation.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 64);
    for (number, line) in text.lines().enumerate() {
        if number > 0 {
            quoted.push('\n');
        }
        quoted.push('>');
        if !line.is_empty() {
            quoted.push(' ');
            quoted.push_str(line);
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Sheet<'_>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut Sheet::new(&mut out)).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn items_stand_close_until_one_has_something_below() {
        let text = written(|sheet| {
            sheet.block("words")?;
            sheet.item("one")?;
            sheet.item("two")?;
            sheet.below("```\na\n\nb\n```")?;
            sheet.item("three")?;
            sheet.block("words")
        });
        assert_eq!(text, "words\n\n- one\n- two\n\n  ```\n  a\n\n  b\n  ```\n\n- three\n\nwords\n");
    }

    #[test]
    fn lists_do_not_run_into_each_other() {
        let text = written(|sheet| {
            sheet.text("- said", Some('-'))?;
            sheet.item("done")?;
            sheet.item("done")
        });
        assert_eq!(text, "- said\n\n* done\n* done\n");
    }

    #[test]
    fn quotes_have_no_gaps() {
        assert_eq!(quote("a\n\nb"), "> a\n>\n> b");
    }
}
