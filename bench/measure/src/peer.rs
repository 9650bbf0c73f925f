//! A peer that more than one benchmark compares with.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::{bench_folder, run};

/// The release compared with.
const AGENTSVIEW: &str = "0.46.1";

/// Installs agentsview from its package index, once, and returns its path.
pub fn install_agentsview() -> Result<PathBuf> {
    let home = bench_folder()?.join("find-peers/agentsview");
    let program = home.join("bin/agentsview");
    if !program.exists() {
        eprintln!("installing agentsview {AGENTSVIEW}");
        run(Command::new("python3").args(["-m", "venv"]).arg(&home))?;
        run(Command::new(home.join("bin/pip")).args(["install", "--quiet", &format!("agentsview=={AGENTSVIEW}")]))?;
    }
    Ok(program)
}
