//! The `recount` command: reads Claude Code's sessions.
//!
//! Here are arguments, terminals and exit codes; what is worth calling from
//! elsewhere is in the other crates.

mod arguments;
mod board;
mod browser;
mod capture;
mod cmd;
mod config;
mod demo;
mod failure;
mod indexed;
mod install;
mod listing;
mod moment;
mod pager;
mod parallel;
mod pretty;
mod progress;
mod range;
mod report;
mod select;
mod spreadsheet;
mod stop;
mod table;
mod terminal;
mod tui;
mod usage;

use std::process::ExitCode;

use clap::Parser as _;

use arguments::{Arguments, Verb};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments::with_words(std::env::args_os())) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help that nobody reads to its end is no failure.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { failure::USAGE_OR_IO } else { 0 });
        }
    };
    let outcome = match arguments.verb {
        Some(Verb::Check(check)) => check.run(),
        Some(Verb::Cat(cat)) => cat.run(),
        Some(Verb::Show(show)) => show.run(),
        Some(Verb::Diff(diff)) => diff.run(),
        Some(Verb::Search(search)) => search.run(),
        Some(Verb::Watch(watch)) => watch.run(),
        Some(Verb::Serve(serve)) => serve.run(),
        Some(Verb::Tail(tail)) => tail.run(),
        Some(Verb::File(file)) => file.run(),
        Some(Verb::Export(export)) => export.run(),
        Some(Verb::Usage(usage)) => usage.run(),
        Some(Verb::Ls(ls)) => ls.run(),
        Some(Verb::Projects(projects)) => projects.run(),
        Some(Verb::Archive(archive)) => archive.run(),
        Some(Verb::Capture(capture)) => capture.run(),
        Some(Verb::Replay(replay)) => replay.run(),
        Some(Verb::Resume(resume)) => resume.run(),
        Some(Verb::Import(import)) => import.run(),
        Some(Verb::Demo(demo)) => demo.run(),
        Some(Verb::Statusline(statusline)) => statusline.run(),
        Some(Verb::Hooks(hooks)) => hooks.run(),
        Some(Verb::Hook(hook)) => Ok(hook.run()),
        None => tui::run(),
    };
    outcome.unwrap_or_else(|error| failure::report(&error))
}
