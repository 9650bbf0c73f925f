//! Finds a session by the name that the user gives.

mod copies;
mod latest;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::title::{title_of, words_in};
use format::id::is_uuid;
use sources::captured;
use sources::files::Neighbours;
use sources::find::{find_file, find_in_roots};
use sources::naming::{has_mark, name_apart, split_name};
use sources::path_text;
use sources::problem::Problem;
use sources::prompts::lone_prompts;
use sources::roots::Root;
use sources::source::{Input, Source, SourceKind, Twin};

/// Why a session was not found.
#[derive(Debug, thiserror::Error)]
pub enum LookupError {
    /// The file exists but cannot be used.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// The name is that of a folder.
    #[error("a folder, not a session: {}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// No session has this id.
    #[error("no such session: {name}")]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The number of sessions that were searched.
        among: usize,
        /// The closest matches.
        nearest: Vec<Candidate>,
    },
    /// Several sessions match.
    #[error("{} sessions match: {name}", candidates.len())]
    Ambiguous {
        /// The name that was asked for.
        name: String,
        /// The sessions that match.
        candidates: Vec<Candidate>,
    },
    /// `last~5` with fewer sessions than that.
    #[error("there {}: {name}", only(*among))]
    TooFew {
        /// The name that was asked for.
        name: String,
        /// The number of sessions.
        among: usize,
    },
}

/// `is only 1 session`, `are only 4 sessions`.
fn only(among: usize) -> String {
    match among {
        0 => "are no sessions".to_owned(),
        1 => "is only 1 session".to_owned(),
        _ => format!("are only {among} sessions"),
    }
}

/// A session that the user may have meant.
#[derive(Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its file.
    pub input: Input,
    /// Its name, if other sessions have the same id.
    pub name: Option<String>,
    /// Its title, if the lookup was by title.
    pub title: Option<String>,
}

/// Finds a session by a path, `-`, `last`, `last~2`, an id, the prefix of an id, or words of its title.
///
/// Ids are matched against the names of the files in `roots`, in any folder; subagents match with and without `agent-`.
/// Of several sessions with one id, the suffix selects one ([`sources::naming`]). Titles are read only if no id
/// matches. Of a session and its copies, the longest is chosen. A file with the name of one of these forms needs a
/// path: `./last`.
pub fn find_session(name: &str, roots: &[Root]) -> Result<Source, LookupError> {
    find_session_where(name, roots, &|_| true)
}

/// The same among accepted sessions. A path, or an id that matches only one session, is accepted in any case.
pub fn find_session_where(
    name: &str,
    roots: &[Root],
    is_wanted: &dyn Fn(&Source) -> bool,
) -> Result<Source, LookupError> {
    let path = &*path_text::decode(name);
    if name == "-" {
        return Ok(Source::stdin());
    }
    let steps = steps_back(name);
    let is_path = path.components().count() > 1 || path.extension().is_some_and(|end| end == "jsonl") || path.is_file();
    if is_path && steps.is_none() {
        return by_path(path, roots);
    }
    let mut found = find_in_roots(roots);
    if let Some(steps) = steps {
        let session = latest::latest(name, steps, &found, is_wanted);
        return match (session, found.problems.into_iter().next()) {
            (Err(LookupError::TooFew { .. }), Some(problem)) => Err(problem.into()),
            (session, _) => session,
        };
    }
    let is_whole_id = is_uuid(name) && found.sources.iter().any(|source| source.name() == Some(name));
    let (prompts, unread) = if is_whole_id { Default::default() } else { lone_prompts(&found, &Neighbours::default()) };
    found.problems.extend(unread);
    let sources = found.sources.into_iter().filter(|source| source.kind != SourceKind::History);
    let sessions: Vec<Source> = sources.chain(found.partial).chain(prompts).collect();
    let session = match by_id(name, &sessions, is_wanted) {
        Err(LookupError::Unknown { .. }) if !path.is_dir() => by_mark(name, &sessions)
            .or_else(|| by_captured_session(name, &sessions))
            .or_else(|| by_lone_agents(name, &sessions))
            .unwrap_or_else(|| by_title(name, sessions, is_wanted)),
        found => found,
    };
    match (session, found.problems.into_iter().next()) {
        // A session often has a folder of the same name beside it, so the session comes first.
        (Err(LookupError::Unknown { .. }), _) if path.is_dir() => by_path(path, roots),
        (Err(LookupError::Unknown { .. }), Some(problem)) => Err(problem.into()),
        (session, _) => session,
    }
}

fn by_path(path: &Path, roots: &[Root]) -> Result<Source, LookupError> {
    if path.is_dir() {
        return Err(LookupError::Folder { path: path.to_path_buf() });
    }
    let mut found = find_file(path, roots);
    let missing = || Problem::Missing { path: path.to_path_buf() };
    found.sources.pop().ok_or_else(|| found.problems.pop().unwrap_or_else(missing).into())
}

/// The number of steps back in `last`, `last~1`, `last~2`.
fn steps_back(name: &str) -> Option<usize> {
    match name.strip_prefix("last")? {
        "" => Some(0),
        rest => rest.strip_prefix('~')?.parse().ok(),
    }
}

/// Finds a session by the id in a capture whose own name differs. `None` if no capture matches.
fn by_captured_session(name: &str, sessions: &[Source]) -> Option<Result<Source, LookupError>> {
    let is_it = |source: &&Source| {
        let is_capture = source.input.path().is_some_and(captured::is_capture);
        is_capture && captured::session_of(source).is_some_and(|session| session.starts_with(name))
    };
    the_one(name, sessions.iter().filter(is_it).map(|source| (source.clone(), None)).collect())
}

/// Finds a session by the id that agents of versions 2.0 to 2.1.2 name, if nothing else is left of it. `None` if there
/// is none.
fn by_lone_agents(name: &str, sessions: &[Source]) -> Option<Result<Source, LookupError>> {
    if name.len() < 4 || !name.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-') {
        return None;
    }
    let neighbours = Neighbours::default();
    let is_agent = |source: &&Source| source.kind == SourceKind::Subagent;
    let mut partial: Vec<Source> =
        sessions.iter().filter(is_agent).filter_map(|agent| neighbours.partial_of(agent, |_| false)).collect();
    partial.retain(|session| session.name().is_some_and(|id| id.starts_with(name)));
    partial.sort_by(|one, other| one.input.cmp(&other.input));
    partial.dedup_by(|one, other| one.input == other.input);
    the_one(name, partial.into_iter().map(|session| (session, None)).collect())
}

/// The source to read for a requested file: the transcript, if the file is a capture of the same session.
fn transcript_of<'s>(source: &'s Source, sessions: &'s [Source]) -> &'s Source {
    let Twin::CaptureOf(main) = &source.twin else { return source };
    sessions.iter().find(|other| other.input.key().as_ref() == Some(main)).unwrap_or(source)
}

fn by_id(name: &str, sessions: &[Source], is_wanted: &dyn Fn(&Source) -> bool) -> Result<Source, LookupError> {
    let mut fitting: Vec<(bool, Source)> = Vec::new();
    for source in sessions {
        let Some(stem) = source.listed_name() else { continue };
        let id = stem.strip_prefix("agent-").or_else(|| stem.strip_prefix("local_")).unwrap_or(&stem);
        if stem.starts_with(name) || id.starts_with(name) {
            fitting.push((*stem == *name || id == name, transcript_of(source, sessions).clone()));
        }
    }
    if fitting.iter().any(|(exactly, _)| *exactly) {
        fitting.retain(|(exactly, _)| *exactly);
    }
    if fitting.len() > 1 && fitting.iter().any(|(_, source)| is_wanted(source)) {
        fitting.retain(|(_, source)| is_wanted(source));
    }
    let unknown = || LookupError::Unknown { name: name.to_owned(), among: sessions.len(), nearest: Vec::new() };
    the_one(name, fitting.into_iter().map(|(_, source)| (source, None)).collect()).unwrap_or_else(|| Err(unknown()))
}

/// Finds a session by an id with a suffix. `None` if there is no such session.
fn by_mark(name: &str, sessions: &[Source]) -> Option<Result<Source, LookupError>> {
    let (id, Some(mark)) = split_name(name) else { return None };
    let is_it = |source: &&Source| {
        let is_marked = source.input.key().is_some_and(|key| has_mark(&key, mark));
        is_marked && source.listed_name().is_some_and(|name| name.starts_with(id))
    };
    the_one(name, sessions.iter().filter(is_it).map(|source| (source.clone(), None)).collect())
}

/// The only session among those that match, with their titles if they were read; `None` if none matches.
fn the_one(name: &str, mut fitting: Vec<(Source, Option<String>)>) -> Option<Result<Source, LookupError>> {
    let sources: Vec<&Source> = fitting.iter().map(|(source, _)| source).collect();
    let at = match sources.len() {
        0 => return None,
        1 => Some(0),
        _ => copies::whole(&sources),
    };
    if let Some(at) = at {
        return Some(Ok(fitting.swap_remove(at).0));
    }
    let ids: Vec<Option<String>> =
        fitting.iter().map(|(source, _)| source.listed_name().map(Cow::into_owned)).collect();
    let candidate = |(source, title): (Source, _)| {
        let id = source.listed_name().filter(|id| ids.iter().flatten().filter(|other| *other == id).count() > 1);
        let name = id.and_then(|id| Some(name_apart(&id, &source.input.key()?)));
        Candidate { name, input: source.input, title }
    };
    let candidates = fitting.into_iter().map(candidate).collect();
    Some(Err(LookupError::Ambiguous { name: name.to_owned(), candidates }))
}

/// By words of the title, newest first.
fn by_title(name: &str, sessions: Vec<Source>, is_wanted: &dyn Fn(&Source) -> bool) -> Result<Source, LookupError> {
    /// As many as are readable at a glance.
    const NEAREST: usize = 3;
    let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
    let mut sessions: Vec<Source> = sessions
        .into_iter()
        .filter(|source| matches!(source.kind, SourceKind::Transcript | SourceKind::Prompts))
        .collect();
    sessions.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.input.cmp(&b.input)));
    let among = sessions.len();
    let mut fitting = Vec::new();
    let mut near = Vec::new();
    for source in sessions {
        let title = title_of(&source).map(|title| title.text.to_string());
        let shared = title.as_ref().map_or(0, |title| words_in(&words, title));
        let stem = source.stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let same_letters = stem.chars().zip(name.chars()).take_while(|(a, b)| a == b).count();
        if shared == words.len() && shared > 0 && is_wanted(&source) {
            fitting.push((source, title));
        } else if shared > 0 || same_letters > 1 {
            near.push((
                std::cmp::Reverse((shared, same_letters)),
                Candidate { input: source.input, name: None, title },
            ));
        }
    }
    the_one(name, fitting).unwrap_or_else(|| {
        near.sort_by_key(|(distance, _)| *distance);
        let nearest = near.into_iter().take(NEAREST).map(|(_, candidate)| candidate).collect();
        Err(LookupError::Unknown { name: name.to_owned(), among, nearest })
    })
}

#[cfg(test)]
mod tests;
