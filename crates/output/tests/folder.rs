//! Names below a folder never lead out of it.

#![allow(clippy::unwrap_used, reason = "these are tests")]

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use output::Folder;

fn put(folder: &Folder, name: &str, words: &str) -> io::Result<()> {
    let mut file = folder.begin(Path::new(name))?;
    file.write_all(words.as_bytes())?;
    file.finish()?.place()
}

#[test]
fn files_are_written_read_and_removed() {
    let base = tempfile::tempdir().unwrap();
    let folder = Folder::create(&base.path().join("a/b")).unwrap();
    for words in ["old", "new"] {
        put(&folder, "deep/er/page", words).unwrap();
        assert_eq!(folder.read(Path::new("deep/er/page")).unwrap().unwrap(), words.as_bytes());
    }
    put(&folder, "deep/other", "words").unwrap();
    assert!(folder.has_file(Path::new("deep/er/page")) && !folder.has_file(Path::new("deep")));
    assert!(folder.is_taken(Path::new("deep")).unwrap() && !folder.is_taken(Path::new("no/where")).unwrap());
    assert_eq!(folder.read(Path::new("no/where")).unwrap(), None);
    // Only empty folders go with their last file.
    for name in ["deep/er/page", "deep/er/page", "no/where"] {
        folder.remove(Path::new(name)).unwrap();
    }
    assert_eq!(fs::read_dir(folder.path().join("deep")).unwrap().count(), 1);
}

#[test]
fn what_is_not_finished_is_not_there() {
    let base = tempfile::tempdir().unwrap();
    let folder = Folder::create(base.path()).unwrap();
    put(&folder, "page", "old").unwrap();
    let mut file = folder.begin(Path::new("page")).unwrap();
    file.write_all(b"new").unwrap();
    drop(file.finish().unwrap());
    drop(folder.begin(Path::new("page")).unwrap());
    assert_eq!(fs::read_dir(base.path()).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(base.path().join("page")).unwrap(), "old");
}

#[test]
fn names_that_lead_out_are_refused() {
    let base = tempfile::tempdir().unwrap();
    let folder = Folder::create(&base.path().join("a")).unwrap();
    for name in ["../page", "a/../../page", "/page", "", ".", "..", "a/.."] {
        let refused = put(&folder, name, "words").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::InvalidInput, "{name}");
        assert!(folder.remove(Path::new(name)).is_err() && folder.read(Path::new(name)).is_err(), "{name}");
    }
    assert_eq!(fs::read_dir(base.path()).unwrap().count(), 1);
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A folder `in`, and a file `page` in the folder `out` beside it.
    fn place() -> (tempfile::TempDir, Folder) {
        let base = tempfile::tempdir().unwrap();
        fs::create_dir(base.path().join("out")).unwrap();
        fs::write(base.path().join("out/page"), "theirs").unwrap();
        let folder = Folder::create(&base.path().join("in")).unwrap();
        (base, folder)
    }

    fn is_untouched(base: &Path) -> bool {
        let names = fs::read_dir(base.join("out")).unwrap().count();
        names == 1 && fs::read_to_string(base.join("out/page")).unwrap() == "theirs"
    }

    #[test]
    fn no_part_of_a_name_is_followed() {
        let (base, folder) = place();
        fs::create_dir(base.path().join("in/deep")).unwrap();
        symlink("../out", base.path().join("in/link")).unwrap();
        symlink(base.path(), base.path().join("in/deep/link")).unwrap();
        symlink("../out/page", base.path().join("in/page")).unwrap();
        for name in ["link/page", "link/new", "deep/link/out/page", "deep/link/new/page"] {
            let name = Path::new(name);
            let refused = put(&folder, name.to_str().unwrap(), "words").unwrap_err();
            assert!(refused.to_string().contains("link: it is a link"), "{refused}");
            assert!(folder.read(name).is_err() && folder.is_taken(name).is_err() && !folder.has_file(name));
            assert_eq!(folder.remove(name).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        }
        assert!(folder.read(Path::new("page")).is_err() && !folder.has_file(Path::new("page")));
        assert!(folder.is_taken(Path::new("page")).unwrap());
        // The link itself is replaced or removed.
        put(&folder, "page", "ours").unwrap();
        assert_eq!(fs::read_to_string(base.path().join("in/page")).unwrap(), "ours");
        folder.remove(Path::new("link")).unwrap();
        assert!(is_untouched(base.path()));
    }

    /// A folder that turns into a link and back while files in it are written and removed.
    #[test]
    fn a_folder_that_changes_meanwhile_leads_nowhere() {
        let (base, folder) = place();
        let ours = base.path().join("in/deep");
        std::thread::scope(|scope| {
            let swapping = scope.spawn(|| {
                for _ in 0..2000 {
                    // Each fails when the other thread was first and created the folder.
                    let _ = fs::remove_dir_all(&ours);
                    let _ = symlink("../out", &ours);
                    let _ = fs::remove_file(&ours);
                    let _ = fs::create_dir(&ours);
                }
            });
            while !swapping.is_finished() {
                let _ = put(&folder, "deep/page", "ours");
                let _ = folder.remove(Path::new("deep/page"));
            }
        });
        assert!(is_untouched(base.path()));
    }

    #[test]
    fn a_pipe_is_no_file() {
        let (base, folder) = place();
        let made = std::process::Command::new("mkfifo").arg(base.path().join("in/pipe")).status();
        if made.is_ok_and(|status| status.success()) {
            assert!(folder.read(Path::new("pipe")).is_err() && !folder.has_file(Path::new("pipe")));
        }
    }

    #[test]
    fn the_folder_itself_may_be_a_link() {
        let (base, _) = place();
        symlink("out", base.path().join("linked")).unwrap();
        let folder = Folder::create(&base.path().join("linked")).unwrap();
        put(&folder, "page", "ours").unwrap();
        assert_eq!(fs::read_to_string(base.path().join("out/page")).unwrap(), "ours");
    }
}
