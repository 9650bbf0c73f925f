//! The types of subagents: from the metadata files beside their transcripts, or from the calls that spawned them.

use format::block::{Block, Content};
use format::tool::{ToolInput, ToolKind, ToolResult, read_result};
use format::{Entry, Scratch};
use memchr::memmem::Finder;
use rustc_hash::FxHashMap;

use sources::files::read_notes;
use sources::source::Source;

/// Agent types by agent id.
pub type AgentTypes = FxHashMap<Box<str>, Box<str>>;

/// Collects agent types from one source after another.
#[derive(Debug)]
pub(super) struct AgentSearch {
    pub(super) found: AgentTypes,
    /// Agent types by call, in the current source.
    called: FxHashMap<Box<str>, Box<str>>,
    words: [Finder<'static>; 2],
}

impl Default for AgentSearch {
    fn default() -> Self {
        let words = ["\"subagent_type\"", "\"agentId\""].map(Finder::new);
        Self { found: AgentTypes::default(), called: FxHashMap::default(), words }
    }
}

impl AgentSearch {
    /// Starts a source. An agent's metadata file, if there is one, is all that is needed.
    pub(super) fn begin(&mut self, source: &Source, agent: Option<&str>) {
        self.called.clear();
        let Some(agent) = agent else { return };
        if let Some(kind) = read_notes(&source.input).and_then(|notes| notes.agent_type) {
            self.found.insert(agent.into(), kind);
        }
    }

    /// Reads a line: calls that spawn agents, and their results, which carry the agent ids.
    pub(super) fn look(&mut self, line: &[u8], scratch: &Scratch) {
        if self.words.iter().all(|word| word.find(line).is_none()) {
            return;
        }
        for entry in format::read(line, scratch).entries {
            self.entry(entry, scratch);
        }
    }

    fn entry<'a>(&mut self, mut entry: Entry<'a>, scratch: &'a Scratch) {
        let mut structured = entry.body.take_structured();
        let content = entry.body.message().and_then(|message| message.content.as_ref());
        for block in content.map_or(&[][..], Content::blocks) {
            if let Block::ToolUse(call) = block
                && let (Some(id), Some(ToolInput::Agent(input))) = (call.id, &call.input)
                && let Some(kind) = input.subagent_type
            {
                self.called.insert(id.as_str().into(), kind.as_str().into());
            }
            let Some(answer) = block.as_result() else { continue };
            let Some(called) = answer.tool_use_id.and_then(|id| self.called.get(id.as_str())) else { continue };
            let result = read_result(Some(ToolKind::Agent.name()), structured.take(), Some(answer), scratch).result;
            if let ToolResult::Agent(result) = result
                && let Some(agent) = result.agent_id
            {
                self.found.entry(agent.as_str().into()).or_insert_with(|| called.clone());
            }
        }
    }
}
