//! Arranges nodes into threads of turns.
//!
//! The content of the steps is already known; this module finds the path of the conversation through the tree, what
//! lies beside it, and the rewound branches (docs/format G). It runs again whenever the story is requested and takes
//! time linear in the number of entries, for any tree.

mod agents;
mod titles;
mod tree;
mod turns;

use rustc_hash::FxHashSet;

use crate::fold::{LaneId, NodeId, StoryBuilder};
use crate::step::{NoticeKind, StepId, StepKind, ThreadId};
use crate::thread::{Agent, Origin, Thread, ThreadKind};

use tree::Path;

/// Rebuilds the threads of the story.
pub(crate) fn arrange(builder: &mut StoryBuilder) {
    let mut members: Vec<Vec<NodeId>> = vec![Vec::new(); builder.lanes.len().max(1)];
    for (number, node) in builder.nodes.iter().enumerate() {
        if let Some(lane) = members.get_mut(node.lane.index()).filter(|_| !builder.is_foreign(node)) {
            lane.push(NodeId::new(number));
        }
    }
    let mut unfinished = UnfinishedThreads {
        placed: vec![false; builder.nodes.len()],
        joints: FxHashSet::default(),
        threads: Vec::new(),
    };
    let mut branches = Vec::new();
    let mut places = vec![None; builder.nodes.len()];
    let mut agents = Vec::new();
    for (number, nodes) in members.into_iter().enumerate() {
        let lane = LaneId::new(number);
        if nodes.is_empty() && lane != LaneId::MAIN {
            continue;
        }
        let mut paths = tree::paths(&builder.nodes, nodes, builder.leaf_of(lane), &mut places).into_iter();
        let thread = unfinished.add(builder, lane, &paths.next().unwrap_or_default(), None);
        branches.extend(paths.map(|path| (lane, thread, path)));
        if lane != LaneId::MAIN {
            agents.push((lane, thread));
        }
    }
    // A step on a conversation's path belongs there, not to a rewound branch.
    let mut thread_of_step = unfinished.thread_of_step(builder.story.steps.len());
    for (lane, thread, path) in branches {
        let step = path.origin.and_then(|node| builder.last_step(node));
        let origin = step.and_then(|step| Some(((*thread_of_step.get(step.index())?)?, step)));
        let origin = match origin {
            Some((thread, step)) => Origin { thread, step: Some(step) },
            None => Origin { thread, step: None },
        };
        let added = unfinished.add(builder, lane, &path, Some(origin));
        for step in unfinished.threads.get(added.index()).map(|thread| thread.steps.as_slice()).unwrap_or_default() {
            if let Some(thread) = thread_of_step.get_mut(step.index()) {
                *thread = Some(added);
            }
        }
    }
    let mut threads = unfinished.threads;
    let before = agents::take_links(builder);
    agents::link(builder, &mut threads, &agents, &thread_of_step);
    let threads = without_empty(builder, threads);
    agents::note_changes(builder, before);
    let threads = turns::divide(builder, threads);
    builder.story.threads = threads;
    turns::settle_facts(builder);
}

/// The threads while they are filled.
struct UnfinishedThreads {
    /// Whether the steps of a node have been placed.
    placed: Vec<bool>,
    joints: FxHashSet<StepId>,
    threads: Vec<Thread>,
}

impl UnfinishedThreads {
    fn add(&mut self, builder: &mut StoryBuilder, lane: LaneId, path: &Path, origin: Option<Origin>) -> ThreadId {
        let kind = match (origin, lane) {
            (Some(_), _) => ThreadKind::Branch,
            (None, LaneId::MAIN) => ThreadKind::Main,
            (None, lane) => ThreadKind::Agent(Box::new(agent(builder, lane))),
        };
        let steps = self.steps(builder, &path.nodes);
        self.threads.push(Thread { kind, origin, steps, turns: Vec::new() });
        ThreadId::new(self.threads.len() - 1)
    }

    /// The steps of nodes in order, each once. A joint follows the last entry copied from another session.
    fn steps(&mut self, builder: &mut StoryBuilder, nodes: &[NodeId]) -> Vec<StepId> {
        let joint = |id: &NodeId| builder.nodes.get(id.index()).and_then(|node| node.inherited);
        let mut joints: Vec<(usize, StepId)> = Vec::new();
        for (at, joint) in nodes.iter().enumerate().rev().filter_map(|(at, id)| Some((at, joint(id)?))) {
            if self.joints.insert(joint) {
                joints.push((at, joint));
            }
        }
        let mut steps = Vec::new();
        let mut errors = 0;
        for (at, id) in nodes.iter().enumerate() {
            for step in self.steps_at(builder, *id) {
                errors = fold_errors(builder, &mut steps, step, errors);
                steps.push(step);
            }
            while let Some((_, joint)) = joints.pop_if(|(after, _)| *after == at) {
                steps.push(joint);
            }
        }
        steps
    }

    /// The steps of a node: its own, or those of the node that it copies.
    fn steps_at(&mut self, builder: &StoryBuilder, id: NodeId) -> Vec<StepId> {
        let original = builder.nodes.get(id.index()).and_then(|node| node.copy_of).unwrap_or(id);
        let node = builder.nodes.get(original.index()).filter(|node| !builder.is_foreign(node));
        let (Some(node), Some(is_placed)) = (node, self.placed.get_mut(original.index())) else { return Vec::new() };
        if std::mem::replace(is_placed, true) {
            return Vec::new();
        }
        node.steps().filter(|step| !builder.absorbed.contains(step)).collect()
    }

    /// The thread of each step, by index.
    fn thread_of_step(&self, steps: usize) -> Vec<Option<ThreadId>> {
        let mut threads = vec![None; steps];
        for (number, thread) in self.threads.iter().enumerate() {
            for step in &thread.steps {
                if let Some(slot) = threads.get_mut(step.index()) {
                    *slot = Some(ThreadId::new(number));
                }
            }
        }
        threads
    }
}

/// Merges the retries of one request into one step, the last.
fn fold_errors(builder: &mut StoryBuilder, steps: &mut Vec<StepId>, step: StepId, errors: u32) -> u32 {
    let is_error = |builder: &StoryBuilder, step: StepId| matches!(builder.story.step(step).map(|step| &step.kind), Some(StepKind::Notice(notice)) if notice.kind == NoticeKind::ApiError);
    if !is_error(builder, step) {
        return 0;
    }
    if errors > 0 && steps.last().is_some_and(|last| is_error(builder, *last)) {
        steps.pop();
    }
    if let Some(StepKind::Notice(notice)) = builder.story.steps.get_mut(step.index()).map(|step| &mut step.kind)
        && std::mem::replace(&mut notice.times, errors + 1) != errors + 1
    {
        builder.changed.push(step);
    }
    errors + 1
}

fn agent(builder: &StoryBuilder, lane: LaneId) -> Agent {
    let Some(lane) = builder.lanes.get(lane.index()) else { return Agent::default() };
    let notes = &lane.notes;
    // These agents serve the program itself: summaries, side questions, suggestions.
    let serves_program =
        ["acompact-", "aside_question-", "aprompt_suggestion-"].iter().any(|name| lane.agent.starts_with(name));
    Agent {
        id: lane.agent.clone(),
        agent_type: notes.agent_type.clone(),
        description: notes.description.clone().or_else(|| lane.label.clone()),
        name: notes.name.clone(),
        workflow: lane.workflow.clone(),
        teammate: notes.teammate,
        hidden: lane.is_warmup || serves_program,
    }
}

/// Drops branches without steps: copies of what is shown elsewhere.
fn without_empty(builder: &mut StoryBuilder, threads: Vec<Thread>) -> Vec<Thread> {
    let mut numbers = Vec::with_capacity(threads.len());
    let mut kept = 0;
    for thread in &threads {
        let is_kept = !thread.steps.is_empty() || thread.kind != ThreadKind::Branch;
        numbers.push(is_kept.then_some(ThreadId::new(kept)));
        kept += usize::from(is_kept);
    }
    let renumber = |id: ThreadId| numbers.get(id.index()).copied().flatten();
    for step in &builder.links.linked {
        if let Some(thread) = builder.story.steps.get_mut(step.index()).and_then(|step| step.kind.agent_mut()) {
            *thread = thread.and_then(renumber);
        }
    }
    let mut threads: Vec<Thread> =
        threads.into_iter().zip(&numbers).filter_map(|(thread, number)| number.map(|_| thread)).collect();
    for thread in &mut threads {
        thread.origin =
            thread.origin.map(|origin| Origin { thread: renumber(origin.thread).unwrap_or(ThreadId::MAIN), ..origin });
    }
    threads
}
