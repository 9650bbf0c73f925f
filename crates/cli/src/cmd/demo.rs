//! `recount demo`: a sample session, for those who have none yet.

use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use library::find_session;

use crate::cmd::show::How;

/// Tell a sample session: retries for a small HTTP client, from the first look to the pull request
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Demo {
    #[command(flatten)]
    how: How,
}

const EXAMPLES: &str = "\
Exit codes: 0 told; 2 wrong usage, or it cannot be written.

Examples:
  recount demo
  recount demo --detail full --turn 2
  recount demo --format html -o demo.html";

/// The session as it would lie in a project's folder.
const FILES: [(&str, &str); 3] = [
    (SESSION, include_str!("../demo/d3e0a5c4-71de-4c0b-9a11-7d1de0c11e47.jsonl")),
    (
        "d3e0a5c4-71de-4c0b-9a11-7d1de0c11e47/subagents/agent-a7c41e90b2d85f36d.jsonl",
        include_str!("../demo/d3e0a5c4-71de-4c0b-9a11-7d1de0c11e47/subagents/agent-a7c41e90b2d85f36d.jsonl"),
    ),
    (
        "d3e0a5c4-71de-4c0b-9a11-7d1de0c11e47/subagents/agent-a7c41e90b2d85f36d.meta.json",
        include_str!("../demo/d3e0a5c4-71de-4c0b-9a11-7d1de0c11e47/subagents/agent-a7c41e90b2d85f36d.meta.json"),
    ),
];

const SESSION: &str = "d3e0a5c4-71de-4c0b-9a11-7d1de0c11e47.jsonl";

impl Demo {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let folder = Folder::new(&std::env::temp_dir())?;
        for (name, text) in FILES {
            folder.write(name, text).with_context(|| format!("cannot write: {}", folder.0.join(name).display()))?;
        }
        let source = find_session(&folder.0.join(SESSION).to_string_lossy(), &[])?;
        self.how.tell(&source, "the sample session")
    }
}

/// A folder of our own that goes when it is no longer needed.
struct Folder(PathBuf);

impl Folder {
    fn new(within: &Path) -> anyhow::Result<Self> {
        // What is there already belongs to somebody else.
        for number in 0..100 {
            let path = within.join(format!("recount-demo-{}-{number}", std::process::id()));
            match private().create(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error).with_context(|| format!("cannot write: {}", path.display())),
                Ok(()) => return Ok(Self(path)),
            }
        }
        anyhow::bail!("cannot make a folder in {}", within.display())
    }

    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        let path = self.0.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, text)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Nobody else may put anything into it.
fn private() -> DirBuilder {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}
