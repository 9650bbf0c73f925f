//! Recognises transcripts by their first lines.
//!
//! A file in a folder of sessions may be a hard link to any other file, so its name says little. What does not look like
//! a transcript is not listed, indexed or searched; `recount check` names it.

use format::{Body, Scratch};

use crate::source::{Buffer, FoundBy, Lines, Source, SourceKind};

/// A transcript with more damaged lines at its beginning is not recognised.
const MOST_LINES: usize = 1000;

/// A longer beginning without a line of a transcript is none.
const MOST_BYTES: u64 = 4 << 20;

/// What a damaged or torn line of a transcript contains.
const KEYS: [&[u8]; 5] = [b"\"type\"", b"\"uuid\"", b"\"sessionId\"", b"\"session_id\"", b"\"parentUuid\""];

impl Source {
    /// Whether it looks like a transcript. A file that you name counts as one, and so does one that is empty or cannot be
    /// read: reading it says why.
    pub fn looks_like_transcript(&self) -> bool {
        let is_judged = matches!(self.kind, SourceKind::Transcript | SourceKind::Subagent)
            && self.found_by != FoundBy::Named
            && self.input.earlier_of().is_none();
        !is_judged || self.has_line_of_transcript()
    }

    fn has_line_of_transcript(&self) -> bool {
        let Ok(file) = self.open() else { return true };
        let (mut buffer, mut scratch) = (Buffer::default(), Scratch::default());
        let mut lines = Lines::new(file, &mut buffer);
        let (mut bytes, mut is_blank) = (0, true);
        for _ in 0..MOST_LINES {
            match lines.next_line() {
                Ok(Some(line)) => {
                    scratch.reset();
                    if is_of_transcript(line.bytes, &scratch) {
                        return true;
                    }
                    is_blank &= line.bytes.trim_ascii().is_empty();
                    bytes += line.bytes.len() as u64;
                }
                Ok(None) | Err(_) => return is_blank,
            }
            if bytes > MOST_BYTES {
                break;
            }
        }
        is_blank
    }
}

/// Whether a line may be one of a transcript: it has an entry that is known, that says its type, or that another agent
/// wrote; or it is damaged, and has the keys of one.
fn is_of_transcript(line: &[u8], scratch: &Scratch) -> bool {
    let reading = format::read(line, scratch);
    let is_entry = |entry: &format::Entry<'_>| match &entry.body {
        Body::Unknown(unknown) => !unknown.kind.as_str().is_empty() || entry.foreign.is_some(),
        _ => true,
    };
    let has_key = || KEYS.iter().any(|key| memchr::memmem::find(line, key).is_some());
    reading.entries.iter().any(is_entry) || reading.malformed.is_some() && has_key()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::find::find_at;

    fn is_taken(content: &str) -> bool {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.jsonl"), content).unwrap();
        find_at(&[folder.path().to_path_buf()]).sources[0].looks_like_transcript()
    }

    #[test]
    fn other_files_are_told_from_transcripts() {
        let prompt = r#"{"type":"user","uuid":"u","message":{"role":"user","content":"hello"}}"#;
        let torn = r#"{"parentUuid":null,"type":"user","mess"#;
        let newer = r#"{"type":"from-next-year","value":1}"#;
        let foreign = r#"{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"message"}}"#;
        for transcript in ["", "\n\n", prompt, torn, newer, foreign, &format!("noise\n{{\n{prompt}\n")] {
            assert!(is_taken(transcript), "{transcript}");
        }
        for other in
            ["PASSWORD=tulip\n", "{\"machine\":\"example\",\"password\":\"tulip\"}\n", "machine example\nlogin ana\n"]
        {
            assert!(!is_taken(other), "{other}");
        }
    }

    #[test]
    fn a_file_that_is_named_is_always_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        fs::write(&path, "PASSWORD=tulip\n").unwrap();
        assert!(find_at(&[path]).sources[0].looks_like_transcript());
    }
}
