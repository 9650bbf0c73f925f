//! The script of a session, read from files beside the code.

use serde::Deserialize;
use serde_json::{Map, Value};

/// A session.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Script {
    /// Start time in seconds.
    pub(super) begins: f64,
    pub(super) project: String,
    pub(super) branch: String,
    /// Name of the session in its process's file.
    pub(super) name: String,
    pub(super) beats: Vec<Beat>,
}

/// An event.
#[derive(Debug, Deserialize)]
pub(super) struct Beat {
    /// Seconds after the previous event.
    pub(super) after: f64,
    /// The subagent that acts.
    pub(super) by: Option<String>,
    #[serde(flatten)]
    pub(super) deed: Deed,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Deed {
    /// The status that the process reports.
    Status(Status),
    /// The permission mode.
    Mode(String),
    Prompt(String),
    Title(String),
    Think(String),
    /// A reply before another action.
    Say(String),
    /// The last reply of a turn.
    Done(String),
    Call(Call),
    Result(Outcome),
    /// A subagent starts.
    Agent(Hired),
    /// A request failed and is retried this many times.
    ApiError(u32),
    /// A background command has finished.
    Notification(Notification),
    /// The process ends.
    Leave,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Status {
    pub(super) is: String,
    #[serde(rename = "for")]
    pub(super) waits_for: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    #[serde(rename = "as")]
    pub(super) name: String,
    pub(super) tool: String,
    pub(super) input: Map<String, Value>,
}

/// The result of a call.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Outcome {
    pub(super) of: String,
    /// Printed output, or the content of the file.
    #[serde(default)]
    pub(super) text: String,
    #[serde(default)]
    pub(super) is_failure: bool,
    /// The changed line.
    pub(super) line: Option<usize>,
    /// The user's choices.
    pub(super) answers: Option<Map<String, Value>>,
    /// The subagent whose last reply is the result.
    pub(super) agent: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hired {
    #[serde(rename = "as")]
    pub(super) name: String,
    /// The call that started it.
    pub(super) of: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Notification {
    pub(super) of: String,
}

#[cfg(test)]
impl Script {
    /// Checks that all references are defined and that nothing follows the end.
    pub(super) fn check(&self) -> Result<(), String> {
        let (mut calls, mut agents, mut is_over) = (Vec::new(), Vec::new(), false);
        for beat in &self.beats {
            if is_over || beat.after < 0.0 || beat.by.as_ref().is_some_and(|by| !agents.contains(by)) {
                return Err(format!("{}: {beat:?}", self.name));
            }
            let (call, agent) = match &beat.deed {
                Deed::Call(call) => {
                    calls.push(call.name.clone());
                    continue;
                }
                Deed::Agent(hired) => {
                    agents.push(hired.name.clone());
                    (Some(&hired.of), None)
                }
                Deed::Result(outcome) => (Some(&outcome.of), outcome.agent.as_ref()),
                Deed::Notification(notification) => (Some(&notification.of), None),
                Deed::Leave => {
                    is_over = true;
                    continue;
                }
                _ => continue,
            };
            if call.is_some_and(|call| !calls.contains(call)) || agent.is_some_and(|agent| !agents.contains(agent)) {
                return Err(format!("{}: {beat:?}", self.name));
            }
        }
        Ok(())
    }
}
