//! recount's hooks in Claude Code's settings.

use std::path::Path;

use serde_json::json;
use styled::diff::{Change, hunks};

use crate::install::settings::{add_hook, commands, remove_hooks};
use crate::install::unquoted;

/// The events that show what a session does or waits for (docs/format I.2).
pub(super) const EVENTS: [&str; 12] = [
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "PostToolUseFailure",
    "Notification",
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "StopFailure",
];

/// Timeout of a hook in seconds; a hook takes a few milliseconds.
const TIMEOUT: u32 = 5;

/// Returns the settings with a hook that runs the command for every event. Existing entries stay in place.
pub(super) fn with_hooks(text: &str, command: &str) -> Option<String> {
    let entry = json!({"hooks": [{"type": "command", "command": command, "async": true, "timeout": TIMEOUT}]});
    EVENTS.iter().try_fold(text.to_owned(), |text, event| {
        let there = commands(&text)?.into_iter().filter(|(name, _)| name == event).flat_map(|(_, commands)| commands);
        let ours: Vec<String> = there.filter(|command| is_ours(command)).collect();
        if ours == [command] {
            return Some(text);
        }
        // Replaces a hook of ours that has another path or version.
        add_hook(&remove_hooks(&text, event, is_ours)?, event, &entry)
    })
}

/// Returns the settings without our hooks. If a backup copy plus our hooks equals the current text, the result is that
/// copy byte for byte; otherwise only our hooks are removed.
pub(super) fn without_hooks(text: &str, copies: impl Iterator<Item = String>) -> Option<String> {
    let all = commands(text)?;
    let Some(command) = all.iter().flat_map(|(_, commands)| commands).find(|command| is_ours(command)) else {
        return Some(text.to_owned());
    };
    let mut copies = copies.filter(|copy| commands(copy).is_some_and(|all| ours(&all) == 0));
    if let Some(before) = copies.find(|copy| with_hooks(copy, command).as_deref() == Some(text)) {
        return Some(before);
    }
    all.iter().try_fold(text.to_owned(), |text, (event, _)| remove_hooks(&text, event, is_ours))
}

/// Returns the number of events with our hook, and the command it runs.
pub(super) fn installed(text: &str) -> Option<(usize, String)> {
    let all = commands(text)?;
    let command = all.iter().flat_map(|(_, commands)| commands).find(|command| is_ours(command))?;
    Some((ours(&all), command.clone()))
}

fn ours(all: &[(String, Vec<String>)]) -> usize {
    all.iter().filter(|(_, commands)| commands.iter().any(|command| is_ours(command))).count()
}

/// Returns the program that a command of ours runs.
pub(super) fn program(command: &str) -> Option<String> {
    unquoted(command.strip_suffix(" hook")?)
}

/// Returns whether a command runs a program with our name and nothing else.
fn is_ours(command: &str) -> bool {
    program(command).is_some_and(|program| Path::new(&program).file_stem().is_some_and(|name| name == "recount"))
}

/// Returns a line diff with one line of context.
pub(super) fn difference(before: &str, after: &str) -> String {
    let lines = hunks(before, after, 1).into_iter().flat_map(|hunk| hunk.lines);
    let marked = lines.map(|(change, line)| match change {
        Change::Same | Change::Note => format!("  {line}\n"),
        Change::Removed => format!("- {line}\n"),
        Change::Added => format!("+ {line}\n"),
    });
    marked.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMAND: &str = "/opt/recount hook";

    fn installed_in(before: &str) -> String {
        let after = with_hooks(before, COMMAND).unwrap();
        let read: serde_json::Value = serde_json::from_str(&after).unwrap();
        for event in EVENTS {
            let last = read["hooks"][event].as_array().unwrap().last().unwrap();
            assert_eq!((&last["hooks"][0]["command"], &last["hooks"][0]["async"]), (&json!(COMMAND), &json!(true)));
        }
        assert_eq!(with_hooks(&after, COMMAND).unwrap(), after, "a second time nothing changes");
        after
    }

    const SETTINGS: [&str; 7] = [
        "{}",
        "{ }\n",
        "{\"model\": \"opus\"}",
        "{\n\t\"zeta\": 1.50,\n\t\"hooks\": {\n\t\t\"Stop\": [ { \"hooks\": [] } ]\n\t},\n\t\"alpha\": \"ü\"\n}\n",
        "{\"hooks\": {}}",
        "{\"hooks\":{\"Stop\":[],\"PreToolUse\":[{\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\",\"command\":\"bell\"}]}]}}",
        "{\r\n  \"a\": {\"hooks\": 1}\r\n\r\n}",
    ];

    #[test]
    fn the_copy_restores_the_bytes() {
        for before in SETTINGS {
            let after = installed_in(before);
            let copies = || ["{\"other\": 1}", &after, before].map(str::to_owned).into_iter();
            assert_eq!(without_hooks(&after, copies()).unwrap(), before);
        }
    }

    #[test]
    fn without_the_copy_the_meaning_is_restored() {
        for before in SETTINGS {
            let undone = without_hooks(&installed_in(before), std::iter::empty()).unwrap();
            let parse = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
            let mut expected = parse(before);
            // Lists that became empty are removed.
            if let Some(hooks) = expected.get_mut("hooks").and_then(|hooks| hooks.as_object_mut()) {
                hooks.retain(|_, list| list != &json!([]));
                if hooks.is_empty() {
                    expected.as_object_mut().unwrap().remove("hooks");
                }
            }
            assert_eq!(parse(&undone), expected, "{undone}");
        }
    }

    #[test]
    fn later_changes_by_others_stay() {
        let before = SETTINGS[2];
        let changed = installed_in(before).replace("opus", "haiku");
        let undone = without_hooks(&changed, std::iter::once(before.to_owned())).unwrap();
        assert_eq!(serde_json::from_str::<serde_json::Value>(&undone).unwrap(), json!({"model": "haiku"}));
    }

    #[test]
    fn a_program_that_moved_is_replaced() {
        let old = with_hooks("{}", "'/my old/recount' hook").unwrap();
        let new = installed_in(&old);
        assert_eq!(new.matches(" hook\"").count(), EVENTS.len(), "{new}");
    }

    #[test]
    fn only_our_own_commands_are_ours() {
        assert!(
            ["/a/recount hook", "'/a b/recount' hook", "recount hook", "'/it'\\''s/recount' hook"]
                .iter()
                .all(|it| is_ours(it))
        );
        let others =
            ["/a/recount hooks", "echo /a/recount hook", "/a/count hook", "x; recount hook", "/a b/recount hook", ""];
        assert!(!others.iter().any(|it| is_ours(it)));
    }
}
