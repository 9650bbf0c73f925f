//! Steps as lines.

use std::borrow::Cow;

use story::step::{
    Call, CallState, Compaction, Delivery, Extent, Notice, Output, Prompt, PromptKind, RunOutcome, Severity, StepKind,
    Trigger,
};
use story::{Detail, Step, Story, Texts, ThreadId};

use super::section::Room;
use super::{rule, section};
use content::section::{Body, Section};
use content::view;
use content::wording;
use human::Locale;
use styled::Line;
use styled::wrap;
use styled::{Role, Style};

/// The spacing of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spacing {
    /// Words, with blank lines around them.
    Words,
    /// One of many lines.
    Line,
    /// A line with more below it.
    Opened,
}

impl Spacing {
    pub(super) fn of(step: &Step, lines: usize) -> Self {
        match &step.kind {
            StepKind::Prompt(_) | StepKind::Reply(_) | StepKind::Compaction(_) | StepKind::Joint(_) => Self::Words,
            StepKind::Call(call) if call.has_human_words() || call.chapter().is_some() => Self::Words,
            _ if lines > 2 => Self::Opened,
            _ => Self::Line,
        }
    }

    pub(super) fn wants_air(self, next: Self) -> bool {
        self != Self::Line || next != Self::Line
    }
}

/// Number of lines of a long text, except at full detail.
const GLIMPSE: usize = 40;

/// Number of lines of a command's output, except at full detail.
const PRINTED: usize = 12;

/// The context that steps are shown in.
pub(super) struct Shown<'s> {
    pub(super) story: &'s Story,
    pub(super) detail: Detail,
    pub(super) room: Room,
    pub(super) locale: &'s Locale,
    /// Whether a thread is shown too.
    pub(super) has_thread: &'s dyn Fn(ThreadId) -> bool,
}

impl Shown<'_> {
    fn is_open(&self) -> bool {
        self.detail >= Detail::Full
    }

    /// The space for a text that is shortened, except at full detail.
    fn glimpse(&self, most: usize) -> Room {
        if self.is_open() { self.room } else { Room { most, ..self.room } }
    }

    /// The lines of a step.
    pub(super) fn lines(&self, texts: &mut dyn Texts, step: &Step) -> Vec<Line> {
        let (story, width) = (self.story, self.room.width);
        let mut lines = match &step.kind {
            StepKind::Prompt(prompt) => view::step_sections(story, texts, step, |shown| self.prompt(prompt, shown)),
            StepKind::Reply(_) => {
                indented(view::step_sections(story, texts, step, |shown| section::all(shown, self.room.indented(2))), 2)
            }
            StepKind::Thinking(thinking) => {
                view::step_sections(story, texts, step, |shown| thoughts(thinking.length, shown, self.room))
            }
            StepKind::Call(call) => self.call(texts, step, call),
            StepKind::Output(output) => view::step_sections(story, texts, step, |shown| self.printed(output, shown)),
            StepKind::Notice(notice) => {
                let mut lines = self::notice(notice, width);
                lines.extend(self.below(texts, step));
                lines
            }
            StepKind::Context(context) => {
                let kind = wording::context(context.kind);
                let line = Line::new().with(&format!("  + {kind}: {}", context.preview), Role::Quiet);
                let mut lines = self.line(&line);
                lines.extend(self.below(texts, step));
                lines
            }
            StepKind::Compaction(compaction) => self.compaction(texts, step, compaction),
            StepKind::Joint(joint) => {
                let entries = human::counted(u64::from(joint.entries), "entry", "entries");
                vec![rule(
                    &format!("{entries} before this copied from session {}", joint.session),
                    width,
                    Role::Heading,
                )]
            }
            StepKind::Outcome(outcome) => {
                let mut lines = self::outcome(outcome, width, self.locale);
                let errors =
                    view::step_sections(story, texts, step, |shown| section::all(shown, self.room.indented(4)));
                lines.extend(indented(errors, 4));
                lines
            }
            StepKind::Orphan(orphan) => {
                let text = format!("result of a call that is nowhere ({}): ", orphan.id);
                let line = Line::new().with("  ? ", Role::Warning).with(&text, Role::Quiet);
                let mut lines = self.line(&line.with(&orphan.preview, Style::PLAIN));
                lines.extend(self.below(texts, step));
                lines
            }
            StepKind::Unknown(kind) => {
                let line = Line::new().with("  ? ", Role::Warning).with(&format!("unknown: {kind}"), Role::Quiet);
                let mut lines = self.line(&line);
                lines.extend(self.below(texts, step));
                lines
            }
        };
        if step.withdrawn {
            lines = lines.into_iter().map(|line| line.also(Role::Struck)).collect();
        }
        if self.detail == Detail::Raw {
            lines.extend(self.raw(texts, step));
        }
        lines
    }

    /// A line that is shortened, except at full detail.
    fn line(&self, line: &Line) -> Vec<Line> {
        let indent = Line::new().with("    ", Style::PLAIN);
        if self.is_open() {
            wrap(line, self.room.width, &Line::new(), &indent)
        } else {
            vec![line.clone().cut(self.room.width)]
        }
    }

    /// The lines below a step, at full detail.
    fn below(&self, texts: &mut dyn Texts, step: &Step) -> Vec<Line> {
        if !self.is_open() {
            return Vec::new();
        }
        indented(view::step_sections(self.story, texts, step, |shown| section::all(shown, self.room.indented(4))), 4)
    }
}

pub(super) fn indented(lines: impl IntoIterator<Item = Line>, columns: usize) -> Vec<Line> {
    let indent = " ".repeat(columns);
    lines
        .into_iter()
        .map(|line| {
            if line.is_empty() {
                return line;
            }
            let mut shifted = Line::new().with(&indent, Style::PLAIN);
            shifted.append(&line);
            shifted
        })
        .collect()
}

/// Lines with a mark before the first of them.
pub(super) fn marked(mark: &str, role: Role, lines: Vec<Line>) -> Vec<Line> {
    let indent = " ".repeat(styled::width::width(mark));
    lines
        .into_iter()
        .enumerate()
        .map(|(number, line)| {
            let mut marked = match number {
                0 => Line::new().with(mark, role),
                _ => Line::new().with(&indent, Style::PLAIN),
            };
            marked.append(&line);
            marked
        })
        .collect()
}

impl Shown<'_> {
    fn prompt(&self, prompt: &Prompt, sections: &[Section<'_>]) -> Vec<Line> {
        // Human words are shown whole at every level.
        let room = if prompt.kind.is_human() { self.room } else { self.glimpse(GLIMPSE) }.indented(2);
        let mut lines = Vec::new();
        let from = match &prompt.kind {
            PromptKind::Typed | PromptKind::Command { .. } | PromptKind::Bash => None,
            PromptKind::Memory => Some("to remember".to_owned()),
            PromptKind::Plan => Some("a plan to carry out".to_owned()),
            PromptKind::Notification { task, status } => Some(format!("task {task} {status}")),
            PromptKind::Scheduled => Some("scheduled".to_owned()),
            PromptKind::Teammate(name) => Some(format!("teammate {name}")),
            PromptKind::Peer(name) => Some(format!("from {name}")),
            PromptKind::Channel(name) => Some(format!("channel {name}")),
            PromptKind::Parent => Some("asked by its parent".to_owned()),
            PromptKind::Program => Some("asked by the program".to_owned()),
        };
        let delivery = match prompt.delivery {
            // A short wait in the queue is not worth a note.
            Delivery::Direct | Delivery::Queued => None,
            Delivery::Steering => Some("said in between".to_owned()),
            Delivery::Undelivered => Some("never sent".to_owned()),
        };
        let thread = prompt.thread.map(|thread| format!("thread {}", thread.index()));
        let note = [from, delivery, thread].into_iter().flatten().map(|part| part.trim_end().to_owned());
        let note = note.collect::<Vec<_>>().join(" · ");
        if !note.is_empty() {
            lines.push(Line::new().with(&note, Role::Quiet).cut(room.width));
        }
        let mark = if prompt.kind == PromptKind::Bash { "! " } else { "❯ " };
        lines.extend(section::all(sections.iter().filter(|section| section.level <= self.detail), room));
        let has_images = sections.iter().any(|section| matches!(section.body, Body::Image(_)));
        for number in prompt.images.iter().filter(|_| !has_images) {
            let name = if *number > 0 { format!("[Image #{number}]") } else { "[image]".to_owned() };
            lines.push(Line::new().with(&name, Role::Quiet));
        }
        marked(mark, Role::Prompt, lines)
    }

    fn printed(&self, output: &Output, sections: &[Section<'_>]) -> Vec<Line> {
        if !sections.is_empty() {
            return indented(section::all(sections, self.glimpse(PRINTED).indented(4)), 4);
        }
        let role = if output.is_error { Role::Error } else { Role::Quiet };
        self.line(&Line::new().with("    ", role).with(&output.preview, role))
    }
}

fn thoughts(length: u32, sections: &[Section<'_>], room: Room) -> Vec<Line> {
    if length == 0 {
        return vec![Line::new().with("  · thought", Role::Quiet)];
    }
    marked("  · ", Role::Quiet, section::all(sections, room.indented(4)))
}

fn severity_role(severity: Severity) -> Style {
    match severity {
        Severity::Normal | Severity::Expected => Role::Quiet.into(),
        Severity::Warning => Role::Warning.into(),
        Severity::Error => Role::Error.into(),
    }
}

impl Shown<'_> {
    fn call(&self, texts: &mut dyn Texts, step: &Step, call: &Call) -> Vec<Line> {
        let (story, width) = (self.story, self.room.width);
        if self.detail < call.line_detail() {
            return self.human_words(texts, step, call);
        }
        if let Some(title) = call.chapter() {
            let mut lines = vec![rule(title, width, Role::Heading)];
            if self.is_open() {
                lines.extend(view::call_sections(story, texts, step, call, |sections| {
                    indented(section::all(&sections.input, self.room.indented(4)), 4)
                }));
            }
            return lines;
        }
        let (about, outcome) = call_line(story, call);
        let mut line = Line::new().with("  ", Style::PLAIN);
        line.append(&about);
        if !self.is_open() {
            // The outcome stays visible, however long the command is.
            let room = width.saturating_sub(outcome.width()).max(width * 6 / 10);
            let mut line = line.cut(room);
            line.append(&outcome);
            let mut lines = vec![line.cut(width)];
            if call.has_human_words() {
                lines.extend(indented(self.human_words(texts, step, call), 4));
            }
            let changes = content::call::changes(call);
            lines.extend(indented(changes.iter().flat_map(|task| section::task(task, self.room.indented(4))), 4));
            return lines;
        }
        line.append(&outcome);
        let mut lines = wrap(&line, width, &Line::new(), &Line::new().with("    ", Style::PLAIN));
        // The prompt and the answer of an agent are in its own thread.
        let has_thread = call.thread.is_some_and(self.has_thread);
        lines.extend(view::call_sections(story, texts, step, call, |sections| {
            let shown = sections.all().filter(|section| !(has_thread && section.is_in_thread()));
            indented(section::all(shown, self.room.indented(4)), 4)
        }));
        lines
    }

    /// The user's words in the result of a call, each answer below its question.
    fn human_words(&self, texts: &mut dyn Texts, step: &Step, call: &Call) -> Vec<Line> {
        let room = self.room.indented(4);
        view::call_sections(self.story, texts, step, call, |sections| {
            let mut lines = Vec::new();
            // Where the line of the call is not shown, a decision says what it is about.
            if self.detail < call.line_detail() && !sections.answers_questions() {
                let about = format!("{} {}", call.nature().label, call.subject);
                lines.push(Line::new().with(&about, Role::Quiet).cut(room.width));
            }
            for section in sections.human_words() {
                if let Body::Answer { question, .. } = section.body
                    && !question.is_empty()
                {
                    lines.extend(section::plain(question, room.width, Role::Quiet.into()));
                }
                lines.extend(section::lines(section, room));
            }
            lines
        })
    }

    fn compaction(&self, texts: &mut dyn Texts, step: &Step, compaction: &Compaction) -> Vec<Line> {
        let what = match compaction.extent {
            Extent::Whole => "compacted",
            Extent::Part => "a part compacted",
            Extent::Results => "old results dropped",
        };
        let trigger = match compaction.trigger {
            Trigger::Auto => Some("the context was full".to_owned()),
            Trigger::Manual => Some("on request".to_owned()),
            Trigger::Unknown => None,
        };
        let tokens = |tokens: Option<i64>| tokens.and_then(|tokens| u64::try_from(tokens).ok()).map(human::thousands);
        let tokens = match (tokens(compaction.tokens_before), tokens(compaction.tokens_after)) {
            (Some(before), Some(after)) => Some(format!("{before} to {after} tokens")),
            (Some(before), None) => Some(format!("{before} tokens before")),
            (None, _) => None,
        };
        let title = [Some(what.to_owned()), trigger, tokens].into_iter().flatten().collect::<Vec<_>>().join(" · ");
        let mut lines = vec![rule(&title, self.room.width, Role::Heading)];
        let mut summary = Vec::new();
        if self.is_open() {
            let shown =
                view::step_sections(self.story, texts, step, |shown| section::all(shown, self.room.indented(2)));
            summary = indented(shown, 2);
        }
        if summary.is_empty() && !compaction.preview.is_empty() {
            lines.extend(self.line(&Line::new().with("  ", Style::PLAIN).with(&compaction.preview, Role::Quiet)));
        }
        lines.extend(summary);
        lines
    }

    fn raw(&self, texts: &mut dyn Texts, step: &Step) -> Vec<Line> {
        let result = match &step.kind {
            StepKind::Call(call) => call.result,
            _ => None,
        };
        let places = [Some(step.place), result];
        let width = self.room.indented(4).columns;
        let show = |place| section::plain(&view::raw_line(self.story, texts, place), width, Role::Quiet.into());
        let lines: Vec<Line> = places.into_iter().flatten().flat_map(show).collect();
        indented(lines, 4)
    }
}

/// A call in a line: the tool with its subject, and the outcome that follows it.
pub fn call_line(story: &Story, call: &Call) -> (Line, Line) {
    let tool = format::tool::split_mcp(&call.tool);
    let name = tool.map_or_else(|| call.tool.to_string(), |(server, tool)| format!("{server}: {tool}"));
    let mut line = Line::new().with(&name, Role::Tool);
    if !call.subject.is_empty() {
        line.push(" ", Style::PLAIN);
        line.push(&from_project(story, &call.subject), Style::PLAIN);
    }
    (line, outcome_of(call))
}

/// The outcome of a call.
fn outcome_of(call: &Call) -> Line {
    let mut line = Line::new();
    if let Some(change) = call.change {
        if change.added > 0 {
            line.push(&format!(" +{}", change.added), Role::Added);
        }
        if change.removed > 0 {
            line.push(&format!(" −{}", change.removed), Role::Removed);
        }
    }
    // The outcome of a failure says that it is one.
    let is_said = call.state == CallState::Failed && !call.outcome.is_empty();
    let state = Some(call.state.note()).filter(|_| !is_said);
    let duration = call.duration.filter(|duration| duration.millis >= 100);
    let duration = duration.map(|duration| human::duration(duration.millis));
    let thread = call.thread.map(|thread| format!("thread {}", thread.index()));
    let parts = [state.map(str::to_owned), Some(call.outcome.to_string()), duration, thread];
    for part in parts.into_iter().flatten().filter(|part| !part.is_empty()) {
        line.push(" · ", Role::Quiet);
        line.push(&part, severity_role(call.severity));
    }
    line
}

/// Paths inside the project are shown relative to it.
fn from_project<'s>(story: &Story, subject: &'s str) -> Cow<'s, str> {
    let Some(project) = story.facts.folder.as_deref().filter(|project| project.len() > 1) else {
        return Cow::Borrowed(subject);
    };
    // The subject of a call may have more than a path, and commands have paths as they were typed.
    let mut shown = Cow::Borrowed(subject);
    for (project, separator) in
        [(Cow::Borrowed(project), '/'), (project.into(), '\\'), (human::path_spelling(project), '/')]
    {
        let prefix = format!("{}{separator}", project.trim_end_matches(separator));
        if shown.contains(&prefix) {
            shown = Cow::Owned(shown.replace(&prefix, ""));
        }
    }
    shown
}

fn notice(notice: &Notice, width: usize) -> Vec<Line> {
    let mark = if notice.severity >= Severity::Warning { "  ! " } else { "  · " };
    let style = severity_role(notice.severity);
    let times = if notice.times > 1 { format!(" ({} times)", notice.times) } else { String::new() };
    let text = Line::new().with(&notice.text, style).with(&times, Role::Quiet);
    wrap(&text, width, &Line::new().with(mark, style), &Line::new().with("    ", Style::PLAIN))
}

fn outcome(outcome: &RunOutcome, width: usize, locale: &Locale) -> Vec<Line> {
    let role = if outcome.is_error { Role::Error } else { Role::Added };
    let parts = [
        outcome.turns.map(|turns| human::counted(u64::from(turns), "turn", "turns")),
        outcome.cost_usd.map(|cost| locale.money(cost)),
        outcome.duration_ms.map(human::duration),
        (!outcome.denied.is_empty()).then(|| format!("not allowed: {}", outcome.denied.join(", "))),
        outcome.is_error.then(|| outcome.preview.to_string()),
    ];
    let mut line = Line::new().with("  = ", role).with(&outcome.kind, role);
    for part in parts.into_iter().flatten().filter(|part| !part.is_empty()) {
        line.push(" · ", Role::Quiet);
        line.push(&part, Role::Quiet);
    }
    wrap(&line, width, &Line::new(), &Line::new().with("    ", Style::PLAIN))
}
