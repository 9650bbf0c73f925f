//! Edits hooks in Claude Code's settings without changing any other byte.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::{CommandError, Context as _};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use sources::Environment;
use sources::roots;

/// Returns the settings file of the config root that Claude Code reads.
pub(crate) fn path(environment: &Environment) -> Option<PathBuf> {
    let named = environment.claude_config_dir.as_ref().and_then(|_| roots(environment, &[]).into_iter().next());
    let root = match named {
        Some(root) => root.path,
        None => environment.home.as_ref()?.join(".claude"),
    };
    Some(root.join("settings.json"))
}

/// Returns the text of the settings, if they exist.
pub(crate) fn read(path: &Path) -> Result<Option<String>, CommandError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read: {}", path.display())),
    }
}

/// Returns a name for a backup copy: an unused one, or that of an identical copy.
pub(crate) fn copy_name(path: &Path, text: &str) -> PathBuf {
    let is_free = |copy: &PathBuf| !copy.exists() || fs::read_to_string(copy).is_ok_and(|copied| copied == text);
    copies(path).find(is_free).unwrap_or_else(|| path.with_extension("json.recount-backup-last"))
}

/// Returns the names of copies, in the order in which they are used.
pub(crate) fn copies(path: &Path) -> impl Iterator<Item = PathBuf> {
    let name = |number: u16| match number {
        1 => path.with_extension("json.recount-backup"),
        _ => path.with_extension(format!("json.recount-backup-{number}")),
    };
    (1..u16::MAX).map(name)
}

/// Adds an entry to the hooks of an event. Returns `None` if the settings have an unexpected shape.
pub(crate) fn add_hook(text: &str, event: &str, entry: &serde_json::Value) -> Option<String> {
    let settings = members(text)?;
    let Some(hooks) = member(&settings, "hooks") else {
        let member = format!("\"hooks\": {}", nested(&serde_json::json!({ event: [entry] }), 1)?);
        return insert(text, text.trim(), &member, 1, settings.is_empty());
    };
    let events = members(hooks)?;
    let Some(list) = member(&events, event) else {
        let member = format!("\"{event}\": {}", nested(&serde_json::json!([entry]), 2)?);
        return insert(text, hooks, &member, 2, events.is_empty());
    };
    let entries: Vec<&RawValue> = serde_json::from_str(list).ok()?;
    insert(text, list, &nested(entry, 3)?, 3, entries.is_empty())
}

/// Removes the hooks of an event whose command is one of ours, and then their entry, the event, and `hooks` if these
/// became empty.
pub(crate) fn remove_hooks(text: &str, event: &str, is_ours: impl Fn(&str) -> bool) -> Option<String> {
    let mut text = text.to_owned();
    loop {
        let settings = members(&text)?;
        let Some(hooks) = member(&settings, "hooks") else { return Some(text) };
        let events = members(hooks)?;
        let Some(list) = member(&events, event) else { return Some(text) };
        let entries: Vec<&RawValue> = serde_json::from_str(list).ok()?;
        let found = entries.iter().map(|entry| (entry.get(), hooks_of(entry.get())));
        let found =
            found.map(|(entry, hooks)| (entry, hooks.len(), hooks.into_iter().find(|hook| is_ours(&command(hook)))));
        let Some((entry, number, Some(ours))) = found.into_iter().find(|(_, _, ours)| ours.is_some()) else {
            return Some(text);
        };
        text = match (number, entries.len(), events.len()) {
            (1, 1, 1) => cut(&text, hooks, Some("hooks"))?,
            (1, 1, _) => cut(&text, list, Some(event))?,
            (1, _, _) => cut(&text, entry, None)?,
            _ => cut(&text, ours, None)?,
        };
    }
}

/// Returns the hook commands of each event.
pub(crate) fn commands(text: &str) -> Option<Vec<(String, Vec<String>)>> {
    let settings = members(text)?;
    let Some(hooks) = member(&settings, "hooks") else { return Some(Vec::new()) };
    let of_event = |(event, list): (String, &str)| {
        let entries: Vec<&RawValue> = serde_json::from_str(list).unwrap_or_default();
        (event, entries.iter().flat_map(|entry| hooks_of(entry.get())).map(command).collect())
    };
    Some(members(hooks)?.into_iter().map(of_event).collect())
}

/// Returns the hooks of an entry as source text.
fn hooks_of(entry: &str) -> Vec<&str> {
    let entry = members(entry).unwrap_or_default();
    let hooks: Vec<&RawValue> =
        member(&entry, "hooks").and_then(|hooks| serde_json::from_str(hooks).ok()).unwrap_or_default();
    hooks.into_iter().map(RawValue::get).collect()
}

/// Returns the command of a hook.
fn command(hook: &str) -> String {
    let hook: serde_json::Value = serde_json::from_str(hook).unwrap_or_default();
    hook.get("command").and_then(|command| command.as_str()).unwrap_or_default().to_owned()
}

/// Returns the value of a member. The last of several with the same name counts.
fn member<'t>(members: &[(String, &'t str)], name: &str) -> Option<&'t str> {
    members.iter().rfind(|(key, _)| key == name).map(|(_, value)| *value)
}

/// Returns the members of an object in order, each with its value as source text.
fn members(object: &str) -> Option<Vec<(String, &str)>> {
    struct Members;
    impl<'de> Visitor<'de> for Members {
        type Value = Vec<(String, &'de RawValue)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some(member) = map.next_entry()? {
                members.push(member);
            }
            Ok(members)
        }
    }
    struct Object<'de>(Vec<(String, &'de RawValue)>);
    impl<'de> Deserialize<'de> for Object<'de> {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            from.deserialize_map(Members).map(Self)
        }
    }
    let Object(members) = serde_json::from_str(object).ok()?;
    Some(members.into_iter().map(|(key, value)| (key, value.get())).collect())
}

/// Returns the offset of a part of a text.
fn place(text: &str, part: &str) -> Option<usize> {
    let at = part.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
    text.get(at..)?.starts_with(part).then_some(at)
}

/// Inserts an item at the end of an object or a list.
fn insert(text: &str, container: &str, item: &str, depth: usize, is_empty: bool) -> Option<String> {
    let end = place(text, container)? + container.len() - 1;
    let (before, after) = text.split_at_checked(end)?;
    let before = before.trim_end();
    let comma = if is_empty { "" } else { "," };
    let (inner, outer) = ("  ".repeat(depth), "  ".repeat(depth - 1));
    Some(format!("{before}{comma}\n{inner}{item}\n{outer}{after}"))
}

/// Removes a value with its key, if it has one, and one comma.
fn cut(text: &str, value: &str, key: Option<&str>) -> Option<String> {
    let at = place(text, value)?;
    let (before, after) = (text.get(..at)?, text.get(at + value.len()..)?);
    let before = match key {
        Some(key) => {
            let quoted = serde_json::to_string(key).ok()?;
            before.trim_end().strip_suffix(':')?.trim_end().strip_suffix(&quoted)?
        }
        None => before,
    };
    let before = before.trim_end();
    if let Some(before) = before.strip_suffix(',') {
        return Some(format!("{before}{after}"));
    }
    let rest = after.trim_start();
    Some(format!("{before}{}", rest.strip_prefix(',').unwrap_or(rest)))
}

/// Formats a value on several lines, at a depth.
fn nested(value: &serde_json::Value, depth: usize) -> Option<String> {
    let text = serde_json::to_string_pretty(value).ok()?;
    Some(text.replace('\n', &format!("\n{}", "  ".repeat(depth))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ENTRY: &str = "recount archive # recount archive";

    fn round_trip(before: &str) -> String {
        let entry = json!({"hooks": [{"type": "command", "command": ENTRY}]});
        let after = add_hook(before, "SessionEnd", &entry).unwrap();
        let read: serde_json::Value = serde_json::from_str(&after).unwrap();
        let list = read["hooks"]["SessionEnd"].as_array().unwrap();
        assert_eq!(list.last(), Some(&entry), "{after}");
        let undone = remove_hooks(&after, "SessionEnd", |command| command == ENTRY).unwrap();
        let parse = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(parse(&undone), parse(before), "{undone}");
        after
    }

    #[test]
    fn everything_else_stays_unchanged() {
        let before =
            "{\n    \"zeta\": 1.50,\n    \"alpha\": [1,2],\n    \"hooks\": {\n        \"Stop\": []\n    }\n}\n";
        let after = round_trip(before);
        assert!(
            after.starts_with(
                "{\n    \"zeta\": 1.50,\n    \"alpha\": [1,2],\n    \"hooks\": {\n        \"Stop\": [],\n"
            )
        );
        insta::assert_snapshot!(round_trip("{\"model\": \"opus\"}\n"), @r##"
        {"model": "opus",
          "hooks": {
            "SessionEnd": [
              {
                "hooks": [
                  {
                    "command": "recount archive # recount archive",
                    "type": "command"
                  }
                ]
              }
            ]
          }
        }
        "##);
    }

    #[test]
    fn hooks_of_others_stay() {
        for before in [
            "{}",
            "{ }",
            r#"{"hooks":{}}"#,
            r#"{"hooks":{"SessionEnd":[]}}"#,
            r#"{"hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":"bell"}]}]},"z":"}"}"#,
            r#"{"a":{"hooks":1},"hooks":{"Stop":[{}],"SessionEnd":[{"matcher":"x"}],"Z":[]}}"#,
        ] {
            let entry = json!({"hooks": [{"type": "command", "command": ENTRY}]});
            let after = add_hook(before, "SessionEnd", &entry).unwrap();
            let undone = remove_hooks(&after, "SessionEnd", |command| command == ENTRY).unwrap();
            let parse = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
            let mut expected = parse(before);
            // Lists that contained only our hooks are removed.
            if expected["hooks"].get("SessionEnd") == Some(&json!([])) || expected.get("hooks") == Some(&json!({})) {
                expected.as_object_mut().unwrap().remove("hooks");
            }
            assert_eq!(parse(&undone), expected, "{before}\n{after}\n{undone}");
        }
    }

    #[test]
    fn a_hook_that_shares_its_entry_is_removed_alone() {
        let before = r#"{"hooks":{"Stop":[{"hooks":[{"command":"bell"},{"command":"ours"},{"command":"x"}]}]}}"#;
        let after = remove_hooks(before, "Stop", |command| command == "ours").unwrap();
        assert_eq!(after, r#"{"hooks":{"Stop":[{"hooks":[{"command":"bell"},{"command":"x"}]}]}}"#);
    }

    #[test]
    fn of_doubled_keys_the_last_one_counts() {
        let before = r#"{"hooks":{"Stop":[]},"hooks":{}}"#;
        let after = add_hook(before, "Stop", &json!({"hooks": []})).unwrap();
        assert!(after.starts_with(r#"{"hooks":{"Stop":[]},"hooks":{"#), "{after}");
    }

    #[test]
    fn invalid_settings_are_left_alone() {
        let entry = json!({});
        for odd in ["", "[]", "{", "{\"hooks\": 3}", "{\"hooks\":{\"SessionEnd\":3}}", "// hi\n{}"] {
            assert_eq!(add_hook(odd, "SessionEnd", &entry), None, "{odd}");
        }
    }
}
