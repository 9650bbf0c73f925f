//! The `recount` command, which reads Claude Code sessions.
//!
//! This crate handles arguments, terminals and exit codes; logic that a library user would want lives in the other
//! crates.

mod arguments;
mod board;
mod browser;
mod capture;
mod ccusage_words;
mod cmd;
mod demo;
mod failure;
mod flags;
mod install;
mod listing;
mod pager;
mod pretty;
mod progress;
mod range;
mod redaction;
mod report;
mod select;
mod spreadsheet;
mod stop;
mod table;
mod terminal;
mod tui;
mod usage;

use std::ffi::OsString;
use std::process::ExitCode;

use app::{App, Environment};

use arguments::{Arguments, Verb};
use failure::CommandError;
use progress::Terminal;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let typed: Vec<OsString> = std::env::args_os().collect();
    // Claude Code runs this for every event: it must not fail or print anything, whatever the arguments are.
    if typed.get(1).is_some_and(|verb| verb == "hook") {
        return cmd::hook::run();
    }
    let typed = arguments::prepared(typed);
    let arguments = match Arguments::parsed(&typed) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Not a failure if the reader of the help closes the pipe early.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { failure::USAGE_OR_IO } else { 0 });
        }
    };
    let every = &arguments.every;
    every.apply_colors();
    let reporter = Box::new(Terminal { is_quiet: every.is_quiet() });
    let app = App::reporting_to(reporter, Environment::of_process(), every.flags());
    arguments::verb_of(&typed).map_or_else(Vec::new, |verb| flags::renamed(verb, &typed)).iter().for_each(
        |(old, new)| app.warn(&format!("{old} is now called {new}"), &["the old name still works".to_owned()]),
    );
    if !matches!(arguments.verb, Some(Verb::Statusline(_))) {
        app.remove_old_pages();
    }
    run(arguments.verb, &app).unwrap_or_else(|error| error.report())
}

fn run(verb: Option<Verb>, app: &App) -> Result<ExitCode, CommandError> {
    match verb {
        Some(Verb::Check(check)) => check.run(app),
        Some(Verb::Cat(cat)) => cat.run(app),
        Some(Verb::Show(show)) => show.run(app),
        Some(Verb::Share(share)) => share.run(app),
        Some(Verb::Diff(diff)) => diff.run(app),
        Some(Verb::Search(search)) => search.run(app),
        Some(Verb::Watch(watch)) => watch.run(app),
        Some(Verb::Serve(serve)) => serve.run(app),
        Some(Verb::Tail(tail)) => tail.run(app),
        Some(Verb::File(file)) => file.run(app),
        Some(Verb::Export(export)) => export.run(app),
        Some(Verb::Usage(usage)) => usage.run(app),
        Some(Verb::Ls(ls)) => ls.run(app),
        Some(Verb::Projects(projects)) => projects.run(app),
        Some(Verb::Archive(archive)) => archive.run(app),
        Some(Verb::Forget(forget)) => forget.run(app),
        Some(Verb::Capture(capture)) => capture.run(app),
        Some(Verb::Replay(replay)) => replay.run(app),
        Some(Verb::Resume(resume)) => resume.run(app),
        Some(Verb::Import(import)) => import.run(app),
        Some(Verb::Demo(demo)) => demo.run(app),
        Some(Verb::Statusline(statusline)) => statusline.run(app),
        Some(Verb::Hooks(hooks)) => hooks.run(app),
        None => tui::run(app),
    }
}
