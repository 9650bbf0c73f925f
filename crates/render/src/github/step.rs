//! Steps as Markdown.

use std::io;

use story::step::{
    Compaction, Context, Delivery, Extent, Joint, Notice, Orphan, Output, Prompt, PromptKind, RunOutcome, Severity,
    StepKind, Thinking, Trigger,
};
use story::{Detail, Step};

use content::section::{Body, Section};
use content::view::step_sections;
use content::wording;
use human::{counted, duration, thousands};

use super::sheet::quote;
use super::{Page, anchor, code, joined, literal, prose, section, shortened};

/// Maximum number of characters in the summary of a folded block.
const SUMMARY: usize = 90;

impl Page<'_> {
    pub(super) fn step(&mut self, step: &Step) -> io::Result<()> {
        match &step.kind {
            StepKind::Prompt(prompt) => self.prompt(step, prompt),
            StepKind::Reply(_) => self.reply(step),
            StepKind::Thinking(thinking) => self.thinking(step, *thinking),
            StepKind::Call(call) => self.call(step, call),
            StepKind::Output(output) => self.output(step, output),
            StepKind::Notice(notice) => self.notice(step, notice),
            StepKind::Context(context) => self.context(step, context),
            StepKind::Compaction(compaction) => self.compaction(step, compaction),
            StepKind::Joint(joint) => self.joint(joint),
            StepKind::Outcome(outcome) => self.outcome(outcome),
            StepKind::Orphan(orphan) => {
                self.orphan(orphan)?;
                self.below(step)
            }
            StepKind::Unknown(kind) => {
                self.sheet.item(&format!("*unknown:* {}", code::span(kind)))?;
                self.below(step)
            }
        }
    }

    fn is_open(&self) -> bool {
        self.selection.detail >= Detail::Full
    }

    /// The blocks of a step, as far as they are selected.
    fn blocks(&mut self, step: &Step) -> io::Result<Vec<String>> {
        let (images, detail) = (&mut *self.images, self.selection.detail);
        step_sections(self.story, self.texts, step, |shown| {
            section::all(shown.iter().filter(|section| section.level <= detail), images)
        })
    }

    /// The blocks below the line of a step, at full detail.
    fn below(&mut self, step: &Step) -> io::Result<()> {
        if self.is_open() {
            for block in self.blocks(step)? {
                self.sheet.below(&block)?;
            }
        }
        Ok(())
    }

    fn prompt(&mut self, step: &Step, prompt: &Prompt) -> io::Result<()> {
        let (images, detail) = (&mut *self.images, self.selection.detail);
        let (blocks, has_images) = step_sections(self.story, self.texts, step, |shown| {
            let blocks = section::all(shown.iter().filter(|section| section.level <= detail), images);
            (blocks, shown.iter().any(|section| matches!(section.body, Body::Image(_))))
        });
        let mut blocks = blocks?;
        if !has_images {
            blocks.extend(prompt.images.iter().map(|number| match number {
                1.. => format!("*\\[Image #{number}\\]*"),
                _ => "*\\[image\\]*".to_owned(),
            }));
        }
        let note = self.note(prompt, step.withdrawn);
        self.sheet.block(&note)?;
        self.sheet.block(&quote(&blocks.join("\n\n")))
    }

    /// The sender and the delivery, unless the user typed the prompt and it was sent at once.
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
        let (sheet, images) = (&mut self.sheet, &mut *self.images);
        step_sections(self.story, self.texts, step, |shown| {
            for part in shown {
                match &part.body {
                    Body::Reply(text) => {
                        let safe = prose::prose(text, sheet.last_bullet());
                        sheet.text(&safe.text, safe.last_bullet)?;
                    }
                    _ => sheet.block(&section::nested(part, images)?)?,
                }
            }
            Ok(())
        })
    }

    fn thinking(&mut self, step: &Step, thinking: Thinking) -> io::Result<()> {
        // Thinking that only the API can read.
        if thinking.length == 0 {
            return self.sheet.item("*thought*");
        }
        self.folded("Thinking", step)
    }

    fn folded(&mut self, title: &str, step: &Step) -> io::Result<()> {
        let blocks = self.blocks(step)?;
        if blocks.is_empty() {
            return Ok(());
        }
        self.sheet.block(&section::fold(title, &blocks.join("\n\n")))
    }

    fn output(&mut self, step: &Step, output: &Output) -> io::Result<()> {
        let shown = if self.is_open() { self.blocks(step)? } else { Vec::new() };
        for block in &shown {
            self.sheet.block(block)?;
        }
        if !shown.is_empty() || output.preview.is_empty() {
            return Ok(());
        }
        let what = if output.is_error { "**error**" } else { "*printed*" };
        self.sheet.item(&format!("{what} {}", code::span(&output.preview)))
    }

    fn notice(&mut self, step: &Step, notice: &Notice) -> io::Result<()> {
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
        })?;
        let more = if self.is_open() { self.blocks(step)? } else { Vec::new() };
        if more.is_empty() { Ok(()) } else { self.sheet.block(&section::fold("More", &more.join("\n\n"))) }
    }

    fn context(&mut self, step: &Step, context: &Context) -> io::Result<()> {
        let kind = capitalised(wording::context(context.kind));
        let images = &mut *self.images;
        let blocks = step_sections(self.story, self.texts, step, |shown| -> io::Result<Vec<String>> {
            match shown {
                // Not written for readers, so it is shown verbatim.
                [Section { body: Body::Words(text), .. }] => Ok(vec![code::fence("", text)]),
                shown => section::all(shown, images),
            }
        })?;
        if blocks.is_empty() {
            return self.sheet.block(&format!("*{kind}: {}*", literal::words(&context.preview)));
        }
        let about = shortened(&context.preview, SUMMARY);
        let title = if about.is_empty() { kind } else { format!("{kind}: {about}") };
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
            self.folded("Summary", step)?;
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
