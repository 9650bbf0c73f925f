//! A replay of a session: pieces of text for a terminal, with their times.
//!
//! Replies are typed over the time they took to write, calls are visible while they run, and results arrive at their
//! recorded times.

use std::time::Duration;

use story::step::{CallState, Millis, StepKind};
use story::{Detail, Step, Story, Texts};

use crate::terminal::{self, TerminalLook, call_line};
use content::{Selection, main_thread};
use styled::Line;
use styled::Role;
use styled::write;

/// All frames of a replay, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Score {
    /// The start of the session.
    pub began: Option<Millis>,
    /// The frames.
    pub frames: Vec<Frame>,
}

/// A piece of text that appears.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Time since the start, in milliseconds.
    pub at: u64,
    /// The turn that it belongs to, from 1.
    pub turn: usize,
    /// Whether a new item begins with it, rather than continuing.
    pub is_first: bool,
    /// The text, with line feeds.
    pub text: String,
}

/// The speed of a replay.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Speed factor.
    pub speed: f64,
    /// Maximum pause.
    pub max_pause: Option<Duration>,
}

impl Pace {
    /// The pause for a recorded duration.
    pub fn pause(&self, time: Duration) -> Duration {
        let time = time.div_f64(self.speed);
        self.max_pause.map_or(time, |most| time.min(most))
    }

    /// The pause between two times, in milliseconds since the start.
    pub fn between(&self, before: u64, after: u64) -> Duration {
        self.pause(Duration::from_millis(after.saturating_sub(before)))
    }
}

/// The replay of a session.
pub fn score(story: &Story, texts: &mut dyn Texts, look: &TerminalLook) -> Score {
    let selection = Selection { detail: Detail::Steps, ..Selection::default() };
    let mut cues = Vec::new();
    let mut now = Millis::MIN;
    for (_, thread) in story.threads().filter(|(id, _)| *id == main_thread(story)) {
        for (number, turn) in (1..).zip(&thread.turns) {
            let steps: Vec<&Step> =
                story.steps(thread, turn).map(|(_, step)| step).filter(|step| selection.has_step(step)).collect();
            if steps.is_empty() {
                continue;
            }
            let first = turn.started.or_else(|| steps.iter().find_map(|step| step.at)).or(story.facts.first);
            now = now.max(first.unwrap_or_default());
            let text = write(&terminal::turn_rule(number, turn, look), look.theme.as_ref());
            cues.push(Cue { at: now, turn: number, text, is_rule: true, typed: false });
            for step in steps {
                now = now.max(step.at.unwrap_or(now));
                for (at, text, typed) in appearances(story, texts, step, now, look) {
                    cues.push(Cue { at, turn: number, text, is_rule: false, typed });
                }
            }
        }
    }
    // Results appear at their own times, among the steps of that moment.
    cues.sort_by_key(|cue| cue.at);
    let began = cues.first().map(|cue| cue.at);
    Score { began, frames: frames(cues, began.unwrap_or_default()) }
}

/// Text that appears at once, or is typed until its time.
struct Cue {
    at: Millis,
    turn: usize,
    text: String,
    /// Whether it is the heading of a turn.
    is_rule: bool,
    typed: bool,
}

/// When a step appears, and with which text.
fn appearances(
    story: &Story,
    texts: &mut dyn Texts,
    step: &Step,
    now: Millis,
    look: &TerminalLook,
) -> Vec<(Millis, String, bool)> {
    let typed = matches!(step.kind, StepKind::Prompt(_) | StepKind::Reply(_));
    let mut text = if typed { "\n".to_owned() } else { String::new() };
    terminal::write_step(story, texts, step, look, &mut |line| text.push_str(&write([&line], look.theme.as_ref())));
    match &step.kind {
        StepKind::Call(call) => {
            let is_over = call.state != CallState::Pending;
            let ended = call.ended.filter(|ended| *ended > now && is_over);
            let mut running = Line::new().with("  … ", Role::Quiet);
            running.append(&call_line(story, call).0);
            match ended {
                Some(ended) => {
                    let running = write([&running.cut(look.width.max(1))], look.theme.as_ref());
                    vec![(now, running, false), (ended, text, false)]
                }
                None => vec![(now, text, false)],
            }
        }
        _ => vec![(now, text, typed)],
    }
}

fn frames(cues: Vec<Cue>, began: Millis) -> Vec<Frame> {
    /// Minimum time per word, and maximum time to type a text, in milliseconds.
    const PER_WORD: u64 = 30;
    const LONGEST: u64 = 4000;
    /// Maximum number of pieces of a text: more of them look the same when they appear one after another.
    const MOST: usize = 1000;
    let since = |at: Millis| u64::try_from(at - began).unwrap_or_default();
    let mut frames: Vec<Frame> = Vec::new();
    let (mut before, mut is_headed) = (0, false);
    for Cue { at, turn, text, is_rule, typed } in cues {
        let at = since(at);
        let pieces = if typed { in_pieces(&text, MOST) } else { vec![&*text] };
        let count = pieces.len() as u64;
        // Text was being written until its recorded time.
        let time = (count * PER_WORD).min(LONGEST).min(at - before);
        for (number, piece) in (1..).zip(pieces) {
            let at = at - time + time * number / count.max(1);
            // A turn begins with its heading.
            frames.push(Frame { at, turn, is_first: number == 1 && !is_headed, text: piece.to_owned() });
        }
        (before, is_headed) = (at, is_rule);
    }
    frames
}

/// A text by words, in at most so many pieces. Escape sequences contain no spaces.
fn in_pieces(text: &str, most: usize) -> Vec<&str> {
    let words = memchr::memchr_iter(b' ', text.as_bytes()).count() + 1;
    let per_piece = words.div_ceil(most);
    let ends = memchr::memchr_iter(b' ', text.as_bytes()).map(|at| at + 1).skip(per_piece - 1).step_by(per_piece);
    let mut start = 0;
    let pieces = ends.chain([text.len()]).map(|end| {
        let piece = text.get(start..end).unwrap_or_default();
        start = end;
        piece
    });
    pieces.filter(|piece| !piece.is_empty()).collect()
}
