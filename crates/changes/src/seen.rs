//! Lines of files, as exactly as a session reveals them.

use std::borrow::Cow;

/// The replacement for a leading tab in patches.
pub(super) const TAB: &str = "  ";

/// A line of a file as it was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    /// Without the newline.
    pub(super) text: Box<str>,
    /// Whether a newline ends it.
    pub(super) ended: bool,
    /// Whether leading blanks may be tabs: patches in transcripts have two spaces for each.
    pub(super) loose: bool,
}

impl Seen {
    /// An exact line.
    pub(super) fn exact(text: &str, ended: bool) -> Self {
        Self { text: text.into(), ended, loose: false }
    }

    /// A line of a patch.
    pub(super) fn of_patch(text: &str) -> Self {
        Self { text: text.into(), ended: true, loose: text.starts_with(TAB) }
    }

    /// Whether both may be the same line. Readings may omit carriage returns at the ends of lines.
    pub(super) fn fits(&self, other: &Self) -> bool {
        let [one, two] = [self, other].map(|line| without_return(&line.text));
        one == two || (self.loose || other.loose) && with_spaces(one) == with_spaces(two)
    }

    /// Adds what a second sighting of the line reveals.
    pub(super) fn confirm(&mut self, again: &Self) {
        if self.loose && !again.loose {
            let is_returned = self.text.ends_with('\r') && !again.text.ends_with('\r');
            self.text = if is_returned { format!("{}\r", again.text).into() } else { again.text.clone() };
            self.loose = false;
        }
    }

    /// Resolves ambiguous blanks as tabs.
    pub(super) fn with_tabs(mut self) -> Self {
        if self.loose {
            let blank = self.text.len() - self.text.trim_start_matches(' ').len();
            let rest = self.text.get(blank - blank % TAB.len()..).unwrap_or_default();
            self.text = format!("{}{rest}", "\t".repeat(blank / TAB.len())).into();
            self.loose = false;
        }
        self
    }
}

/// The lines of a text.
pub(super) fn lines(text: &str) -> Vec<Seen> {
    let line = |line: &str| match line.strip_suffix('\n') {
        Some(text) => Seen::exact(text, true),
        None => Seen::exact(line, false),
    };
    text.split_inclusive('\n').map(line).collect()
}

/// The text of lines, without carriage returns at their ends.
pub(super) fn text_of<'s>(lines: impl IntoIterator<Item = &'s Seen>) -> String {
    let mut text = String::new();
    for line in lines {
        text.push_str(without_return(&line.text));
        if line.ended {
            text.push('\n');
        }
    }
    text
}

pub(super) fn without_return(text: &str) -> &str {
    text.strip_suffix('\r').unwrap_or(text)
}

/// A line as it is in patches.
pub(super) fn with_spaces(text: &str) -> Cow<'_, str> {
    let rest = text.trim_start_matches('\t');
    match text.len() - rest.len() {
        0 => Cow::Borrowed(text),
        tabs => Cow::Owned(TAB.repeat(tabs) + rest),
    }
}

/// Whether both may be the same lines, up to the newline of the last one.
pub(super) fn all_fit(one: &[Seen], two: &[Seen]) -> bool {
    let is_same = |(one, two): (&Seen, &Seen)| one.fits(two) && one.ended == two.ended;
    one.len() == two.len() && one.iter().zip(two).all(is_same)
}
