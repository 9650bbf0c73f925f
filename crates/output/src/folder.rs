//! A folder that recount fills.

use std::fs::File;
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::TEMPORARY;
use crate::handle::Handle;

/// A folder with a name that the user chose, which may lead through links. Names of files are below it, and none of
/// their parts may be a link.
///
/// Each part is opened relative to the folder before it, so nothing can be put between a check and its use. On systems
/// without such calls (Windows) each part is checked before it is used. A name that leads through a link or out of the
/// folder gives an error of the kind [`InvalidInput`](io::ErrorKind::InvalidInput).
#[derive(Debug, Clone)]
pub struct Folder {
    path: Arc<Path>,
    handle: Arc<Handle>,
}

impl Folder {
    /// Opens the folder, and creates it if it is missing.
    pub fn create(path: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(path)?;
        Ok(Self { path: path.into(), handle: Arc::new(Handle::top(path)?) })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The content of a file; `None` if there is none.
    pub fn read(&self, name: &Path) -> io::Result<Option<Vec<u8>>> {
        let found = self.parent(name, Missing::Fails).and_then(|(parent, name)| parent.get().open(name));
        let mut file = match found {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut content = Vec::new();
        file.read_to_end(&mut content)?;
        Ok(Some(content))
    }

    /// Whether there is a file, which is no link.
    pub fn has_file(&self, name: &Path) -> bool {
        self.parent(name, Missing::Fails).and_then(|(parent, name)| parent.get().open(name)).is_ok()
    }

    /// Whether the name is taken, be it by a link. An error if a part before it is one.
    pub fn is_taken(&self, name: &Path) -> io::Result<bool> {
        let parent = match self.parent(name, Missing::Fails) {
            Ok(parent) => parent,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        parent.0.get().is_taken(parent.1)
    }

    /// Begins a file, and creates the folders that it is in.
    pub fn begin(&self, name: &Path) -> io::Result<Unfinished> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let (parent, _) = self.parent(name, Missing::IsCreated)?;
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let beside = name.with_file_name(format!("{TEMPORARY}{}-{number}", std::process::id()));
            match parent.get().create_new(beside.file_name().unwrap_or_default()) {
                Ok(file) => {
                    let whole = Whole { folder: self.clone(), beside: Some(beside), name: name.to_path_buf() };
                    return Ok(Unfinished { file: BufWriter::with_capacity(1 << 16, file), whole });
                }
                // Left by a process that was killed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Removes a file, and the folder that it is in if that is empty now. One that is missing is no error.
    pub fn remove(&self, name: &Path) -> io::Result<()> {
        match self.remove_file(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            removed => removed?,
        }
        if let Some(folder) = name.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            let (parent, name) = self.parent(folder, Missing::Fails)?;
            // Fails if other files are in it, as it should.
            let _ = parent.get().remove_folder(name);
        }
        Ok(())
    }

    fn remove_file(&self, name: &Path) -> io::Result<()> {
        let (parent, name) = self.parent(name, Missing::Fails)?;
        parent.get().remove(name)
    }

    /// The folder that a file is in, and the file's name there.
    fn parent<'n>(&self, name: &'n Path, missing: Missing) -> io::Result<(Parent, &'n std::ffi::OsStr)> {
        let outside = || io::Error::new(io::ErrorKind::InvalidInput, "the name leads out of the folder");
        let mut parts = name.components();
        let Some(Component::Normal(last)) = parts.next_back() else { return Err(outside()) };
        let mut parent = Parent::Top(Arc::clone(&self.handle));
        let mut path = self.path.to_path_buf();
        for part in parts {
            let Component::Normal(part) = part else { return Err(outside()) };
            path.push(part);
            let inner = parent.get().enter(part, missing == Missing::IsCreated).map_err(|error| {
                if error.kind() == io::ErrorKind::NotFound {
                    return error;
                }
                io::Error::new(error.kind(), format!("{}: {error}", path.display()))
            })?;
            parent = Parent::Below(inner);
        }
        Ok((parent, last))
    }
}

/// What happens to folders that are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Missing {
    IsCreated,
    Fails,
}

#[derive(Debug)]
enum Parent {
    Top(Arc<Handle>),
    Below(Handle),
}

impl Parent {
    fn get(&self) -> &Handle {
        match self {
            Self::Top(handle) => handle,
            Self::Below(handle) => handle,
        }
    }
}

/// A file that is being written under a temporary name.
#[derive(Debug)]
pub struct Unfinished {
    file: BufWriter<File>,
    whole: Whole,
}

impl Unfinished {
    /// The file, for its metadata.
    pub fn file(&self) -> &File {
        self.file.get_ref()
    }

    /// Completes and closes it, still under its temporary name.
    pub fn finish(self) -> io::Result<Whole> {
        self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(self.whole)
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A complete file under a temporary name. It is removed if it is never put in place.
#[derive(Debug)]
pub struct Whole {
    folder: Folder,
    /// `None` when it is in place.
    beside: Option<PathBuf>,
    name: PathBuf,
}

impl Whole {
    /// Gives it its name. Whatever had it is replaced: a link, not what it leads to.
    pub fn place(mut self) -> io::Result<()> {
        let (parent, name) = self.folder.parent(&self.name, Missing::Fails)?;
        if let Some(beside) = self.beside.as_deref().and_then(Path::file_name) {
            parent.get().rename(beside, name)?;
        }
        self.beside = None;
        Ok(())
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            // An error that led here is already on its way to the user.
            let _ = self.folder.remove_file(beside);
        }
    }
}
