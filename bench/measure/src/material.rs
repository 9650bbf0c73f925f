//! The measured material: sessions that are written once and reused, and the program itself.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use sources::Input;
use sources::SourceKind;
use sources::find_at;
use testkit::era::Era;
use testkit::root::RootOptions;

use crate::generated_root;

/// The folder for everything that benchmarks need.
pub fn bench_folder() -> Result<PathBuf> {
    let target = std::env::current_exe()?.ancestors().nth(2).context("no target folder")?.to_path_buf();
    let folder = target.join("bench");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// A session of this many megabytes; written once and reused.
pub fn generated_session(megabytes: u64) -> Result<PathBuf> {
    let (eras, bytes) = (vec![Era::V2_1_2xx], megabytes * 1_000_000);
    let options = RootOptions { bytes, seed: 7, eras, projects: 1, one_session: true, ..RootOptions::default() };
    let (root, _) = generated_root(&format!("session-{megabytes}MB"), "", &options)?;
    let sources = find_at(&[root.join("projects")]).sources.into_iter();
    let main = sources.filter(|source| source.kind == SourceKind::Transcript).max_by_key(|source| source.size);
    match main.map(|source| source.input) {
        Some(Input::File(path)) => Ok(path),
        _ => bail!("no session was written"),
    }
}

/// The release build of the program.
pub fn build_recount() -> Result<String> {
    let status = Command::new("cargo").args(["build", "--quiet", "--release", "-p", "recount"]).status()?;
    if !status.success() {
        bail!("recount could not be built");
    }
    Ok(std::env::current_exe()?.with_file_name("recount").display().to_string())
}

/// Published transcripts beside the checkout, if there are any.
pub fn corpus() -> Option<PathBuf> {
    let beside = PathBuf::from("../shared/corpus");
    let corpus = std::env::var_os("RECOUNT_CORPUS").map_or(beside, PathBuf::from);
    corpus.is_dir().then_some(corpus)
}
