//! Keys by name.

use anyhow::{Result, bail};
use serde_json::{Value, json};

/// The key-down and key-up events of a key: `j`, `?`, `Enter`, `Shift+Tab`, `Control+a`.
pub(crate) fn events(name: &str) -> Result<[Value; 2]> {
    let (modifiers, key) = match name.rsplit_once('+') {
        Some((modifiers, key)) if !key.is_empty() && !modifiers.is_empty() => (modifiers, key),
        _ => ("", name),
    };
    let mut held = 0;
    for modifier in modifiers.split('+').filter(|modifier| !modifier.is_empty()) {
        held |= match modifier {
            "Alt" => 1,
            "Control" => 2,
            "Meta" => 4,
            "Shift" => 8,
            _ => bail!("no such modifier: {modifier}"),
        };
    }
    let mut characters = key.chars();
    let (code, text) = match (characters.next(), characters.next()) {
        (Some(one), None) => (u32::from(one.to_ascii_uppercase()), Some(key)),
        _ => named(key)?,
    };
    // A key with Control is a command and types no text.
    let text = text.filter(|_| held & 0b0110 == 0);
    let event = |kind: &str| json!({"type": kind, "key": key, "windowsVirtualKeyCode": code, "modifiers": held});
    let mut down = event(if text.is_some() { "keyDown" } else { "rawKeyDown" });
    if let (Some(text), Some(down)) = (text, down.as_object_mut()) {
        down.insert("text".to_owned(), text.into());
    }
    Ok([down, event("keyUp")])
}

/// The code of a key, and the text it types.
fn named(key: &str) -> Result<(u32, Option<&'static str>)> {
    Ok(match key {
        "Backspace" => (8, None),
        "Tab" => (9, None),
        "Enter" => (13, Some("\r")),
        "Escape" => (27, None),
        "End" => (35, None),
        "Home" => (36, None),
        "ArrowLeft" => (37, None),
        "ArrowUp" => (38, None),
        "ArrowRight" => (39, None),
        "ArrowDown" => (40, None),
        _ => bail!("no such key: {key}"),
    })
}
