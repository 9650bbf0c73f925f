//! A file that is written beside its place and put there as a whole.

use std::fs::{File, Metadata, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::TEMPORARY;

/// A file that appears at its place when it is [finished](NewFile::finish), and not at all if it is dropped before.
///
/// It keeps the permissions and the owner of the file that it replaces; those of a new one follow the umask. A link is
/// followed, and its target replaced. Devices and pipes (`/dev/stdout`, too) are written directly, and so are files
/// that cannot be replaced: in a folder where no file may be created, or mounted by themselves.
///
/// Errors name the file.
#[derive(Debug)]
pub struct NewFile {
    out: BufWriter<Target>,
    /// As it was named.
    path: PathBuf,
}

#[derive(Debug)]
enum Target {
    /// A temporary file beside the place, and the place.
    Beside(NamedTempFile, PathBuf),
    /// The same, if nothing is at the place yet.
    New(NamedTempFile, PathBuf),
    /// The file itself.
    Itself(File),
}

/// Writes a file as a whole.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(content)?;
    file.finish()
}

impl NewFile {
    /// Begins a file.
    pub fn create(path: &Path) -> io::Result<Self> {
        let target = Target::at(path).map_err(naming(path))?;
        Ok(Self { out: BufWriter::new(target), path: path.to_path_buf() })
    }

    /// Begins a file that must not replace another one, even if that appears only before this one is finished.
    pub fn create_new(path: &Path) -> io::Result<Self> {
        let file = temporary().tempfile_in(folder_of(path)).map_err(naming(path))?;
        let target = Target::New(file, path.to_path_buf());
        Ok(Self { out: BufWriter::new(target), path: path.to_path_buf() })
    }

    /// Opens a file that is to grow where it is, for readers that follow it.
    pub fn create_in_place(path: &Path) -> io::Result<Self> {
        let file = File::create(path).map_err(naming(path))?;
        Ok(Self { out: BufWriter::new(Target::Itself(file)), path: path.to_path_buf() })
    }

    /// Puts the file in place; its content is on the disk.
    pub fn finish(self) -> io::Result<()> {
        let Self { out, path } = self;
        let target = out.into_inner().map_err(io::IntoInnerError::into_error);
        target.and_then(Target::finish).map_err(naming(&path))
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).map_err(naming(&self.path))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().map_err(naming(&self.path))
    }
}

impl Target {
    fn at(path: &Path) -> io::Result<Self> {
        let itself = || File::create(path).map(Self::Itself);
        let Some(place) = place_of(path)? else { return itself() };
        let before = match File::options().write(true).open(&place) {
            // A file that may not be written is not replaced either.
            Ok(file) => Some(file.metadata()?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let file = match temporary().tempfile_in(folder_of(&place)) {
            Ok(file) => file,
            Err(error) if before.is_some() && error.kind() == io::ErrorKind::PermissionDenied => return itself(),
            Err(error) => return Err(error),
        };
        if let Some(before) = before
            && !take_over(file.as_file(), &before)?
        {
            return itself();
        }
        Ok(Self::Beside(file, place))
    }

    fn finish(self) -> io::Result<()> {
        let (file, place) = match self {
            Self::Itself(mut file) => return file.flush(),
            Self::New(file, place) => {
                file.as_file().sync_all()?;
                file.persist_noclobber(&place).map_err(|failed| failed.error)?;
                return sync_folder(folder_of(&place));
            }
            Self::Beside(file, place) => (file, place),
        };
        file.as_file().sync_all()?;
        match file.persist(&place) {
            Ok(_) => sync_folder(folder_of(&place)),
            // A file that is mounted by itself, as into a container.
            Err(failed) if failed.error.kind() == io::ErrorKind::ResourceBusy => {
                std::fs::copy(failed.file.path(), &place).map(drop)
            }
            Err(failed) => Err(failed.error),
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Beside(file, _) | Self::New(file, _) => file.write(bytes),
            Self::Itself(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Beside(file, _) | Self::New(file, _) => file.flush(),
            Self::Itself(file) => file.flush(),
        }
    }
}

/// The place of the file that a path leads to; `None` if it cannot be replaced by another one.
fn place_of(path: &Path) -> io::Result<Option<PathBuf>> {
    /// As many as Linux follows.
    const LINKS: usize = 40;
    let mut place = path.to_path_buf();
    for _ in 0..LINKS {
        // What these names lead to is not what replaced it would be.
        if cfg!(unix) && ["/dev", "/proc"].iter().any(|folder| place.starts_with(folder)) {
            return Ok(None);
        }
        match place.symlink_metadata() {
            Ok(metadata) if metadata.is_symlink() => place = folder_of(&place).join(place.read_link()?),
            Ok(metadata) => return Ok(metadata.is_file().then_some(place)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Some(place)),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many links"))
}

fn folder_of(place: &Path) -> &Path {
    place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A temporary file. Its permissions are those of any new file.
fn temporary() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY);
    #[cfg(unix)]
    builder.permissions(<Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
    builder
}

/// Gives a new file the owner and the permissions of the one before. Returns whether it could.
fn take_over(file: &File, before: &Metadata) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let now = file.metadata()?;
        let (owner, group) = (before.uid(), before.gid());
        if (now.uid(), now.gid()) != (owner, group) && fchown(file, Some(owner), Some(group)).is_err() {
            return Ok(false);
        }
    }
    let permissions: Permissions = before.permissions();
    file.set_permissions(permissions)?;
    Ok(true)
}

/// Waits until the names in a folder are on the disk. A folder that cannot be opened for it is no failure: the file is
/// there.
fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder) {
        return folder.sync_all();
    }
    let _ = folder;
    Ok(())
}

/// Adds the file to an error.
fn naming(path: &Path) -> impl FnOnce(io::Error) -> io::Error {
    let shown = path.display();
    move |error| io::Error::new(error.kind(), format!("cannot write {shown}: {error}"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_old_file_stays_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        fs::write(&path, "old").unwrap();
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(&vec![b'x'; 1 << 20]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        drop(file);
        assert_eq!(
            (fs::read_to_string(&path).unwrap().as_str(), names(folder.path())),
            ("old", vec!["page.html".into()])
        );
        write(&path, b"new").unwrap();
        assert_eq!(
            (fs::read_to_string(&path).unwrap().as_str(), names(folder.path())),
            ("new", vec!["page.html".into()])
        );
    }

    #[test]
    fn a_new_file_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        let [mut first, mut second] = [(); 2].map(|()| NewFile::create_new(&path).unwrap());
        first.write_all(b"first").unwrap();
        second.write_all(b"second").unwrap();
        first.finish().unwrap();
        assert_eq!(second.finish().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("first", 1));
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().join("missing/page.html"), folder.path().to_path_buf()] {
            let error = write(&path, b"").unwrap_err().to_string();
            assert!(error.starts_with(&format!("cannot write {}: ", path.display())), "{error}");
        }
    }

    #[cfg(unix)]
    mod unix {
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        use super::*;

        fn mode(path: &Path) -> u32 {
            fs::metadata(path).unwrap().permissions().mode() & 0o777
        }

        #[test]
        fn permissions_stay_and_new_ones_are_those_of_any_file() {
            let folder = tempfile::tempdir().unwrap();
            let [old, new, plain] = ["old", "new", "plain"].map(|name| folder.path().join(name));
            fs::write(&plain, "").unwrap();
            fs::write(&old, "old").unwrap();
            fs::set_permissions(&old, Permissions::from_mode(0o640)).unwrap();
            write(&old, b"words").unwrap();
            write(&new, b"words").unwrap();
            assert_eq!((mode(&old), mode(&new)), (0o640, mode(&plain)));
        }

        #[test]
        fn links_stay_and_their_targets_are_replaced() {
            let folder = tempfile::tempdir().unwrap();
            let target = folder.path().join("real/target");
            fs::create_dir(folder.path().join("real")).unwrap();
            symlink("real/target", folder.path().join("one")).unwrap();
            symlink("one", folder.path().join("two")).unwrap();
            for words in ["first", "second"] {
                write(&folder.path().join("two"), words.as_bytes()).unwrap();
                assert_eq!(fs::read_to_string(&target).unwrap(), words);
            }
            assert!(folder.path().join("two").symlink_metadata().unwrap().is_symlink());
            symlink("circle", folder.path().join("circle")).unwrap();
            assert!(write(&folder.path().join("circle"), b"").is_err());
        }

        #[test]
        fn devices_and_pipes_are_written_directly() {
            write(Path::new("/dev/null"), b"words").unwrap();
            let (mut reader, writer) = io::pipe().unwrap();
            let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&writer));
            if Path::new(&path).exists() {
                write(Path::new(&path), b"words").unwrap();
                drop(writer);
                let mut words = String::new();
                io::Read::read_to_string(&mut reader, &mut words).unwrap();
                assert_eq!(words, "words");
            }
        }
    }
}
