//! Searches the sessions of an export for what is to be replaced in any of them.

use std::collections::{BTreeMap, BTreeSet};

use app::{App, RedactSessionError, SessionFilter};
use reader::{Counting, RedactionError, SearchedSession, SessionReader};
use redact::{Category, Replacer, Scanner, Tracer};
use sources::{Problem, Source, files_of_session};

use super::{Around, Decide};
use crate::folder::SiteError;

/// The search of all sessions for what is to be replaced in any of them.
pub(super) struct Search<'s> {
    pub(super) app: &'s App,
    pub(super) around: &'s Around,
    pub(super) filter: &'s SessionFilter,
    pub(super) on_bytes: &'s dyn Fn(u64),
}

impl Search<'_> {
    /// Searches the sessions that are wanted. Those that cannot be read are left out.
    pub(super) fn all(
        &self,
        sessions: &[Source],
        keep: &BTreeSet<Category>,
        decide: Decide<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<(BTreeMap<usize, SearchedSession>, Replacer), SiteError> {
        let detector = self.app.detector(keep)?;
        let mut scanner = Scanner::new(&detector);
        let mut searched = BTreeMap::new();
        for (number, source) in sessions.iter().enumerate() {
            match self.one(source, &mut scanner) {
                Ok(session) => searched.extend(session.map(|session| (number, session))),
                Err(RedactSessionError::Redaction(RedactionError::Problem(problem))) => problems.push(problem),
                Err(error) => return Err(error.into()),
            }
        }
        let findings = scanner.finish();
        let decisions = decide(&findings);
        let mut tracer = Tracer::new(findings, &decisions).map_err(SiteError::Undecided)?;
        for session in searched.values() {
            session.trace(&mut tracer)?;
        }
        Ok((searched, tracer.finish()))
    }

    /// `None` if the session is not wanted. That depends on how lists show it, which its redacted lines do not say.
    fn one(&self, source: &Source, scanner: &mut Scanner<'_>) -> Result<Option<SearchedSession>, RedactSessionError> {
        if !source.looks_like_transcript() {
            return Ok(None);
        }
        let Around { neighbours, .. } = self.around;
        if !self.filter.is_empty() {
            let files = files_of_session(source, neighbours);
            let (reader, _) = SessionReader::of_files(source, files, Counting::Nothing, &|_| {})
                .map_err(|problem| RedactSessionError::Redaction(problem.into()))?;
            let mut reader = reader.surrounded_by(self.around.of(source));
            let (story, _) = reader.parts();
            if !self.filter.wants_facts(&story.facts) {
                return Ok(None);
            }
        }
        let surroundings = self.around.of(source);
        self.app.search_among(scanner, source, neighbours, surroundings, self.on_bytes).map(Some)
    }
}
