//! Prompts as typed, from a prompt history (docs/format A.4): lines without a conversation around them.

use format::entry::bookkeeping::{HistoryLine, Pasted};
use format::{Entry, Envelope, Text};
use rustc_hash::FxHashMap;

use super::node::{NodeKind, Placed};
use super::{Spot, StoryBuilder};
use crate::accounting::Fate;
use crate::key::Key;
use crate::preview::{preview, shortened};
use crate::source::Role;
use crate::step::{Delivery, Prompt, PromptKind, StepKind};

impl StoryBuilder {
    pub(super) fn typed(&mut self, spot: Spot, envelope: &Envelope<'_>, line: &HistoryLine<'_>) -> Fate {
        if let Some(project) = line.project {
            self.known.folder(&project);
        }
        let text = typed_text(line, &mut |_| None);
        let (kind, node) = match kind_of(&text) {
            kind @ (PromptKind::Bash | PromptKind::Command { .. }) => (kind, NodeKind::Command),
            kind => (kind, NodeKind::Prompt),
        };
        let node = match self.place(spot, envelope, node, Some(Key::of(&text))) {
            Placed::New(node) => node,
            Placed::Copy(original) => return Fate::Duplicate(original),
        };
        let preview = preview(without_prefix(&text));
        let prompt = Prompt { kind, delivery: Delivery::Direct, preview, images: images(line), thread: None };
        self.add_step(node, spot.block(0), StepKind::Prompt(Box::new(prompt)));
        Fate::Shown
    }

    /// Whether an entry is the prompt of another session than its source. A damaged line may contain several.
    pub(super) fn is_of_another(&self, spot: Spot, entry: &Entry<'_>) -> bool {
        self.story.source(spot.source).is_some_and(|source| {
            source.role == Role::Prompts
                && !source.session.is_empty()
                && entry.envelope.session().is_none_or(|session| *session.as_str() != *source.session)
        })
    }
}

fn kind_of(text: &str) -> PromptKind {
    if text.starts_with('!') {
        return PromptKind::Bash;
    }
    if !is_command(text) {
        return PromptKind::Typed;
    }
    let (name, args) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    PromptKind::Command { name: shortened(name, 80), args: preview(args) }
}

/// Whether a text without tags is a command: `/model`, not `/tmp/log is empty`.
pub(crate) fn is_command(text: &str) -> bool {
    let name = text.strip_prefix('/').map(|rest| rest.split(char::is_whitespace).next().unwrap_or_default());
    name.is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'))
    })
}

/// The text of a typed prompt, or the command after a `!`.
pub(super) fn without_prefix(text: &str) -> &str {
    text.strip_prefix('!').unwrap_or(text)
}

/// The whole text of a typed prompt: its pastes are in the places of their marks, and those without a mark at the end.
/// `paste` reads a large paste by its hash. The mark of a paste that is gone stays.
pub(super) fn typed_text(line: &HistoryLine<'_>, paste: &mut dyn FnMut(&str) -> Option<String>) -> String {
    let display = line.display.map_or("", Text::as_str);
    let mut pastes: FxHashMap<&str, String> = FxHashMap::default();
    for (id, pasted) in line.pasted_contents.iter().filter(|(_, pasted)| !is_image(pasted)) {
        let stored = || paste(pasted.content_hash?.as_str());
        if let Some(text) = pasted.content.map(|text| text.as_str().to_owned()).or_else(stored) {
            pastes.insert(id, text);
        }
    }
    if pastes.is_empty() {
        return display.to_owned();
    }
    let (mut text, mut rest) = (String::with_capacity(display.len()), display);
    while let Some(at) = rest.find('[') {
        let (before, mark) = rest.split_at(at);
        text.push_str(before);
        // Each paste is put in once: a hostile line could name one a million times.
        let found = paste_mark(mark).and_then(|(id, length)| Some((pastes.remove(id)?, length)));
        let length = if let Some((pasted, length)) = found {
            text.push_str(&pasted);
            length
        } else {
            text.push('[');
            1
        };
        rest = mark.get(length..).unwrap_or_default();
    }
    text.push_str(rest);
    for (id, _) in line.pasted_contents.iter() {
        if let Some(pasted) = pastes.remove(id) {
            text.push('\n');
            text.push_str(&pasted);
        }
    }
    text
}

/// The id in the mark of a paste at the start of a text, and the length of the mark: `[Pasted text #1 +40 lines]`,
/// `[...Truncated text #2 +10 lines...]`.
fn paste_mark(text: &str) -> Option<(&str, usize)> {
    const LONGEST: usize = 80;
    let rest = text.strip_prefix("[Pasted text #").or_else(|| text.strip_prefix("[...Truncated text #"))?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let id = rest.get(..digits).filter(|id| !id.is_empty())?;
    let end = rest.bytes().take(LONGEST).position(|byte| byte == b']')?;
    Some((id, text.len() - rest.len() + end + 1))
}

fn is_image(pasted: &Pasted<'_>) -> bool {
    pasted.kind.is_some_and(|kind| kind == "image")
}

fn images(line: &HistoryLine<'_>) -> Box<[i64]> {
    const MOST: usize = 1000;
    let images = line.pasted_contents.iter().filter(|(_, pasted)| is_image(pasted)).take(MOST);
    images.map(|(id, pasted)| pasted.id.or_else(|| id.parse().ok()).unwrap_or_default()).collect()
}
