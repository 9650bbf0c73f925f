//! A story as text that a person can review.

#![allow(dead_code, reason = "each test uses its own part")]

mod fixture;

use std::fmt::Write as _;

#[allow(unused_imports, reason = "each test uses its own part")]
pub(crate) use fixture::{fixtures, outline_of, outline_of_agents_first, story};
use story::step::{Call, CallState, Delivery, PromptKind, Severity};
use story::{Facts, Source, Step, StepKind, Story, StoryBuilder, ThreadId, ThreadKind, TurnState};

/// Reads the lines of one file.
pub(crate) fn build(file: &str) -> StoryBuilder {
    let mut builder = StoryBuilder::default();
    let source = builder.add_source(Source::default());
    for line in format::lines(file.as_bytes()) {
        builder.push(source, line);
    }
    builder
}

/// The fates of the lines, in one line.
pub(crate) fn accounts(story: &Story) -> String {
    let accounting = story.accounting();
    let mut ends = vec![("told".to_owned(), accounting.shown)];
    ends.extend(accounting.bookkeeping);
    ends.push(("duplicate".to_owned(), accounting.duplicate));
    ends.push(("malformed".to_owned(), accounting.malformed));
    ends.push(("unknown".to_owned(), accounting.unknown));
    let ends: Vec<String> =
        ends.into_iter().filter(|(_, count)| *count > 0).map(|(end, count)| format!("{count} {end}")).collect();
    format!("{} lines: {}\n", accounting.lines, ends.join(", "))
}

/// The story in a few lines per turn.
pub(crate) fn outline(story: &Story) -> String {
    let mut out = String::new();
    for (id, thread) in story.threads() {
        let _ = write!(out, "thread {}", number(id));
        match &thread.kind {
            ThreadKind::Main => out.push_str(" main"),
            ThreadKind::Branch => out.push_str(" branch"),
            ThreadKind::Agent(agent) => {
                let _ = write!(out, " agent {}", agent.id);
                for (name, value) in [
                    ("type", &agent.agent_type),
                    ("does", &agent.description),
                    ("name", &agent.name),
                    ("run", &agent.workflow),
                ] {
                    if let Some(value) = value {
                        let _ = write!(out, ", {name} {value:?}");
                    }
                }
                out.push_str(if agent.teammate { ", teammate" } else { "" });
                out.push_str(if agent.hidden { ", hidden" } else { "" });
            }
        }
        if let Some(origin) = thread.origin {
            let step = origin.step.and_then(|step| story.step(step)).map_or_else(String::new, one_line);
            let _ = write!(out, " from thread {} after: {step}", number(origin.thread));
        }
        out.push('\n');
        for turn in &thread.turns {
            let state = match turn.state {
                TurnState::Open => "open",
                TurnState::Done => "done",
                TurnState::Interrupted => "interrupted",
                TurnState::Failed => "failed",
            };
            let _ = writeln!(out, "  turn ({state})");
            for (_, step) in story.steps(thread, turn) {
                let _ = writeln!(out, "    {}", one_line(step));
            }
        }
    }
    out
}

/// The facts of the session, one per line; unknown ones are left out.
pub(crate) fn facts(facts: &Facts) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "id {}", facts.id);
    if let Some(title) = &facts.title {
        let _ = writeln!(out, "title {} ({:?})", title.text, title.source);
    }
    let single = [
        ("project", &facts.folder),
        ("branch", &facts.branch),
        ("entry point", &facts.entrypoint),
        ("team", &facts.team),
        ("continued in", &facts.continued_in),
    ];
    for (name, value) in single.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?))) {
        let _ = writeln!(out, "{name} {value}");
    }
    let lists = [("other folders", &facts.other_folders), ("models", &facts.models), ("versions", &facts.versions)];
    for (name, values) in lists.into_iter().filter(|(_, values)| !values.is_empty()) {
        let _ = writeln!(out, "{name} {}", values.join(", "));
    }
    let lasted = facts.last.zip(facts.first).map(|(last, first)| last - first);
    let _ = writeln!(
        out,
        "from {:?}, {lasted:?} ms: {} active, {} waiting",
        facts.first, facts.active_ms, facts.waiting_ms
    );
    let _ = writeln!(out, "{:?}", facts.counts);
    for link in &facts.links {
        let by = link.tool_use_id.as_ref().map(|id| format!(" by {id}")).unwrap_or_default();
        let _ = writeln!(out, "link {:?} {} {}{by}", link.kind, link.title, link.url);
    }
    for commit in &facts.commits {
        let branch = commit.branch.as_deref().unwrap_or("no branch");
        let _ =
            writeln!(out, "{:?} {} on {branch}: {} by {}", commit.kind, commit.sha, commit.subject, commit.tool_use_id);
    }
    out
}

fn number(id: ThreadId) -> String {
    format!("{id:?}").trim_matches(|c: char| !c.is_ascii_digit()).to_owned()
}

fn one_line(step: &Step) -> String {
    let mut line = match &step.kind {
        StepKind::Prompt(prompt) => {
            let kind = match &prompt.kind {
                PromptKind::Typed => "typed".to_owned(),
                PromptKind::Command { name, .. } => format!("command {name}"),
                PromptKind::Bash => "bash".to_owned(),
                PromptKind::Memory => "memory".to_owned(),
                PromptKind::Plan => "plan".to_owned(),
                PromptKind::Notification { task, status } => format!("notification of {task} {status}"),
                PromptKind::Scheduled => "scheduled".to_owned(),
                PromptKind::Teammate(name) => format!("teammate {name}"),
                PromptKind::Peer(name) => format!("peer {name}"),
                PromptKind::Channel(name) => format!("channel {name}"),
                PromptKind::Parent => "parent".to_owned(),
                PromptKind::Program => "program".to_owned(),
            };
            let delivery = match prompt.delivery {
                Delivery::Direct => "",
                Delivery::Queued => ", queued",
                Delivery::Steering => ", steering",
                Delivery::Undelivered => ", undelivered",
            };
            let mut line = format!("prompt ({kind}{delivery}) {}", prompt.preview);
            if !prompt.images.is_empty() {
                let _ = write!(line, " images {:?}", prompt.images);
            }
            if let Some(thread) = prompt.thread {
                let _ = write!(line, " -> thread {}", number(thread));
            }
            line
        }
        StepKind::Reply(reply) => format!("reply{} {}", if reply.partial { " (partial)" } else { "" }, reply.preview),
        StepKind::Thinking(thinking) => {
            format!("thinking{} {} bytes", if thinking.partial { " (partial)" } else { "" }, thinking.length)
        }
        StepKind::Call(call) => call_line(call),
        StepKind::Output(output) => {
            format!("output{} {}", if output.is_error { " (error)" } else { "" }, output.preview)
        }
        StepKind::Notice(notice) => {
            let times = if notice.times > 1 { format!(" ×{}", notice.times) } else { String::new() };
            format!("notice ({:?}{}){times} {}", notice.kind, severity(notice.severity), notice.text)
        }
        StepKind::Context(context) => format!("context ({:?}) {}", context.kind, context.preview),
        StepKind::Compaction(compaction) => format!(
            "compaction ({:?}, {:?}) {:?} -> {:?}, kept {}{}: {}",
            compaction.trigger,
            compaction.extent,
            compaction.tokens_before,
            compaction.tokens_after,
            compaction.preserved,
            if compaction.summary.is_some() { "" } else { ", no summary" },
            compaction.preview
        ),
        StepKind::Joint(joint) => format!("joint with {}: {} entries", joint.session, joint.entries),
        StepKind::Outcome(outcome) => format!(
            "outcome {}{} cost {:?} {:?} ms {:?} turns denied {:?} errors {:?}: {}",
            outcome.kind,
            if outcome.is_error { " (error)" } else { "" },
            outcome.cost_usd,
            outcome.duration_ms,
            outcome.turns,
            outcome.denied,
            outcome.errors,
            outcome.preview
        ),
        StepKind::Orphan(orphan) => format!("orphan of {}: {}", orphan.id, orphan.preview),
        StepKind::Unknown(kind) => format!("unknown {kind}"),
    };
    if step.withdrawn {
        line.push_str(" (withdrawn)");
    }
    line
}

fn call_line(call: &Call) -> String {
    let state = match call.state {
        CallState::Pending => "pending",
        CallState::Done => "done",
        CallState::Background => "background",
        CallState::Failed => "failed",
        CallState::Rejected => "rejected",
        CallState::Interrupted => "interrupted",
        CallState::Lost => "lost",
        CallState::ExpectedFailure => "expected failure",
        CallState::Cancelled => "cancelled",
    };
    let mut line = format!("call {} {} ({state}{})", call.tool, call.subject, severity(call.severity));
    if let Some(change) = call.change {
        let _ = write!(line, " +{} -{}", change.added, change.removed);
    }
    if let Some(duration) = call.duration {
        let _ = write!(line, " {}{} ms", if duration.measured { "" } else { "~" }, duration.millis);
    }
    if !call.outcome.is_empty() {
        let _ = write!(line, ": {}", call.outcome);
    }
    if let Some(words) = &call.user_said {
        let _ = write!(line, " — user: {words}");
    }
    for task in &call.tasks {
        let _ = write!(line, " [{}: {:?} -> {:?}]", task.subject, task.before, task.after);
    }
    if let Some(thread) = call.thread {
        let _ = write!(line, " -> thread {}", number(thread));
    }
    line
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Normal => "",
        Severity::Expected => ", expected",
        Severity::Warning => ", warning",
        Severity::Error => ", error",
    }
}
