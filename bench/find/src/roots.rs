//! The indexed roots, written once and reused.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use measure::generated_root;
use testkit::Words;
use testkit::root::RootOptions;

/// A root, and the goal for searches in it.
pub(crate) struct Size {
    name: &'static str,
    megabytes: u64,
    /// The goal for nearly all searches, latest first, in milliseconds.
    pub(crate) latency: f64,
}

pub(crate) const SIZES: [Size; 3] = [
    Size { name: "words-100MB", megabytes: 100, latency: 5.0 },
    Size { name: "words-1GB", megabytes: 1000, latency: 5.0 },
    Size { name: "words-5GB", megabytes: 5000, latency: 20.0 },
];

/// A home with a root in it.
pub(crate) struct Home {
    pub(crate) path: PathBuf,
    /// The number of transcripts, and their size.
    pub(crate) files: u32,
    pub(crate) megabytes: f64,
    /// Including the files beside them.
    pub(crate) all_megabytes: f64,
    /// A session of usual size, to add to.
    pub(crate) session: PathBuf,
}

impl Home {
    pub(crate) fn of(size: &Size) -> Result<Self> {
        let options = RootOptions {
            bytes: size.megabytes * 1_000_000,
            seed: 17,
            largest_session: 32_000_000,
            projects: 40,
            words: Words::Natural,
            ..RootOptions::default()
        };
        let (path, _) = generated_root(size.name, ".claude", &options)?;
        let projects = path.join(".claude/projects");
        let (mut bytes, mut count, mut sessions) = (0, 0, Vec::new());
        crate::files(&projects, &mut |file| {
            let size = fs::metadata(file)?.len();
            if file.extension().is_some_and(|ending| ending == "jsonl") {
                count += 1;
                bytes += size;
                if file.parent().and_then(Path::parent) == Some(&projects) {
                    sessions.push((size, file.to_path_buf()));
                }
            }
            Ok(())
        })?;
        sessions.sort();
        let session = sessions.get(sessions.len() * 3 / 4).context("no session was written")?.1.clone();
        let all_megabytes = megabytes(&path.join(".claude"))?;
        Ok(Self { path, files: count, megabytes: crate::mega(bytes), all_megabytes, session })
    }

    pub(crate) fn files_as_number(&self) -> f64 {
        f64::from(self.files)
    }
}

/// The size of all files below a folder.
pub(crate) fn megabytes(folder: &Path) -> Result<f64> {
    let mut bytes = 0;
    crate::files(folder, &mut |file| {
        bytes += fs::metadata(file)?.len();
        Ok(())
    })?;
    Ok(crate::mega(bytes))
}
