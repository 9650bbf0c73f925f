//! A folder to run `recount` in, away from the user's own sessions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

pub(crate) struct Sandbox(TempDir);

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// `recount` with this folder as home and working directory, in UTC.
    pub(crate) fn recount(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("recount"));
        command.args(arguments).current_dir(self.0.path()).env_clear().env("HOME", self.0.path()).env("TZ", "UTC");
        command
    }

    /// The exit status and the output of a run, without details that differ from run to run.
    pub(crate) fn shown(&self, output: &Output) -> String {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let code = output.status.code().unwrap();
        let all = format!("exit {code}\n{}{}", text(&output.stdout), text(&output.stderr));
        all.replace(self.0.path().to_str().unwrap(), "[HERE]")
    }
}

/// The output without our own colours; any other sequence still begins with its escape.
pub(crate) fn without_colours(text: &str) -> String {
    let parts = text.split("\u{1b}[").enumerate();
    let rest = parts.map(|(at, part)| match (at, part.split_once('m')) {
        (0, _) => part,
        (_, Some((codes, rest))) if codes.chars().all(|c| c.is_ascii_digit() || c == ';') => rest,
        _ => "\u{1b}",
    });
    rest.collect()
}

/// Whether a character could steer a terminal.
pub(crate) fn steers(c: char) -> bool {
    c != '\n' && c.is_control() || c == '\u{202e}'
}
