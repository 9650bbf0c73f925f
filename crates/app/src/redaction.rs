//! What is replaced in sessions that leave this machine, and the search for it.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use reader::{RedactionError, SearchedSession, Surroundings};
use redact::{Category, Detector, Finding, Scanner};
use sources::{Neighbours, Source, files_of_session};

use crate::{App, AppError};

/// The file with the fingerprints of values that are always kept, below the data.
const KEPT_VALUES: &str = "kept-values";
/// What stands at its beginning.
const EXPLANATION: &str = "\
# Values that `recount share` never replaces, because you kept them for always: fingerprints, one per line.
# Keep this file private: a short value can be guessed from its fingerprint. Remove a line to be asked again.
";

/// Returns the category of private things with this name.
pub fn private_category(name: &str) -> Result<Category, String> {
    let category = Category::named(name).filter(|category| Category::PRIVATE.contains(category));
    let names = Category::PRIVATE.map(Category::plural).join(", ");
    category.ok_or_else(|| format!("`{name}` is not a category of private things; expected {names}"))
}

impl App {
    /// Returns the rules with the user's settings; `keep` are further categories that stay as they are.
    pub fn detector(&self, keep: &BTreeSet<Category>) -> Result<Detector, AppError> {
        let mut settings = self.settings()?.redaction.clone();
        let environment = self.environment();
        settings.keep.extend(keep);
        settings.users.extend(environment.sources.home.as_deref().and_then(user_of).map(str::to_owned));
        settings.hosts.extend(environment.host.clone().filter(|host| is_telling(host)));
        settings.allow_fingerprints.extend(self.kept_values()?);
        Ok(Detector::new(settings)?)
    }

    /// Searches a session for what is to be replaced.
    pub fn search_session(
        &self,
        scanner: &mut Scanner<'_>,
        source: &Source,
        on_bytes: &dyn Fn(u64),
    ) -> Result<SearchedSession, RedactSessionError> {
        let neighbours = Neighbours::default();
        let surroundings = self.surroundings(source)?;
        self.search_among(scanner, source, &neighbours, surroundings, on_bytes)
    }

    /// The same for one of many sessions.
    pub fn search_among(
        &self,
        scanner: &mut Scanner<'_>,
        source: &Source,
        neighbours: &Neighbours,
        surroundings: Surroundings,
        on_bytes: &dyn Fn(u64),
    ) -> Result<SearchedSession, RedactSessionError> {
        let files = files_of_session(source, neighbours);
        let summaries = neighbours.summaries_beside(source);
        Ok(SearchedSession::search(scanner, source, files, summaries, surroundings, on_bytes)?)
    }

    /// Never replaces these values again.
    pub fn keep_always<'f>(&self, findings: impl IntoIterator<Item = &'f Finding>) -> Result<(), AppError> {
        let new: Vec<String> = findings.into_iter().map(Finding::fingerprint).collect();
        let mut kept = self.kept_values()?;
        kept.extend(new);
        let path = self.kept_values_file()?;
        let lines = EXPLANATION.lines().chain(kept.iter().map(String::as_str));
        let text: String = lines.flat_map(|line| [line, "\n"]).collect();
        let folder = path.parent().unwrap_or(Path::new(""));
        let written = private::make_folder(folder).and_then(|()| private::replace(&path, text.as_bytes()));
        written.map_err(|error| AppError::KeptValues { path, error })
    }

    fn kept_values(&self) -> Result<BTreeSet<String>, AppError> {
        let Ok(path) = self.kept_values_file() else { return Ok(BTreeSet::new()) };
        match fs::read_to_string(&path) {
            Ok(text) => {
                let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
                Ok(lines.map(str::to_owned).collect())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeSet::new()),
            Err(error) => Err(AppError::KeptValues { path, error }),
        }
    }

    fn kept_values_file(&self) -> Result<PathBuf, AppError> {
        Ok(self.environment().data.as_ref().ok_or(AppError::NoData)?.join(KEPT_VALUES))
    }
}

/// Why a session cannot be searched.
#[derive(Debug, thiserror::Error)]
pub enum RedactSessionError {
    /// The settings cannot be used.
    #[error(transparent)]
    App(#[from] AppError),
    /// The session cannot be read.
    #[error(transparent)]
    Redaction(#[from] RedactionError),
}

/// Returns the name of the user with this home.
fn user_of(home: &Path) -> Option<&str> {
    home.file_name()?.to_str()
}

/// Returns whether the name of a computer is more than a word, so that it is not replaced in ordinary text.
fn is_telling(host: &str) -> bool {
    host.len() >= 4 && host != "localhost" && host.chars().any(|c| c.is_ascii_digit() || matches!(c, '-' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_is_a_word_is_left_in_texts() {
        for (host, expected) in [("build-7", true), ("anas-laptop", true), ("laptop", false), ("localhost", false)] {
            assert_eq!(is_telling(host), expected, "{host}");
        }
    }

    #[test]
    fn secrets_are_no_category_that_can_be_kept() {
        assert_eq!(private_category("emails"), Ok(Category::Email));
        let expected =
            "`secrets` is not a category of private things; expected users, hosts, emails, ips, accounts, words";
        assert_eq!(private_category("secrets").unwrap_err(), expected);
    }
}
