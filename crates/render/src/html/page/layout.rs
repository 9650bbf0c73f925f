//! What is on a page, and where.

use rustc_hash::FxHashMap;
use story::step::{Severity, StepKind};
use story::{Detail, Step, StepId, Story, Thread, ThreadId, ThreadKind};

use crate::selection::main_thread;

/// What is on a page, and where.
#[derive(Debug)]
pub(in crate::html) struct Layout<'s> {
    pub(in crate::html) story: &'s Story,
    /// The conversation.
    pub(in crate::html) main: ThreadId,
    /// The most that can be shown; what needs more is not in the page.
    pub(in crate::html) deepest: Detail,
    /// Branches by the thread and the step after which they leave.
    branches: FxHashMap<(ThreadId, Option<StepId>), Vec<ThreadId>>,
}

impl<'s> Layout<'s> {
    pub(in crate::html) fn new(story: &'s Story, detail: Detail) -> Self {
        let deepest = if detail == Detail::Raw { Detail::Raw } else { Detail::Full };
        let layout = Self { story, main: main_thread(story), deepest, branches: FxHashMap::default() };
        let mut branches: FxHashMap<_, Vec<ThreadId>> = FxHashMap::default();
        for (id, thread) in layout.others() {
            if let (ThreadKind::Branch, Some(origin)) = (&thread.kind, thread.origin) {
                branches.entry((origin.thread, origin.step)).or_default().push(id);
            }
        }
        Self { branches, ..layout }
    }

    /// The threads beside the conversation.
    pub(in crate::html) fn others(&self) -> impl Iterator<Item = (ThreadId, &'s Thread)> {
        self.story.threads().filter(|(id, thread)| *id != self.main && self.has(thread))
    }

    fn has(&self, thread: &Thread) -> bool {
        let is_wanted = match &thread.kind {
            ThreadKind::Main | ThreadKind::Branch => true,
            ThreadKind::Agent(agent) => !agent.hidden || self.deepest == Detail::Raw,
        };
        is_wanted && thread.steps.iter().any(|id| self.story.step(*id).is_some_and(|step| self.shows(step)))
    }

    /// A thread that is on the page.
    pub(in crate::html) fn thread(&self, id: ThreadId) -> Option<&'s Thread> {
        self.story.thread(id).filter(|thread| id == self.main || self.has(thread))
    }

    /// Whether a step is on the page.
    pub(in crate::html) fn shows(&self, step: &Step) -> bool {
        detail(step) <= self.deepest
    }

    /// The branches that leave after a step, or at the beginning of a thread.
    pub(in crate::html) fn branches(&self, thread: ThreadId, step: Option<StepId>) -> &[ThreadId] {
        self.branches.get(&(thread, step)).map_or(&[], Vec::as_slice)
    }
}

/// The least detail at which a step is shown. Failures are, whatever the detail.
pub(in crate::html) fn detail(step: &Step) -> Detail {
    match &step.kind {
        StepKind::Call(call) if call.severity == Severity::Error => Detail::Prompts,
        kind => kind.detail(),
    }
}

/// The same as a number, as the page has it.
pub(in crate::html) fn level(detail: Detail) -> u8 {
    match detail {
        Detail::Prompts => 0,
        Detail::Talk => 1,
        Detail::Steps => 2,
        Detail::Full => 3,
        Detail::Raw => 4,
    }
}

/// What a level is called.
pub(in crate::html) fn name(detail: Detail) -> &'static str {
    match detail {
        Detail::Prompts => "prompts",
        Detail::Talk => "talk",
        Detail::Steps => "steps",
        Detail::Full => "full",
        Detail::Raw => "raw",
    }
}

/// All levels, from the least.
pub(in crate::html) const LEVELS: [Detail; 5] =
    [Detail::Prompts, Detail::Talk, Detail::Steps, Detail::Full, Detail::Raw];
