//! Tool calls with their inputs and results, typed per tool (docs/format E).
//!
//! [`TOOLS`] lists the versions and the frequency of each tool. Tools that open a thread or wait for the user are
//! written by the turns in `root`, because their results come with other entries.

mod files;
mod newest;
mod planning;
mod search;
mod shelf;
mod shell;

pub(crate) use planning::{ask_user_question, exit_plan_mode};
pub(crate) use shell::{background_bash, output_of_background, quick_bash, slow_bash, stop_background};

use crate::era::Version;
use crate::json::Json;
use crate::object;
use crate::rng::Rng;
use shelf::Shelf;
use std::collections::BTreeMap;

/// The environment of tools, and their state between calls.
#[derive(Debug)]
pub(crate) struct Workplace {
    /// The source of everything random in the session's content.
    pub(crate) rng: Rng,
    pub(crate) version: Version,
    pub(crate) cwd: String,
    /// The companion directory as spelled in the transcript.
    pub(crate) companion: String,
    todos: Vec<(String, usize)>,
    tasks: usize,
    last_read: Option<String>,
    /// The files that the session has changed.
    pub(crate) shelf: Shelf,
    /// The next variant of what has several, over all sessions.
    rounds: Rounds,
    /// Tokens in the context, growing with every message.
    pub(crate) context: i64,
}

impl Workplace {
    pub(crate) fn new(rng: Rng, version: Version, cwd: String, companion: String) -> Self {
        Self {
            rng,
            version,
            cwd,
            companion,
            todos: Vec::new(),
            tasks: 0,
            last_read: None,
            shelf: Shelf::default(),
            rounds: BTreeMap::new(),
            context: 14_000,
        }
    }
}

/// The next variant of each thing that has several.
pub(crate) type Rounds = BTreeMap<&'static str, usize>;

impl Workplace {
    /// The next of so many variants, so that all of them occur soon.
    pub(crate) fn next(&mut self, what: &'static str, variants: usize) -> usize {
        let round = self.rounds.entry(what).or_default();
        *round += 1;
        (*round - 1) % variants.max(1)
    }

    /// Exchanges the rounds with those of the sessions before, or for those after.
    pub(crate) fn exchange_rounds(&mut self, rounds: &mut Rounds) {
        std::mem::swap(&mut self.rounds, rounds);
    }
}

/// A call and its outcome.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) input: Json,
    pub(crate) outcome: Outcome,
}

/// The two forms of a result, and the part that is spilled to a file.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// `tool_result.content`
    pub(crate) content: Json,
    /// `is_error`, which is often absent.
    pub(crate) is_error: Option<bool>,
    /// `toolUseResult`
    pub(crate) result: Json,
    /// Name and text of a file in `tool-results/`.
    pub(crate) spilled: Option<(String, String)>,
}

impl Outcome {
    pub(crate) fn done(content: impl Into<Json>, result: impl Into<Json>) -> Self {
        Self { content: content.into(), is_error: None, result: result.into(), spilled: None }
    }

    /// A failure of the tool itself; the text of the result has no tag.
    pub(crate) fn tool_error(text: &str) -> Self {
        Self {
            content: format!("<tool_use_error>{text}</tool_use_error>").into(),
            is_error: Some(true),
            result: format!("Error: {text}").into(),
            spilled: None,
        }
    }

    /// A failure that the tool reports as plain text.
    pub(crate) fn failed(text: &str) -> Self {
        Self { content: text.into(), is_error: Some(true), result: format!("Error: {text}").into(), spilled: None }
    }

    fn saying_no_error(mut self) -> Self {
        self.is_error = Some(false);
        self
    }
}

/// The user rejects a call, with or without words.
pub(crate) fn rejection(words: Option<&str>) -> Outcome {
    let start = "The user doesn't want to proceed with this tool use. The tool use was rejected \
                 (eg. if it was a file edit, the new_string was NOT written to the file). ";
    let content = match words {
        Some(words) => format!("{start}To tell you how to proceed, the user said:\n{words}"),
        None => format!("{start}STOP what you are doing and wait for the user to tell you how to proceed."),
    };
    Outcome { content: content.into(), is_error: Some(true), result: "User rejected tool use".into(), spilled: None }
}

/// A tool of the table.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) make: fn(&mut Workplace) -> Call,
    from: Version,
    until: Version,
    weight: usize,
}

const fn tool(make: fn(&mut Workplace) -> Call, from: (u16, u16, u16), until: (u16, u16, u16), weight: usize) -> Tool {
    Tool { make, from: Version::new(from.0, from.1, from.2), until: Version::new(until.0, until.1, until.2), weight }
}

const START: (u16, u16, u16) = (1, 0, 0);
const EVER: (u16, u16, u16) = (9, 0, 0);

/// The tools with their first version, the version that no longer has them, and their frequency.
pub(crate) const TOOLS: &[Tool] = &[
    tool(shell::bash, START, EVER, 36),
    tool(shell::failing_bash, START, EVER, 3),
    tool(shell::spilled_bash, (2, 1, 3), EVER, 1),
    tool(shell::nothing_found, START, EVER, 2),
    tool(shell::commit, START, EVER, 3),
    tool(shell::pull_request, START, EVER, 1),
    tool(newest::small_bash, (2, 1, 97), EVER, 1),
    tool(newest::bash_in_a_tab, (2, 1, 97), EVER, 1),
    tool(newest::read_relative, (2, 1, 97), EVER, 1),
    tool(newest::mark_chapter, (2, 1, 145), EVER, 1),
    tool(newest::propose_goal, (2, 1, 280), (2, 1, 326), 1),
    tool(newest::set_goal, (2, 1, 326), EVER, 1),
    tool(newest::repl, (2, 1, 323), EVER, 3),
    tool(newest::eval, (2, 1, 323), EVER, 1),
    tool(files::read, START, EVER, 16),
    tool(files::read_image, START, EVER, 1),
    tool(files::read_notebook, START, EVER, 1),
    tool(files::read_unchanged, (2, 1, 86), EVER, 1),
    tool(files::read_missing, START, EVER, 1),
    tool(files::edit, START, EVER, 14),
    tool(files::edit_unread, START, EVER, 1),
    tool(files::multi_edit, START, (2, 0, 0), 2),
    tool(files::write, START, EVER, 4),
    tool(files::notebook_edit, START, EVER, 1),
    tool(planning::todo_write, START, (2, 1, 16), 5),
    tool(planning::task_create, (2, 1, 16), (2, 1, 233), 2),
    tool(planning::task_update, (2, 1, 16), (2, 1, 233), 3),
    tool(planning::task_list, (2, 1, 16), (2, 1, 233), 1),
    tool(search::glob, START, (2, 1, 117), 3),
    tool(search::grep, START, (2, 1, 117), 5),
    tool(search::list_directory, START, (1, 0, 57), 1),
    tool(search::web_search, START, EVER, 1),
    tool(search::web_fetch, START, EVER, 1),
    tool(search::tool_search, (2, 1, 59), EVER, 1),
    tool(search::mcp, START, EVER, 1),
    tool(planning::send_message, (2, 1, 32), EVER, 1),
    tool(planning::cron_create, (2, 1, 85), EVER, 1),
    tool(planning::cron_list, (2, 1, 85), EVER, 1),
    tool(planning::cron_delete, (2, 1, 85), EVER, 1),
    tool(planning::enter_worktree, (2, 1, 49), EVER, 1),
    tool(planning::exit_worktree, (2, 1, 49), EVER, 1),
];

/// The tools of a version by frequency, in random order; the first round has at most four of each, so that small sessions
/// contain all of them.
pub(crate) fn deck(version: Version, rng: &mut Rng, first_round: bool) -> Vec<&'static Tool> {
    let mut cards = Vec::new();
    for tool in TOOLS.iter().filter(|tool| tool.from <= version && version < tool.until) {
        let copies = if first_round { tool.weight.min(4) } else { tool.weight };
        cards.extend(std::iter::repeat_n(tool, copies));
    }
    rng.shuffle(&mut cards);
    cards
}

/// A text block.
pub(crate) fn text_block(text: impl Into<Json>) -> Json {
    object! { "type" => "text", "text" => text.into() }
}
