//! Assigns entries to lanes (the main conversation or an agent), and records which call started an agent.

use format::id::TaskId;
use format::tool::{ToolInput, ToolResult};
use format::{Envelope, Text};
use serde::{Deserialize, Serialize};

use super::node::NodeId;
use super::{Spot, StoryBuilder};
use crate::key::{Key, KeyMap, in_order};
use crate::preview::preview;
use crate::source::{AgentNotes, Role};
use crate::step::StepId;
use crate::tasks::TaskList;

/// The index of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct LaneId(u32);

impl LaneId {
    /// The main conversation.
    pub(crate) const MAIN: Self = Self(0);

    pub(crate) fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Everything one speaker says, with all its branches.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Lane {
    /// The agent id; empty for the main conversation and for old agents, which have none.
    pub(crate) agent: Box<str>,
    pub(crate) workflow: Option<Box<str>>,
    pub(crate) notes: AgentNotes,
    /// Its label in the journal of its workflow.
    pub(crate) label: Option<Box<str>>,
    /// Its first prompt.
    pub(crate) first_prompt: Option<Key>,
    /// Whether it only warms up the cache.
    pub(crate) is_warmup: bool,
    /// On streams, the call that started the agent.
    pub(crate) call: Option<Key>,
    pub(crate) tasks: TaskList,
    pub(super) last: Option<NodeId>,
    /// The last entry that a progress entry of the parent carries.
    pub(super) last_inside: Option<NodeId>,
    /// The last reply before a call that has not arrived yet.
    pub(super) announces: Option<StepId>,
}

/// The links between agents and calls.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Links {
    /// Calls by the agents, tasks and runs that their results name: the first started it, others woke or queried it.
    #[serde(serialize_with = "in_order")]
    pub(crate) by_name: KeyMap<Vec<StepId>>,
    /// Calls named by an agent's progress entries.
    #[serde(serialize_with = "in_order")]
    pub(crate) by_progress: KeyMap<Key>,
    /// Calls by the prompt for the agent.
    #[serde(serialize_with = "in_order")]
    pub(crate) by_prompt: KeyMap<Vec<StepId>>,
    /// Prompts that mention an agent.
    #[serde(serialize_with = "in_order")]
    pub(crate) mentions: KeyMap<Vec<StepId>>,
    /// Steps that link to an agent's thread, as of the last arrangement.
    #[serde(skip)]
    pub(crate) linked: Vec<StepId>,
}

impl Links {
    /// Records that a call names an agent, a task or a run.
    pub(super) fn name(&mut self, name: &str, call: StepId) {
        if !name.is_empty() {
            let calls = self.by_name.entry(Key::of(name)).or_default();
            if !calls.contains(&call) {
                calls.push(call);
            }
        }
    }
}

impl StoryBuilder {
    /// The lane of an entry.
    pub(super) fn lane_of(&mut self, spot: Spot, envelope: &Envelope<'_>) -> LaneId {
        if self.lanes.is_empty() {
            self.lanes.push(Lane::default());
        }
        if let Role::Agent { id, workflow } = self.role(spot).clone() {
            let lane = self.agent_lane(&id);
            if let (Some(lane), Some(workflow)) = (self.lanes.get_mut(lane.index()), workflow) {
                lane.workflow = Some(workflow);
            }
            return lane;
        }
        if let (Role::Journal(_), Some(agent)) = (self.role(spot), envelope.agent_id) {
            return self.agent_lane(agent.as_str());
        }
        if let Some(call) = envelope.parent_tool_use_id {
            return self.stream_lane(call.as_str());
        }
        if envelope.is_sidechain != Some(true) {
            return LaneId::MAIN;
        }
        if let Some(agent) = envelope.agent_id {
            return self.agent_lane(agent.as_str());
        }
        // Old agents have no id: each begins at a root of its own.
        let parent = envelope.parent_uuid.and_then(|uuid| self.by_uuid.get(Key::of(uuid.as_str())));
        match parent.and_then(|node| self.nodes.get(node.index())).map(|node| node.lane) {
            Some(lane) if lane != LaneId::MAIN => lane,
            _ => self.add_lane(Lane::default()),
        }
    }

    fn add_lane(&mut self, lane: Lane) -> LaneId {
        if self.lanes.is_empty() {
            self.lanes.push(Lane::default());
        }
        let id = LaneId::new(self.lanes.len());
        self.lanes.push(lane);
        id
    }

    /// The lane of an agent.
    pub(super) fn agent_lane(&mut self, agent: &str) -> LaneId {
        let key = Key::of(agent);
        if let Some(lane) = self.lane_by_key.get(&key) {
            return *lane;
        }
        let lane = self.add_lane(Lane { agent: agent.into(), ..Lane::default() });
        self.lane_by_key.insert(key, lane);
        lane
    }

    /// The lane of the agent that a call on a stream started.
    pub(super) fn stream_lane(&mut self, call: &str) -> LaneId {
        let key = Key::of(call);
        if let Some(lane) = self.lane_by_key.get(&key) {
            return *lane;
        }
        let lane = self.add_lane(Lane { call: Some(key), ..Lane::default() });
        self.lane_by_key.insert(key, lane);
        lane
    }

    pub(super) fn set_notes(&mut self, lane: LaneId, notes: AgentNotes) {
        if let Some(lane) = self.lanes.get_mut(lane.index()) {
            lane.notes = notes;
        }
    }

    /// Records the label that a workflow gives one of its agents.
    pub(super) fn label(&mut self, agent: &str, label: Option<Text<'_>>) {
        let lane = self.agent_lane(agent);
        if let (Some(lane), Some(label)) = (self.lanes.get_mut(lane.index()), label) {
            lane.label = Some(preview(&label));
        }
    }

    /// Records the prompt in a call for an agent.
    pub(super) fn link_input(&mut self, call: StepId, input: Option<&ToolInput<'_>>) {
        match input {
            Some(ToolInput::Agent(agent)) => {
                if let Some(prompt) = agent.prompt {
                    let key = Key::of_words(&prompt);
                    self.links.by_prompt.entry(key).or_default().push(call);
                }
                if let Some(resumed) = agent.resume {
                    self.links.name(resumed.as_str(), call);
                }
            }
            Some(ToolInput::SendMessage(message)) => {
                if let Some(to) = message.to {
                    self.links.name(&to, call);
                }
            }
            Some(ToolInput::TaskOutput(output)) => {
                if let Some(task) = output.task_id {
                    self.links.name(task.as_str(), call);
                }
            }
            _ => {}
        }
    }

    /// Records the agents, tasks and runs that a result names.
    pub(super) fn link_result(&mut self, call: StepId, result: &ToolResult<'_>) {
        match result {
            ToolResult::Agent(agent) => {
                for id in [agent.agent_id, agent.teammate_id].into_iter().flatten() {
                    self.links.name(id.as_str(), call);
                }
                for name in [agent.task_id.map(TaskId::as_str), agent.name.map(Text::as_str)] {
                    self.links.name(name.unwrap_or_default(), call);
                }
            }
            ToolResult::Skill(skill) | ToolResult::SlashCommand(skill) => {
                if let Some(id) = skill.agent_id {
                    self.links.name(id.as_str(), call);
                }
            }
            ToolResult::Workflow(workflow) => {
                let folder = workflow.transcript_dir.map(|path| last_component(path.as_str()));
                let ids = [workflow.run_id.map(Text::as_str), folder, workflow.task_id.map(TaskId::as_str)];
                ids.into_iter().flatten().for_each(|id| self.links.name(id, call));
            }
            ToolResult::Bash(shell) | ToolResult::PowerShell(shell) => {
                if let Some(task) = shell.background_task_id {
                    self.links.name(task.as_str(), call);
                }
            }
            _ => {}
        }
    }
}

fn last_component(path: &str) -> &str {
    path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or_default()
}
