//! What a tool gave back: what the model was told, and what the program knows beyond it.

use std::ops::Range;

use format::block::{Block, Content, ToolResultBlock};
use format::text::{Reply, ResultText, result_text, split_trailing_reminders};
use format::tool::{
    AgentResult, AskUserQuestionResult, GitDiff, Hunk, ReadResult, ShellResult, Structured, TextFile, ToolKind,
    ToolResult, read_result,
};
use format::{Raw, Scratch, Text};
use rustc_hash::FxHashSet;

use super::{Column, Pen, json};

/// All results of an entry. With several it is not said which of them `structured` belongs to.
pub(super) fn results(content: &Content<'_>, structured: Option<&Structured<'_>>, pen: &mut Pen<'_>) {
    let results = || content.blocks().iter().filter_map(Block::as_result);
    let is_single = results().count() == 1;
    for result in results() {
        self::result(result, structured.filter(|_| is_single), pen);
    }
    if !is_single {
        pen.put_json(Column::Seen, structured.map(|structured| structured.json));
    }
}

/// One result.
pub(super) fn result(block: &ToolResultBlock<'_>, structured: Option<&Structured<'_>>, pen: &mut Pen<'_>) {
    let mut told = Told::new(block.content.as_ref());
    let scratch = Scratch::default();
    if let Some(answered) = answers(block, structured, &scratch) {
        return answer(&answered, pen);
    }
    // Only an object can have been read as what its tool gives. Nothing is guessed: a tool without a name is none.
    let object = structured.filter(|structured| structured.json.as_json().starts_with('{'));
    let typed = object.map(|structured| read_result(Some(""), Some(structured.clone()), None, &scratch).result);
    let is_put = matches!(&typed, Some(ToolResult::Read(read)) if read_file(read, &told, pen));
    tell(block, is_put, pen);
    match &typed {
        Some(ToolResult::Read(_)) if is_put => {}
        // What else there is, the call says as well.
        Some(ToolResult::Edit(edit)) => {
            patch(&edit.patch, &told, pen);
            repository(edit.git_diff.as_deref(), pen);
        }
        Some(ToolResult::MultiEdit(edit)) => patch(&edit.patch, &told, pen),
        Some(ToolResult::Write(write)) => {
            patch(&write.patch, &told, pen);
            repository(write.git_diff.as_deref(), pen);
            // Then it is not what the call says.
            pen.put_all(Column::Seen, write.content.filter(|_| write.user_modified == Some(true)));
        }
        Some(ToolResult::TodoWrite(_)) => {}
        Some(ToolResult::Grep(found)) => {
            told.put_rest(found.content, pen);
            told.put_other_lines(&found.filenames, pen);
        }
        Some(ToolResult::Glob(found)) => told.put_other_lines(&found.filenames, pen),
        Some(ToolResult::Bash(shell) | ToolResult::PowerShell(shell)) => printed(shell, &mut told, pen),
        Some(ToolResult::Agent(agent)) => answered(agent, &mut told, pen),
        Some(ToolResult::WebFetch(fetched)) => {
            told.put_rest([fetched.result, fetched.code_text, fetched.url].into_iter().flatten(), pen);
            let artifact = fetched.artifact_read.iter().flat_map(|artifact| [artifact.slug, artifact.version]);
            told.put_rest(artifact.flatten(), pen);
        }
        _ => told.put_rest_of_json(structured.map(|structured| structured.json), pen),
    }
}

/// What the model was told, and the words in it that are the user's. With `is_put` only what is added at its end.
fn tell(block: &ToolResultBlock<'_>, is_put: bool, pen: &mut Pen<'_>) {
    let Some(content) = &block.content else { return };
    for text in content.texts() {
        let (body, _) = split_trailing_reminders(text.as_str());
        let reminders = text.get(body.len()..).unwrap_or_default();
        match user_said(block, body) {
            _ if is_put => {}
            Some((before, words, after)) => {
                pen.put(Column::Seen, before.trim());
                pen.put(Column::Said, words);
                pen.put(Column::Seen, after.trim());
            }
            None => pen.put(Column::Seen, body),
        }
        // With their tags, which are shown as well.
        for reminder in reminders.split_inclusive("</system-reminder>").filter(|text| !is_said_of_every_file(text)) {
            pen.put(Column::Seen, reminder.trim());
        }
    }
    others(content, pen);
}

/// All of a content that a tool gave.
pub(super) fn content(content: &Content<'_>, pen: &mut Pen<'_>) {
    pen.put_all(Column::Seen, content.texts());
    others(content, pen);
}

/// What is no text in a content.
fn others(content: &Content<'_>, pen: &mut Pen<'_>) {
    if let Content::Raw(json) = content {
        pen.put_json(Column::Seen, [*json]);
    }
    for block in content.blocks().iter().filter(|block| !matches!(block, Block::Text(_))) {
        super::block(Column::Seen, block, pen);
    }
}

/// Whether a reminder is the one that stands below every file, and would make each of them a find.
fn is_said_of_every_file(reminder: &str) -> bool {
    let inside = reminder.trim_start().strip_prefix("<system-reminder>").unwrap_or(reminder);
    inside.trim_start().starts_with("Whenever you read a file, you should consider whether it ")
}

/// The user's own words in a rejection, with what stands before and after them.
fn user_said<'t>(block: &ToolResultBlock<'_>, text: &'t str) -> Option<(&'t str, &'t str, &'t str)> {
    // Whatever says so is an error, but old versions do not always say that it is.
    let is_rejection = block.is_error.unwrap_or_else(|| text.starts_with("The user doesn't want to "));
    let ResultText::Rejected(Reply::Said(words)) = is_rejection.then(|| result_text(text))? else { return None };
    let (before, after) = text.rsplit_once(words)?;
    Some((before, words, after))
}

/// What the user answered, if that was asked.
fn answers<'a>(
    block: &ToolResultBlock<'a>,
    structured: Option<&Structured<'a>>,
    scratch: &'a Scratch,
) -> Option<Box<AskUserQuestionResult<'a>>> {
    const STARTS: [&str; 2] = ["User has answered your questions: ", "Your questions have been answered: "];
    let text = block.content.as_ref()?.texts().next()?;
    if !STARTS.iter().any(|start| text.starts_with(start)) {
        return None;
    }
    match read_result(Some(ToolKind::AskUserQuestion.name()), structured.cloned(), Some(block), scratch).result {
        ToolResult::AskUserQuestion(answered) => Some(answered),
        _ => None,
    }
}

/// The questions were asked by the call; the answers are the user's.
fn answer(answered: &AskUserQuestionResult<'_>, pen: &mut Pen<'_>) {
    for (question, answer) in answered.answers.iter() {
        pen.put(Column::Seen, question);
        pen.put(Column::Said, answer.as_str());
    }
    pen.put_all(Column::Said, answered.annotations.iter().map(|(_, annotation)| annotation.notes));
    pen.put_all(Column::Seen, answered.annotations.iter().map(|(_, annotation)| annotation.preview));
    pen.put_all(Column::Said, [answered.response]);
}

/// Puts a file without the numbers that the model sees before its lines, if that is what it was told.
fn read_file(read: &ReadResult<'_>, told: &Told<'_>, pen: &mut Pen<'_>) -> bool {
    let ReadResult::Text(read) = read else { return false };
    let Some(TextFile { content: Some(file), num_lines: Some(lines), file_path, .. }) = read.file else {
        return false;
    };
    let is_told = is_numbered(told.first(), file.as_str(), lines);
    if is_told {
        pen.put_all(Column::Seen, [file_path, Some(file)]);
    }
    is_told
}

/// Whether a text is a file with a number before every line, as far as its beginning and its length tell.
fn is_numbered(told: &str, file: &str, lines: i64) -> bool {
    /// What a number takes, with what stands around it.
    const LONGEST_NUMBER: usize = 12;
    let (told, _) = split_trailing_reminders(told);
    let first = |text: &'_ str| text.split('\n').next().map(str::len);
    let (Some(told_first), Some(file_first)) = (first(told), first(file)) else { return false };
    let lines = usize::try_from(lines).unwrap_or_default();
    let longest = lines.saturating_add(1).saturating_mul(LONGEST_NUMBER).saturating_add(file.len());
    told_first > file_first
        && told.get(..told_first).zip(file.get(..file_first)).is_some_and(|(told, file)| told.ends_with(file))
        && (file.trim_end().len() + lines..=longest).contains(&told.len())
}

/// Puts the lines of a patch that the model was not told.
fn patch(hunks: &[Hunk<'_>], told: &Told<'_>, pen: &mut Pen<'_>) {
    let shown = shown_lines(told.first());
    for hunk in hunks {
        let mut number = hunk.new_start.unwrap_or_default();
        for line in &hunk.lines {
            let is_there = line.starts_with([' ', '+']);
            if !(is_there && shown.contains(&number)) {
                pen.put(Column::Seen, line.get(1..).unwrap_or(line).trim());
            }
            number = number.saturating_add(is_there.into());
        }
    }
}

/// The numbers of the lines that older versions show after a change.
fn shown_lines(told: &str) -> Range<i64> {
    let Some((_, lines)) = told.split_once(" snippet of the edited file:\n") else { return 0..0 };
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit());
    let first = lines.trim_start();
    let number = digits(first).and_then(|end| first.get(..end)?.parse().ok()).unwrap_or(i64::MAX);
    // The last one may be a sentence: better once too often than lost.
    let count = i64::try_from(lines.lines().count()).unwrap_or_default().saturating_sub(1);
    number..number.saturating_add(count)
}

/// Puts how a change stands in its repository.
fn repository(diff: Option<&GitDiff<'_>>, pen: &mut Pen<'_>) {
    let Some(diff) = diff else { return };
    pen.put_all(Column::Seen, [diff.filename, diff.patch, diff.repository]);
}

/// Puts what an agent answered and what is known about it, but for its prompt, which the call says.
fn answered(agent: &AgentResult<'_>, told: &mut Told<'_>, pen: &mut Pen<'_>) {
    told.put_rest(agent.content.iter().flat_map(Content::texts), pen);
    agent.content.iter().for_each(|content| others(content, pen));
    let known = [
        agent.description,
        agent.agent_type,
        agent.resolved_model,
        agent.name,
        agent.worktree_path,
        agent.worktree_branch,
        agent.output_file,
        agent.session_url,
        agent.team_name,
        agent.color,
        agent.tmux_session_name,
        agent.tmux_window_name,
        agent.tmux_pane_id,
    ];
    told.put_rest(known.into_iter().flatten(), pen);
    told.put_rest(agent.models_used.iter().chain(&agent.tools_used).copied(), pen);
    agent.task_id.iter().for_each(|id| pen.put(Column::Seen, id.as_str()));
    let agents = [agent.agent_id, agent.teammate_id];
    agents.iter().flatten().for_each(|id| pen.put(Column::Seen, id.as_str()));
}

fn printed(shell: &ShellResult<'_>, told: &mut Told<'_>, pen: &mut Pen<'_>) {
    let is_text = |text: &Text<'_>| !json::is_data(text);
    told.put_rest([shell.stdout, shell.stderr].into_iter().flatten().filter(is_text), pen);
    let notes = [
        shell.return_code_interpretation,
        shell.persisted_output_path,
        shell.raw_output_path,
        shell.background_cwd_hint,
        shell.stale_read_file_state_hint,
        shell.gh_rate_limit_hint,
        shell.token_saver_output,
        shell.background_task_id.map(|id| Text::from(id.as_str())),
    ];
    told.put_rest(notes.into_iter().flatten(), pen);
    told.put_rest_of_json(shell.structured_content.iter().copied(), pen);
    if let Some(git) = &shell.git_operation {
        let commit = git.commit.iter().flat_map(|commit| [commit.kind, commit.sha, commit.branch]);
        let pushed = git.push.iter().map(|push| push.branch);
        let merged = git.branch.iter().flat_map(|branch| [branch.action, branch.reference]);
        let request = git.pull_request.iter().flat_map(|request| [request.action, request.url]);
        told.put_rest(commit.chain(pushed).chain(merged).chain(request).flatten(), pen);
    }
}

/// What the model was told of a result.
struct Told<'c> {
    content: Option<&'c Content<'c>>,
    /// How often it may still be searched: results are large, and there is no end to what may be looked for.
    searches: u32,
}

impl<'c> Told<'c> {
    fn new(content: Option<&'c Content<'c>>) -> Self {
        const SEARCHES: u32 = 32;
        Self { content, searches: SEARCHES }
    }

    fn texts(&self) -> impl Iterator<Item = &'c str> + use<'c> {
        self.content.into_iter().flat_map(Content::texts).map(Text::as_str)
    }

    fn first(&self) -> &'c str {
        self.texts().next().unwrap_or_default()
    }

    /// Whether it holds a text, as far as that is looked for: where the beginning of it first stands.
    fn holds(&mut self, text: &str) -> bool {
        /// What is enough of a text to look for it. To look for a long one costs as much as what it is looked for in.
        const BEGINNING: usize = 32;
        let text = text.trim();
        if text.is_empty() {
            return true;
        }
        let Some(left) = self.searches.checked_sub(1) else { return false };
        self.searches = left;
        let end = text.char_indices().nth(BEGINNING).map_or(text.len(), |(at, _)| at);
        let beginning = text.get(..end).unwrap_or(text);
        let holds = |told: &str, at: usize| {
            told.get(at..).is_some_and(|rest| rest.starts_with(text)) && stands_alone(told, at, text)
        };
        let long_enough = |told: &&str| told.len() >= text.len();
        self.texts()
            .filter(long_enough)
            .any(|told| holds(told, 0) || told.find(beginning).is_some_and(|at| holds(told, at)))
    }

    /// Puts those of some texts that it does not hold.
    fn put_rest<'a>(&mut self, texts: impl IntoIterator<Item = Text<'a>>, pen: &mut Pen<'_>) {
        for text in texts {
            if !self.holds(text.as_str()) {
                pen.put(Column::Seen, self.beyond(text.as_str()));
            }
        }
    }

    /// Puts those texts of some values that it does not hold.
    fn put_rest_of_json<'a>(&mut self, values: impl IntoIterator<Item = Raw<'a>>, pen: &mut Pen<'_>) {
        for value in values {
            json::texts(value.as_json(), |text| {
                if !self.holds(text.strip_prefix("Error: ").unwrap_or(text)) {
                    pen.put(Column::Seen, self.beyond(text));
                }
            });
        }
    }

    /// Puts those of some texts that are none of its lines. There may be very many.
    fn put_other_lines(&self, texts: &[Text<'_>], pen: &mut Pen<'_>) {
        if texts.is_empty() {
            return;
        }
        let lines: FxHashSet<&str> = self.texts().flat_map(str::lines).collect();
        pen.put_all(Column::Seen, texts.iter().copied().filter(|text| !lines.contains(text.as_str())));
    }

    /// A text without the lines that it begins with as well: the model is told the beginning of what is too long.
    fn beyond<'t>(&self, text: &'t str) -> &'t str {
        /// What is cut off is longer. Less may be there by chance, and then belongs to what follows it.
        const SHORTEST_CUT: usize = 1000;
        let whole = text.trim_start();
        let pairs = whole.bytes().zip(self.first().trim_start().bytes());
        let (mut common, mut lines) = (0, 0);
        for (byte, _) in pairs.take_while(|(byte, told)| byte == told) {
            common += 1;
            if byte == b'\n' {
                lines = common;
            }
        }
        if common < SHORTEST_CUT { text } else { whole.get(lines..).unwrap_or(text) }
    }
}

/// Whether a text is no part of longer words where it was found.
fn stands_alone(whole: &str, at: usize, text: &str) -> bool {
    let is_inside = |left: Option<char>, right: Option<char>| {
        left.is_some_and(char::is_alphanumeric) && right.is_some_and(char::is_alphanumeric)
    };
    let before = whole.get(..at).and_then(|before| before.chars().next_back());
    let after = whole.get(at + text.len()..).and_then(|after| after.chars().next());
    !is_inside(before, text.chars().next()) && !is_inside(text.chars().next_back(), after)
}
