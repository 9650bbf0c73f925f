//! Calls: one list item each, with the details below it.

use std::fmt::Write as _;
use std::io;

use format::tool::{Family, ToolKind};
use story::step::{Call, Severity};
use story::{Detail, Step};

use content::section::{Body, Section};
use content::view::call_sections;
use human::duration;

use super::{Page, code, literal, section};

impl Page<'_> {
    pub(super) fn call(&mut self, step: &Step, call: &Call) -> io::Result<()> {
        if self.selection.detail < call.line_detail() {
            return self.human_words(step, call);
        }
        if let Some(title) = call.chapter() {
            return self.chapter(step, call, title);
        }
        if self.selection.detail < Detail::Full {
            self.call_line(step, call, call.has_human_words())?;
            let changes = content::call::changes(call);
            self.sheet.below(&changes.iter().map(section::task).collect::<Vec<_>>().join("\n"))?;
            return if call.has_human_words() { self.human_words(step, call) } else { Ok(()) };
        }
        // The prompt and the answer of an agent are in its own thread.
        let is_elsewhere = call.thread.is_some_and(|thread| self.has_thread(thread));
        let images = &mut *self.images;
        let (blocks, is_stated_below) = call_sections(self.story, self.texts, step, call, |sections| {
            let is_new =
                |section: &&Section<'_>| !(is_elsewhere && section.is_in_thread() || is_in_line(&section.body, call));
            let shown: Vec<&Section<'_>> = sections.all().filter(is_new).collect();
            let is_words = |section: &&Section<'_>| {
                matches!(section.body, Body::Output(_) | Body::Matches(_) | Body::Prose(_) | Body::Answer { .. })
            };
            (section::all(shown.iter().copied(), images), shown.iter().any(is_words))
        });
        self.call_line(step, call, is_stated_below)?;
        for block in blocks? {
            self.sheet.below(&block)?;
        }
        Ok(())
    }

    /// A chapter: its title as a heading, and what else the call says about it.
    fn chapter(&mut self, step: &Step, call: &Call, title: &str) -> io::Result<()> {
        self.sheet.block(&format!("### {}", literal::words(title)))?;
        if self.selection.detail < Detail::Full {
            return Ok(());
        }
        let images = &mut *self.images;
        let blocks =
            call_sections(self.story, self.texts, step, call, |sections| section::all(&sections.input, images))?;
        blocks.iter().try_for_each(|block| self.sheet.block(block))
    }

    fn call_line(&mut self, step: &Step, call: &Call, is_stated_below: bool) -> io::Result<()> {
        let mut line = self.line(call, is_stated_below);
        if step.withdrawn {
            line.push_str(" · *taken back*");
        }
        self.sheet.item(&line)
    }

    /// The user's words in the result of a call, each answer below its question.
    fn human_words(&mut self, step: &Step, call: &Call) -> io::Result<()> {
        let is_in_list = self.selection.detail >= call.line_detail();
        let images = &mut *self.images;
        let blocks = call_sections(self.story, self.texts, step, call, |sections| {
            let mut blocks = Vec::new();
            // Where the line of the call is not shown, a decision says what it is about.
            if !is_in_list && !sections.answers_questions() {
                blocks.push(format!("*{}*", literal::words(&format!("{} {}", call.nature().label, call.subject))));
            }
            for section in sections.human_words() {
                if let Body::Answer { question, .. } = section.body
                    && !question.is_empty()
                {
                    blocks.push(format!("*{}*", literal::words(question)));
                }
                blocks.extend(section::all([section], images)?);
            }
            io::Result::Ok(blocks)
        })?;
        for block in blocks {
            if is_in_list { self.sheet.below(&block)? } else { self.sheet.block(&block)? }
        }
        Ok(())
    }

    fn line(&self, call: &Call, is_stated_below: bool) -> String {
        let mut line = format!("**{}**", tool(&call.tool));
        let subject = self.subject(call);
        if !subject.is_empty() {
            line.push(' ');
            line.push_str(&subject);
        }
        if let Some(change) = call.change {
            let counts = [('+', change.added), ('−', change.removed)];
            for (sign, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
                let _ = write!(line, " {sign}{count}");
            }
        }
        let took = call.duration.filter(|took| took.millis >= 100).map(|took| duration(took.millis));
        let thread = call.thread.filter(|thread| self.has_thread(*thread));
        let thread = thread.map(|thread| format!("[its thread](#{})", super::anchor(thread)));
        let parts = [state(call), outcome(call, is_stated_below), took, thread];
        for part in parts.into_iter().flatten().filter(|part| !part.is_empty()) {
            line.push_str(" · ");
            line.push_str(&part);
        }
        line
    }

    fn subject(&self, call: &Call) -> String {
        let is_below = |project: &&str| call.nature().has_path && !project.is_empty();
        let project = self.story.facts.folder.as_deref().filter(is_below);
        let path = project.and_then(|project| human::path_below(&call.subject, project));
        let subject = path.filter(|path| !path.is_empty()).unwrap_or(&call.subject);
        if is_code(&call.tool) { code::span(subject) } else { literal::words(subject) }
    }
}

/// Whether the line of a call contains all of a command or an output.
fn is_in_line(body: &Body<'_>, call: &Call) -> bool {
    match body {
        Body::Code { text, .. } => text.trim() == &*call.subject,
        Body::Output(text) => text.trim() == &*call.outcome,
        Body::Notice(words) => **words == *call.outcome,
        _ => false,
    }
}

/// The outcome of a call, unless the sections below state it.
fn outcome(call: &Call, is_stated_below: bool) -> Option<String> {
    let is_quiet = call.severity < Severity::Warning && call.result.is_some() && is_stated_below;
    (!is_quiet && call.user_said.is_none()).then(|| literal::words(&call.outcome))
}

/// The name of a tool.
fn tool(name: &str) -> String {
    let name = match format::tool::split_mcp(name) {
        Some((server, tool)) => literal::words(&format!("{server}: {tool}")),
        None => literal::words(name),
    };
    if name.is_empty() { "?".to_owned() } else { name }
}

/// Whether the subject of a call is a command, a path or a pattern rather than words.
fn is_code(tool: &str) -> bool {
    let Some(kind) = ToolKind::named(tool) else { return false };
    match kind.nature().family {
        Family::Shell => kind != ToolKind::Monitor,
        Family::Read | Family::Edit | Family::Search => true,
        Family::Mcp => matches!(kind, ToolKind::ReadMcpResource | ToolKind::ReadMcpResourceDir),
        Family::Skill => kind == ToolKind::SlashCommand,
        Family::Worktree => kind == ToolKind::EnterWorktree,
        Family::Agent
        | Family::Plan
        | Family::Question
        | Family::Task
        | Family::Web
        | Family::Message
        | Family::Schedule
        | Family::Other => false,
    }
}

fn state(call: &Call) -> Option<String> {
    let word = Some(call.state.note()).filter(|note| !note.is_empty())?;
    Some(match call.severity {
        Severity::Normal | Severity::Expected => format!("*{word}*"),
        Severity::Warning | Severity::Error => format!("**{word}**"),
    })
}
