//! The folders that recount keeps for itself: closed to other users, with the temporary pages that a browser is given.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::{App, AppError};

/// The folder of temporary pages, below the cache.
pub(crate) const PAGES: &str = "pages";

/// How long a temporary page is there for a browser that is only starting.
const FOR_THE_BROWSER: Duration = Duration::from_secs(60);

impl App {
    /// Takes the permissions of other users from the folders of cache and data, which earlier versions left open.
    pub fn close_kept_folders(&self) {
        for folder in self.kept_folders() {
            // `warn_of_exposed_files` names what could not be closed.
            let _ = private::close(folder);
        }
    }

    /// Warns of files with words of sessions that other users can read.
    pub fn warn_of_exposed_files(&self) {
        const NAMED: usize = 3;
        for folder in self.kept_folders() {
            let exposed = private::exposed(folder);
            let (Some(first), others) = (exposed.first(), exposed.len().saturating_sub(NAMED)) else { continue };
            let mut hints: Vec<String> =
                exposed.iter().take(NAMED).skip(1).map(|path| format!("also {}", path.display())).collect();
            if others > 0 {
                hints.push(format!("and {} more", human::plural(others as u64, "file")));
            }
            hints.push(format!("close them with: chmod -R go= {}", folder.display()));
            self.warn(&format!("other users of this machine can read {}", first.display()), &hints);
        }
    }

    /// Creates a temporary page that only its owner can read. It is there until the next run.
    pub fn new_page(&self, name: &str) -> Result<(PathBuf, File), AppError> {
        let folder = self.environment().cache.as_ref().ok_or(AppError::NoCache)?.join(PAGES);
        let failed = |error| AppError::Page { path: folder.clone(), error };
        private::make_folder(&folder).and_then(|()| private::close(&folder)).map_err(failed)?;
        let page = tempfile::Builder::new().prefix(&format!("{name}-")).suffix(".html").tempfile_in(&folder);
        let (file, path) = page.and_then(|page| Ok(page.keep()?)).map_err(failed)?;
        Ok((path, file))
    }

    /// Removes the temporary pages of earlier runs.
    pub fn remove_old_pages(&self) {
        let Some(cache) = &self.environment().cache else { return };
        let pages = cache.join(PAGES).read_dir().into_iter().flatten().flatten();
        for page in pages.filter(|page| page.metadata().is_ok_and(|metadata| is_old(metadata.modified()))) {
            // Another run may have removed it; a page that stays is tried again by the next one.
            let _ = fs::remove_file(page.path());
        }
    }

    fn kept_folders(&self) -> impl Iterator<Item = &Path> {
        let environment = self.environment();
        [&environment.cache, &environment.data].into_iter().flatten().map(PathBuf::as_path)
    }
}

fn is_old(written: io::Result<SystemTime>) -> bool {
    // A time in the future is as good as old: the clock was set.
    written.is_ok_and(|written| written.elapsed().is_ok_and(|age| age > FOR_THE_BROWSER) || written > SystemTime::now())
}
