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
    /// More lines than this are opened.
    pub(super) const FEW: usize = 2;

    pub(super) fn of(step: &Step, lines: usize) -> Self {
        match &step.kind {
            StepKind::Prompt(_) | StepKind::Reply(_) | StepKind::Compaction(_) | StepKind::Joint(_) => Self::Words,
            StepKind::Call(call) if call.has_human_words() || call.chapter().is_some() => Self::Words,
            _ if lines > Self::FEW => Self::Opened,
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

    /// Passes on the lines of a step, one after another.
    pub(super) fn write(&self, texts: &mut dyn Texts, step: &Step, out: &mut dyn FnMut(Line)) {
        if step.withdrawn {
            self.body(texts, step, &mut |line| out(line.also(Role::Struck)));
        } else {
            self.body(texts, step, out);
        }
        if self.detail == Detail::Raw {
            self.raw(texts, step, out);
        }
    }

    fn body(&self, texts: &mut dyn Texts, step: &Step, out: &mut dyn FnMut(Line)) {
        let (story, width) = (self.story, self.room.width);
        match &step.kind {
            StepKind::Prompt(prompt) => {
                view::step_sections(story, texts, step, |shown| self.prompt(prompt, shown, out));
            }
            StepKind::Reply(_) => self.sections(texts, step, 2, out),
            StepKind::Thinking(thinking) => {
                view::step_sections(story, texts, step, |shown| thoughts(thinking.length, shown, self.room, out));
            }
            StepKind::Call(call) => self.call(texts, step, call, out),
            StepKind::Output(output) => {
                view::step_sections(story, texts, step, |shown| self.printed(output, shown, out));
            }
            StepKind::Notice(notice) => {
                self::notice(notice, width).into_iter().for_each(&mut *out);
                self.below(texts, step, out);
            }
            StepKind::Context(context) => {
                let kind = wording::context(context.kind);
                let line = Line::new().with(&format!("  + {kind}: {}", context.preview), Role::Quiet);
                self.line(&line).into_iter().for_each(&mut *out);
                self.below(texts, step, out);
            }
            StepKind::Compaction(compaction) => self.compaction(texts, step, compaction, out),
            StepKind::Joint(joint) => {
                let entries = human::counted(u64::from(joint.entries), "entry", "entries");
                let title = format!("{entries} before this copied from session {}", joint.session);
                out(rule(&title, width, Role::Heading));
            }
            StepKind::Outcome(outcome) => {
                self::outcome(outcome, width, self.locale).into_iter().for_each(&mut *out);
                self.sections(texts, step, 4, out);
            }
            StepKind::Orphan(orphan) => {
                let text = format!("result of a call that is nowhere ({}): ", orphan.id);
                let line = Line::new().with("  ? ", Role::Warning).with(&text, Role::Quiet);
                self.line(&line.with(&orphan.preview, Style::PLAIN)).into_iter().for_each(&mut *out);
                self.below(texts, step, out);
            }
            StepKind::Unknown(kind) => {
                let line = Line::new().with("  ? ", Role::Warning).with(&format!("unknown: {kind}"), Role::Quiet);
                self.line(&line).into_iter().for_each(&mut *out);
                self.below(texts, step, out);
            }
        }
    }

    /// The sections of a step, indented.
    fn sections(&self, texts: &mut dyn Texts, step: &Step, columns: usize, out: &mut dyn FnMut(Line)) {
        view::step_sections(self.story, texts, step, |shown| {
            section::all(shown, self.room.indented(columns), &mut |line| out(shifted(line, columns)));
        });
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
    fn below(&self, texts: &mut dyn Texts, step: &Step, out: &mut dyn FnMut(Line)) {
        if self.is_open() {
            self.sections(texts, step, 4, out);
        }
    }
}

/// A line further to the right.
fn shifted(line: Line, columns: usize) -> Line {
    if line.is_empty() {
        return line;
    }
    let mut shifted = Line::new().with(&" ".repeat(columns), Style::PLAIN);
    shifted.append(&line);
    shifted
}

pub(super) fn indented<'t>(
    lines: impl IntoIterator<Item = Line, IntoIter: 't>,
    columns: usize,
) -> impl Iterator<Item = Line> + 't {
    lines.into_iter().map(move |line| shifted(line, columns))
}

/// Puts a mark before the first line that it is given, and as much space before the others.
pub(super) fn marker(mark: &'static str, role: Role) -> impl FnMut(Line) -> Line {
    let mut first = Some(Line::new().with(mark, role));
    move |line| {
        let indent = || Line::new().with(&" ".repeat(styled::width::width(mark)), Style::PLAIN);
        let mut marked = first.take().unwrap_or_else(indent);
        marked.append(&line);
        marked
    }
}

impl Shown<'_> {
    fn prompt(&self, prompt: &Prompt, sections: &[Section<'_>], out: &mut dyn FnMut(Line)) {
        // Human words are shown whole at every level.
        let room = if prompt.kind.is_human() { self.room } else { self.glimpse(GLIMPSE) }.indented(2);
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
        let mut mark = marker(if prompt.kind == PromptKind::Bash { "! " } else { "❯ " }, Role::Prompt);
        let mut out = |line| out(mark(line));
        if !note.is_empty() {
            out(Line::new().with(&note, Role::Quiet).cut(room.width));
        }
        section::all(sections.iter().filter(|section| section.level <= self.detail), room, &mut out);
        let has_images = sections.iter().any(|section| matches!(section.body, Body::Image(_)));
        for number in prompt.images.iter().filter(|_| !has_images) {
            let name = if *number > 0 { format!("[Image #{number}]") } else { "[image]".to_owned() };
            out(Line::new().with(&name, Role::Quiet));
        }
    }

    fn printed(&self, output: &Output, sections: &[Section<'_>], out: &mut dyn FnMut(Line)) {
        if !sections.is_empty() {
            let room = self.glimpse(PRINTED).indented(4);
            return section::all(sections, room, &mut |line| out(shifted(line, 4)));
        }
        let role = if output.is_error { Role::Error } else { Role::Quiet };
        self.line(&Line::new().with("    ", role).with(&output.preview, role)).into_iter().for_each(out);
    }
}

fn thoughts(length: u32, sections: &[Section<'_>], room: Room, out: &mut dyn FnMut(Line)) {
    if length == 0 {
        return out(Line::new().with("  · thought", Role::Quiet));
    }
    let mut mark = marker("  · ", Role::Quiet);
    section::all(sections, room.indented(4), &mut |line| out(mark(line)));
}

fn severity_role(severity: Severity) -> Style {
    match severity {
        Severity::Normal | Severity::Expected => Role::Quiet.into(),
        Severity::Warning => Role::Warning.into(),
        Severity::Error => Role::Error.into(),
    }
}

impl Shown<'_> {
    fn call(&self, texts: &mut dyn Texts, step: &Step, call: &Call, out: &mut dyn FnMut(Line)) {
        let (story, width) = (self.story, self.room.width);
        if self.detail < call.line_detail() {
            return self.human_words(texts, step, call, out);
        }
        let room = self.room.indented(4);
        if let Some(title) = call.chapter() {
            out(rule(title, width, Role::Heading));
            if self.is_open() {
                view::call_sections(story, texts, step, call, |sections| {
                    section::all(&sections.input, room, &mut |line| out(shifted(line, 4)));
                });
            }
            return;
        }
        let (about, outcome) = call_line(story, call);
        let mut line = Line::new().with("  ", Style::PLAIN);
        line.append(&about);
        if !self.is_open() {
            // The outcome stays visible, however long the command is.
            let room = width.saturating_sub(outcome.width()).max(width * 6 / 10);
            let mut line = line.cut(room);
            line.append(&outcome);
            out(line.cut(width));
            if call.has_human_words() {
                self.human_words(texts, step, call, &mut |line| out(shifted(line, 4)));
            }
            let changes = content::call::changes(call);
            return indented(changes.iter().flat_map(|task| section::task(task, self.room.indented(4))), 4)
                .for_each(out);
        }
        line.append(&outcome);
        wrap(&line, width, &Line::new(), &Line::new().with("    ", Style::PLAIN)).into_iter().for_each(&mut *out);
        // The prompt and the answer of an agent are in its own thread.
        let has_thread = call.thread.is_some_and(self.has_thread);
        view::call_sections(story, texts, step, call, |sections| {
            let shown = sections.all().filter(|section| !(has_thread && section.is_in_thread()));
            section::all(shown, room, &mut |line| out(shifted(line, 4)));
        });
    }

    /// The user's words in the result of a call, each answer below its question.
    fn human_words(&self, texts: &mut dyn Texts, step: &Step, call: &Call, out: &mut dyn FnMut(Line)) {
        let room = self.room.indented(4);
        view::call_sections(self.story, texts, step, call, |sections| {
            // Where the line of the call is not shown, a decision says what it is about.
            if self.detail < call.line_detail() && !sections.answers_questions() {
                let about = format!("{} {}", call.nature().label, call.subject);
                out(Line::new().with(&about, Role::Quiet).cut(room.width));
            }
            for section in sections.human_words() {
                if let Body::Answer { question, .. } = section.body
                    && !question.is_empty()
                {
                    section::plain(question, room.width, Role::Quiet.into()).for_each(&mut *out);
                }
                section::lines(section, room).for_each(&mut *out);
            }
        });
    }

    fn compaction(&self, texts: &mut dyn Texts, step: &Step, compaction: &Compaction, out: &mut dyn FnMut(Line)) {
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
        out(rule(&title, self.room.width, Role::Heading));
        let mut has_summary = false;
        if self.is_open() {
            self.sections(texts, step, 2, &mut |line| {
                has_summary = true;
                out(line);
            });
        }
        if !has_summary && !compaction.preview.is_empty() {
            let preview = Line::new().with("  ", Style::PLAIN).with(&compaction.preview, Role::Quiet);
            self.line(&preview).into_iter().for_each(out);
        }
    }

    fn raw(&self, texts: &mut dyn Texts, step: &Step, out: &mut dyn FnMut(Line)) {
        let result = match &step.kind {
            StepKind::Call(call) => call.result,
            _ => None,
        };
        let width = self.room.indented(4).columns;
        for place in [Some(step.place), result].into_iter().flatten() {
            let raw = view::raw_line(self.story, texts, place);
            indented(section::plain(&raw, width, Role::Quiet.into()), 4).for_each(&mut *out);
        }
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
