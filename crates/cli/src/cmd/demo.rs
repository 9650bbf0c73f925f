//! `recount demo`: a sample session, for those who have none yet.

use std::fs;
use std::io;
use std::path::Path;
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
        let folder = tempfile::Builder::new().prefix("recount-demo-").tempdir().context("cannot make a folder")?;
        for (name, text) in FILES {
            let path = folder.path().join(name);
            write(&path, text).with_context(|| format!("cannot write: {}", path.display()))?;
        }
        let source = find_session(&folder.path().join(SESSION).to_string_lossy(), &[])?;
        self.how.tell(&source, "the sample session")
    }
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
