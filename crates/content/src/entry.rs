//! The sections of entries, for every speaker.
//!
//! Results of tools are not included, because their types depend on their calls ([`crate::call::result`]).

mod around;
mod attachment;
mod system;

use format::block::{Block, Content};
use format::entry::{Assistant, User};
use format::message::Message;
use format::{Body as EntryBody, Entry, Envelope};
use story::Detail;

use crate::call::unexpected;
use crate::pen::{Form, Pen, word};
use crate::section::{Section, Speaker};
use crate::{block, call, speech};

/// Passes on the sections of an entry, up to a level.
///
/// ```
/// use content::section::{Body, Section, Speaker};
/// use story::Detail;
///
/// let line = br#"{"type":"user","message":{"content":"Four beds, please."}}"#;
/// let scratch = format::Scratch::default();
/// let reading = format::read(line, &scratch);
/// let mut sections: Vec<Section<'_>> = Vec::new();
/// content::entry(&reading.entries[0], Detail::Full, &mut |section| sections.push(section));
/// assert_eq!((sections[0].speaker, sections[0].level), (Speaker::Human, Detail::Prompts));
/// assert_eq!(sections[0].body, Body::Words("Four beds, please.".into()));
/// ```
pub fn entry<'e>(entry: &'e Entry<'e>, most: Detail, each: &mut dyn FnMut(Section<'e>)) {
    // An entry in a foreign format was written by another agent.
    if entry.foreign.is_some() {
        return;
    }
    let pen = &mut Pen::new(most, each);
    let inner = entry.inner();
    match &inner.body {
        EntryBody::User(user) => {
            self::user(&inner.envelope, user, pen);
            unexpected(entry.notes.iter().filter(|note| call::is_of_tool(note)), &mut pen.by(Speaker::Tool));
        }
        EntryBody::Assistant(assistant) => {
            self::assistant(assistant, pen);
            unexpected(entry.notes.iter().filter(|note| call::is_of_tool(note)), &mut pen.by(Speaker::Claude));
        }
        EntryBody::System(system) => {
            system::system(system, pen);
            unexpected(&entry.notes, pen);
        }
        EntryBody::Attachment(attached) => {
            attachment::attachment(attached, pen);
            if attachment::is_kept(attached) {
                unexpected(&entry.notes, pen);
            }
        }
        _ => around::around(entry, pen),
    }
}

/// An entry in the user's role.
fn user<'e>(envelope: &'e Envelope<'e>, user: &'e User<'e>, pen: &mut Pen<'_, 'e>) {
    let speaker = speech::speaker(envelope, user);
    let content = user.message.as_ref().and_then(|message| message.content.as_ref());
    match content {
        Some(content) if user.is_compact_summary == Some(true) => {
            content.texts().for_each(|text| speech::summary(text.as_str(), pen));
        }
        Some(Content::Text(text)) => speech::text(text.as_str(), speaker, pen),
        Some(Content::Raw(json)) => pen.json("", Form::Words, *json),
        Some(Content::Blocks(blocks)) => {
            for part in blocks.iter().filter(|block| block.as_result().is_none()) {
                match part {
                    Block::Text(text) => speech::text(word(text.text), speaker, pen),
                    part if speaker == Speaker::Human => block::block(part, &mut pen.human()),
                    part => block::block(part, pen),
                }
            }
        }
        None => {}
    }
    if let Some(feedback) = user.user_feedback {
        pen.human().json("", Form::Words, feedback);
    }
    pen.event(
        user,
        &[("message", Form::Elsewhere), ("toolUseResult", Form::Elsewhere), ("userFeedback", Form::Elsewhere)],
    );
}

/// The text, thinking and calls of the model, or a message of the program in its place.
fn assistant<'e>(assistant: &'e Assistant<'e>, pen: &mut Pen<'_, 'e>) {
    let message = assistant.message.as_deref();
    let model = message.and_then(|message| message.model);
    let is_synthetic =
        assistant.is_api_error_message == Some(true) || model.is_some_and(|model| model == "<synthetic>");
    let (speaker, form) = if is_synthetic { (Speaker::Program, Form::Words) } else { (Speaker::Claude, Form::Reply) };
    let is_spoken = message.is_some_and(Message::speaks_in_thinking);
    let mut said = pen.by(speaker);
    match message.and_then(|message| message.content.as_ref()) {
        Some(Content::Text(text)) => said.at(Detail::Talk).put_text("", form, text.as_str()),
        Some(Content::Raw(json)) => said.json("", form, *json),
        Some(Content::Blocks(blocks)) => {
            for part in blocks {
                match part {
                    Block::Text(text) => said.at(Detail::Talk).put_text("", form, word(text.text)),
                    // What the user saw between the calls.
                    Block::Thinking(thinking) if is_spoken => {
                        said.at(Detail::Talk).put_text("", form, word(thinking.thinking));
                        said.event(thinking, &[("thinking", Form::Elsewhere)]);
                    }
                    part => spoken(part, &mut said),
                }
            }
        }
        None => {}
    }
    let error = if is_synthetic { Form::Fact } else { Form::Detail };
    pen.event(
        assistant,
        &[("message", Form::Elsewhere), ("toolUseResult", Form::Elsewhere), ("error", error), ("errorDetails", error)],
    );
}

/// A block of a model's message that is not text.
fn spoken<'e>(part: &'e Block<'e>, pen: &mut Pen<'_, 'e>) {
    match part {
        Block::ToolUse(asked) | Block::ServerToolUse(asked) => {
            pen.put_text("tool", Form::Fact, word(asked.name));
            match (&asked.input, asked.input_json) {
                (Some(input), _) => call::asked_of(input, pen),
                (None, Some(json)) => pen.json("", Form::Words, json),
                (None, None) => {}
            }
        }
        Block::McpToolUse(asked) => {
            pen.put_text("server", Form::Fact, word(asked.server_name));
            pen.put_text("tool", Form::Fact, word(asked.name));
            asked.input.iter().for_each(|json| pen.json("", Form::Words, *json));
        }
        // Compaction at the API.
        Block::Compaction(compaction) => {
            pen.at(Detail::Talk).put_text("summary", Form::Reply, word(compaction.content));
        }
        part if part.as_result().is_some() => {}
        part if part.as_server_result().is_some() => block::block(part, &mut pen.by(Speaker::Tool)),
        Block::Thinking(_) => block::block(part, pen),
        part => block::block(part, &mut pen.by(Speaker::Program)),
    }
}

/// The content of an entry that is or contains a message.
pub fn content_of<'i, 'e>(entry: &'i Entry<'e>) -> Option<&'i Content<'e>> {
    use format::entry::attachment::Attachment;
    match &entry.inner().body {
        EntryBody::System(system) => system.content.as_ref(),
        EntryBody::QueueOperation(change) => change.content.as_ref(),
        EntryBody::Attachment(attached) => {
            let Attachment::QueuedCommand(queued) = attached.attachment.as_deref()? else { return None };
            queued.prompt.as_ref()
        }
        body => body.message()?.content.as_ref(),
    }
}

#[cfg(test)]
mod tests {
    use format::Scratch;

    use super::*;
    use crate::section::Body;

    /// The sections of a line, up to a level.
    fn sections(line: &str, most: Detail) -> Vec<String> {
        let scratch = Scratch::default();
        let reading = format::read(line.as_bytes(), &scratch);
        let mut all = Vec::new();
        entry(&reading.entries[0], most, &mut |section| {
            let form = match &section.body {
                Body::Reply(_) => "reply",
                Body::Thinking(_) => "thinking",
                _ => "other",
            };
            section.body.each_text(|text| all.push(format!("{form}: {text}")));
        });
        all
    }

    #[test]
    fn thinking_that_the_user_saw_is_a_reply() {
        let line = |model: &str, text: &str| {
            format!(
                r#"{{"type":"assistant","message":{{"model":"{model}","content":[{{"type":"thinking","thinking":"{text}"}}]}}}}"#
            )
        };
        assert_eq!(sections(&line("claude-opus-5-5", "I look."), Detail::Talk), ["reply: I look."]);
        assert!(sections(&line("claude-opus-5-5", ""), Detail::Full).is_empty());
        assert!(sections(&line("claude-opus-5", "I look."), Detail::Talk).is_empty());
        assert_eq!(sections(&line("claude-opus-5", "I look."), Detail::Full), ["thinking: I look."]);
    }

    #[test]
    fn unknown_entries_beside_the_conversation_are_raw() {
        let beside = r#"{"type":"hologram","light":"blue","sessionId":"s1"}"#;
        assert!(sections(beside, Detail::Full).is_empty());
        assert_eq!(sections(beside, Detail::Raw), ["other: blue"]);
        let within = r#"{"type":"hologram","uuid":"h1","light":"blue"}"#;
        assert_eq!(sections(within, Detail::Full), ["other: blue"]);
        let owner = r#"{"type":"session-owner","accountUuid":"acc-1","sessionId":"s1"}"#;
        assert!(sections(owner, Detail::Full).is_empty(), "private");
    }
}
