//! Prompts typed while the model works.
//!
//! A queued prompt is delivered when the turn ends, or in the middle of it, or withdrawn. Only newer versions write the
//! prompt again on delivery, so it is shown from the queue unless it appears elsewhere (docs/format G.8).
//!
//! The program queues its own items as well, and until 2.1.202 a line that takes an item off the queue does not say
//! which one. Then the item is a guess, which the delivered text corrects when it appears.

mod items;

use std::collections::VecDeque;

use format::block::Content;
use format::entry::bookkeeping::{QueueChange, QueueOperation};
use format::{Envelope, Text};
use serde::{Deserialize, Serialize};

use super::node::{Node, NodeId, NodeKind, Placed};
use super::{Spot, StoryBuilder};
use crate::accounting::Fate;
use crate::key::Key;
use crate::place::LineId;
use crate::step::{Delivery, Millis, StepId, StepKind};

use items::{Left, Waiting};

/// How many lines the delivered text comes after the line that takes it off the queue, at most; it is usually the next.
const FEW: usize = 50;

/// How many prompts wait at most for the request that contains them: one for each of these lines. Only a line that
/// holds many entries could take more off the queue.
const MOST_SETTLING: usize = FEW + 1;

/// The queued prompts.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Queue {
    waiting: Waiting,
    /// Prompts that left the queue and have not appeared elsewhere.
    left: Left,
    /// Prompts that appeared before the line that takes them off the queue: where each appeared.
    ahead: VecDeque<LineId>,
    /// Prompts that left the queue before the request that contains them was written.
    settling: VecDeque<Settling>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Queued {
    words: Key,
    line: LineId,
    node: NodeId,
    steps: Vec<StepId>,
    by: QueuedBy,
}

/// The author of a queued item. Of several, an earlier variant leaves the queue first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum QueuedBy {
    /// The user.
    User,
    /// The program, a task or a peer, for the model to read.
    Program,
    /// The program, for its host: it never reaches the model, and leaves the queue when the turn has ended.
    Event,
}

#[derive(Debug, Serialize, Deserialize)]
struct Departed {
    queued: Queued,
    /// The line that took it off the queue.
    line: LineId,
    delivery: Delivery,
    /// Whether that line does not name it.
    is_guess: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct Settling {
    node: NodeId,
    line: LineId,
    at: Option<Millis>,
}

impl Queue {
    /// Whether no prompt waits, and none that has left the queue can still appear elsewhere.
    pub(super) fn is_settled(&self, lines: usize) -> bool {
        self.waiting.has_only_events() && self.left.is_settled(lines)
    }

    fn settle(&mut self, settling: Settling) {
        if self.settling.len() >= MOST_SETTLING {
            self.settling.pop_front();
        }
        self.settling.push_back(settling);
    }
}

/// Whether a line is one of the last few.
fn is_recent(line: LineId, lines: usize) -> bool {
    line.index() + FEW >= lines
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
            // The user pulls the prompts back into the editor; the program's items stay.
            Some(QueueOperation::PopAll) => {
                let delivery = Delivery::Undelivered;
                while let Some(queued) = self.queue.waiting.take_users() {
                    self.queue.left.add(Departed { queued, line: spot.line, delivery, is_guess: false });
                }
            }
            Some(QueueOperation::Other(_)) | None => {}
        }
        fate
    }

    fn enqueue(&mut self, spot: Spot, envelope: &Envelope<'_>, content: Option<&Content<'_>>, texts: &[&str]) -> Fate {
        let Placed::New(node) = self.place(spot, envelope, NodeKind::Beside, None) else { return Fate::Shown };
        let images = content.map_or(0, |content| content.blocks().len().saturating_sub(texts.len()));
        self.prompt_beside(node, spot, texts, &vec![0; images], Delivery::Undelivered);
        let steps: Vec<StepId> = self.nodes.get(node.index()).map(|node| node.steps().collect()).unwrap_or_default();
        let prompt = steps.iter().find_map(|step| match &self.story.step(*step)?.kind {
            StepKind::Prompt(prompt) => Some(prompt.kind.is_human()),
            _ => None,
        });
        let by = match prompt {
            Some(true) => QueuedBy::User,
            Some(false) => QueuedBy::Program,
            None if steps.is_empty() => QueuedBy::User,
            None => QueuedBy::Event,
        };
        let fate = if steps.is_empty() { self.bookkeeping("queue-operation") } else { Fate::Shown };
        self.queue.waiting.add(Queued { words: words_of(texts), line: spot.line, node, steps, by });
        fate
    }

    /// Takes a prompt off the queue.
    fn leave(&mut self, spot: Spot, texts: &[&str], delivery: Delivery) {
        let lines = self.story.lines.len();
        let queue = &mut self.queue;
        while queue.ahead.front().is_some_and(|line| !is_recent(*line, lines)) {
            queue.ahead.pop_front();
        }
        queue.left.forget_old(lines);
        let named = (!texts.is_empty()).then(|| words_of(texts));
        if named.is_none() && queue.ahead.pop_front().is_some() {
            return;
        }
        // One that is named and does not wait has already appeared.
        let taken = match named {
            Some(words) => queue.waiting.take_named(words),
            None => queue.waiting.take_likely(),
        };
        let Some(queued) = taken else { return };
        if queued.by != QueuedBy::Event {
            // It is shown where it reached the model.
            self.move_queued(&queued, spot.line, delivery);
            self.queue.settle(Settling { node: queued.node, line: spot.line, at: spot.at });
        }
        self.queue.left.add(Departed { queued, line: spot.line, delivery, is_guess: named.is_none() });
    }

    fn move_queued(&mut self, queued: &Queued, to: LineId, delivery: Delivery) {
        if let Some(node) = self.nodes.get_mut(queued.node.index()) {
            node.order = to;
        }
        for step in &queued.steps {
            self.change_step(*step, |step| {
                if let StepKind::Prompt(prompt) = &mut step.kind {
                    prompt.delivery = delivery;
                }
            });
        }
    }

    /// Moves prompts that have just left the queue behind an entry that is older: the queue is written at once, the
    /// conversation a little later. The next request contains the prompt.
    pub(super) fn settle_queue(&mut self, entry: NodeId) {
        if self.queue.settling.is_empty() {
            return;
        }
        let lines = self.story.lines.len();
        let Some(Node { lane, kind, line, .. }) = self.nodes.get(entry.index()).cloned() else { return };
        let at = self.nodes.get(entry.index()).and_then(Node::at);
        let nodes = &mut self.nodes;
        self.queue.settling.retain(|settling| {
            let Some(queued) = nodes.get_mut(settling.node.index()).filter(|node| node.lane == lane) else {
                return is_recent(settling.line, lines);
            };
            let is_older = at.zip(settling.at).is_some_and(|(at, left)| at <= left);
            if is_older {
                queued.order = LineId::new(line.index() + 1);
            }
            let goes_on = matches!(kind, NodeKind::Assistant | NodeKind::Prompt | NodeKind::Command);
            (is_older || !goes_on) && is_recent(settling.line, lines)
        });
    }

    /// Handles a prompt that appears in the conversation: if it was queued, it is shown there and no longer from the
    /// queue.
    pub(super) fn queue_delivers(&mut self, text: &str) -> bool {
        if self.queue.left.is_empty() && self.queue.waiting.is_empty() {
            return false;
        }
        let words = Key::of_words(text);
        let lines = self.story.lines.len();
        self.queue.left.forget_old(lines);
        let queued = match self.queue.left.take_named(words) {
            Some(departed) => Some(departed.queued),
            None => self.delivered_from_waiting(words),
        };
        let Some(queued) = queued else { return false };
        // The line that now shows it is the last.
        let line = LineId::new(lines.saturating_sub(1));
        self.set_fate(queued.line, Fate::Duplicate(line));
        self.changed.extend(queued.steps.iter().copied());
        self.absorbed.extend(queued.steps);
        true
    }

    /// A prompt that appears although another one seemed to leave the queue, or none at all.
    fn delivered_from_waiting(&mut self, words: Key) -> Option<Queued> {
        let lines = self.story.lines.len();
        let queue = &mut self.queue;
        let queued = queue.waiting.take_named(words)?;
        let is_mistaken =
            |departed: &Departed| departed.is_guess && departed.line > queued.line && is_recent(departed.line, lines);
        // Guesses are in the order of their lines: if the latest is not mistaken, none is.
        if let Some(Departed { queued: other, .. }) = queue.left.take_guess(is_mistaken) {
            queue.settling.retain(|settling| settling.node != other.node);
            self.move_queued(&other, other.line, Delivery::Undelivered);
            self.queue.waiting.add(other);
        } else {
            queue.ahead.push_back(LineId::new(lines.saturating_sub(1)));
        }
        Some(queued)
    }
}

/// The key of a prompt, independent of its form.
fn words_of(texts: &[&str]) -> Key {
    super::user::speech_of(texts).map_or_else(|| Key::of_words(&texts.join("\n")), |speech| Key::of_words(&speech))
}
