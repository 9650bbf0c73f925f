//! What has to be known of the other sessions to show one as lists do: with the same id, title and project.

use index::Index;
use index::catalogue::Session;
use reader::{Surroundings, facts_of};
use sources::naming::SessionNames;
use sources::project::MachineProjects;
use sources::{FoundBy, FoundSources, Source, SourceKind};
use story::Remnant;

use crate::{App, AppError};

impl App {
    /// Returns what has to be known besides its lines to show a session as lists do. The kept index knows it; without
    /// one, the names and first lines of the files tell.
    pub fn surroundings(&self, source: &Source) -> Result<Surroundings, AppError> {
        let found = if self.is_in_roots(source) { self.sources() } else { FoundSources::default() };
        let names = SessionNames::of(&found);
        Ok(self.surroundings_of(std::slice::from_ref(source), &names)?.pop().unwrap_or_default())
    }

    /// Returns the same for several sessions, in their order.
    pub fn surroundings_of(&self, sessions: &[Source], names: &SessionNames) -> Result<Vec<Surroundings>, AppError> {
        // The index is a cache, so a failure is not an error.
        let index = self.index_if_there();
        let folders = index.as_ref().and_then(|index| index.folders().ok()).unwrap_or_default();
        // What the index does not know is found out for all such sessions together.
        let look = |source: &Source| {
            let index = index.as_ref()?;
            let session = listed(index, source).ok()??;
            index.surroundings(&session).ok()
        };
        let known: Vec<Result<Surroundings, Option<String>>> =
            sessions.iter().map(|source| look(source).ok_or_else(|| folder_of(source))).collect();
        let new = sessions.iter().zip(&known).filter_map(|(source, known)| match known {
            Ok(_) => None,
            Err(folder) => Some((&*source.origin, folder.as_deref()?)),
        });
        let projects = MachineProjects::of(folders.iter().map(|(origin, folder)| (origin, folder.as_str())).chain(new));
        let (locale, now) = (self.locale()?.clone(), self.timestamp().as_millisecond());
        let all = sessions.iter().zip(&known).map(|(source, known)| match known {
            Ok(known) => known.clone(),
            Err(folder) => {
                let is_session =
                    matches!(source.kind, SourceKind::Transcript | SourceKind::Partial | SourceKind::Prompts);
                let id = source.listed_name().filter(|_| is_session && self.is_in_roots(source));
                let project =
                    folder.as_ref().and_then(|it| Some((it.clone(), projects.get(&source.origin, it)?.clone())));
                let id = id.map(|id| names.name(&id, source).into_owned());
                Surroundings { id, project, summaries: Vec::new(), locale: locale.clone(), now }
            }
        });
        Ok(all.collect())
    }

    /// Returns the kept index without updating it, unless it would have to be created.
    fn index_if_there(&self) -> Option<Index> {
        let is_there = self.index_path().is_ok_and(|path| path.is_file());
        is_there.then(|| self.stale_index()).flatten()
    }

    /// Returns whether lists have the session of a source, rather than only the user who named its file.
    fn is_in_roots(&self, source: &Source) -> bool {
        let is_below = || {
            let path = source.input.path().and_then(|path| std::path::absolute(path).ok());
            path.is_some_and(|path| self.roots().iter().any(|root| path.starts_with(&root.path)))
        };
        match source.found_by {
            FoundBy::Root | FoundBy::Archive => true,
            FoundBy::Folder | FoundBy::Named => is_below(),
        }
    }
}

/// The session of a source as the index lists it.
fn listed(index: &Index, source: &Source) -> Result<Option<Session>, index::IndexError> {
    let (Some(name), Some(mut key)) = (source.listed_name(), source.input.key()) else { return Ok(None) };
    key.path = std::path::absolute(&key.path).unwrap_or(key.path);
    let is_it = |session: &Session| match source.kind {
        SourceKind::Transcript | SourceKind::Capture | SourceKind::Prompts => session.key() == key,
        SourceKind::Partial => session.remnant == Some(Remnant::Subagents),
        SourceKind::Subagent | SourceKind::Journal | SourceKind::History => false,
    };
    Ok(index.sessions_with_id(&name)?.into_iter().find(is_it))
}

/// The folder in which a session ran.
fn folder_of(source: &Source) -> Option<String> {
    let of_file = |file: &Source| facts_of(file).and_then(|facts| facts.folder).map(String::from);
    if source.kind == SourceKind::Partial { source.strays.iter().find_map(of_file) } else { of_file(source) }
}
