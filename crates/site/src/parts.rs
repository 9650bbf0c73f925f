//! The further files of a page that is too large for one: written one after another, and put in place together.

use std::io::{self, Write};

use output::{Unfinished, Whole};
use page::Parts;

use crate::folder::Folder;

/// The further files of a page.
#[derive(Debug)]
pub(crate) struct PartFiles<'f> {
    folder: &'f Folder,
    /// The name of the page below the folder, without its extension.
    page: &'f str,
    limit: usize,
    current: Option<Unfinished>,
    whole: Vec<Whole>,
    names: Vec<String>,
    nowhere: io::Sink,
}

impl<'f> PartFiles<'f> {
    /// The further files of the page with this name.
    pub(crate) fn new(folder: &'f Folder, page: &'f str, limit: usize) -> Self {
        let page = page.strip_suffix(".html").unwrap_or(page);
        Self { folder, page, limit, current: None, whole: Vec::new(), names: Vec::new(), nowhere: io::sink() }
    }

    /// Puts the files in place.
    pub(crate) fn place(&mut self) -> io::Result<()> {
        self.finish()?;
        self.whole.drain(..).try_for_each(Whole::place)
    }

    /// The names of the files, below the folder.
    pub(crate) fn into_names(self) -> Vec<String> {
        self.names
    }

    fn finish(&mut self) -> io::Result<()> {
        if let Some(file) = self.current.take() {
            self.whole.push(file.finish()?);
        }
        Ok(())
    }
}

/// The name of a further file. Names of sessions contain no dots, so they never collide with it.
fn named(page: &str, number: usize) -> String {
    if number > 1 { format!("{page}.{number}.html") } else { format!("{page}.html") }
}

impl Parts for PartFiles<'_> {
    fn limit(&self) -> usize {
        self.limit
    }

    fn name(&self, number: usize) -> String {
        named(self.page.rsplit('/').next().unwrap_or(self.page), number)
    }

    fn begin(&mut self, number: usize) -> io::Result<()> {
        self.finish()?;
        let name = named(self.page, number);
        self.current = Some(self.folder.begin(&name)?);
        self.names.push(name);
        Ok(())
    }

    fn out(&mut self) -> &mut dyn Write {
        match &mut self.current {
            Some(file) => file,
            None => &mut self.nowhere,
        }
    }
}
