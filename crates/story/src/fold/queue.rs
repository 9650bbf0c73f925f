//! Prompts typed while the model works.
//!
//! A queued prompt is delivered when the turn ends, or in the middle of it, or withdrawn. Only newer versions write the
//! prompt again on delivery, so it is shown from the queue unless it appears elsewhere (docs/format G.8).

use std::collections::VecDeque;

use format::block::Content;
use format::entry::bookkeeping::{QueueChange, QueueOperation};
use format::{Envelope, Text};
use serde::{Deserialize, Serialize};

use super::node::{NodeId, NodeKind, Placed};
use super::{Spot, StoryBuilder};
use crate::accounting::Fate;
use crate::key::Key;
use crate::place::LineId;
use crate::step::{Delivery, StepId, StepKind};

/// The queued prompts.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Queue {
    waiting: VecDeque<Queued>,
    /// Prompts that left the queue and have not appeared elsewhere.
    left: Vec<Queued>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Queued {
    words: Key,
    line: LineId,
    node: NodeId,
    steps: Vec<StepId>,
}

impl Queue {
    /// Whether the queue is empty and no prompt that has left it can still appear elsewhere: that takes a few lines at
    /// most.
    pub(super) fn is_settled(&self, lines: usize) -> bool {
        const FEW: usize = 50;
        self.waiting.is_empty() && self.left.iter().all(|queued| queued.line.index() + FEW < lines)
    }
}

impl StoryBuilder {
    pub(super) fn queue_change(&mut self, spot: Spot, envelope: &Envelope<'_>, change: &QueueChange<'_>) -> Fate {
        let fate = self.bookkeeping("queue-operation");
        let texts: Vec<&str> =
            change.content.as_ref().map(|content| content.texts().map(Text::as_str).collect()).unwrap_or_default();
        match change.operation {
            Some(QueueOperation::Enqueue) => return self.enqueue(spot, envelope, change.content.as_ref(), &texts),
            Some(QueueOperation::Dequeue) => self.leave(spot, &texts, Delivery::Queued),
            Some(QueueOperation::Remove) => self.leave(spot, &texts, Delivery::Steering),
            Some(QueueOperation::PopAll) => {
                let pulled_back: Vec<Queued> = self.queue.waiting.drain(..).collect();
                self.queue.left.extend(pulled_back);
            }
            Some(QueueOperation::Other(_)) | None => {}
        }
        fate
    }

    fn enqueue(&mut self, spot: Spot, envelope: &Envelope<'_>, content: Option<&Content<'_>>, texts: &[&str]) -> Fate {
        let Placed::New(node) = self.place(spot, envelope, NodeKind::Beside, None) else { return Fate::Shown };
        let images = content.map_or(0, |content| content.blocks().len().saturating_sub(texts.len()));
        let before = self.story.steps.len();
        self.prompt_beside(node, spot, texts, &vec![0; images], Delivery::Undelivered);
        let steps: Vec<StepId> = self.nodes.get(node.index()).map(|node| node.steps().collect()).unwrap_or_default();
        if before == self.story.steps.len() {
            return self.bookkeeping("queue-operation");
        }
        let words = words_of(texts);
        self.queue.waiting.push_back(Queued { words, line: spot.line, node, steps });
        Fate::Shown
    }

    /// Takes a prompt off the queue: the one with this text, else the first.
    fn leave(&mut self, spot: Spot, texts: &[&str], delivery: Delivery) {
        let named = (!texts.is_empty()).then(|| words_of(texts));
        let position = named.and_then(|words| self.queue.waiting.iter().position(|queued| queued.words == words));
        let Some(queued) = self.queue.waiting.remove(position.unwrap_or(0)) else { return };
        // It is shown where it reached the model.
        if let Some(node) = self.nodes.get_mut(queued.node.index()) {
            node.order = spot.line;
        }
        for step in &queued.steps {
            self.change_step(*step, |step| {
                if let StepKind::Prompt(prompt) = &mut step.kind {
                    prompt.delivery = delivery;
                }
            });
        }
        self.queue.left.push(queued);
    }

    /// Handles a prompt that appears in the conversation: if it was queued, it is shown there and no longer from the
    /// queue.
    pub(super) fn queue_delivers(&mut self, text: &str) -> bool {
        if self.queue.left.is_empty() && self.queue.waiting.is_empty() {
            return false;
        }
        let words = Key::of_words(text);
        let fits = |queued: &Queued| queued.words == words;
        let queued = match self.queue.left.iter().position(fits) {
            Some(position) => Some(self.queue.left.remove(position)),
            None => self.queue.waiting.iter().position(fits).and_then(|position| self.queue.waiting.remove(position)),
        };
        let Some(queued) = queued else { return false };
        // The line that now shows it is the last.
        let line = LineId::new(self.story.lines.len().saturating_sub(1));
        self.set_fate(queued.line, Fate::Duplicate(line));
        self.changed.extend(queued.steps.iter().copied());
        self.absorbed.extend(queued.steps);
        true
    }
}

/// The key of a prompt, independent of its form.
fn words_of(texts: &[&str]) -> Key {
    super::user::speech_of(texts).map_or_else(|| Key::of_words(&texts.join("\n")), |speech| Key::of_words(&speech))
}
