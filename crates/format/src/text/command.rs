//! Reads slash commands, `!` shell escapes and `#` memories (docs/format F.1).

use std::borrow::Cow;

use super::scan::{Closer, opening};

/// A slash command as the session records it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command<'a> {
    /// The name without the slash, which old versions omit: `model`, `team:review`.
    pub name: &'a str,
    /// The progress message; for most commands the name again.
    pub message: Option<&'a str>,
    /// The text after the name; `None` if there is none.
    pub args: Option<&'a str>,
    /// The prompt it expanded to (1.0.x only), a content block as JSON.
    pub contents: Option<&'a str>,
    /// The effect of the command, derived from the order of its tags.
    pub effect: CommandEffect,
}

/// The effect of a command, derived from the tag that comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandEffect {
    /// The name comes first: a built-in command that Claude Code carries out itself, such as `/model`.
    Local,
    /// The message comes first: the command becomes a prompt. Skills and custom commands do, and so do a few built-in
    /// commands, such as `/init`.
    Prompt,
}

/// The output of a `!` shell escape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BashOutput<'a> {
    /// Standard output, if there is a tag for it.
    pub stdout: Option<&'a str>,
    /// Standard error, if there is a tag for it.
    pub stderr: Option<&'a str>,
    /// The exit code, which only remote commands have: 130 if interrupted, 124 if timed out.
    pub exit_code: Option<&'a str>,
}

impl<'a> BashOutput<'a> {
    /// Whether the command failed, as far as its output shows.
    pub fn is_error(&self) -> bool {
        let is_silent = self.stdout.unwrap_or_default().is_empty();
        self.exit_code.is_some_and(|code| code != "0") || is_silent && !self.stderr.unwrap_or_default().is_empty()
    }

    /// Both streams, and the exit code of a failure.
    pub fn printed(&self) -> Cow<'a, str> {
        let streams = match (self.stdout.unwrap_or_default(), self.stderr.unwrap_or_default()) {
            (stdout, "") => Cow::Borrowed(stdout),
            ("", stderr) => Cow::Borrowed(stderr),
            (stdout, stderr) => Cow::Owned(format!("{stdout}\n{stderr}")),
        };
        match self.exit_code.filter(|code| *code != "0") {
            None => streams,
            Some(code) if streams.is_empty() => Cow::Owned(format!("exit code {code}")),
            Some(code) => Cow::Owned(format!("{}\nexit code {code}", streams.trim_end_matches('\n'))),
        }
    }
}

/// One of the two output streams of a local command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// `<local-command-stdout>`
    Stdout,
    /// `<local-command-stderr>`
    Stderr,
}

/// Reads the command tags at the start of `text`, and returns the text after them.
pub(super) fn command<'a>(text: &'a str, closer: &mut Closer) -> Option<(Command<'a>, &'a str)> {
    let mut name = None;
    let mut message = None;
    let mut args = None;
    let mut contents = None;
    let mut effect = None;
    let mut rest = text;
    while let Some(open) = opening(rest.trim_start()) {
        let mut ignored = None;
        let slot = match open.name {
            "command-name" => &mut name,
            "command-message" => &mut message,
            "command-args" => &mut args,
            "command-contents" => &mut contents,
            // A flag of no interest to a reader.
            "skill-format" => &mut ignored,
            _ => break,
        };
        // A second command begins here.
        if slot.is_some() {
            break;
        }
        let Some((inner, after)) = closer.split(open.after, open.name) else { break };
        *slot = Some(inner.trim());
        effect.get_or_insert(if open.name == "command-message" { CommandEffect::Prompt } else { CommandEffect::Local });
        rest = after;
    }
    let full_name = name.or(message)?;
    let command = Command {
        name: full_name.strip_prefix('/').unwrap_or(full_name),
        message,
        args: args.filter(|args| !args.is_empty()),
        contents,
        effect: effect?,
    };
    Some((command, rest))
}

/// Reads `<bash-stdout>`, `<bash-stderr>` and `<bash-exit-code>` in any order, and returns the text after them.
pub(super) fn bash_output<'a>(text: &'a str, closer: &mut Closer) -> Option<(BashOutput<'a>, &'a str)> {
    let mut output = BashOutput::default();
    let mut rest = text;
    while let Some(open) = opening(rest.trim_start()) {
        let slot = match open.name {
            "bash-stdout" => &mut output.stdout,
            "bash-stderr" => &mut output.stderr,
            "bash-exit-code" => &mut output.exit_code,
            _ => break,
        };
        if slot.is_some() {
            break;
        }
        let Some((inner, after)) = closer.split(open.after, open.name) else { break };
        *slot = Some(inner);
        rest = after;
    }
    (output != BashOutput::default()).then_some((output, rest))
}

#[cfg(test)]
mod tests {
    use super::super::{SegmentKind, segments};
    use super::*;

    fn only(text: &str) -> SegmentKind<'_> {
        let mut found = segments(text);
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0).kind
    }

    #[test]
    fn a_local_command_has_its_name_first() {
        let text = "<command-name>/tempo</command-name>\n            <command-message>tempo</command-message>\n            \
                    <command-args>presto</command-args>";
        assert_eq!(
            only(text),
            SegmentKind::Command(Command {
                name: "tempo",
                message: Some("tempo"),
                args: Some("presto"),
                contents: None,
                effect: CommandEffect::Local,
            })
        );
    }

    #[test]
    fn a_command_that_becomes_a_prompt_has_its_message_first() {
        let text = "<command-message>garden:water</command-message>\n<command-name>/garden:water</command-name>";
        let SegmentKind::Command(command) = only(text) else { panic!("no command") };
        assert_eq!((command.name, command.args, command.effect), ("garden:water", None, CommandEffect::Prompt));
    }

    #[test]
    fn an_old_command_has_no_slash_and_holds_its_expansion() {
        let text = "<command-message>brew is boiling…</command-message>\n<command-name>brew</command-name>\n\
                    <command-args></command-args>\n<command-contents>{\"type\":\"text\",\"text\":\"Boil.\"}</command-contents>";
        let SegmentKind::Command(command) = only(text) else { panic!("no command") };
        assert_eq!((command.name, command.args), ("brew", None));
        assert_eq!(command.contents, Some("{\"type\":\"text\",\"text\":\"Boil.\"}"));
    }

    #[test]
    fn a_command_may_be_followed_by_its_output() {
        let text = "<command-name>/tempo</command-name><local-command-stdout>Set</local-command-stdout>";
        let kinds: Vec<_> = segments(text).into_iter().map(|segment| segment.kind).collect();
        assert!(matches!(
            kinds.as_slice(),
            [SegmentKind::Command(_), SegmentKind::CommandOutput { stream: Stream::Stdout, text: "Set" }]
        ));
    }

    #[test]
    fn local_command_errors_and_caveats() {
        assert_eq!(
            only("<local-command-stderr>Error: no baton</local-command-stderr>"),
            SegmentKind::CommandOutput { stream: Stream::Stderr, text: "Error: no baton" }
        );
        let caveat = "Caveat: The messages below were generated by the user while running local commands. Hush.";
        assert_eq!(only(caveat), SegmentKind::Caveat(caveat));
        let tagged = format!("<local-command-caveat>{caveat}</local-command-caveat>");
        assert_eq!(only(&tagged), SegmentKind::Caveat(caveat));
    }

    #[test]
    fn shell_escapes_and_memories() {
        assert_eq!(only("<bash-input> ls ~/scores</bash-input>"), SegmentKind::BashInput("ls ~/scores"));
        assert_eq!(
            only("<bash-stdout>a\nb\n</bash-stdout><bash-stderr></bash-stderr>"),
            SegmentKind::BashOutput(BashOutput { stdout: Some("a\nb\n"), stderr: Some(""), exit_code: None })
        );
        assert_eq!(
            only("<bash-stderr>no such score</bash-stderr>"),
            SegmentKind::BashOutput(BashOutput { stdout: None, stderr: Some("no such score"), exit_code: None })
        );
        assert_eq!(only("<user-memory-input>tune to 442</user-memory-input>"), SegmentKind::MemoryInput("tune to 442"));
    }

    #[test]
    fn the_exit_code_of_a_shell_escape_is_part_of_its_output() {
        let text = "<bash-stdout></bash-stdout><bash-stderr>no baton</bash-stderr><bash-exit-code>130</bash-exit-code>";
        let SegmentKind::BashOutput(output) = only(text) else { panic!("no output") };
        assert_eq!((output.exit_code, output.is_error()), (Some("130"), true));
        assert_eq!(output.printed(), "no baton\nexit code 130");
        let SegmentKind::BashOutput(alone) = only("<bash-exit-code>0</bash-exit-code>") else { panic!("no output") };
        assert_eq!((alone.is_error(), &*alone.printed()), (false, ""));
    }

    #[test]
    fn an_unclosed_tag_of_the_format_is_not_a_prompt() {
        for text in ["<command-name>/tempo", "<bash-input>ls", "<system-reminder>\nHush."] {
            assert!(matches!(only(text), SegmentKind::Injected { .. }), "{text}");
        }
        for text in ["<div> is off-centre", "<goal>play</goal> in time", "<terminal> is black"] {
            assert_eq!(only(text), SegmentKind::Plain(text));
        }
    }
}
