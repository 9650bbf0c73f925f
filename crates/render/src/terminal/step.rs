//! Steps as lines.

use std::borrow::Cow;

use story::step::{
    Call, CallState, Compaction, Context, Delivery, Extent, Notice, Prompt, PromptKind, RunOutcome, Severity, StepKind,
    Trigger,
};
use story::tasks::TaskChange;
use story::tasks::TaskStatus;
use story::{Detail, Step, Story, Texts};

use super::{rule, section};
use content::view::{self, Section};
use content::wording;
use human::Locale;
use styled::Line;
use styled::wrap;
use styled::{Role, Style};

/// How a step stands to its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spacing {
    /// Words: they want room around them.
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
            _ if lines > 2 => Self::Opened,
            _ => Self::Line,
        }
    }

    pub(super) fn wants_air(self, next: Self) -> bool {
        self != Self::Line || next != Self::Line
    }
}

/// How many lines of something long are shown, unless all of it is wanted.
const GLIMPSE: usize = 40;

/// The lines of a step.
pub(super) fn lines(
    story: &Story,
    texts: &mut dyn Texts,
    step: &Step,
    detail: Detail,
    width: usize,
    locale: &Locale,
) -> Vec<Line> {
    let is_open = detail >= Detail::Full;
    let mut lines = match &step.kind {
        StepKind::Prompt(prompt) => self::prompt(prompt, &view::sections(story, texts, step), is_open, width),
        StepKind::Reply(_) => indented(
            view::sections(story, texts, step).iter().flat_map(|part| section::lines(part, width - 2, usize::MAX)),
            2,
        ),
        StepKind::Thinking(thinking) => thoughts(thinking.length, &view::sections(story, texts, step), width),
        StepKind::Call(call) => self::call(story, texts, step, call, is_open, width),
        StepKind::Output(output) => {
            let role = if output.is_error { Role::Error } else { Role::Quiet };
            let shown = view::sections(story, texts, step);
            match (shown.first(), is_open) {
                (Some(part), _) => indented(section::lines(part, width - 4, if is_open { usize::MAX } else { 12 }), 4),
                (None, _) => vec![Line::new().with("    ", role).with(&output.preview, role).cut(width)],
            }
        }
        StepKind::Notice(notice) => self::notice(notice, width),
        StepKind::Context(context) => self::context(context, &full(story, texts, step, detail == Detail::Raw), width),
        StepKind::Compaction(compaction) => self::compaction(compaction, &full(story, texts, step, is_open), width),
        StepKind::Joint(joint) => {
            let entries = human::counted(u64::from(joint.entries), "entry", "entries");
            vec![rule(&format!("{entries} before this copied from session {}", joint.session), width, Role::Heading)]
        }
        StepKind::Outcome(outcome) => self::outcome(outcome, width, locale),
        StepKind::Orphan(orphan) => {
            let text = format!("result of a call that is nowhere ({}): ", orphan.id);
            vec![
                Line::new()
                    .with("  ? ", Role::Warning)
                    .with(&text, Role::Quiet)
                    .with(&orphan.preview, Style::PLAIN)
                    .cut(width),
            ]
        }
        StepKind::Unknown(kind) => {
            vec![Line::new().with("  ? ", Role::Warning).with(&format!("unknown: {kind}"), Role::Quiet).cut(width)]
        }
    };
    if step.withdrawn {
        lines = lines.into_iter().map(|line| line.also(Role::Struck)).collect();
    }
    if detail == Detail::Raw {
        lines.extend(raw(story, texts, step, width));
    }
    lines
}

fn full(story: &Story, texts: &mut dyn Texts, step: &Step, is_open: bool) -> Vec<Section> {
    if is_open { view::sections(story, texts, step) } else { Vec::new() }
}

fn indented(lines: impl IntoIterator<Item = Line>, columns: usize) -> Vec<Line> {
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

/// Lines behind a mark that stands before the first of them.
fn marked(mark: &str, role: Role, lines: Vec<Line>) -> Vec<Line> {
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

fn prompt(prompt: &Prompt, sections: &[Section], is_open: bool, width: usize) -> Vec<Line> {
    let most = if is_open { usize::MAX } else { GLIMPSE };
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
        // That it waited for a moment is nothing to tell.
        Delivery::Direct | Delivery::Queued => None,
        Delivery::Steering => Some("said in between".to_owned()),
        Delivery::Undelivered => Some("never sent".to_owned()),
    };
    let thread = prompt.thread.map(|thread| format!("thread {}", thread.index()));
    let note = [from, delivery, thread].into_iter().flatten().map(|part| part.trim_end().to_owned());
    let note = note.collect::<Vec<_>>().join(" · ");
    if !note.is_empty() {
        lines.push(Line::new().with(&note, Role::Quiet).cut(width - 2));
    }
    let mark = if prompt.kind == PromptKind::Bash { "! " } else { "❯ " };
    for part in sections {
        match part {
            Section::Plain(text) if prompt.kind == PromptKind::Parent || prompt.kind == PromptKind::Plan => {
                lines.extend(section::lines(&Section::Prose(text.clone()), width - 2, most));
            }
            part => lines.extend(section::lines(part, width - 2, most)),
        }
    }
    for number in &prompt.images {
        let name = if *number > 0 { format!("[Image #{number}]") } else { "[image]".to_owned() };
        if !sections.iter().any(|part| matches!(part, Section::Image(_))) {
            lines.push(Line::new().with(&name, Role::Quiet));
        }
    }
    marked(mark, Role::Prompt, lines)
}

fn thoughts(length: u32, sections: &[Section], width: usize) -> Vec<Line> {
    if length == 0 {
        return vec![Line::new().with("  · thought", Role::Quiet)];
    }
    let text = sections.iter().filter_map(|part| match part {
        Section::Plain(text) => Some(section::plain(text, width - 4, Role::Quiet, true)),
        _ => None,
    });
    marked("  · ", Role::Quiet, text.flatten().collect())
}

fn severity_role(severity: Severity) -> Style {
    match severity {
        Severity::Normal | Severity::Expected => Role::Quiet.into(),
        Severity::Warning => Role::Warning.into(),
        Severity::Error => Role::Error.into(),
    }
}

fn call(story: &Story, texts: &mut dyn Texts, step: &Step, call: &Call, is_open: bool, width: usize) -> Vec<Line> {
    let (about, outcome) = call_line(story, call);
    let mut line = Line::new().with("  ", Style::PLAIN);
    line.append(&about);
    let mut lines = if is_open {
        line.append(&outcome);
        wrap(&line, width, &Line::new(), &Line::new().with("    ", Style::PLAIN))
    } else {
        // However long a command is, what came of it is seen.
        let room = width.saturating_sub(outcome.width()).max(width * 6 / 10);
        let mut line = line.cut(room);
        line.append(&outcome);
        vec![line.cut(width)]
    };
    if let Some(words) = &call.user_said {
        lines.extend(wrap(
            &Line::new().with(words, Role::Prompt),
            width,
            &Line::new().with("    ❯ ", Role::Prompt),
            &Line::new().with("      ", Style::PLAIN),
        ));
    }
    lines.extend(call.tasks.iter().map(|change| task(change).cut(width)));
    if is_open {
        let shown = view::call_view(story, texts, step, call);
        // What an agent was asked and what it answered stands in its own thread.
        let has_thread = call.thread.is_some();
        let patched = shown.result.iter().any(|part| matches!(part, Section::Patch { .. }));
        let input = shown.input.iter().filter(|part| {
            !(has_thread && matches!(part, Section::Prose(_))
                || patched && matches!(part, Section::Replacement { .. } | Section::Code { path: Some(_), .. }))
        });
        let result = shown.result.iter().filter(|part| !(has_thread && matches!(part, Section::Prose(_))));
        for part in input.chain(result) {
            lines.extend(indented(section::lines(part, width - 4, usize::MAX), 4));
        }
    }
    lines
}

/// A call in a line: the tool with what it is about, and what came of it, to stand behind that.
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

/// What came of a call, behind what it is about.
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
    let state = match call.state {
        CallState::Done => None,
        CallState::Pending => Some("no result yet"),
        CallState::Background => Some("in the background"),
        CallState::Failed => call.outcome.is_empty().then_some("failed"),
        CallState::Rejected => Some("rejected"),
        CallState::Interrupted => Some("interrupted"),
        CallState::Lost => Some("no result"),
    };
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

/// Paths within the project go without it: everything is there.
fn from_project<'s>(story: &Story, subject: &'s str) -> Cow<'s, str> {
    let Some(project) = story.facts.project.as_deref().filter(|project| project.len() > 1) else {
        return Cow::Borrowed(subject);
    };
    let mut shown = Cow::Borrowed(subject);
    for separator in ['/', '\\'] {
        let prefix = format!("{}{separator}", project.trim_end_matches(separator));
        if shown.contains(&prefix) {
            shown = Cow::Owned(shown.replace(&prefix, ""));
        }
    }
    shown
}

fn task(change: &TaskChange) -> Line {
    let (mark, role) = match change.after {
        None => ("    [-] ", Role::Quiet),
        Some(TaskStatus::Pending) => ("    [ ] ", Role::Quiet),
        Some(TaskStatus::InProgress) => ("    [>] ", Role::Tool),
        Some(TaskStatus::Completed) => ("    [x] ", Role::Added),
    };
    Line::new().with(mark, role).with(&change.subject, Style::PLAIN)
}

fn notice(notice: &Notice, width: usize) -> Vec<Line> {
    let mark = if notice.severity >= Severity::Warning { "  ! " } else { "  · " };
    let style = severity_role(notice.severity);
    let times = if notice.times > 1 { format!(" ({} times)", notice.times) } else { String::new() };
    let text = Line::new().with(&notice.text, style).with(&times, Role::Quiet);
    wrap(&text, width, &Line::new().with(mark, style), &Line::new().with("    ", Style::PLAIN))
}

fn context(context: &Context, sections: &[Section], width: usize) -> Vec<Line> {
    let kind = wording::context(context.kind);
    let mut lines = vec![Line::new().with(&format!("  + {kind}: {}", context.preview), Role::Quiet).cut(width)];
    lines.extend(sections.iter().flat_map(|part| indented(section::lines(part, width - 4, usize::MAX), 4)));
    lines
}

fn compaction(compaction: &Compaction, sections: &[Section], width: usize) -> Vec<Line> {
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
    let mut lines = vec![rule(&title, width, Role::Heading)];
    if sections.is_empty() && !compaction.preview.is_empty() {
        lines.push(Line::new().with("  ", Style::PLAIN).with(&compaction.preview, Role::Quiet).cut(width));
    }
    lines.extend(sections.iter().flat_map(|part| indented(section::lines(part, width - 2, usize::MAX), 2)));
    lines
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
    let mut lines = wrap(&line, width, &Line::new(), &Line::new().with("    ", Style::PLAIN));
    for error in &outcome.errors {
        let error = Line::new().with(error, Role::Error);
        let indent = Line::new().with("    ", Style::PLAIN);
        lines.extend(wrap(&error, width, &indent, &indent));
    }
    lines
}

fn raw(story: &Story, texts: &mut dyn Texts, step: &Step, width: usize) -> Vec<Line> {
    let result = match &step.kind {
        StepKind::Call(call) => call.result,
        _ => None,
    };
    let places = [Some(step.place), result];
    let show = |place| section::plain(&view::raw_line(story, texts, place), width - 4, Role::Quiet, true);
    let lines: Vec<Line> = places.into_iter().flatten().flat_map(show).collect();
    indented(lines, 4)
}
