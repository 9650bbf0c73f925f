//! Names for links to steps.
//!
//! A step is named after its line number, which stays the same while a session grows, so links stay valid.

use rustc_hash::FxHashSet;

use crate::place::BlockPlace;
use crate::source::Role;
use crate::story::Story;

/// The names of places in a story.
#[derive(Debug, Default)]
pub struct Anchors {
    /// The prefix of the names of each source's lines.
    prefixes: Vec<String>,
}

impl Anchors {
    /// The anchors of a story.
    pub fn of(story: &Story) -> Self {
        let mut prefixes: Vec<String> = Vec::with_capacity(story.sources().len());
        let mut used = FxHashSet::default();
        for (number, source) in story.sources().enumerate() {
            let prefix = match &source.role {
                Role::Main | Role::Prompts => String::new(),
                Role::Agent { id, .. } => of_agent(id),
                Role::Earlier | Role::Journal(_) | Role::Capture | Role::Elsewhere => format!("s{number}-"),
            };
            let prefix = if used.insert(prefix.clone()) { prefix } else { format!("{prefix}s{number}-") };
            used.insert(prefix.clone());
            prefixes.push(prefix);
        }
        Self { prefixes }
    }

    /// The source and the line number that a name refers to.
    pub fn line(&self, name: &str) -> Option<(u32, u32)> {
        let (start, rest) = name.rsplit_once('l')?;
        let number = rest.split('-').next()?.parse().ok()?;
        let source = self.prefixes.iter().position(|prefix| prefix == start)?;
        Some((u32::try_from(source).ok()?, number))
    }

    /// The name of the first step at a place.
    pub fn at(&self, story: &Story, place: BlockPlace) -> String {
        let span = story.span(place.line);
        let prefix = span.and_then(|span| self.prefixes.get(span.source.index()));
        let prefix = prefix.map_or("", String::as_str);
        let number = span.map_or(0, |span| span.number);
        match (place.entry, place.block) {
            (0, 0) => format!("{prefix}l{number}"),
            (0, block) => format!("{prefix}l{number}-{block}"),
            (entry, block) => format!("{prefix}l{number}-{block}-{entry}"),
        }
    }
}

/// The prefix of the names of lines in an agent's own file.
pub fn of_agent(id: &str) -> String {
    let id = id.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase());
    format!("a{}-", id.take(40).collect::<String>())
}
