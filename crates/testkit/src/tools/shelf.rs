//! The files that a session has changed, so that later calls read and change the same ones.

use super::Workplace;
use crate::text::{self, Language};

/// Files that are kept at most; the truth about a session needs all of them.
const MOST: usize = 40;

/// A file that the session has changed.
#[derive(Clone, Debug)]
pub(crate) struct Shelved {
    pub(crate) path: String,
    /// Its text before the session; none if the session created it.
    pub(crate) first: Option<String>,
    pub(crate) text: String,
    language: Language,
}

/// The files, those changed last at the end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shelf {
    files: Vec<Shelved>,
    /// Whether all files are kept, however many.
    pub(crate) keeps_all: bool,
}

/// A file to be changed.
pub(super) struct Source {
    pub(super) path: String,
    pub(super) text: String,
    pub(super) language: Language,
}

impl Shelf {
    /// The files that the session has changed.
    pub(crate) fn files(&self) -> &[Shelved] {
        &self.files
    }

    /// Notes a change of a file; `before` is none if it is new.
    pub(super) fn put(&mut self, path: &str, before: Option<&str>, after: &str, language: Language) {
        if let Some(at) = self.files.iter().position(|file| file.path == path) {
            let file = self.files.remove(at);
            self.files.push(Shelved { text: after.to_owned(), ..file });
            return;
        }
        if self.files.len() >= MOST && !self.keeps_all {
            self.files.remove(0);
        }
        let first = before.map(str::to_owned);
        self.files.push(Shelved { path: path.to_owned(), first, text: after.to_owned(), language });
    }
}

impl Workplace {
    /// A path below the working directory that no call has used.
    pub(super) fn new_path(&mut self, ending: &str) -> String {
        loop {
            let path = text::file_name(&mut self.rng, &self.cwd, ending);
            if self.shelf.files.iter().all(|file| file.path != path) {
                return path;
            }
        }
    }

    /// A file that the session has changed, if there is one.
    pub(super) fn known_source(&mut self) -> Option<Source> {
        let recent = self.shelf.files.len().min(6);
        let at = self.shelf.files.len() - self.rng.below(recent.max(1)).saturating_add(1).min(self.shelf.files.len());
        let file = self.shelf.files.get(at)?;
        Some(Source { path: file.path.clone(), text: file.text.clone(), language: file.language })
    }

    /// A new file with code in a random language; some end without a newline.
    pub(super) fn new_source(&mut self, smallest: usize, largest: usize) -> Source {
        let language = Language::any(&mut self.rng);
        let path = self.new_path(language.ending());
        let length = self.rng.log_between(smallest, largest);
        let mut text = text::code(&mut self.rng, language, length);
        if self.rng.chance(6) {
            text.truncate(text.trim_end().len());
        }
        Source { path, text, language }
    }
}
