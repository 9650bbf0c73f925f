//! The folder of all conversations.
//!
//! ```text
//! config.json
//! conversations/{workspace}/{agent}/{conversation}.jsonl
//! ```

use std::cmp::Reverse;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::conversation::Conversation;
use crate::error::RecordError;
use crate::name::Name;
use crate::recorder::{Recorder, Run};

/// The version of the format that is written.
pub const VERSION: u64 = 1;

/// The value of `format` in `config.json`.
const FORMAT: &str = "recount-store";
const CONFIG: &str = "config.json";
const CONVERSATIONS: &str = "conversations";

/// A folder with conversations.
#[derive(Debug, Clone)]
pub struct Store {
    path: PathBuf,
}

/// Whether a folder is a store.
pub fn is_store(path: &Path) -> bool {
    path.join(CONVERSATIONS).is_dir() && read_config(path).is_ok_and(|config| config.is_some())
}

impl Store {
    /// The store in a folder, created if it does not exist.
    pub fn at(path: &Path) -> Result<Self, RecordError> {
        if read_config(path)?.is_none() {
            let conversations = path.join(CONVERSATIONS);
            private::make_folder(&conversations).map_err(RecordError::disk("create", &conversations))?;
            change_config(path, |_| true)?;
        }
        Ok(Self { path: path.to_path_buf() })
    }

    /// The store in an existing folder.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        match read_config(path)? {
            Some(_) => Ok(Self { path: path.to_path_buf() }),
            None => Err(RecordError::NotAStore { path: path.to_path_buf(), why: format!("it has no {CONFIG}") }),
        }
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Starts recording a run of a program, in a new conversation or in an existing one.
    pub fn record(&self, run: Run) -> Result<Recorder, RecordError> {
        if let Some(folder) = &run.workspace_path {
            self.note_workspace(&run.workspace, folder)?;
        }
        let folder = self.path.join(CONVERSATIONS).join(run.workspace.as_str()).join(run.agent.as_str());
        private::make_folder(&folder).map_err(RecordError::disk("create", &folder))?;
        Recorder::begin(&folder, run)
    }

    /// All conversations, sorted by name.
    pub fn conversations(&self) -> Result<Vec<Conversation>, RecordError> {
        let mut all = Vec::new();
        for workspace in folders(&self.path.join(CONVERSATIONS))? {
            for agent in folders(&workspace)? {
                for file in entries(&agent)? {
                    if file.extension().is_some_and(|end| end == "jsonl") && file.is_file() {
                        all.push(Conversation::at(&file));
                    }
                }
            }
        }
        Ok(all)
    }

    /// A conversation by its name or a prefix of it, or `workspace/agent/name` if several have the same name; `last` is
    /// the most recently recorded one, `last~1` the one before.
    pub fn conversation(&self, name: &str) -> Result<Conversation, RecordError> {
        let mut all = self.conversations()?;
        let among = all.len();
        let steps = name.strip_prefix("last").and_then(|rest| match rest.strip_prefix('~') {
            Some(steps) => steps.parse().ok(),
            None => rest.is_empty().then_some(0_usize),
        });
        let is_called = |one: &Conversation| one.name() == name || one.full_name() == name;
        let mut fitting: Vec<Conversation> = all.iter().filter(|one| is_called(one)).cloned().collect();
        if let (true, Some(steps)) = (fitting.is_empty(), steps) {
            all.sort_by_cached_key(|one| Reverse(fs::metadata(one.path()).and_then(|file| file.modified()).ok()));
            fitting.extend(all.get(steps).cloned());
        } else if fitting.is_empty() {
            fitting = all.into_iter().filter(|one| one.name().starts_with(name) && !name.is_empty()).collect();
        }
        match (fitting.pop(), fitting.is_empty()) {
            (Some(one), true) => Ok(one),
            (None, _) => Err(RecordError::Unknown { name: name.to_owned(), among }),
            (Some(one), false) => {
                fitting.push(one);
                let places = fitting.into_iter().map(|one| one.path().to_path_buf()).collect();
                Err(RecordError::Ambiguous { name: name.to_owned(), places })
            }
        }
    }

    /// Stores the folder of a workspace in `config.json`.
    fn note_workspace(&self, workspace: &Name, folder: &Path) -> Result<(), RecordError> {
        let path = Value::String(folder.to_string_lossy().into_owned());
        let is_known = |config: &Map<String, Value>| {
            config.get("workspaces").and_then(|all| all.get(workspace.as_str())?.get("path")) == Some(&path)
        };
        if read_config(&self.path)?.is_some_and(|config| is_known(&config)) {
            return Ok(());
        }
        change_config(&self.path, |config| {
            if is_known(config) {
                return false;
            }
            let all = config.entry("workspaces").or_insert_with(|| Value::Object(Map::new()));
            let Some(all) = all.as_object_mut() else { return false };
            let one = all.entry(workspace.as_str()).or_insert_with(|| Value::Object(Map::new()));
            one.as_object_mut().is_some_and(|one| one.insert("path".to_owned(), path.clone()) != Some(path.clone()))
        })
    }
}

/// The configuration of a store; `None` if there is none.
fn read_config(path: &Path) -> Result<Option<Map<String, Value>>, RecordError> {
    let file = path.join(CONFIG);
    let text = match fs::read(&file) {
        Ok(text) => text,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(RecordError::disk("read", &file)(error)),
    };
    let not = |why: String| RecordError::NotAStore { path: path.to_path_buf(), why };
    let config: Map<String, Value> =
        serde_json::from_slice(&text).map_err(|error| not(format!("{CONFIG} cannot be read: {error}")))?;
    if config.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return Err(not(format!("{CONFIG} belongs to another program")));
    }
    match config.get("version").and_then(Value::as_u64) {
        Some(version) if version <= VERSION => Ok(Some(config)),
        Some(version) => Err(RecordError::Newer { path: path.to_path_buf(), version, known: VERSION }),
        None => Err(not(format!("{CONFIG} has no version"))),
    }
}

/// Rewrites `config.json` atomically, if `change` returns true. Fields of other programs stay.
fn change_config(path: &Path, change: impl FnOnce(&mut Map<String, Value>) -> bool) -> Result<(), RecordError> {
    let (file, lock) = (path.join(CONFIG), path.join("config.lock"));
    let held = private::options().write(true).create(true).truncate(false).open(&lock);
    let held = held.and_then(|held| held.lock().map(|()| held)).map_err(RecordError::disk("lock", &lock))?;
    let mut config = read_config(path)?.unwrap_or_else(|| {
        let about = [("format", Value::from(FORMAT)), ("version", Value::from(VERSION))];
        about.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    });
    if change(&mut config) {
        write_whole(path, &file, &config).map_err(RecordError::disk("write", &file))?;
    }
    drop(held);
    Ok(())
}

fn write_whole(folder: &Path, file: &Path, config: &Map<String, Value>) -> io::Result<()> {
    let mut bytes = serde_json::to_vec_pretty(config)?;
    bytes.push(b'\n');
    private::replace(file, &bytes)?;
    sync_folder(folder)
}

fn folders(path: &Path) -> Result<Vec<PathBuf>, RecordError> {
    Ok(entries(path)?.into_iter().filter(|path| path.is_dir()).collect())
}

fn entries(path: &Path) -> Result<Vec<PathBuf>, RecordError> {
    let listed = fs::read_dir(path).and_then(|all| all.map(|entry| entry.map(|entry| entry.path())).collect());
    let mut all: Vec<PathBuf> = match listed {
        Ok(all) => all,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(RecordError::disk("list", path)(error)),
    };
    all.sort();
    Ok(all)
}

/// Waits until the names in a folder are on the disk.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(path)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}
