//! Partial sessions: subagents whose session is in another folder or missing, by the names of their files.
//!
//! Claude Code writes the transcript of an agent below `<session>/subagents`, in the folder of the project in which the
//! agent works. That may differ from the folder of the session, and the session may be deleted. A session with only
//! such files left is still one session.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use archive::Origin;

use crate::archived::Archived;
use crate::find::FoundSources;
use crate::source::{Input, Source, SourceKind, Twin};

/// Assigns agent files in other folders to their sessions, and creates partial sessions for those without one.
///
/// Agents of versions 2.0 to 2.1.2 are beside sessions, and only their lines name their session:
/// [`Neighbours`](crate::Neighbours) handles them.
pub(crate) fn gather(found: &mut FoundSources) {
    let strays = find_strays(&found.sources);
    for ((origin, id), places) in strays {
        let files: Vec<Source> = places.iter().filter_map(|place| found.sources.get(*place).cloned()).collect();
        let is_main = |source: &&mut Source| {
            source.kind == SourceKind::Transcript && source.origin == origin && source.stem() == Some(id.as_os_str())
        };
        if let Some(main) = found.sources.iter_mut().find(is_main) {
            main.strays = files;
        } else if let Some(session) = session_of(files) {
            found.partial.push(session);
        }
    }
    found.partial.sort_by(|one, other| one.input.cmp(&other.input));
}

/// Files of agents and workflows without their session beside them, by origin and session.
fn find_strays(sources: &[Source]) -> BTreeMap<(Arc<Origin>, OsString), Vec<usize>> {
    let is_companion = |source: &Source| matches!(source.kind, SourceKind::Subagent | SourceKind::Journal);
    let mut strays: BTreeMap<(Arc<Origin>, OsString), Vec<usize>> = BTreeMap::new();
    let mut mains: Option<HashSet<(&str, &str, &Path)>> = None;
    // Files are sorted, so most belong to the same session as the previous one.
    let mut before: Option<(&Path, bool)> = None;
    for (place, source) in sources.iter().enumerate().filter(|(_, source)| is_companion(source)) {
        let Some(folder) = source.input.path().and_then(session_folder) else { continue };
        let is_there = match before {
            Some((known, is_there)) if known == folder => is_there,
            _ => {
                let mains = mains.get_or_insert_with(|| transcripts(sources));
                let Origin { tenant, machine, .. } = &*source.origin;
                mains.contains(&(&**tenant, &**machine, main_beside(folder).as_path()))
            }
        };
        before = Some((folder, is_there));
        if let Some(id) = folder.file_name().filter(|_| !is_there) {
            strays.entry((Arc::clone(&source.origin), id.to_owned())).or_default().push(place);
        }
    }
    strays
}

fn transcripts(sources: &[Source]) -> HashSet<(&str, &str, &Path)> {
    let transcripts = sources.iter().filter(|source| source.kind == SourceKind::Transcript);
    transcripts
        .filter_map(|source| Some((&*source.origin.tenant, &*source.origin.machine, source.input.path()?)))
        .collect()
}

/// The session folder that contains a file of an agent or a workflow.
pub(crate) fn session_folder(path: &Path) -> Option<&Path> {
    path.ancestors().find(|folder| folder.ends_with("subagents")).and_then(Path::parent)
}

/// The main file beside a session folder, with the same name.
pub(crate) fn main_beside(folder: &Path) -> PathBuf {
    let mut path = folder.as_os_str().to_owned();
    path.push(".jsonl");
    path.into()
}

/// The partial session of the given files.
fn session_of(files: Vec<Source>) -> Option<Source> {
    let first = files.first()?;
    let folder = session_folder(first.input.path()?)?;
    let session = Source::partial(first, main_beside(folder));
    Some(Source {
        size: files.iter().map(|file| file.size).sum(),
        modified: files.iter().filter_map(|file| file.modified).max(),
        strays: files,
        ..session
    })
}

impl Source {
    /// A session with a file of an agent, but without its main file, whose path would be `main`.
    pub(crate) fn partial(agent: &Self, main: PathBuf) -> Self {
        let input = match &agent.input {
            Input::Archived(file) => Input::Archived(Archived::absent(file, main)),
            Input::File(_) | Input::Prompts(_) | Input::Stdin => Input::File(main),
        };
        Self {
            input,
            kind: SourceKind::Partial,
            twin: Twin::None,
            strays: Vec::new(),
            earlier: Vec::new(),
            ..agent.clone()
        }
    }
}
