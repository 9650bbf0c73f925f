//! Links agents to the calls that started them (docs/format G.7.3).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::fold::{LaneId, StoryBuilder};
use crate::key::Key;
use crate::step::{StepId, StepKind, ThreadId};
use crate::thread::{Origin, Thread, ThreadKind};

/// Removes all links from calls and prompts to agents.
pub(super) fn take_links(builder: &mut StoryBuilder) -> FxHashMap<StepId, ThreadId> {
    let mut links = FxHashMap::default();
    for step in std::mem::take(&mut builder.links.linked) {
        let thread = builder.story.steps.get_mut(step.index()).and_then(|step| step.kind.agent_mut()?.take());
        links.extend(thread.map(|thread| (step, thread)));
    }
    links
}

/// Records the steps whose link to an agent has changed.
pub(super) fn note_changes(builder: &mut StoryBuilder, mut before: FxHashMap<StepId, ThreadId>) {
    for step in &builder.links.linked {
        let thread = builder.story.steps.get_mut(step.index()).and_then(|step| *step.kind.agent_mut()?);
        if before.remove(step) != thread {
            builder.changed.push(*step);
        }
    }
    builder.changed.extend(before.into_keys());
}

/// Links agents to the calls that started them, and calls and prompts to the agents that they address or mention.
///
/// `agents` are the threads of lanes, `thread_of_step` the threads of steps, by index.
pub(super) fn link(
    builder: &mut StoryBuilder,
    threads: &mut [Thread],
    agents: &[(LaneId, ThreadId)],
    thread_of_step: &[Option<ThreadId>],
) {
    let mut taken = FxHashSet::default();
    for (lane, thread) in agents.iter().copied() {
        let calls = calls_of(builder, lane, &taken);
        for call in &calls {
            taken.insert(*call);
            set_thread(builder, *call, thread);
        }
        let place = |call: &StepId| thread_of_step.get(call.index()).copied().flatten();
        let origin = calls.first().and_then(|call| Some(Origin { thread: place(call)?, step: Some(*call) }));
        if let Some(thread) = threads.get_mut(thread.index()) {
            thread.origin = origin;
            describe(builder, thread, calls.first().copied());
        }
        let name = builder.lanes.get(lane.index()).map(|lane| Key::of(&lane.agent));
        let mentions = name.and_then(|name| builder.links.mentions.get(&name)).cloned().unwrap_or_default();
        for prompt in mentions {
            set_thread(builder, prompt, thread);
        }
    }
}

/// A workflow's call starts many agents: it links to the first.
fn set_thread(builder: &mut StoryBuilder, step: StepId, thread: ThreadId) {
    let slot = builder.story.steps.get_mut(step.index()).and_then(|step| step.kind.agent_mut());
    if let Some(slot @ None) = slot {
        *slot = Some(thread);
        builder.links.linked.push(step);
    }
}

/// The calls of an agent: the one that started it, then those that woke it or asked for its answer.
fn calls_of(builder: &StoryBuilder, lane: LaneId, taken: &FxHashSet<StepId>) -> Vec<StepId> {
    let Some(lane) = builder.lanes.get(lane.index()) else { return Vec::new() };
    let id = Key::of(&lane.agent);
    let by_call = |key: Key| builder.call_by_key(key);
    let mut calls: Vec<StepId> = Vec::new();
    calls.extend(lane.notes.tool_use_id.as_ref().and_then(|call| by_call(Key::of(call))));
    calls.extend(lane.call.and_then(by_call));
    let has_id = !lane.agent.is_empty();
    let by_name = builder.links.by_name.get(&id).filter(|_| has_id);
    calls.extend(by_name.into_iter().flatten().copied());
    let by_own_name = lane.notes.name.as_ref().and_then(|name| builder.links.by_name.get(&Key::of(name)));
    calls.extend(by_own_name.into_iter().flatten().copied());
    calls.extend(builder.links.by_progress.get(&id).filter(|_| has_id).copied().and_then(by_call));
    if calls.is_empty() {
        calls.extend(lane.workflow.as_ref().and_then(|run| builder.links.by_name.get(&Key::of(run))?.first().copied()));
    }
    if calls.is_empty() {
        let asked = lane.first_prompt.and_then(|prompt| builder.links.by_prompt.get(&prompt));
        calls.extend(asked.into_iter().flatten().copied().find(|call| !taken.contains(call)));
    }
    let mut seen = FxHashSet::default();
    calls.retain(|call| seen.insert(*call));
    calls
}

/// Takes over the call's description, unless the agent has a better one.
fn describe(builder: &StoryBuilder, thread: &mut Thread, call: Option<StepId>) {
    let ThreadKind::Agent(agent) = &mut thread.kind else { return };
    if agent.description.is_none()
        && let Some(StepKind::Call(call)) = call.and_then(|call| builder.story.step(call)).map(|step| &step.kind)
    {
        agent.description = Some(call.subject.clone());
    }
}
