//! The figures of peers for the same files.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};
use measure::{Measured, bench_folder, best_of, install_agentsview, run};

use crate::roots::{self, Home};

/// The release compared with.
const CLAUDEX: &str = "0.15.1";

/// Prints the figures of each peer that can be installed.
pub(crate) fn measure(home: &Home, rounds: usize) -> Result<()> {
    let data = bench_folder()?.join("find-peer-data");
    let fresh = format!("rm -rf '{0}'; mkdir -p '{0}'; ", data.display());
    let projects = ".claude/projects";
    match install_agentsview() {
        Ok(program) => {
            let line = format!(
                "{fresh}AGENTSVIEW_TELEMETRY_ENABLED=false AGENTSVIEW_NO_DAEMON=1 AGENTSVIEW_DATA_DIR='{}' HOME=\"$0\" '{}' sync",
                data.display(),
                program.display()
            );
            let took = shell(home, rounds, &line)?;
            show("agentsview sync", took, Some(roots::megabytes(&data)?));
        }
        Err(error) => eprintln!("  without agentsview: {error:#}"),
    }
    match install_claudex() {
        Ok(program) => {
            // It stores its index below the home.
            let line = format!(
                "{fresh}mkdir -p '{0}'/.claude; ln -s \"$0\"/{projects} '{0}'/{projects}; HOME='{0}' '{1}' index --force",
                data.display(),
                program.display()
            );
            let took = shell(home, rounds, &line)?;
            fs::remove_file(data.join(projects))?;
            show("claudex index", took, Some(roots::megabytes(&data)?));
        }
        Err(error) => eprintln!("  without claudex: {error:#}"),
    }
    match Command::new("rg").arg("--version").output() {
        Ok(_) => {
            let line = format!("rg -j 1 --count retry \"$0\"/{projects}");
            show("rg --count retry", shell(home, rounds, &line)?, None);
        }
        Err(error) => eprintln!("  without ripgrep: {error}"),
    }
    Ok(())
}

fn shell(home: &Home, rounds: usize, line: &str) -> Result<Measured> {
    let command = ["sh", "-c", line].map(str::to_owned).to_vec();
    best_of(rounds, &[command], &home.path)?.pop().context("nothing was measured")
}

fn show(name: &str, took: Measured, megabytes: Option<f64>) {
    let size = megabytes.map(|megabytes| format!("; {megabytes:.0} MB on disk")).unwrap_or_default();
    println!(
        "  {name}: {:.2} s of CPU, {:.2} s, {:.0} MB at most{size}",
        took.cpu_seconds, took.wall_seconds, took.peak_megabytes
    );
}

fn peers() -> Result<PathBuf> {
    Ok(bench_folder()?.join("find-peers"))
}

fn install_claudex() -> Result<PathBuf> {
    let home = peers()?.join("claudex");
    let program = home.join("bin/claudex");
    if !program.exists() {
        eprintln!("installing claudex {CLAUDEX}");
        run(Command::new("cargo")
            .args(["install", "--quiet", "claudex-cli", "--version", CLAUDEX, "--root"])
            .arg(&home))?;
    }
    Ok(program)
}
