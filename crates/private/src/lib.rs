//! Folders and files that only their owner can read.
//!
//! Everything that recount keeps for itself may contain words of a session: the index, the archive, captures, events of
//! hooks, temporary pages. Whatever the umask, such a folder has the mode 0700 and such a file 0600. Those that earlier
//! versions created with wider permissions are narrowed when they are opened.
//!
//! Files that the user names (`-o`, `export DIR`) follow the umask and do not come here.
//!
//! On Windows these functions create plain folders and files: the user's `%LOCALAPPDATA%` is closed to other users by
//! the permissions that it hands down.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Creates a folder and its parents. One that exists stays as it is: it may be a folder that the user named.
pub fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, FOLDER);
    builder.create(path)
}

/// Options that create files which only their owner can read.
pub fn options() -> OpenOptions {
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, FILE);
    options
}

/// Writes a file as a whole: a reader finds the old content or the new, and a full disk leaves the old.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let written = options().write(true).create(true).truncate(true).open(&beside).and_then(|mut file| {
        file.write_all(content)?;
        file.sync_all()
    });
    let replaced = written.and_then(|()| std::fs::rename(&beside, path));
    if replaced.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    replaced
}

/// Takes the permissions of group and others from a file or folder, if it has any. Returns whether it had.
pub fn close(path: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mut permissions = path.metadata()?.permissions();
        if permissions.mode() & OTHERS == 0 {
            return Ok(false);
        }
        permissions.set_mode(permissions.mode() & !OTHERS);
        std::fs::set_permissions(path, permissions)?;
        Ok(true)
    }
    #[cfg(not(unix))]
    path.metadata().map(|_| false)
}

/// Whether other users can read or change a file, or list a folder.
pub fn is_exposed(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & OTHERS != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// The files below a folder that other users can read, and the folder itself. Empty if the folder is closed, because
/// then no other user can reach what is in it.
pub fn exposed(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if !is_exposed(folder) {
        return found;
    }
    found.push(folder.to_path_buf());
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = folder.read_dir().into_iter().flatten().flatten();
        for entry in entries {
            // The kind of the entry itself: links are not followed.
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if kind.is_symlink() || !is_exposed(&path) {
                continue;
            }
            if kind.is_dir() {
                folders.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[cfg(unix)]
const FOLDER: u32 = 0o700;
#[cfg(unix)]
const FILE: u32 = 0o600;
/// All permissions of group and others.
#[cfg(unix)]
const OTHERS: u32 = 0o077;

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::io::Write as _;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn set(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn new_folders_and_files_are_the_owners_alone() {
        let base = tempfile::tempdir().unwrap();
        let folder = base.path().join("a/b");
        make_folder(&folder).unwrap();
        assert_eq!((mode(&base.path().join("a")), mode(&folder)), (0o700, 0o700));
        let path = folder.join("file");
        options().write(true).create_new(true).open(&path).unwrap().write_all(b"words").unwrap();
        assert_eq!(mode(&path), 0o600);
        set(&path, 0o644);
        replace(&path, b"others").unwrap();
        assert_eq!((mode(&path), fs::read_to_string(&path).unwrap().as_str()), (0o600, "others"));
        assert_eq!(folder.read_dir().unwrap().count(), 1, "nothing is left beside it");
        assert!(replace(&folder.join("missing/file"), b"").is_err());
    }

    #[test]
    fn existing_ones_are_narrowed() {
        let base = tempfile::tempdir().unwrap();
        let (folder, path) = (base.path().join("a"), base.path().join("a/file"));
        fs::create_dir(&folder).unwrap();
        fs::write(&path, "words").unwrap();
        set(&folder, 0o755);
        set(&path, 0o644);
        assert_eq!(exposed(&folder), [folder.clone(), path.clone()]);
        assert!(close(&path).unwrap());
        assert_eq!(mode(&path), 0o600);
        assert!(!close(&path).unwrap(), "nothing is left to do");
        make_folder(&folder).unwrap();
        assert_eq!(mode(&folder), 0o755, "an existing folder may be the user's");
        assert!(close(&folder).unwrap());
        assert_eq!(mode(&folder), 0o700);
        assert!(exposed(&folder).is_empty());
    }

    #[test]
    fn nothing_below_a_closed_folder_is_exposed() {
        let base = tempfile::tempdir().unwrap();
        let folder = base.path().join("a");
        make_folder(&folder).unwrap();
        fs::write(folder.join("file"), "words").unwrap();
        set(&folder.join("file"), 0o644);
        assert!(exposed(&folder).is_empty());
        assert!(exposed(&base.path().join("missing")).is_empty());
    }
}
