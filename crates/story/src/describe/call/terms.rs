//! What the input of a command says about its end: the meaning of exit code 1, the longest time it can run, and the
//! commits and pull requests that it makes.

use format::tool::ToolInput;

use super::command_line::{Joined, simple_commands};
use super::git;
use super::phrase::word;
use crate::step::{CallTerms, ExitOne};

/// The longest time that a command runs if its input does not say, in milliseconds: the highest timeout that Claude Code
/// accepts by default.
const LONGEST_COMMAND: u32 = 600_000;

/// The longest time that a quick tool runs, in milliseconds; the rest is a wait for permission.
const LONGEST_QUICK: u32 = 1000;

/// What an input says about the end of its call.
pub(crate) fn terms(input: &ToolInput<'_>) -> CallTerms {
    match input {
        ToolInput::Bash(shell) | ToolInput::PowerShell(shell) => {
            let stated = shell.timeout.and_then(|millis| u32::try_from(millis).ok()).filter(|millis| *millis > 0);
            CallTerms {
                exit_one: exit_one(word(shell.command)),
                git: git::terms(word(shell.command)),
                longest_ms: Some(stated.map_or(LONGEST_COMMAND, |stated| stated.min(LONGEST_COMMAND))),
            }
        }
        input => {
            let is_quick = input.kind().is_some_and(|kind| kind.nature().is_quick);
            CallTerms { longest_ms: is_quick.then_some(LONGEST_QUICK), ..CallTerms::default() }
        }
    }
}

/// Programs that exit with 1 if they find nothing, find a difference, or answer no.
const ASKING: [&str; 15] =
    ["[", "[[", "ack", "ag", "cmp", "diff", "egrep", "fgrep", "grep", "pgrep", "rg", "test", "type", "which", "zgrep"];

/// Programs that do not fail in practice.
const HARMLESS: [&str; 10] = [":", "cd", "echo", "export", "printf", "pwd", "set", "sleep", "source", "true"];

/// The meaning of exit code 1 of a command line.
///
/// The last program of a line decides how it ends, unless an earlier one before `&&` failed.
fn exit_one(command: &str) -> ExitOne {
    let mut commands = simple_commands(command);
    while commands.last().is_some_and(|(_, words)| words.is_empty()) {
        commands.pop();
    }
    let Some(((_, last), before)) = commands.split_last() else { return ExitOne::Failure };
    if !asks(last) {
        return ExitOne::Failure;
    }
    // Only commands that `&&` joins to the last one can end the line before it.
    let required = before.iter().rev().skip_while(|(joined, _)| *joined == Joined::Pipe);
    let mut required = required.take_while(|(joined, _)| matches!(joined, Joined::And | Joined::Pipe));
    let is_certain = required.all(|(_, words)| {
        let program = words.first().copied().unwrap_or_default();
        asks(words) || HARMLESS.contains(&program)
    });
    if is_certain { ExitOne::Answer } else { ExitOne::AnswerIfSilent }
}

/// Whether a simple command asks: a search, a test or a comparison.
fn asks(words: &[&str]) -> bool {
    match words {
        ["git", "grep", ..] => true,
        ["git", "diff", flags @ ..] => flags.iter().any(|flag| matches!(*flag, "--exit-code" | "--quiet" | "-q")),
        ["command", flag, ..] => matches!(*flag, "-v" | "-V"),
        [program, ..] => ASKING.contains(&program.rsplit('/').next().unwrap_or(program)),
        [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_code_one_of_a_search_a_test_or_a_comparison_is_an_answer() {
        for command in [
            "grep -rn needle src",
            "cd src && rg needle",
            "cat beds.txt | grep -c 'a && b'",
            "make test; grep -q ok log",
            "git -C . status\ntest -f beds.py",
            "[ -d beds ]",
            "LC_ALL=C /usr/bin/diff a b 2>&1",
            "git diff --exit-code",
            "git grep needle",
            "ls || grep x y",
            "echo \"a; b\" && which dig",
        ] {
            assert_eq!(exit_one(command), ExitOne::Answer, "{command}");
        }
        for command in ["make && grep x log", "npm test | tee log && diff log old"] {
            assert_eq!(exit_one(command), ExitOne::AnswerIfSilent, "{command}");
        }
        for command in [
            "",
            "make test",
            "grep x y && make",
            "grep x y | xargs rm",
            "git diff",
            "git commit -m 'grep'",
            "echo 'x | grep y'; pytest",
            "command dig",
            "\\",
            "'",
        ] {
            assert_eq!(exit_one(command), ExitOne::Failure, "{command}");
        }
    }
}
