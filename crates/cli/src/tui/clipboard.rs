//! Copies text to the clipboard through the terminal, which also works over SSH if the terminal allows it.

use index::catalogue::Session;

use crate::terminal::steers;

/// Returns the sequence that asks a terminal to copy a text (OSC 52).
pub(crate) fn copy(text: &str) -> String {
    format!("\x1b]52;c;{}\x07", base64(text.as_bytes()))
}

/// Returns the command that resumes a session in its folder; `None` if its id or folder cannot be typed.
pub(crate) fn resume_command(session: &Session) -> Option<String> {
    // A leading dash would make the text an option.
    let is_plain = |text: &str| !text.is_empty() && !text.starts_with('-') && !text.contains(steers);
    let resume = format!("claude --resume {}", quoted(session.session_id.as_deref().filter(|name| is_plain(name))?));
    match session.folder.as_deref() {
        None | Some("") => Some(resume),
        Some(folder) => is_plain(folder).then(|| format!("cd {} && {resume}", quoted(folder))),
    }
}

/// Quotes a word for a shell.
fn quoted(word: &str) -> String {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "-_./:@%+,".contains(c);
    if word.chars().all(is_safe) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let letter = LETTERS.get((bits >> (18 - 6 * at) & 63) as usize).copied().unwrap_or(b'=');
            text.push(if at <= chunk.len() { letter.into() } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::samples::session;

    #[test]
    fn texts_are_encoded() {
        let cases = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("4c1e-ü?", "NGMxZS3DvD8=")];
        for (text, encoded) in cases {
            assert_eq!(copy(text), format!("\x1b]52;c;{encoded}\x07"));
        }
    }

    #[test]
    fn a_session_is_resumed_where_it_ran() {
        let command = |name: &str, project: &str| {
            let mut session = session(1, "", project, 0);
            session.session_id = Some(name.to_owned());
            resume_command(&session)
        };
        assert_eq!(command("4c1e-77", "/src/app").as_deref(), Some("cd /src/app && claude --resume 4c1e-77"));
        assert_eq!(command("4c1e", "").as_deref(), Some("claude --resume 4c1e"));
        assert_eq!(
            command("x; rm -rf ~", "/it's $HOME").as_deref(),
            Some(r"cd '/it'\''s $HOME' && claude --resume 'x; rm -rf ~'")
        );
        assert_eq!(command("4c1e", "/src\nrm -rf ~"), None);
        assert_eq!(command("", "/src"), None);
        assert_eq!(command("--dangerous", "/src"), None);
    }
}
