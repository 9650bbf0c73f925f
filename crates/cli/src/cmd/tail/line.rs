//! Formats a step as one line of text.

use app::Clock;
use content::section::{Body, Section};
use content::view;
use human::Locale;
use jiff::Timestamp;
use render::terminal::call_line;
use story::step::{CallState, Notice, Prompt, PromptKind, Severity};
use story::{Step, StepKind, Story, ThreadKind};
use styled::Line;
use styled::Role;
use styled::Style;
use styled::Theme;

use reader::Texts;

use super::followed::News;

/// Formatting options.
#[derive(Debug)]
pub(super) struct TailLook {
    /// Maximum width; `None` if output does not go to a terminal.
    pub(super) width: Option<usize>,
    pub(super) theme: Option<Theme>,
    pub(super) locale: Locale,
    /// The clock that determines today.
    pub(super) clock: Clock,
}

/// Minimum width of the speaker's column.
const WHO: usize = 8;

/// Formats a step as a line with its newline; empty if there is nothing to show.
pub(super) fn write(news: News, label: Option<&str>, story: &Story, texts: &mut Texts, look: &TailLook) -> String {
    let Some(step) = story.step(news.step) else { return String::new() };
    let at = match (&step.kind, news.is_result) {
        (StepKind::Call(call), true) => call.ended.or(step.at),
        _ => step.at,
    };
    let mut line = Line::new().with(&format!("{:8}  ", moment(at, look)), Role::Quiet);
    if let Some(label) = label {
        line.push(&format!("{label}  "), Role::Key);
    }
    if let Some(agent) = story.thread(news.thread).and_then(|thread| agent(&thread.kind)) {
        line.push(&format!("{agent} › "), Role::Keyword);
    }
    let what = what(step, story, texts);
    line.append(&what);
    drop(what);
    let line = match look.width {
        Some(width) => line.cut(width.max(1)),
        None => line,
    };
    styled::write(&[line], look.theme.as_ref())
}

/// Formats the time of day, with the date if it is not today.
fn moment(at: Option<i64>, look: &TailLook) -> String {
    let Some(at) = at.and_then(|at| Timestamp::from_millisecond(at).ok()) else { return String::new() };
    let local = |at: Timestamp| at.to_zoned(look.locale.zone.clone());
    let at = local(at);
    let is_today = at.date() == local(look.clock.now()).date();
    at.strftime(if is_today { "%H:%M:%S" } else { "%Y-%m-%d %H:%M:%S" }).to_string()
}

/// Returns the name of an agent.
pub(super) fn agent(thread: &ThreadKind) -> Option<&str> {
    match thread {
        ThreadKind::Agent(agent) => {
            let names = [agent.name.as_deref(), agent.agent_type.as_deref(), Some(&*agent.id)];
            names.into_iter().flatten().find(|name| !name.is_empty()).or(Some("agent"))
        }
        ThreadKind::Main | ThreadKind::Branch => None,
    }
}

fn what(step: &Step, story: &Story, texts: &mut Texts) -> Line {
    let mut full = |preview: &str| view::step_sections(story, texts, step, |sections| words(sections, preview));
    match &step.kind {
        StepKind::Prompt(prompt) => by(&asker(prompt), Role::Prompt, &full(&prompt.preview), Style::PLAIN),
        StepKind::Reply(reply) => by("claude", Role::Strong, &full(&reply.preview), Style::PLAIN),
        StepKind::Thinking(_) => by("thinking", Role::Quiet, &full(""), Role::Quiet),
        StepKind::Call(call) => {
            let (mut line, outcome) = call_line(story, call);
            if call.state == CallState::Pending {
                line.push(" …", Role::Quiet);
            } else {
                line.append(&outcome);
            }
            line
        }
        StepKind::Output(output) => {
            let role = if output.is_error { Role::Error } else { Role::Quiet };
            by("output", Role::Quiet, &full(&output.preview), role)
        }
        StepKind::Notice(notice) => self::notice(notice),
        StepKind::Context(context) => by("context", Role::Quiet, &context.preview, Role::Quiet),
        StepKind::Compaction(compaction) => by("compact", Role::Quiet, &compaction.preview, Role::Quiet),
        StepKind::Joint(joint) => {
            by("notice", Role::Quiet, &format!("continues session {}", joint.session), Role::Quiet)
        }
        StepKind::Outcome(outcome) => {
            let role = if outcome.is_error { Role::Error } else { Role::Added };
            by("ended", role, &format!("{} {}", outcome.kind, outcome.preview), Style::PLAIN)
        }
        StepKind::Orphan(orphan) => by("result", Role::Warning, &orphan.preview, Style::PLAIN),
        StepKind::Unknown(kind) => by("unknown", Role::Warning, kind, Style::PLAIN),
    }
}

fn by(who: &str, role: Role, text: &str, style: impl Into<Style>) -> Line {
    let gap = " ".repeat(WHO.saturating_sub(styled::width(who)).max(1));
    Line::new().with(who, role).with(&gap, Style::PLAIN).with(text, style)
}

fn notice(notice: &Notice) -> Line {
    let role = match notice.severity {
        Severity::Normal | Severity::Expected => Role::Quiet,
        Severity::Warning => Role::Warning,
        Severity::Error => Role::Error,
    };
    by("notice", role, &notice.text, role)
}

/// Returns the sender of a prompt.
fn asker(prompt: &Prompt) -> String {
    match &prompt.kind {
        PromptKind::Typed | PromptKind::Command { .. } | PromptKind::Bash | PromptKind::Memory | PromptKind::Plan => {
            "you".to_owned()
        }
        PromptKind::Notification { .. } => "task".to_owned(),
        PromptKind::Scheduled => "schedule".to_owned(),
        PromptKind::Teammate(name) | PromptKind::Peer(name) | PromptKind::Channel(name) => name.to_string(),
        PromptKind::Parent => "asked".to_owned(),
        PromptKind::Program => "program".to_owned(),
    }
}

/// Joins all words on one line, or uses the preview if the text cannot be read.
fn words(sections: &[Section<'_>], preview: &str) -> String {
    let text = sections.iter().filter_map(|section| match &section.body {
        Body::Words(text)
        | Body::Reply(text)
        | Body::Thinking(text)
        | Body::Prose(text)
        | Body::Code { text, .. }
        | Body::Output(text) => Some(&**text),
        _ => None,
    });
    let mut line = String::new();
    for text in text {
        // A long text is copied once, and there is no list of its words.
        line.reserve_exact(text.len() + 1);
        for word in text.split_whitespace() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    if line.is_empty() { preview.to_owned() } else { line }
}
