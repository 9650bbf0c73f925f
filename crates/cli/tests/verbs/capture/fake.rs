//! The stand-in for `claude`, and a sandbox to run it in.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use crate::sandbox::Sandbox;

/// A sandbox with a script.
pub(crate) struct Stage {
    pub(crate) sandbox: Sandbox,
}

impl Stage {
    pub(crate) fn new(script: &str) -> Self {
        let stage = Self { sandbox: Sandbox::new() };
        stage.plays(script);
        stage
    }

    /// Sets the script to play.
    pub(crate) fn plays(&self, script: &str) {
        self.sandbox.write("script", script);
    }

    /// Runs the stand-in itself.
    pub(crate) fn claude(&self, arguments: &[&str]) -> Command {
        self.in_place(Command::new(program()), arguments)
    }

    /// Runs `recount` with the stand-in on the path as `claude`.
    pub(crate) fn recount(&self, arguments: &[&str]) -> Command {
        self.in_place(Command::new(assert_cmd::cargo::cargo_bin!("recount")), arguments)
    }

    /// Captures the stand-in.
    pub(crate) fn capture(&self, options: &[&str], arguments: &[&str]) -> Command {
        let mut command = self.recount(&["capture"]);
        command.args(options).arg("--").arg(program()).args(arguments);
        command
    }

    fn in_place(&self, mut command: Command, arguments: &[&str]) -> Command {
        let folder = program().parent().unwrap().to_path_buf();
        command.args(arguments).current_dir(self.sandbox.path("")).env_clear().env("HOME", self.sandbox.path(""));
        command.env("TZ", "UTC").env("PATH", folder);
        command.env("FAKE_CLAUDE_SCRIPT", self.sandbox.path("script"));
        command.env("FAKE_CLAUDE_LOG", self.sandbox.path("log"));
        command
    }

    /// The log of the stand-in: its runs and their input.
    pub(crate) fn log(&self) -> Vec<serde_json::Value> {
        let text = fs::read_to_string(self.sandbox.path("log")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub(crate) fn heard(&self) -> Vec<serde_json::Value> {
        self.log().into_iter().filter(|note| note.get("heard").is_some()).collect()
    }

    /// The arguments and the folder of every run.
    pub(crate) fn runs(&self) -> Vec<(Vec<String>, String)> {
        let words = |value: &serde_json::Value| serde_json::from_value(value.clone()).unwrap();
        let runs = self.log().into_iter().filter(|note| note.get("args").is_some());
        runs.map(|run| (words(&run["args"]), run["cwd"].as_str().unwrap().to_owned())).collect()
    }
}

/// The stand-in. It is a program of another crate, which Cargo does not build for these tests on its own.
pub(crate) fn program() -> &'static PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let recount = PathBuf::from(assert_cmd::cargo::cargo_bin!("recount"));
        let folder = recount.parent().unwrap();
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "recount-testkit", "--bin", "claude", "--target-dir"]);
        build.arg(folder.parent().unwrap()).current_dir(env!("CARGO_MANIFEST_DIR"));
        if folder.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success(), "the stand-in for claude could not be built");
        folder.join("claude")
    })
}
