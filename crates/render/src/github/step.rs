//! Steps, one by one.

use std::io;

use story::step::{
    Compaction, Context, Delivery, Extent, Joint, Notice, Orphan, Output, Prompt, PromptKind, RunOutcome, Severity,
    StepKind, Thinking, Trigger,
};
use story::{Detail, Step};

use content::view::{Section, sections};
use content::wording;
use human::{counted, duration, thousands};

use super::sheet::quote;
use super::{Page, anchor, code, joined, literal, prose, section, shortened};

/// The most characters of what is told about something folded.
const SUMMARY: usize = 90;

impl Page<'_> {
    pub(super) fn step(&mut self, step: &Step) -> io::Result<()> {
        match &step.kind {
            StepKind::Prompt(prompt) => self.prompt(step, prompt),
            StepKind::Reply(_) => self.reply(step),
            StepKind::Thinking(thinking) => self.thinking(step, *thinking),
            StepKind::Call(call) => self.call(step, call),
            StepKind::Output(output) => self.output(step, output),
            StepKind::Notice(notice) => self.notice(notice),
            StepKind::Context(context) => self.context(step, context),
            StepKind::Compaction(compaction) => self.compaction(step, compaction),
            StepKind::Joint(joint) => self.joint(joint),
            StepKind::Outcome(outcome) => self.outcome(outcome),
            StepKind::Orphan(orphan) => self.orphan(orphan),
            StepKind::Unknown(kind) => self.sheet.item(&format!("*unknown:* {}", code::span(kind))),
        }
    }

    fn is_open(&self) -> bool {
        self.selection.detail >= Detail::Full
    }

    fn prompt(&mut self, step: &Step, prompt: &Prompt) -> io::Result<()> {
        let shown = sections(self.story, self.texts, step);
        let mut blocks = Vec::new();
        for part in &shown {
            blocks.push(match part {
                // The user may type anything; a model writes Markdown.
                Section::Plain(text) if matches!(prompt.kind, PromptKind::Parent | PromptKind::Plan) => {
                    prose::nested(text)
                }
                Section::Plain(text) if prompt.kind == PromptKind::Bash => code::fence("bash", text),
                part => section::nested(part, self.images)?,
            });
        }
        if !shown.iter().any(|part| matches!(part, Section::Image(_))) {
            blocks.extend(prompt.images.iter().map(|number| match number {
                1.. => format!("*\\[Image #{number}\\]*"),
                _ => "*\\[image\\]*".to_owned(),
            }));
        }
        let note = self.note(prompt, step.withdrawn);
        self.sheet.block(&note)?;
        blocks.retain(|block| !block.is_empty());
        self.sheet.block(&quote(&blocks.join("\n\n")))
    }

    /// Who says it and how, where it is not the user who says it right away.
    fn note(&self, prompt: &Prompt, withdrawn: bool) -> String {
        let from = match &prompt.kind {
            PromptKind::Typed | PromptKind::Command { .. } | PromptKind::Bash => None,
            PromptKind::Memory => Some("to remember".to_owned()),
            PromptKind::Plan => Some("a plan to carry out".to_owned()),
            PromptKind::Notification { task, status } => {
                Some(format!("task {} {}", code::span(task), literal::words(status)))
            }
            PromptKind::Scheduled => Some("scheduled".to_owned()),
            PromptKind::Teammate(name) => Some(format!("teammate {}", literal::words(name))),
            PromptKind::Peer(name) => Some(format!("from {}", literal::words(name))),
            PromptKind::Channel(name) => Some(format!("channel {}", literal::words(name))),
            PromptKind::Parent => Some("asked by its parent".to_owned()),
            PromptKind::Program => Some("asked by the program".to_owned()),
        };
        let delivery = match prompt.delivery {
            Delivery::Direct => None,
            Delivery::Queued => Some("queued".to_owned()),
            Delivery::Steering => Some("said in between".to_owned()),
            Delivery::Undelivered => Some("never sent".to_owned()),
        };
        let thread = prompt.thread.filter(|thread| self.has_thread(*thread));
        let thread = thread.map(|thread| format!("[its thread](#{})", anchor(thread)));
        let withdrawn = withdrawn.then(|| "taken back".to_owned());
        let note = joined([from, delivery, thread, withdrawn]);
        if note.is_empty() { note } else { format!("*{}:*", note.trim_end()) }
    }

    fn reply(&mut self, step: &Step) -> io::Result<()> {
        if step.withdrawn {
            self.sheet.block("*taken back:*")?;
        }
        for part in sections(self.story, self.texts, step) {
            match &part {
                Section::Prose(text) => {
                    let told = prose::prose(text, self.sheet.last_bullet());
                    self.sheet.text(&told.text, told.last_bullet)?;
                }
                part => {
                    let block = section::nested(part, self.images)?;
                    self.sheet.block(&block)?;
                }
            }
        }
        Ok(())
    }

    fn thinking(&mut self, step: &Step, thinking: Thinking) -> io::Result<()> {
        // Only the API can read it.
        if thinking.length == 0 {
            return self.sheet.item("*thought*");
        }
        let shown = sections(self.story, self.texts, step);
        self.folded("Thinking", &shown)
    }

    fn folded(&mut self, title: &str, shown: &[Section]) -> io::Result<()> {
        let mut blocks = Vec::new();
        for part in shown {
            blocks.push(section::nested(part, self.images)?);
        }
        blocks.retain(|block| !block.is_empty());
        if blocks.is_empty() {
            return Ok(());
        }
        self.sheet.block(&section::fold(title, &blocks.join("\n\n")))
    }

    fn output(&mut self, step: &Step, output: &Output) -> io::Result<()> {
        let shown = if self.is_open() { sections(self.story, self.texts, step) } else { Vec::new() };
        for part in &shown {
            let block = section::nested(part, self.images)?;
            self.sheet.block(&block)?;
        }
        if !shown.is_empty() || output.preview.is_empty() {
            return Ok(());
        }
        let what = if output.is_error { "**error**" } else { "*printed*" };
        self.sheet.item(&format!("{what} {}", code::span(&output.preview)))
    }

    fn notice(&mut self, notice: &Notice) -> io::Result<()> {
        let text = literal::line(&notice.text);
        if text.is_empty() {
            return Ok(());
        }
        let text = match notice.times {
            0 | 1 => text,
            times => format!("{text} ({times} times)"),
        };
        self.sheet.block(&match notice.severity {
            Severity::Normal | Severity::Expected => format!("*{text}*"),
            Severity::Warning => format!("> [!NOTE]\n> {text}"),
            Severity::Error => format!("> [!WARNING]\n> {text}"),
        })
    }

    fn context(&mut self, step: &Step, context: &Context) -> io::Result<()> {
        let kind = capitalised(wording::context(context.kind));
        let shown = sections(self.story, self.texts, step);
        if shown.is_empty() {
            return self.sheet.block(&format!("*{kind}: {}*", literal::words(&context.preview)));
        }
        let about = shortened(&context.preview, SUMMARY);
        let title = if about.is_empty() { kind } else { format!("{kind}: {about}") };
        let blocks = shown.iter().map(|part| match part {
            // Whatever the model was told, it was not written for a reader: it is shown as it is.
            Section::Plain(text) => Ok(code::fence("", text)),
            part => section::nested(part, self.images),
        });
        let blocks = blocks.collect::<io::Result<Vec<_>>>()?;
        self.sheet.block(&section::fold(&title, &blocks.join("\n\n")))
    }

    fn compaction(&mut self, step: &Step, compaction: &Compaction) -> io::Result<()> {
        let what = match compaction.extent {
            Extent::Whole => "The conversation was summarised",
            Extent::Part => "A part of the conversation was summarised",
            Extent::Results => "Old results were dropped",
        };
        let why = match compaction.trigger {
            Trigger::Auto => Some("the context was full".to_owned()),
            Trigger::Manual => Some("on request".to_owned()),
            Trigger::Unknown => None,
        };
        let tokens = |tokens: Option<i64>| tokens.and_then(|tokens| u64::try_from(tokens).ok()).map(thousands);
        let tokens = match (tokens(compaction.tokens_before), tokens(compaction.tokens_after)) {
            (Some(before), Some(after)) => Some(format!("{before} to {after} tokens")),
            (Some(before), None) => Some(format!("{before} tokens before")),
            (None, _) => None,
        };
        self.sheet.block("---")?;
        self.sheet.block(&format!("*{}*", joined([Some(what.to_owned()), why, tokens])))?;
        if self.is_open() {
            let shown = sections(self.story, self.texts, step);
            self.folded("Summary", &shown)?;
        }
        Ok(())
    }

    fn joint(&mut self, joint: &Joint) -> io::Result<()> {
        let entries = counted(u64::from(joint.entries), "entry", "entries");
        self.sheet.block("---")?;
        self.sheet.block(&format!("*{entries} before this copied from session {}*", code::span(&joint.session)))
    }

    fn outcome(&mut self, outcome: &RunOutcome) -> io::Result<()> {
        let kind = literal::words(&outcome.kind);
        let line = joined([
            Some(if outcome.is_error { format!("**Run failed:** {kind}") } else { format!("*Run ended:* {kind}") }),
            outcome.turns.map(|turns| counted(u64::from(turns), "turn", "turns")),
            outcome.cost_usd.map(|cost| literal::words(&self.locale.money(cost))),
            outcome.duration_ms.map(duration),
            (!outcome.denied.is_empty())
                .then(|| format!("not allowed: {}", literal::words(&outcome.denied.join(", ")))),
            outcome.is_error.then(|| literal::words(&outcome.preview)),
        ]);
        self.sheet.item(&line)?;
        for error in &outcome.errors {
            self.sheet.below(&code::fence("", error))?;
        }
        Ok(())
    }

    fn orphan(&mut self, orphan: &Orphan) -> io::Result<()> {
        let what = if orphan.failed { "**failed result**" } else { "*result*" };
        let call = code::span(&orphan.id);
        self.sheet.item(&format!("{what} of a call that is nowhere {call} · {}", literal::words(&orphan.preview)))
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}", first.to_ascii_uppercase(), letters.as_str()))
}
