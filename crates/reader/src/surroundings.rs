//! What has to be known besides the lines of a session to show it as lists do: the other sessions, the disk and the
//! user's time zone.

use human::Locale;
use sources::project::{Project, project_of};
use story::{Facts, Listing};

/// The surroundings of a session.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// Its id in lists; `None` for the id in its lines.
    pub id: Option<String>,
    /// The project of a folder, if it is known; any other folder is looked up on this machine.
    pub project: Option<(String, Project)>,
    /// Summaries in files of other sessions, each with the hash of the last entry that it covers.
    pub summaries: Vec<(u64, String)>,
    /// The time zone for the title of a session without any.
    pub locale: Locale,
    /// The present, in milliseconds since 1970.
    pub now: i64,
}

impl Surroundings {
    /// The facts that do not follow from the lines.
    pub(crate) fn listing(&mut self, facts: &Facts) -> Listing {
        let project = facts.folder.as_deref().map(|folder| self.project_of(folder).clone());
        let (project, worktree) = project.map_or((None, None), |it| (Some(it.path), it.worktree));
        Listing {
            id: self.id.as_deref().unwrap_or_default().into(),
            project: project.map(Into::into),
            worktree: worktree.map(Into::into),
            untitled: Some(self.locale.title(None, facts.first, self.now).into()),
        }
    }

    fn project_of(&mut self, folder: &str) -> &Project {
        let known = self.project.take().filter(|(known, _)| known == folder);
        let (_, project) = self.project.insert(known.unwrap_or_else(|| (folder.to_owned(), project_of(folder))));
        project
    }
}
