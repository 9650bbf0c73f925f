//! The layout of a page: which threads and steps it contains, and where branches leave.

use human::Locale;
use maud::Markup;
use rustc_hash::FxHashMap;

use story::{Detail, Step, StepId, Story, Thread, ThreadId, ThreadKind};

use super::excerpt::Excerpt;
use content::Selection;
use content::Threads;
use content::main_thread;

/// The layout of a page.
#[derive(Debug)]
pub(crate) struct Layout<'s> {
    pub(crate) story: &'s Story,
    /// The thread of the conversation.
    pub(crate) main: ThreadId,
    /// The deepest level on the page; steps of deeper levels are left out.
    pub(crate) deepest: Detail,
    /// The time zone and the currency of all output.
    pub(crate) locale: Locale,
    /// The selected part, if it is not the whole session.
    excerpt: Option<Excerpt>,
    /// Branches by the thread and the step after which they leave.
    branches: FxHashMap<(ThreadId, Option<StepId>), Vec<ThreadId>>,
}

impl<'s> Layout<'s> {
    pub(crate) fn new(story: &'s Story, detail: Detail, selection: Option<&Selection>, locale: &Locale) -> Self {
        let deepest = if detail == Detail::Raw { Detail::Raw } else { Detail::Full };
        let main = match selection.map(|selection| selection.threads) {
            Some(Threads::One(id)) => id,
            Some(Threads::Main | Threads::All) | None => main_thread(story),
        };
        let excerpt = selection.and_then(|selection| Excerpt::new(story, main, deepest, selection));
        let locale = locale.clone();
        let layout = Self { story, main, deepest, locale, excerpt, branches: FxHashMap::default() };
        let mut branches: FxHashMap<_, Vec<ThreadId>> = FxHashMap::default();
        for (id, thread) in layout.others() {
            if let (ThreadKind::Branch, Some(origin)) = (&thread.kind, thread.origin) {
                branches.entry((origin.thread, origin.step)).or_default().push(id);
            }
        }
        Self { branches, ..layout }
    }

    /// The threads other than the conversation.
    pub(crate) fn others(&self) -> impl Iterator<Item = (ThreadId, &'s Thread)> {
        self.story.threads().filter(|(id, thread)| *id != self.main && self.has(*id, thread))
    }

    fn has(&self, id: ThreadId, thread: &Thread) -> bool {
        let is_wanted = match &thread.kind {
            ThreadKind::Main | ThreadKind::Branch => true,
            ThreadKind::Agent(agent) => !agent.hidden || self.deepest == Detail::Raw,
        };
        let is_in_part = self.excerpt.as_ref().is_none_or(|excerpt| excerpt.has_thread(id));
        is_wanted
            && is_in_part
            && thread.steps.iter().any(|id| self.story.step(*id).is_some_and(|step| self.shows(step)))
    }

    /// A thread that is on the page.
    pub(crate) fn thread(&self, id: ThreadId) -> Option<&'s Thread> {
        self.story.thread(id).filter(|thread| id == self.main || self.has(id, thread))
    }

    /// Whether a step is on the page.
    pub(crate) fn shows(&self, step: &Step) -> bool {
        step.kind.detail() <= self.deepest && self.wants(step)
    }

    /// Whether a step is in the selected part of the session, at any level.
    pub(crate) fn wants(&self, step: &Step) -> bool {
        self.excerpt.as_ref().is_none_or(|excerpt| excerpt.has_step(step))
    }

    /// A description of the selected part, if it is not the whole session.
    pub(crate) fn excerpt(&self) -> Option<Markup> {
        self.excerpt.as_ref().map(|excerpt| excerpt.words(self.story.thread(self.main), &self.locale))
    }

    /// The branches that leave after a step, or at the beginning of a thread.
    pub(crate) fn branches(&self, thread: ThreadId, step: Option<StepId>) -> &[ThreadId] {
        self.branches.get(&(thread, step)).map_or(&[], Vec::as_slice)
    }
}

/// The number of a level, as in the markup.
pub(crate) fn level(detail: Detail) -> u8 {
    match detail {
        Detail::Prompts => 0,
        Detail::Talk => 1,
        Detail::Steps => 2,
        Detail::Full => 3,
        Detail::Raw => 4,
    }
}

/// The name of a level.
pub(crate) fn name(detail: Detail) -> &'static str {
    match detail {
        Detail::Prompts => "prompts",
        Detail::Talk => "talk",
        Detail::Steps => "steps",
        Detail::Full => "full",
        Detail::Raw => "raw",
    }
}

/// All levels, lowest first.
pub(crate) const LEVELS: [Detail; 5] = [Detail::Prompts, Detail::Talk, Detail::Steps, Detail::Full, Detail::Raw];
