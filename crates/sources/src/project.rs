//! The project of a folder: its repository, including all worktrees.
//!
//! A repository is identified by its common git directory, which is read from files; git is not run. A deleted folder
//! belongs to the nearest parent folder with a known project.

mod short;

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Component, Path, PathBuf};

use archive::Origin;
pub use short::ShortNames;

/// A project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Its path: the main worktree of the repository, or a folder outside all repositories.
    pub path: String,
    /// The worktree that contains the folder, if it is not the main one.
    pub worktree: Option<String>,
}

/// The file system operations that the search needs.
pub trait Disk {
    /// Whether a folder exists.
    fn is_folder(&self, path: &Path) -> bool;
    /// Whether a file exists.
    fn is_file(&self, path: &Path) -> bool;
    /// Reads a small text file.
    fn read(&self, path: &Path) -> Option<String>;
    /// The path with all links resolved.
    fn real(&self, path: &Path) -> Option<PathBuf>;
}

/// The disk of this machine.
#[derive(Debug, Clone, Copy)]
pub struct Here;

/// The unknown disk of another machine.
#[derive(Debug, Clone, Copy)]
pub struct Elsewhere;

/// The projects of the folders in which sessions ran.
#[derive(Debug, Clone, Default)]
pub struct Projects(HashMap<String, Project>);

impl Projects {
    /// Finds the projects of folders. Each is looked up once.
    pub fn of<'f>(folders: impl IntoIterator<Item = &'f str>, disk: &dyn Disk) -> Self {
        // Parent folders come first.
        let folders: BTreeSet<(usize, &str)> = folders.into_iter().map(|it| (it.len(), it)).collect();
        let (mut projects, mut gone) = (HashMap::new(), Vec::new());
        // Known folders and their projects.
        let mut known: HashMap<String, String> = HashMap::new();
        for &(_, folder) in folders.iter().filter(|(length, _)| *length > 0) {
            match find(Path::new(folder), disk) {
                Some(project) => {
                    let places = [Some(folder), Some(&project.path), project.worktree.as_deref()];
                    known.extend(places.into_iter().flatten().map(|place| (place.to_owned(), project.path.clone())));
                    projects.insert(folder.to_owned(), project);
                }
                None => gone.push(folder),
            }
        }
        for folder in gone {
            let above = parents(folder).filter(|parent| !is_general(parent)).find_map(|parent| known.get(parent));
            let worktree = claude_worktree(folder);
            let alone = || worktree.map_or(folder, |(main, _)| main).to_owned();
            let path = above.map_or_else(alone, Clone::clone);
            known.insert(folder.to_owned(), path.clone());
            let worktree = worktree.map(|(_, worktree)| worktree.to_owned());
            projects.insert(folder.to_owned(), Project { path, worktree });
        }
        Self(projects)
    }

    /// The project of one of the folders.
    pub fn get(&self, folder: &str) -> Option<&Project> {
        self.0.get(folder)
    }
}

/// The projects of folders of several machines. Only the disk of this machine is accessible.
#[derive(Debug, Clone, Default)]
pub struct MachineProjects(HashMap<(Box<str>, Box<str>), Projects>);

impl MachineProjects {
    /// Finds the projects of folders, each with the origin of its session.
    pub fn of<'f>(folders: impl IntoIterator<Item = (&'f Origin, &'f str)>) -> Self {
        let mut machines: HashMap<(&str, &str), Vec<&str>> = HashMap::new();
        for (origin, folder) in folders {
            machines.entry((&origin.tenant, &origin.machine)).or_default().push(folder);
        }
        let projects = |(tenant, machine): (&str, &str), folders: Vec<&str>| {
            let disk: &dyn Disk = if tenant.is_empty() && machine.is_empty() { &Here } else { &Elsewhere };
            ((tenant.into(), machine.into()), Projects::of(folders, disk))
        };
        Self(machines.into_iter().map(|(machine, folders)| projects(machine, folders)).collect())
    }

    /// The project of one of the folders.
    pub fn get(&self, origin: &Origin, folder: &str) -> Option<&Project> {
        self.0.get(&(origin.tenant.clone(), origin.machine.clone()))?.get(folder)
    }
}

/// The project of a folder on this machine, without other known folders.
pub fn project_of(folder: &str) -> Project {
    let alone = || Project { path: folder.to_owned(), worktree: None };
    Projects::of([folder], &Here).0.remove(folder).unwrap_or_else(alone)
}

/// The repository of a folder, or the folder itself; `None` if it does not exist.
fn find(folder: &Path, disk: &dyn Disk) -> Option<Project> {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let found = folder.ancestors().filter(|it| it.is_absolute()).find_map(|it| Some((it, repository(it, disk)?)));
    let Some((worktree, main)) = found else {
        return disk.is_folder(folder).then(|| Project { path: text(folder), worktree: None });
    };
    let worktree = disk.real(worktree).unwrap_or_else(|| worktree.to_path_buf());
    let main = main.map_or_else(|| worktree.clone(), |main| disk.real(&main).unwrap_or(main));
    // A removed worktree is still recognizable by its path.
    let removed = || claude_worktree(folder.to_str()?).map(|(_, worktree)| worktree.to_owned());
    let worktree = if worktree == main { removed() } else { Some(text(&worktree)) };
    Some(Project { path: text(&main), worktree })
}

/// Recognizes a worktree of Claude Code by its path. Returns the folder of its repository and the worktree.
fn claude_worktree(folder: &str) -> Option<(&str, &str)> {
    ["/.claude/worktrees/", "\\.claude\\worktrees\\"].into_iter().find_map(|between| {
        let at = folder.find(between).filter(|at| *at > 0)?;
        let name = folder.get(at + between.len()..)?;
        let length = name.find(['/', '\\']).unwrap_or(name.len());
        let end = at + between.len() + length;
        Some((folder.get(..at)?, folder.get(..end)?)).filter(|_| length > 0)
    })
}

/// Whether a folder is the top of a worktree, and the path of the main worktree if that is another.
#[expect(clippy::option_option, reason = "there is a repository, and it may say where else it is")]
fn repository(folder: &Path, disk: &dyn Disk) -> Option<Option<PathBuf>> {
    let git = folder.join(".git");
    if disk.is_file(&git.join("HEAD")) {
        return Some(None);
    }
    // An added worktree has a file there, and so does a submodule, which is a repository of its own.
    let text = disk.read(&git)?;
    let own = plain(&folder.join(text.strip_prefix("gitdir:")?.trim()));
    let common = match disk.read(&own.join("commondir")) {
        Some(text) => plain(&own.join(text.trim())),
        // The repository was deleted or moved, and the worktree still records its former location.
        None if own.parent().is_some_and(|parent| parent.ends_with("worktrees")) => {
            own.parent()?.parent()?.to_path_buf()
        }
        None => return Some(None),
    };
    // A repository without a worktree (`git clone --bare`) is itself the named folder.
    let is_hidden = common.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    Some(if is_hidden { common.parent().map(Path::to_path_buf) } else { Some(common) })
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

/// The parents of a folder, nearest first. The path may be of any system.
fn parents(folder: &str) -> impl Iterator<Item = &str> {
    fn above(path: &str) -> Option<&str> {
        path.get(..path.rfind(['/', '\\'])?).filter(|path| !path.is_empty())
    }
    std::iter::successors(above(folder), |path| above(path))
}

/// Whether a folder is too general for a project even if a session ran there: home folders and top-level folders.
fn is_general(folder: &str) -> bool {
    let mut parts = folder.split(['/', '\\']).filter(|part| !part.is_empty() && !part.ends_with(':'));
    matches!((parts.next(), parts.next(), parts.next()), (_, None, _) | (Some("home" | "Users"), Some(_), None))
}

impl Disk for Here {
    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn read(&self, path: &Path) -> Option<String> {
        /// Such files contain a path.
        const LONGEST: u64 = 64 << 10;
        let metadata = fs::metadata(path).ok()?;
        (metadata.is_file() && metadata.len() <= LONGEST).then(|| fs::read_to_string(path).ok())?
    }

    fn real(&self, path: &Path) -> Option<PathBuf> {
        fs::canonicalize(path).ok()
    }
}

impl Disk for Elsewhere {
    fn is_folder(&self, _: &Path) -> bool {
        false
    }

    fn is_file(&self, _: &Path) -> bool {
        false
    }

    fn read(&self, _: &Path) -> Option<String> {
        None
    }

    fn real(&self, _: &Path) -> Option<PathBuf> {
        None
    }
}

#[cfg(test)]
mod tests;
