//! Changes hooks in Claude Code's settings, and not a byte of anything else in them.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Adds an entry to the hooks of an event. `None` if the settings are not what they should be.
pub(super) fn add_hook(text: &str, event: &str, entry: &serde_json::Value) -> Option<String> {
    let settings = members(text)?;
    let Some((_, hooks)) = settings.iter().find(|(key, _)| key == "hooks") else {
        let member = format!("\"hooks\": {}", nested(&serde_json::json!({ event: [entry] }), 1)?);
        return insert(text, text.trim(), &member, 1, settings.is_empty());
    };
    let events = members(hooks)?;
    let Some((_, list)) = events.iter().find(|(key, _)| key == event) else {
        let member = format!("\"{event}\": {}", nested(&serde_json::json!([entry]), 2)?);
        return insert(text, hooks, &member, 2, events.is_empty());
    };
    let entries: Vec<&RawValue> = serde_json::from_str(list).ok()?;
    insert(text, list, &nested(entry, 3)?, 3, entries.is_empty())
}

/// Removes the entries of an event whose command is one of ours; and the event, and all hooks, if nothing is left.
pub(super) fn remove_hooks(text: &str, event: &str, is_ours: impl Fn(&str) -> bool) -> Option<String> {
    let mut text = text.to_owned();
    loop {
        let settings = members(&text)?;
        let Some((_, hooks)) = settings.iter().find(|(key, _)| key == "hooks") else { return Some(text) };
        let events = members(hooks)?;
        let Some((_, list)) = events.iter().find(|(key, _)| key == event) else { return Some(text) };
        let entries: Vec<&RawValue> = serde_json::from_str(list).ok()?;
        let Some(ours) = entries.iter().find(|entry| commands(entry.get()).iter().any(|command| is_ours(command)))
        else {
            return Some(text);
        };
        text = match (entries.len(), events.len()) {
            (1, 1) => cut(&text, hooks, Some("hooks"))?,
            (1, _) => cut(&text, list, Some(event))?,
            _ => cut(&text, ours.get(), None)?,
        };
    }
}

/// The commands of an entry.
fn commands(entry: &str) -> Vec<String> {
    let entry: serde_json::Value = serde_json::from_str(entry).unwrap_or_default();
    let hooks = entry.get("hooks").and_then(|hooks| hooks.as_array());
    let command = |hook: &serde_json::Value| Some(hook.get("command")?.as_str()?.to_owned());
    hooks.into_iter().flatten().filter_map(command).collect()
}

/// The members of an object in their order, each with its value as it is written.
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

/// Where a part of a text begins in it.
fn place(text: &str, part: &str) -> Option<usize> {
    let at = part.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
    text.get(at..)?.starts_with(part).then_some(at)
}

/// Puts an item at the end of an object or a list.
fn insert(text: &str, container: &str, item: &str, depth: usize, is_empty: bool) -> Option<String> {
    let end = place(text, container)? + container.len() - 1;
    let (before, after) = text.split_at_checked(end)?;
    let before = before.trim_end();
    let comma = if is_empty { "" } else { "," };
    let (inner, outer) = ("  ".repeat(depth), "  ".repeat(depth - 1));
    Some(format!("{before}{comma}\n{inner}{item}\n{outer}{after}"))
}

/// Cuts a value out, with its key if it has one, and one comma.
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

/// A value on several lines, at a depth.
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
    fn everything_else_stays_as_it_is_written() {
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
            // Nothing is left of lists that had only ours.
            if expected["hooks"].get("SessionEnd") == Some(&json!([])) || expected.get("hooks") == Some(&json!({})) {
                expected.as_object_mut().unwrap().remove("hooks");
            }
            assert_eq!(parse(&undone), expected, "{before}\n{after}\n{undone}");
        }
    }

    #[test]
    fn what_is_not_settings_is_left_alone() {
        let entry = json!({});
        for odd in ["", "[]", "{", "{\"hooks\": 3}", "{\"hooks\":{\"SessionEnd\":3}}", "// hi\n{}"] {
            assert_eq!(add_hook(odd, "SessionEnd", &entry), None, "{odd}");
        }
    }
}
