//! Which project a folder belongs to: its repository, with all worktrees of that.
//!
//! A repository is known by its common git directory, which is read, not asked for: no git is run. A folder that is
//! gone belongs to the nearest folder above it that is known as a project, or of one.

mod short;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Component, Path, PathBuf};

use archive::Origin;
pub use short::ShortNames;

/// A project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Where it is: the main worktree of the repository, or a folder that is in none.
    pub path: String,
    /// The worktree that the folder is in, if that is not the main one.
    pub worktree: Option<String>,
}

/// What is asked of the disk.
pub trait Disk {
    /// Whether there is a folder.
    fn is_folder(&self, path: &Path) -> bool;
    /// Whether there is a file.
    fn is_file(&self, path: &Path) -> bool;
    /// A small text file.
    fn read(&self, path: &Path) -> Option<String>;
    /// The same place without links on the way.
    fn real(&self, path: &Path) -> Option<PathBuf>;
}

/// The disk of this machine.
#[derive(Debug, Clone, Copy)]
pub struct Here;

/// A disk that nothing is known of: that of another machine.
#[derive(Debug, Clone, Copy)]
pub struct Elsewhere;

/// The projects of folders that sessions ran in.
#[derive(Debug, Clone, Default)]
pub struct Projects(HashMap<String, Project>);

impl Projects {
    /// Finds the projects of folders. Each is looked up once.
    pub fn of<'f>(folders: impl IntoIterator<Item = &'f str>, disk: &dyn Disk) -> Self {
        // Those above others come first.
        let folders: BTreeMap<(usize, &str), ()> = folders.into_iter().map(|it| ((it.len(), it), ())).collect();
        let (mut projects, mut gone) = (HashMap::new(), Vec::new());
        // Folders that are known, and the projects that they belong to.
        let mut known: HashMap<String, String> = HashMap::new();
        for &(_, folder) in folders.keys().filter(|(length, _)| *length > 0) {
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

/// The projects of folders of several machines. Only the disk of this one can be looked at.
#[derive(Debug, Clone, Default)]
pub struct MachineProjects(HashMap<(Box<str>, Box<str>), Projects>);

impl MachineProjects {
    /// Finds the projects of folders, each with where its session comes from.
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

/// The project of a folder on this machine, of which no others are known.
pub fn project_of(folder: &str) -> Project {
    let alone = || Project { path: folder.to_owned(), worktree: None };
    Projects::of([folder], &Here).0.remove(folder).unwrap_or_else(alone)
}

/// The repository that a folder is in, or the folder itself; `None` if it is gone.
fn find(folder: &Path, disk: &dyn Disk) -> Option<Project> {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let found = folder.ancestors().filter(|it| it.is_absolute()).find_map(|it| Some((it, repository(it, disk)?)));
    let Some((worktree, main)) = found else {
        return disk.is_folder(folder).then(|| Project { path: text(folder), worktree: None });
    };
    let worktree = disk.real(worktree).unwrap_or_else(|| worktree.to_path_buf());
    let main = main.map_or_else(|| worktree.clone(), |main| disk.real(&main).unwrap_or(main));
    // One that was removed is still known by its place.
    let removed = || claude_worktree(folder.to_str()?).map(|(_, worktree)| worktree.to_owned());
    let worktree = if worktree == main { removed() } else { Some(text(&worktree)) };
    Some(Project { path: text(&main), worktree })
}

/// A worktree that Claude Code made, and the folder of the repository that it is in: its place says so.
fn claude_worktree(folder: &str) -> Option<(&str, &str)> {
    ["/.claude/worktrees/", "\\.claude\\worktrees\\"].into_iter().find_map(|between| {
        let at = folder.find(between).filter(|at| *at > 0)?;
        let name = folder.get(at + between.len()..)?;
        let length = name.find(['/', '\\']).unwrap_or(name.len());
        let end = at + between.len() + length;
        Some((folder.get(..at)?, folder.get(..end)?)).filter(|_| length > 0)
    })
}

/// Whether a folder is the top of a worktree; and where the main one is, if that is another.
#[expect(clippy::option_option, reason = "there is a repository, and it may say where else it is")]
fn repository(folder: &Path, disk: &dyn Disk) -> Option<Option<PathBuf>> {
    let git = folder.join(".git");
    if disk.is_file(&git.join("HEAD")) {
        return Some(None);
    }
    // A worktree that was added has a file there; so has a submodule, which is a repository of its own.
    let text = disk.read(&git)?;
    let own = plain(&folder.join(text.strip_prefix("gitdir:")?.trim()));
    let common = match disk.read(&own.join("commondir")) {
        Some(text) => plain(&own.join(text.trim())),
        // The repository is gone or was moved, and the worktree still says where it was.
        None if own.parent().is_some_and(|parent| parent.ends_with("worktrees")) => {
            own.parent()?.parent()?.to_path_buf()
        }
        None => return Some(None),
    };
    // Without a worktree of its own (`git clone --bare`), it is the folder that has the name.
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

/// The folders above one, the nearest first. It may be of any system.
fn parents(folder: &str) -> impl Iterator<Item = &str> {
    fn above(path: &str) -> Option<&str> {
        path.get(..path.rfind(['/', '\\'])?).filter(|path| !path.is_empty())
    }
    std::iter::successors(above(folder), |path| above(path))
}

/// Whether a folder has too much in it to be a project because somebody ran a session there: homes, and what is at the
/// top of the disk.
fn is_general(folder: &str) -> bool {
    let mut parts = folder.split(['/', '\\']).filter(|part| !part.is_empty() && !part.ends_with(':'));
    match (parts.next(), parts.next(), parts.next()) {
        (_, None, _) => true,
        (Some("home" | "Users"), Some(_), None) => true,
        _ => false,
    }
}

impl Disk for Here {
    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn read(&self, path: &Path) -> Option<String> {
        /// Such files hold a path.
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
