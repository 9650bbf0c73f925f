//! The title of a session, from the two ends of its file.
//!
//! Titles are written at the end and the first prompt is near the start; the part between may be very long and is not
//! read.

use std::io::{self, Read as _, Seek as _, SeekFrom};

use story::{Facts, Role, StoryBuilder, Title};

use sources::source::{Input, Source, SourceKind};

/// The number of bytes that are read at each end.
const END: u64 = 64 << 10;

/// The title of a session, as far as the ends of its file show it.
pub fn title_of(source: &Source) -> Option<Title> {
    facts_of(source)?.title
}

/// The facts in the first and the last lines of a session: its title, project, branch and times. Counts cover only
/// these lines. `None` if the session cannot be read.
pub fn facts_of(source: &Source) -> Option<Facts> {
    let ends = ends(&source.input).ok()?;
    let mut builder = StoryBuilder::default();
    let role = match source.kind {
        SourceKind::Prompts | SourceKind::History => Role::Prompts,
        SourceKind::Transcript
        | SourceKind::Subagent
        | SourceKind::Journal
        | SourceKind::Capture
        | SourceKind::Partial => Role::Main,
    };
    let id = builder.add_source(story::Source { role, session: Box::default() });
    for end in &ends {
        format::lines(end).for_each(|line| builder.push(id, line));
    }
    Some(builder.story().facts.clone())
}

/// The first and the last lines of a file.
fn ends(input: &Input) -> io::Result<Vec<Vec<u8>>> {
    let mut file = input.open()?;
    let size = file.seek(SeekFrom::End(0))?;
    file.rewind()?;
    let mut head = Vec::new();
    file.by_ref().take(END).read_to_end(&mut head)?;
    if size <= END {
        return Ok(vec![head]);
    }
    // A truncated line is of no use.
    head.truncate(memchr::memrchr(b'\n', &head).map_or(0, |at| at + 1));
    file.seek(SeekFrom::Start(size.saturating_sub(END).max(END)))?;
    let mut tail = Vec::new();
    file.take(END).read_to_end(&mut tail)?;
    let whole = memchr::memchr(b'\n', &tail).map_or(tail.len(), |at| at + 1);
    tail.drain(..whole);
    Ok(vec![head, tail])
}

/// How many of the words occur in a title, ignoring case.
pub(crate) fn words_in(words: &[String], title: &str) -> usize {
    let title = title.to_lowercase();
    words.iter().filter(|word| title.contains(word.as_str())).count()
}
