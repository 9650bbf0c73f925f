//! Selects a part of a story.

use std::ops::RangeInclusive;

use format::tool::Tool;
use story::step::{Millis, StepKind};
use story::{Detail, Remnant, Step, Story, ThreadId, ThreadKind};

/// The selected part of a story. By default, the main thread at the level of steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// The level of detail.
    pub detail: Detail,
    /// Whether thinking is shown, if the level includes it.
    pub thinking: bool,
    /// The tools whose calls are shown; `None` means all. A name selects its tool under all of its names.
    pub tools: Option<Vec<String>>,
    /// The threads.
    pub threads: Threads,
    /// The turns of these threads, from 1.
    pub turns: Option<RangeInclusive<u64>>,
    /// The earliest time.
    pub since: Option<Millis>,
    /// The latest time.
    pub until: Option<Millis>,
}

impl Default for Selection {
    fn default() -> Self {
        Self {
            detail: Detail::default(),
            thinking: true,
            tools: None,
            threads: Threads::default(),
            turns: None,
            since: None,
            until: None,
        }
    }
}

/// The selected threads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Threads {
    /// The main thread; all agents if only they are left of the session.
    #[default]
    Main,
    /// The main thread, all readable agents, and the rewound branches.
    All,
    /// One thread.
    One(ThreadId),
}

impl Selection {
    /// Whether a thread is selected.
    pub fn has_thread(&self, story: &Story, id: ThreadId) -> bool {
        match self.threads {
            Threads::Main => {
                id == main_thread(story) || story.remnant() == Some(Remnant::Subagents) && is_agent(story, id)
            }
            // A file of such an agent has nothing else.
            Threads::All => !is_hidden(story, id) || id == main_thread(story),
            Threads::One(wanted) => id == wanted,
        }
    }

    /// Whether the turn with this number is selected.
    pub fn has_turn(&self, number: usize) -> bool {
        self.turns.as_ref().is_none_or(|turns| turns.contains(&(number as u64)))
    }

    /// Whether a step of a selected turn is shown.
    pub fn has_step(&self, step: &Step) -> bool {
        self.is_in_time(step) && self.is_in_detail(step)
    }

    fn is_in_detail(&self, step: &Step) -> bool {
        match &step.kind {
            StepKind::Call(call) => {
                let is_meant = |tools: &Vec<String>| {
                    let called = Tool::named(&call.tool);
                    tools.iter().any(|tool| called.is_meant_by(tool))
                };
                self.tools.as_ref().is_none_or(is_meant) && self.detail >= step.kind.detail()
            }
            StepKind::Thinking(_) => self.thinking && self.detail >= step.kind.detail(),
            kind => self.detail >= kind.detail(),
        }
    }

    fn is_in_time(&self, step: &Step) -> bool {
        let Some(at) = step.at else { return self.since.is_none() && self.until.is_none() };
        self.since.is_none_or(|since| at >= since) && self.until.is_none_or(|until| at <= until)
    }
}

/// The main thread; if there is none, as in the file of an agent, the first thread that is not empty.
pub fn main_thread(story: &Story) -> ThreadId {
    let mut threads = story.threads();
    let first = threads.find(|(_, thread)| !thread.steps.is_empty()).map(|(id, _)| id);
    first.unwrap_or_else(|| story.threads().map(|(id, _)| id).next().unwrap_or(ThreadId::MAIN))
}

fn is_agent(story: &Story, id: ThreadId) -> bool {
    matches!(story.thread(id).map(|thread| &thread.kind), Some(ThreadKind::Agent(agent)) if !agent.hidden)
}

fn is_hidden(story: &Story, id: ThreadId) -> bool {
    matches!(story.thread(id).map(|thread| &thread.kind), Some(ThreadKind::Agent(agent)) if agent.hidden)
}

#[cfg(test)]
mod tests {
    use super::*;
    use story::{Source, StoryBuilder};

    const SESSION: &str = concat!(
        r#"{"type":"user","uuid":"u1","timestamp":"2026-08-08T09:00:00.000Z","message":{"content":"run the tests"}}"#,
        "\n",
        r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","timestamp":"2026-08-08T09:00:01.000Z","message":{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Sure."},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make test"}},{"type":"tool_use","id":"t2","name":"Task","input":{"prompt":"look"}}]}}"#,
        "\n",
        r#"{"type":"user","uuid":"u2","parentUuid":"a1","timestamp":"2026-08-08T09:00:09.000Z","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Exit code 2\nno rule"}]}}"#,
        "\n",
    );

    fn selected(selection: &Selection) -> Vec<&'static str> {
        let mut builder = StoryBuilder::default();
        let source = builder.add_source(Source::default());
        format::lines(SESSION.as_bytes()).for_each(|line| builder.push(source, line));
        let story = builder.story();
        let (_, main) = story.threads().next().unwrap();
        let steps = main.steps.iter().filter_map(|step| story.step(*step)).filter(|step| selection.has_step(step));
        steps
            .map(|step| match &step.kind {
                StepKind::Prompt(_) => "prompt",
                StepKind::Reply(_) => "reply",
                StepKind::Thinking(_) => "thinking",
                StepKind::Call(call) if &*call.tool == "Bash" => "Bash",
                StepKind::Call(_) => "Task",
                _ => "other",
            })
            .collect()
    }

    #[test]
    fn each_level_shows_more_and_failures_are_shown_with_the_replies() {
        let at = |detail| selected(&Selection { detail, ..Selection::default() });
        assert_eq!(at(Detail::Prompts), ["prompt"]);
        assert_eq!(at(Detail::Talk), ["prompt", "reply", "Bash"]);
        assert_eq!(at(Detail::Steps), ["prompt", "reply", "Bash", "Task"]);
        assert_eq!(at(Detail::Full), ["prompt", "thinking", "reply", "Bash", "Task"]);
    }

    #[test]
    fn tools_times_and_thoughts_are_chosen() {
        let full = Selection { detail: Detail::Full, ..Selection::default() };
        for name in ["Agent", "Task", "agent"] {
            let tools = Some(vec![name.to_owned()]);
            assert_eq!(
                selected(&Selection { tools, ..full.clone() }),
                ["prompt", "thinking", "reply", "Task"],
                "{name}"
            );
        }
        assert_eq!(selected(&Selection { thinking: false, ..full.clone() }), ["prompt", "reply", "Bash", "Task"]);
        let nine = 1_786_179_600_000;
        assert_eq!(selected(&Selection { until: Some(nine), ..full.clone() }), ["prompt"]);
        assert_eq!(selected(&Selection { since: Some(nine + 1), ..full }), ["thinking", "reply", "Bash", "Task"]);
    }

    #[test]
    fn turns_are_selected_by_number() {
        let selection = Selection { turns: Some(2..=3), ..Selection::default() };
        assert_eq!([1, 2, 3, 4].map(|number| selection.has_turn(number)), [false, true, true, false]);
    }
}
