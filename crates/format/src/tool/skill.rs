//! Inputs and results of skills and slash commands that the model calls.

use super::result::{Outcome, Said};
use crate::id::AgentId;
use crate::json::{Notes, Text, record};

record! {
    /// Input of `Skill`.
    pub struct SkillInput<'a>: "Skill input" {
        skill: Option<Text<'a>> = "skill" | "command",
        args: Option<Text<'a>> = "args",
    }

    /// Input of `SlashCommand`: the whole command line.
    pub struct SlashCommandInput<'a>: "SlashCommand input" {
        command: Option<Text<'a>> = "command",
    }

    /// A started skill or command. Its instructions follow as a hidden user entry, unless it runs as a fork.
    pub struct SkillResult<'a>: "Skill result" {
        success: Option<bool> = "success",
        command_name: Option<Text<'a>> = "commandName",
        allowed_tools: Vec<Text<'a>> = "allowedTools",
        model: Option<Text<'a>> = "model",
        /// `forked` or `inline`.
        status: Option<Text<'a>> = "status",
        agent_id: Option<AgentId<'a>> = "agentId",
        /// The answer of a forked skill.
        result: Option<Text<'a>> = "result",
    }
}

impl<'a> Outcome<'a> for SkillResult<'a> {
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        const STARTS: [&str; 2] = ["Launching skill: ", "Launching command: "];
        if let Some(name) = STARTS.iter().find_map(|start| said.text.strip_prefix(start)) {
            let name = Text::from(name.lines().next().unwrap_or_default());
            return Some(Self { success: Some(true), command_name: Some(name), ..Self::default() });
        }
        let forked =
            said.text.strip_prefix("Skill \"").and_then(|rest| rest.split_once("\" completed (forked execution)."));
        let Some((name, rest)) = forked else { return said.json(notes) };
        Some(Self {
            success: Some(true),
            command_name: Some(Text::from(name)),
            status: Some(Text::from("forked")),
            result: rest.split_once("Result:\n").map(|(_, result)| Text::from(result)),
            ..Self::default()
        })
    }
}
