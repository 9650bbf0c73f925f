//! The stored form of steps.

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::bytes::{Bytes, Writer};
use super::rows::{Before, distance, is_moment, moved};
use crate::fold::calls::between;
use crate::key::{Key, KeyMap};
use crate::place::{BlockPlace, LineId};
use crate::step::{Call, CallState, CallTerms, Duration, LineChange, Millis, Severity, Step, StepKind, ThreadId};
use crate::tasks::TaskChange;

/// Tool names by number: there are few, each shared by many calls.
pub(super) struct Tools {
    names: Vec<(Key, Arc<str>)>,
    numbers: FxHashMap<Arc<str>, usize>,
}

impl Tools {
    pub(super) fn of(tools: &KeyMap<Arc<str>>) -> Self {
        let mut names: Vec<_> = tools.iter().map(|(key, name)| (*key, Arc::clone(name))).collect();
        names.sort_unstable();
        let numbers = names.iter().enumerate().map(|(number, (_, name))| (Arc::clone(name), number)).collect();
        Self { names, numbers }
    }

    pub(super) fn names(&self) -> Vec<(Key, &str)> {
        self.names.iter().map(|(key, name)| (*key, &**name)).collect()
    }
}

/// A step. The fields of its kind follow it.
#[derive(Debug, Serialize, Deserialize)]
struct StepRow {
    line: i64,
    entry: u32,
    block: u32,
    at: Option<i64>,
    withdrawn: bool,
    kind: RowKind,
}

/// The kind of a step.
#[derive(Debug, Serialize, Deserialize)]
enum RowKind {
    Prompt,
    Reply,
    Thinking,
    Call,
    Output,
    Notice,
    Context,
    Compaction,
    Joint,
    Outcome,
    Orphan,
    Unknown,
}

/// The minimum size of a step, in bytes.
pub(super) const LEAST_OF_STEP: usize = 7;

pub(super) fn put_step(to: &mut Writer, step: &Step, tools: &Tools, before: &mut Before) -> Option<()> {
    let Step { place, at, withdrawn, kind } = step;
    let (line, at) = (before.put_line(place.line), before.put_time(*at));
    let row = |kind| StepRow { line, entry: place.entry, block: place.block, at, withdrawn: *withdrawn, kind };
    match kind {
        StepKind::Prompt(prompt) => to.put(&(row(RowKind::Prompt), prompt)),
        StepKind::Reply(reply) => to.put(&(row(RowKind::Reply), reply)),
        StepKind::Thinking(thinking) => to.put(&(row(RowKind::Thinking), thinking)),
        StepKind::Call(call) => to.put(&(row(RowKind::Call), CallRow::of(call, step, tools)?)),
        StepKind::Output(output) => to.put(&(row(RowKind::Output), output)),
        StepKind::Notice(notice) => to.put(&(row(RowKind::Notice), notice)),
        StepKind::Context(context) => to.put(&(row(RowKind::Context), context)),
        StepKind::Compaction(compaction) => to.put(&(row(RowKind::Compaction), compaction)),
        StepKind::Joint(joint) => to.put(&(row(RowKind::Joint), joint)),
        StepKind::Outcome(outcome) => to.put(&(row(RowKind::Outcome), outcome)),
        StepKind::Orphan(orphan) => to.put(&(row(RowKind::Orphan), orphan)),
        StepKind::Unknown(unknown) => to.put(&(row(RowKind::Unknown), unknown)),
    }
}

pub(super) fn take_step(from: &mut Bytes<'_>, tools: &Tools, before: &mut Before) -> Option<Step> {
    let StepRow { line, entry, block, at, withdrawn, kind } = from.take()?;
    let place = BlockPlace { line: before.take_line(line)?, entry, block };
    let at = before.take_time(at);
    if !at.is_none_or(is_moment) {
        return None;
    }
    let kind = match kind {
        RowKind::Prompt => StepKind::Prompt(from.take()?),
        RowKind::Reply => StepKind::Reply(from.take()?),
        RowKind::Thinking => StepKind::Thinking(from.take()?),
        RowKind::Call => StepKind::Call(Box::new(from.take::<CallRow<'_>>()?.call(place, at, tools)?)),
        RowKind::Output => StepKind::Output(from.take()?),
        RowKind::Notice => StepKind::Notice(from.take()?),
        RowKind::Context => StepKind::Context(from.take()?),
        RowKind::Compaction => StepKind::Compaction(from.take()?),
        RowKind::Joint => StepKind::Joint(from.take()?),
        RowKind::Outcome => StepKind::Outcome(from.take()?),
        RowKind::Orphan => StepKind::Orphan(from.take()?),
        RowKind::Unknown => StepKind::Unknown(from.take()?),
    };
    Some(Step { place, at, withdrawn, kind })
}

/// A call. Most steps are calls.
#[derive(Debug, Serialize, Deserialize)]
struct CallRow<'s> {
    id: &'s str,
    tool: usize,
    subject: &'s str,
    state: CallState,
    severity: Severity,
    outcome: &'s str,
    change: Option<LineChange>,
    duration: Lasted,
    terms: CallTerms,
    result: Option<ResultRow>,
    /// The time after the call, or after 1970 if the call has no time.
    ended: Option<i64>,
    user_said: Option<&'s str>,
    tasks: Cow<'s, [TaskChange]>,
    thread: Option<ThreadId>,
}

/// The position of a result: how many lines after the call, and where in the line.
#[derive(Debug, Serialize, Deserialize)]
struct ResultRow {
    line: i64,
    entry: u32,
    block: u32,
}

/// The duration of a call.
#[derive(Debug, Serialize, Deserialize)]
enum Lasted {
    Unknown,
    /// The time from its line to that of its result.
    Between,
    Said(Duration),
}

impl<'s> CallRow<'s> {
    fn of(call: &'s Call, step: &Step, tools: &Tools) -> Option<Self> {
        #[rustfmt::skip]
        let Call {
            id, tool, subject, state, severity, outcome, change, duration, terms, result, ended, user_said, tasks,
            thread,
        } = call;
        let after = ended.map(|ended| ended.wrapping_sub(step.at.unwrap_or_default()));
        Some(Self {
            id,
            tool: *tools.numbers.get(&**tool)?,
            subject,
            state: *state,
            severity: *severity,
            outcome,
            change: *change,
            duration: match duration {
                None => Lasted::Unknown,
                Some(duration) if Some(*duration) == between(step.at, *ended) => Lasted::Between,
                Some(duration) => Lasted::Said(*duration),
            },
            terms: terms.clone(),
            result: result.map(|result| ResultRow {
                line: distance(step.place.line.index(), result.line.index()),
                entry: result.entry,
                block: result.block,
            }),
            ended: after,
            user_said: user_said.as_deref(),
            tasks: Cow::Borrowed(tasks),
            thread: *thread,
        })
    }

    fn call(self, place: BlockPlace, at: Option<Millis>, tools: &Tools) -> Option<Call> {
        let ended = self.ended.map(|after| at.unwrap_or_default().wrapping_add(after));
        if !ended.is_none_or(is_moment) {
            return None;
        }
        let result = match self.result {
            Some(ResultRow { line, entry, block }) => {
                Some(BlockPlace { line: LineId::new(moved(place.line.index(), line)?), entry, block })
            }
            None => None,
        };
        Some(Call {
            id: self.id.into(),
            tool: Arc::clone(&tools.names.get(self.tool)?.1),
            subject: self.subject.into(),
            state: self.state,
            severity: self.severity,
            outcome: self.outcome.into(),
            change: self.change,
            duration: match self.duration {
                Lasted::Unknown => None,
                Lasted::Between => between(at, ended),
                Lasted::Said(duration) => Some(duration),
            },
            terms: self.terms,
            result,
            ended,
            user_said: self.user_said.map(Box::from),
            tasks: self.tasks.into_owned().into(),
            thread: self.thread,
        })
    }
}
