//! A step of a followed session, one document per line.

use serde::Serialize;
use story::{Agent, Detail, Story, Texts, ThreadId, ThreadKind};

use crate::show::{self, Step};

/// The name and version of a followed step.
pub const TAIL: &str = "recount.tail/2";

/// A new step, or the result of an earlier call.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct TailOut<'a> {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = TAIL)))]
    schema: &'static str,
    /// The kind of event.
    event: TailEvent,
    /// The id of the session.
    session: &'a str,
    /// The folder that it runs in.
    project: Option<&'a str>,
    /// The thread that the step belongs to.
    thread: ThreadId,
    /// The agent, if it is the thread of one.
    agent: Option<&'a Agent>,
    /// The step, as in a story at the level `steps`.
    step: Step<'a>,
}

/// The kind of event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TailEvent {
    /// A new step.
    Step,
    /// The result of an earlier call.
    Result,
}

impl<'a> TailOut<'a> {
    /// The JSON of a step; `None` if the story has no such step.
    pub fn of(
        event: TailEvent,
        session: &'a str,
        story: &'a Story,
        texts: &'a mut dyn Texts,
        (thread, step): (ThreadId, story::StepId),
    ) -> Option<Self> {
        let agent = story.thread(thread).and_then(|thread| match &thread.kind {
            ThreadKind::Agent(agent) => Some(&**agent),
            ThreadKind::Main | ThreadKind::Branch => None,
        });
        let project = story.facts.project.as_deref();
        let step = show::step(story, texts, step, Detail::Steps)?;
        Some(Self { schema: TAIL, event, session, project, thread, agent, step })
    }
}
