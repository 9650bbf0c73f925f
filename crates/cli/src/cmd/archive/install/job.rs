//! The command to run, in the syntax of each system.

use std::path::PathBuf;

use crate::failure::{CommandError, Context as _};
use app::App;
use sources::Environment;
use sources::Root;
use sources::roots;

use crate::cmd::archive::archive_location::ArchiveLocation;
use crate::install::{quoted, settings, writable};

/// The locations of a user's files.
pub(super) struct Home {
    pub(super) path: PathBuf,
    environment: Environment,
}

impl Home {
    pub(super) fn of(app: &App) -> Result<Self, CommandError> {
        let environment = app.environment().sources.clone();
        let path = environment.home.clone().context("there is no home directory")?;
        Ok(Self { path, environment })
    }

    /// Returns the folder for settings.
    pub(super) fn config(&self) -> PathBuf {
        let stated = self.environment.xdg_config_home.clone().filter(|path| path.is_absolute());
        stated.unwrap_or_else(|| self.path.join(".config"))
    }

    /// Returns the settings file of Claude Code.
    pub(super) fn settings(&self) -> PathBuf {
        settings::path(&self.environment).unwrap_or_else(|| self.path.join(".claude/settings.json"))
    }
}

/// A run of `recount archive` with all its arguments, since a scheduler does not inherit our environment.
pub(super) struct Job(Vec<String>);

impl Job {
    pub(super) fn new(app: &App, home: &Home, place: &ArchiveLocation) -> Result<Self, CommandError> {
        let program = std::env::current_exe().context("cannot determine the path of recount")?;
        let mut words = vec![writable(&program)?, "archive".to_owned(), "--quiet".to_owned()];
        let plain = Environment { home: Some(home.path.clone()), ..Environment::default() };
        let usual = roots(&plain, &[]);
        let is_news = |root: &&Root| {
            (root.named || root.path.is_dir() && !root.is_archive()) && !usual.iter().any(|one| one.path == root.path)
        };
        for root in app.roots().iter().filter(is_news) {
            words.extend(["--root".to_owned(), writable(&std::path::absolute(&root.path)?)?]);
        }
        let folder = std::path::absolute(place.folder(app)?)?;
        if place.is_unusual() {
            words.extend(["--archive".to_owned(), writable(&folder)?]);
        }
        Ok(Self(words))
    }

    /// Formats the command for `ExecStart=`: quoted, with `%` and `$` doubled.
    pub(super) fn for_systemd(&self) -> String {
        let quote = |word: &String| {
            let escaped = word.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%").replace('$', "$$");
            format!("\"{escaped}\"")
        };
        self.0.iter().map(quote).collect::<Vec<_>>().join(" ")
    }

    /// Formats the command for a shell.
    pub(super) fn for_shell(&self) -> String {
        self.0.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }

    /// Formats the command for a property list.
    pub(super) fn for_plist(&self) -> String {
        let escape = |word: &String| word.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let lines = self.0.iter().map(|word| format!("    <string>{}</string>\n", escape(word)));
        lines.collect()
    }
}
