//! Captures of sessions, and their pairing with the transcripts of the same sessions.

use std::collections::HashMap;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use format::Scratch;
use format::id::SessionId;

use crate::source::{Buffer, Lines, Source, SourceKind, Twin};

/// Finds the transcripts of captured sessions. Captures are the sources from an index on.
///
/// The transcript is the richer of the two: it records the order of entries and the work of agents. The story is built
/// from it, and the capture adds the facts that only a stream contains.
pub(crate) fn pair(sources: &mut [Source], captures: usize) {
    let Some((others, captures)) = sources.split_at_mut_checked(captures) else { return };
    if captures.is_empty() {
        return;
    }
    let mut transcripts: HashMap<String, &mut Source> = HashMap::new();
    for source in others.iter_mut().filter(|source| source.kind == SourceKind::Transcript) {
        if let Some(id) = source.stem().and_then(|stem| stem.to_str()).map(str::to_owned) {
            transcripts.entry(id).or_insert(source);
        }
    }
    for capture in captures {
        // The name of a capture does not identify its session.
        capture.kind = SourceKind::Transcript;
        // A capture of several sessions has several transcripts, none of which contains all of it.
        let session = session_of(capture).filter(|first| last_session_of(capture).is_none_or(|last| last == *first));
        let transcript = session.and_then(|session| transcripts.get_mut(&session));
        let (Some(transcript), Some(key)) = (transcript, capture.input.key()) else { continue };
        let Some(main) = transcript.input.key() else { continue };
        match &mut transcript.twin {
            Twin::CapturedIn(files) => files.push(key),
            twin => *twin = Twin::CapturedIn(vec![key]),
        }
        (capture.kind, capture.twin) = (SourceKind::Capture, Twin::CaptureOf(main));
    }
}

/// Whether a file is in the folder of captures, so that it is not named after its session.
pub fn is_capture(path: &Path) -> bool {
    path.ancestors().nth(3).is_some_and(|folder| folder.ends_with("conversations") && has_config(folder))
}

fn has_config(conversations: &Path) -> bool {
    conversations.parent().map(PathBuf::from).is_some_and(|store| record::is_store(&store))
}

/// The first session in a capture.
pub fn session_of(source: &Source) -> Option<String> {
    /// The output of hooks may precede everything else.
    const LINES: u64 = 100;
    let (mut buffer, mut scratch) = (Buffer::default(), Scratch::default());
    let mut lines = Lines::new(source.open().ok()?, &mut buffer);
    while let Ok(Some(line)) = lines.next_line() {
        scratch.reset();
        let header = format::read_header(line.bytes, &scratch);
        let session = header.and_then(|header| header.stream_session_id.or(header.session_id));
        if session.is_some() || line.number > LINES {
            return session.map(SessionId::as_str).map(str::to_owned);
        }
    }
    None
}

/// The last session in a capture, as far as the end of the file shows.
fn last_session_of(source: &Source) -> Option<String> {
    /// Most messages are shorter, and all messages of a stream name their session.
    const END: u64 = 64 << 10;
    let (mut file, mut end) = (source.input.open().ok()?, Vec::new());
    file.seek(SeekFrom::Start(source.size.saturating_sub(END))).ok()?;
    file.take(END).read_to_end(&mut end).ok()?;
    let mut scratch = Scratch::default();
    end.split(|byte| *byte == b'\n').rev().find_map(|line| {
        scratch.reset();
        let header = format::read_header(line, &scratch)?;
        header.stream_session_id.or(header.session_id).map(|id| id.as_str().to_owned())
    })
}
