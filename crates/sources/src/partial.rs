//! Subagents whose session lies elsewhere or nowhere, by the names of their files.
//!
//! Claude Code writes what an agent does below `<session>/subagents`, in the folder of the project that the agent works
//! in: that may be another one than the folder of the session, and the session may have been deleted. A session that
//! only has such files left is one session all the same.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use archive::Origin;

use crate::archived::Archived;
use crate::find::Found;
use crate::source::{Input, Source, SourceKind, Twin};

/// Gives files of agents that lie elsewhere to their sessions, and puts sessions together that have nothing else left.
///
/// Agents of 2.0 to 2.1.2 lie beside sessions, and only their lines say whose they are: they are left to
/// [`Neighbours`](crate::Neighbours).
pub(crate) fn gather(found: &mut Found) {
    let strays = find_strays(&found.sources);
    for ((origin, id), places) in strays {
        let files: Vec<Source> = places.iter().filter_map(|place| found.sources.get(*place).cloned()).collect();
        let is_main = |source: &&mut Source| {
            source.kind == SourceKind::Transcript
                && source.origin == origin
                && source.stem().is_some_and(|stem| stem == id.as_str())
        };
        if let Some(main) = found.sources.iter_mut().find(is_main) {
            main.strays = files;
        } else if let Some(session) = session_of(&id, files) {
            found.partial.push(session);
        }
    }
    found.partial.sort_by(|one, other| one.input.cmp(&other.input));
}

/// Files of agents and workflows without their session beside them, by origin and session.
fn find_strays(sources: &[Source]) -> BTreeMap<(Arc<Origin>, String), Vec<usize>> {
    let is_companion = |source: &Source| matches!(source.kind, SourceKind::Subagent | SourceKind::Journal);
    let mut strays: BTreeMap<(Arc<Origin>, String), Vec<usize>> = BTreeMap::new();
    let mut mains: Option<HashSet<(&str, &str, &Path)>> = None;
    // They come one after another: most belong to the same session as the one before.
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
        if let Some(id) = folder.file_name().and_then(|name| name.to_str()).filter(|_| !is_there) {
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

/// The folder of a session that a file is in, if it is one of an agent or a workflow.
pub(crate) fn session_folder(path: &Path) -> Option<&Path> {
    path.ancestors().find(|folder| folder.ends_with("subagents")).and_then(Path::parent)
}

/// The main file beside a folder of the same name.
pub(crate) fn main_beside(folder: &Path) -> PathBuf {
    let mut path = folder.as_os_str().to_owned();
    path.push(".jsonl");
    path.into()
}

/// The session that files are left of.
fn session_of(id: &str, files: Vec<Source>) -> Option<Source> {
    let first = files.first()?;
    let folder = session_folder(first.input.path()?)?;
    let session = Source::partial(first, folder.with_file_name(format!("{id}.jsonl")));
    Some(Source {
        size: files.iter().map(|file| file.size).sum(),
        modified: files.iter().filter_map(|file| file.modified).max(),
        strays: files,
        ..session
    })
}

impl Source {
    /// A session of which a file of an agent is left, but not its own, which would be at a path.
    pub(crate) fn partial(agent: &Self, main: PathBuf) -> Self {
        let input = match &agent.input {
            Input::Archived(file) => Input::Archived(Archived::absent(file, main)),
            Input::File(_) | Input::Stdin => Input::File(main),
        };
        Self { input, kind: SourceKind::Partial, twin: Twin::None, strays: Vec::new(), ..agent.clone() }
    }
}
