//! `recount hooks status`: shows where hooks are installed and whether events arrive.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use app::App;
use live::hooks::{self, Sessions, Spool};

use super::settings::{EVENTS, installed, program};
use crate::failure::{self, CommandError, Context as _};
use crate::install::settings::{path, read};
use crate::terminal::clean;

#[derive(Debug, clap::Args)]
pub(super) struct Status {}

impl Status {
    #[expect(clippy::unused_self, reason = "it is called as the other verbs are")]
    pub(super) fn run(self, app: &App) -> Result<ExitCode, CommandError> {
        let mut found: Vec<PathBuf> = path(&app.environment().sources).into_iter().collect();
        for root in app.roots() {
            let path = root.path.join("settings.json");
            if (path.is_file() || root.named) && !root.is_archive() && !found.contains(&path) {
                found.push(path);
            }
        }
        let mut is_installed = false;
        for path in &found {
            let state = read(path)?.and_then(|text| installed(&text));
            is_installed |= state.is_some();
            anstream::println!("{}: {}", clean(&path.display().to_string()), clean(&state_line(state.as_ref())));
        }
        anstream::println!("{}", arrivals(app)?);
        Ok(ExitCode::from(if is_installed { 0 } else { failure::FOUND_FAULT }))
    }
}

/// Describes how hooks are installed, in one line.
fn state_line(state: Option<&(usize, String)>) -> String {
    let Some((number, command)) = state else { return "not installed".to_owned() };
    let program = program(command).unwrap_or_default();
    let trouble = if Path::new(&program).is_absolute() && !Path::new(&program).exists() {
        ", which no longer exists: `recount hooks install` corrects it"
    } else if *number < EVENTS.len() {
        ", but not for all events: `recount hooks install` adds the others"
    } else {
        ""
    };
    format!("installed, runs {command}{trouble}")
}

/// Describes when the last event arrived, in one line.
fn arrivals(app: &App) -> Result<String, CommandError> {
    let mut heard = Sessions::default();
    if let Some(folder) = hooks::folder() {
        let events = Spool::new(&folder).read();
        heard.extend(events.with_context(|| format!("cannot read: {}", folder.display()))?);
    }
    let now = app.timestamp().as_millisecond();
    Ok(match heard.last() {
        Some(last) => format!("the last event arrived {} ago", human::duration(now.abs_diff(last))),
        None => {
            "no event has arrived yet; sessions that started before hooks were installed may report none".to_owned()
        }
    })
}
