//! The stored part of a hook's input (docs/format I), kept small.

use std::fmt;
use std::io::{self, Read};

use format::tool::{Ask, Tool};
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use story::step::{Millis, StepKind};
use story::{Source, StoryBuilder, ThreadId, preview};

/// An event in a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Event {
    /// When it was received, in milliseconds since 1970, by the local clock.
    pub at: Millis,
    /// Its kind.
    pub kind: HookEventKind,
    /// The session.
    pub session: String,
    /// The subagent it concerns; `None` for the main conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The id of the call. Permission requests have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The call's subject as in the story: the command, the file, the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The options of a question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// A one-word detail: the type of a notification, why a session began or ended, what triggered a compaction, which
    /// error occurred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The first words of a text: the model's last reply, or a message of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Background tasks after a turn, if stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background: Option<Vec<String>>,
}

/// The kind of an event, by the name of its hook.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum HookEventKind {
    /// A tool is about to run.
    PreToolUse,
    /// A tool finished.
    PostToolUse,
    /// A tool failed, or the user interrupted it.
    PostToolUseFailure,
    /// The user is asked for permission.
    PermissionRequest,
    /// Permission was denied without asking the user.
    PermissionDenied,
    /// The program wants the user's attention.
    Notification,
    /// A prompt was submitted.
    UserPromptSubmit,
    /// A session began or was resumed.
    SessionStart,
    /// The session ended.
    SessionEnd,
    /// The model finished its turn.
    Stop,
    /// The turn ended with an API error.
    StopFailure,
    /// A subagent began.
    SubagentStart,
    /// A subagent finished.
    SubagentStop,
    /// The conversation is about to be compacted.
    PreCompact,
    /// The conversation was compacted.
    PostCompact,
    /// An MCP server asks the user a question.
    Elicitation,
    /// The user answered it.
    ElicitationResult,
    /// Anything else.
    #[default]
    #[serde(other)]
    Other,
}

/// Longer than any line of the spool, since all stored fields are short.
pub(super) const LONGEST_LINE: usize = 64 << 10;
/// Ids are shorter than this.
const LONGEST_ID: usize = 128;
/// Limit on options and on background tasks.
const MOST: usize = 8;

impl Event {
    /// Reads a hook's input, however incomplete: it must contain at least the event name and the session.
    ///
    /// Stops at the end of the object, so that an input that stays open does not block.
    pub fn read(input: impl Read, at: Millis) -> Option<Self> {
        let mut draft = Draft::default();
        // The part before the damage may be enough.
        let _ = serde_json::Deserializer::from_reader(input).deserialize_map(&mut draft);
        draft.finish(at)
    }

    /// One line of the spool.
    pub(crate) fn to_line(&self) -> io::Result<Vec<u8>> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        Ok(line)
    }

    /// Parses a line of the spool; `None` if it is not an event.
    pub(crate) fn of_line(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line).ok().filter(|event: &Self| !event.session.is_empty())
    }
}

/// The fields read so far.
#[derive(Default)]
struct Draft {
    event: Option<String>,
    session: Option<String>,
    agent: Option<String>,
    tool: Option<String>,
    call: Option<String>,
    input: Option<Box<RawValue>>,
    notification: Option<String>,
    source: Option<String>,
    message: Option<String>,
    last_words: Option<String>,
    error: Option<String>,
    error_details: Option<String>,
    is_interrupt: bool,
    background: Option<Vec<String>>,
}

impl<'de> Visitor<'de> for &mut Draft {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the input of a hook")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "hook_event_name" => self.event = map.next_value::<Loose>()?.id(),
                "session_id" => self.session = map.next_value::<Loose>()?.id(),
                "agent_id" => self.agent = map.next_value::<Loose>()?.id(),
                "tool_name" => self.tool = map.next_value::<Loose>()?.id(),
                "tool_use_id" => self.call = map.next_value::<Loose>()?.id(),
                "tool_input" => self.input = Some(map.next_value()?),
                "notification_type" => self.notification = map.next_value::<Loose>()?.id(),
                "source" | "reason" | "trigger" => self.source = map.next_value::<Loose>()?.id(),
                "message" => self.message = map.next_value::<Loose>()?.words(),
                "last_assistant_message" => self.last_words = map.next_value::<Loose>()?.words(),
                "error" => self.error = map.next_value::<Loose>()?.words(),
                "error_details" => self.error_details = map.next_value::<Loose>()?.words(),
                "is_interrupt" => self.is_interrupt = matches!(map.next_value()?, Loose::Flag(true)),
                "background_tasks" => self.background = map.next_value::<Tasks>()?.0,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

impl Draft {
    fn finish(self, at: Millis) -> Option<Event> {
        let (name, session) = (self.event?, self.session?);
        let kind: HookEventKind = serde_json::from_value(Value::String(name)).unwrap_or_default();
        let input = self.input.as_deref().map(RawValue::get);
        let subject = self.tool.as_deref().zip(input).and_then(|(tool, input)| subject(tool, input));
        let asks = self.tool.as_deref().and_then(|tool| Tool::named(tool).nature().asks);
        let options = input.filter(|_| asks == Some(Ask::Answer)).map(options).unwrap_or_default();
        let (reason, text) = match kind {
            HookEventKind::Notification => (self.notification, self.message),
            HookEventKind::StopFailure => (self.error, self.last_words.or(self.error_details)),
            HookEventKind::PostToolUseFailure => (self.is_interrupt.then(|| INTERRUPT.to_owned()), None),
            HookEventKind::Elicitation => (None, self.message),
            HookEventKind::SessionStart
            | HookEventKind::SessionEnd
            | HookEventKind::PreCompact
            | HookEventKind::PostCompact => (self.source, None),
            HookEventKind::Stop | HookEventKind::SubagentStop => (None, self.last_words),
            HookEventKind::PreToolUse
            | HookEventKind::PostToolUse
            | HookEventKind::PermissionRequest
            | HookEventKind::PermissionDenied
            | HookEventKind::UserPromptSubmit
            | HookEventKind::SubagentStart
            | HookEventKind::ElicitationResult
            | HookEventKind::Other => (None, None),
        };
        let (agent, tool, call, background) = (self.agent, self.tool, self.call, self.background);
        Some(Event { at, kind, session, agent, tool, call, subject, options, reason, text, background })
    }
}

/// The reason of a failure that the user caused.
pub(crate) const INTERRUPT: &str = "interrupt";

/// The subject of a call, exactly as in a story: a story builder reads the call.
fn subject(tool: &str, input: &str) -> Option<String> {
    let tool = Value::from(tool);
    let line = format!(
        r#"{{"type":"assistant","uuid":"u","message":{{"role":"assistant","content":[{{"type":"tool_use","id":"t","name":{tool},"input":{input}}}]}}}}"#
    );
    // Line breaks between JSON tokens are insignificant, and strings contain none.
    let line = line.replace(['\n', '\r'], " ");
    let mut builder = StoryBuilder::default();
    let source = builder.add_source(Source::default());
    format::lines(line.as_bytes()).for_each(|line| builder.push(source, line));
    let story = builder.story();
    let main = story.thread(ThreadId::MAIN)?;
    let steps = main.turns.iter().flat_map(|turn| story.steps(main, turn));
    let call = steps.into_iter().find_map(|(_, step)| match &step.kind {
        StepKind::Call(call) => Some(call.subject.to_string()),
        _ => None,
    });
    call.filter(|subject| !subject.is_empty())
}

/// The options of the first question.
pub(crate) fn options(input: &str) -> Vec<String> {
    let input: Value = serde_json::from_str(input).unwrap_or_default();
    let options = input.pointer("/questions/0/options").and_then(Value::as_array);
    let label = |option: &Value| Some(preview(option.get("label")?.as_str()?).into_string());
    options.into_iter().flatten().take(MOST).filter_map(label).collect()
}

/// A value that should be a text or a boolean.
enum Loose {
    Text(String),
    Flag(bool),
    Other,
}

impl Loose {
    /// Its value as an id or another single word; `None` if it is too long.
    fn id(self) -> Option<String> {
        match self {
            Self::Text(text) if !text.is_empty() && text.len() <= LONGEST_ID => Some(text),
            Self::Text(_) | Self::Flag(_) | Self::Other => None,
        }
    }

    /// Its first words.
    fn words(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(preview(&text).into_string()).filter(|words| !words.is_empty()),
            Self::Flag(_) | Self::Other => None,
        }
    }
}

impl<'de> Deserialize<'de> for Loose {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Loose;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("anything")
            }

            fn visit_str<E>(self, text: &str) -> Result<Loose, E> {
                Ok(Loose::Text(text.to_owned()))
            }

            fn visit_bool<E>(self, flag: bool) -> Result<Loose, E> {
                Ok(Loose::Flag(flag))
            }

            fn visit_unit<E>(self) -> Result<Loose, E> {
                Ok(Loose::Other)
            }

            fn visit_i64<E>(self, _: i64) -> Result<Loose, E> {
                Ok(Loose::Other)
            }

            fn visit_u64<E>(self, _: u64) -> Result<Loose, E> {
                Ok(Loose::Other)
            }

            fn visit_f64<E>(self, _: f64) -> Result<Loose, E> {
                Ok(Loose::Other)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Loose, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Loose::Other)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Loose, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Loose::Other)
            }
        }
        from.deserialize_any(Any)
    }
}

/// The descriptions of background tasks; `None` if it is not a list.
struct Tasks(Option<Vec<String>>);

impl<'de> Deserialize<'de> for Tasks {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let tasks = Value::deserialize(from)?;
        let is_going_on = |task: &&Value| {
            let status = task.get("status").and_then(Value::as_str);
            status.is_none_or(|status| matches!(status, "running" | "pending" | "in_progress"))
        };
        let named = |task: &Value| {
            let name = ["description", "command", "agent_type", "id"].iter().find_map(|key| task.get(key)?.as_str());
            preview(name.unwrap_or_default()).into_string()
        };
        let list = |tasks: &Vec<Value>| tasks.iter().filter(is_going_on).take(MOST).map(named).collect();
        Ok(Self(tasks.as_array().map(list)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Event> {
        Event::read(text.as_bytes(), 5)
    }

    #[test]
    fn a_call_has_the_subject_of_the_story() {
        let input = r#"{"session_id":"s","transcript_path":"/t","hook_event_name":"PreToolUse","agent_id":"a1",
            "tool_name":"Bash","tool_input":{"command":"make\n  test","timeout":1},"tool_use_id":"toolu_1"}"#;
        let event = read(input).unwrap();
        assert_eq!((event.at, event.kind, event.session.as_str()), (5, HookEventKind::PreToolUse, "s"));
        assert_eq!((event.agent.as_deref(), event.call.as_deref()), (Some("a1"), Some("toolu_1")));
        assert_eq!((event.tool.as_deref(), event.subject.as_deref()), (Some("Bash"), Some("make test")));
        assert_eq!(Event::of_line(&event.to_line().unwrap()), Some(event));
    }

    #[test]
    fn a_question_has_its_options() {
        let input = r#"{"hook_event_name":"PermissionRequest","session_id":"s","tool_name":"AskUserQuestion",
            "tool_input":{"questions":[{"question":"Which limit?","options":[{"label":"3"},{"label":"10"},{}]}]}}"#;
        let event = read(input).unwrap();
        assert_eq!((event.subject.as_deref(), event.options), (Some("Which limit?"), vec!["3".into(), "10".into()]));
    }

    #[test]
    fn the_end_of_a_turn_lists_background_tasks() {
        let input = r#"{"hook_event_name":"Stop","session_id":"s","last_assistant_message":"All\ndone.",
            "background_tasks":[{"id":"b1","status":"running","command":"npm run dev"},{"id":"b2","status":"completed"}]}"#;
        let event = read(input).unwrap();
        assert_eq!(event.text.as_deref(), Some("All done."));
        assert_eq!(event.background, Some(vec!["npm run dev".to_owned()]));
    }

    #[test]
    fn fields_may_have_any_type() {
        let input = r#"{"tool_name":7,"message":["x"],"tool_input":"rm","agent_id":null,"background_tasks":3,"is_interrupt":{},
            "hook_event_name":"Invented","session_id":"s"}"#;
        assert_eq!(read(input), Some(Event { at: 5, session: "s".to_owned(), ..Event::default() }));
        let odd = ["", "[]", "7", "{}", r#"{"session_id":"s"}"#, r#"{"hook_event_name":"Stop","session_id":7}"#];
        assert!(odd.into_iter().all(|odd| read(odd).is_none()));
    }

    #[test]
    fn fields_before_damage_are_read() {
        let cut =
            r#"{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"Bash","tool_response":{"stdout":"aaa"#;
        assert_eq!(
            read(cut).map(|event| (event.kind, event.tool)),
            Some((HookEventKind::PostToolUse, Some("Bash".to_owned())))
        );
    }

    #[test]
    fn a_long_result_is_skipped_and_hides_nothing() {
        let input = format!(
            r#"{{"session_id":"s","hook_event_name":"PostToolUse","tool_response":"{}","tool_use_id":"toolu_1"}}"#,
            "x".repeat(3 << 20)
        );
        let event = read(&input).unwrap();
        assert_eq!(event.call.as_deref(), Some("toolu_1"));
        assert!(event.to_line().unwrap().len() < 200);
    }

    #[test]
    fn an_input_that_stays_open_does_not_block() {
        struct Open<'a>(&'a [u8]);
        impl Read for Open<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                assert!(!self.0.is_empty(), "reading past the object would block forever");
                self.0.read(buffer)
            }
        }
        assert!(Event::read(Open(br#"{"session_id":"s","hook_event_name":"Stop"}"#), 5).is_some());
    }
}
