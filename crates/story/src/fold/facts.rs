//! Collects facts about the session as a whole from its entries.

use format::entry::capture::CaptureEvent;
use format::entry::system::Init;
use format::text::known_tag;
use format::{Body, Envelope, Text};
use serde::{Deserialize, Serialize};

use super::node::NodeId;
use crate::describe::call::{Made, MadeCommit, is_same, request_name};
use crate::facts::{Commit, Facts, Link, LinkKind, Title, TitleSource};
use crate::key::Key;
use crate::preview::{preview, shortened};
use crate::step::Millis;

/// The facts known so far.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Known {
    /// Everything except the facts that depend on the order of the steps.
    pub(crate) facts: Facts,
    /// The first and last time of a message.
    spoken: Option<(Millis, Millis)>,
    /// The first and last time of any other entry.
    written: Option<(Millis, Millis)>,
    /// When each model first answered.
    answered: Vec<Millis>,
    /// Titles that lines state, one of each source.
    titles: Vec<Title>,
    /// Summaries, with the last entry that each covers.
    summaries: Vec<(Option<Key>, Box<str>)>,
}

/// Adds a name to a list, unless it is already there. The list is bounded, since names come from transcripts.
fn add(list: &mut Vec<Box<str>>, name: &str) {
    const MOST: usize = 100;
    if !name.is_empty() && list.len() < MOST && list.last().is_none_or(|last| **last != *name) {
        let name = shortened(name, 400);
        if !list.contains(&name) {
            list.push(name);
        }
    }
}

impl Known {
    /// Records the fields around an entry.
    pub(super) fn note(&mut self, envelope: &Envelope<'_>, at: Option<Millis>, is_main: bool, speaks: bool) {
        if let Some(at) = at {
            // Bookkeeping is written repeatedly, whether anything happens or not.
            let times = if speaks { &mut self.spoken } else { &mut self.written };
            let (first, last) = times.get_or_insert((at, at));
            (*first, *last) = (at.min(*first), at.max(*last));
            let times = self.spoken.or(self.written);
            (self.facts.first, self.facts.last) = times.unzip();
        }
        let facts = &mut self.facts;
        if !is_main {
            return;
        }
        if facts.session_id.is_none()
            && let Some(session) = envelope.session()
        {
            facts.session_id = Some(shortened(session.as_str(), 80));
        }
        if let Some(cwd) = envelope.cwd {
            self.folder(&cwd);
        }
        let facts = &mut self.facts;
        if let Some(branch) = envelope.git_branch.filter(|branch| !branch.is_empty() && *branch != "HEAD")
            && facts.branch.as_deref() != Some(branch.as_str())
        {
            facts.branch = Some(shortened(&branch, 200));
        }
        if let Some(version) = envelope.version {
            add(&mut facts.versions, &version);
        }
        if facts.entrypoint.is_none() {
            facts.entrypoint = envelope.entrypoint.map(|entrypoint| shortened(&entrypoint, 80));
        }
        if facts.team.is_none() {
            facts.team = envelope.team_name.map(|team| shortened(&team, 80));
        }
    }

    /// All known times.
    pub(super) fn times(&self) -> impl Iterator<Item = Millis> + use<> {
        let spans = [self.spoken, self.written, self.facts.first.zip(self.facts.last)];
        spans.into_iter().flatten().flat_map(|(first, last)| [first, last])
    }

    pub(super) fn folder(&mut self, path: &str) {
        match &self.facts.folder {
            None => self.facts.folder = Some(shortened(path, 4000)),
            Some(folder) if **folder != *path => add(&mut self.facts.other_folders, path),
            Some(_) => {}
        }
    }

    /// Records the model that answered. Files may be read in any order, so the order is by time.
    pub(super) fn model(&mut self, model: &str, at: Option<Millis>) {
        const MOST: usize = 100;
        const LONGEST: usize = 400;
        let short = (model.len() > LONGEST).then(|| shortened(model, LONGEST));
        let (model, at) = (short.as_deref().unwrap_or(model), at.unwrap_or(Millis::MAX));
        let models = &mut self.facts.models;
        let known = models.iter().position(|known| **known == *model);
        let is_later = |place: usize| self.answered.get(place).is_none_or(|first| *first <= at);
        if model.is_empty() || model == "<synthetic>" || known.map_or(models.len() >= MOST, is_later) {
            return;
        }
        if let Some(place) = known {
            models.remove(place);
            self.answered.remove(place);
        }
        let place = self.answered.partition_point(|first| *first <= at).min(models.len());
        models.insert(place, model.into());
        self.answered.insert(place, at);
    }

    /// Records the facts at the start of a stream.
    pub(super) fn init(&mut self, init: &Init<'_>) {
        if let Some(version) = init.claude_code_version {
            add(&mut self.facts.versions, &version);
        }
    }

    /// Records the facts in bookkeeping.
    pub(super) fn body(&mut self, body: &Body<'_>) {
        let text = |text: Option<Text<'_>>| text.map(|text| preview(&text)).filter(|text| !text.is_empty());
        match body {
            Body::CustomTitle(title) => self.title(TitleSource::Custom, text(title.custom_title)),
            Body::AiTitle(title) => self.title(TitleSource::Model, text(title.ai_title)),
            Body::LastPrompt(last) => self.title(TitleSource::LastPrompt, text(last.last_prompt)),
            Body::Summary(summary) => {
                let leaf = summary.leaf_uuid.map(|uuid| Key::of(uuid.as_str()));
                if let Some(text) = text(summary.summary) {
                    self.summary(leaf, text);
                }
            }
            Body::PrLink(link) => {
                let number = link.number.map_or_else(String::new, |number| format!("#{number}"));
                let title = format!("{}{number}", link.repository.map_or("", Text::as_str));
                self.link(LinkKind::PullRequest, &title, link.url.map_or("", Text::as_str));
            }
            Body::FrameLink(link) => {
                let title = link.title.or(link.path).map_or("", Text::as_str);
                self.link(LinkKind::Artifact, title, link.url.map_or("", Text::as_str));
            }
            Body::BridgeSession(bridge) => {
                self.link(LinkKind::Bridge, bridge.bridge_session_id.map_or("", Text::as_str), "");
            }
            Body::WorktreeState(state) => {
                if let Some(session) = &state.session {
                    self.link(LinkKind::Worktree, session.worktree_path.map_or("", Text::as_str), "");
                }
            }
            Body::Captured(record) => {
                if let Some(CaptureEvent::Start(start)) = record.event.as_deref() {
                    self.title(TitleSource::Custom, text(start.title));
                    self.title(TitleSource::CommandLine, text(asked(&start.command)));
                    if let Some(cwd) = start.cwd {
                        self.folder(&cwd);
                    }
                }
            }
            Body::DerivedFrom(derived) => {
                if let Some(origin) = derived.origin() {
                    self.facts.derived_from = Some(shortened(origin.as_str(), 80));
                }
            }
            Body::ContinuedIn(next) => {
                self.facts.continued_in = next.session_id.map(|id| shortened(id.as_str(), 80));
            }
            _ => {}
        }
    }

    /// Records a title; a later one of the same source replaces it.
    fn title(&mut self, source: TitleSource, text: Option<Box<str>>) {
        let Some(text) = text.filter(|text| is_title(text)) else { return };
        match self.titles.iter_mut().find(|title| title.source == source) {
            Some(title) => title.text = text,
            None => self.titles.push(Title { text, source }),
        }
    }

    /// Records the plan that the session carries out: its heading, or its first line.
    pub(super) fn plan(&mut self, plan: &str) {
        if self.titles.iter().any(|title| title.source == TitleSource::Plan) {
            return;
        }
        let line = plan.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        self.title(TitleSource::Plan, Some(preview(line.trim_start().trim_start_matches('#'))));
    }

    /// Records a summary in the session's own lines.
    fn summary(&mut self, leaf: Option<Key>, text: Box<str>) {
        const MOST: usize = 1000;
        if is_title(&text) && self.summaries.len() < MOST {
            self.summaries.push((leaf, text));
        }
    }

    /// The summaries with the last entry that each covers.
    pub(crate) fn summaries(&self) -> impl Iterator<Item = (Key, &str)> {
        self.summaries.iter().filter_map(|(leaf, text)| Some(((*leaf)?, &**text)))
    }

    /// The best available title: one that lines state, or one of `found` in the story. A summary counts only if its
    /// entries are here: old versions wrote the summaries of other sessions at the start of a new file. One in the
    /// session's own lines takes precedence over those `handed` over.
    pub(crate) fn best_title(
        &self,
        found: Vec<Title>,
        handed: &Handed,
        place: impl Fn(Key) -> Option<NodeId>,
    ) -> Option<Title> {
        let own = self.summaries.iter().rev().find(|(leaf, _)| leaf.is_none_or(|leaf| place(leaf).is_some()));
        let own = own.map(|(_, text)| &**text);
        let summary = own.or_else(|| handed.best(place));
        let summary = summary.map(|text| Title { text: text.into(), source: TitleSource::Summary });
        let titles = self.titles.iter().cloned().chain(summary).chain(found);
        titles.filter(|title| is_title(&title.text)).min_by_key(|title| title.source)
    }

    /// Records the commits and pull requests that a call made, each once.
    pub(super) fn made(&mut self, call: &str, at: Option<Millis>, made: Made) {
        const MOST: usize = 2000;
        for MadeCommit { sha, kind, branch, subject } in made.commits {
            let commits = &mut self.facts.commits;
            if commits.len() < MOST && !commits.iter().any(|known| is_same(&known.sha, &sha)) {
                commits.push(Commit { sha, kind, branch, subject, tool_use_id: call.into(), at });
            }
        }
        for url in made.requests {
            let title = request_name(&url).unwrap_or_default();
            self.link(LinkKind::PullRequest, &title, &url);
            let links = self.facts.links.iter_mut().filter(|link| link.kind == LinkKind::PullRequest);
            for link in links.filter(|link| link.url == url && link.tool_use_id.is_none()) {
                link.tool_use_id = Some(call.into());
            }
        }
    }

    fn link(&mut self, kind: LinkKind, title: &str, url: &str) {
        const MOST: usize = 1000;
        let link = Link { kind, title: preview(title), url: shortened(url, 2000), tool_use_id: None };
        // A pull request is stated by lines of its own and by the output of the command that made it.
        let is_known = |known: &Link| {
            known.kind == kind
                && known.url == link.url
                && (known.title == link.title || kind == LinkKind::PullRequest && !link.url.is_empty())
        };
        if self.facts.links.len() < MOST && !self.facts.links.iter().any(is_known) {
            self.facts.links.push(link);
        }
    }
}

/// Summaries from files of other sessions. They are not part of the stored state, because those files may change.
#[derive(Debug, Clone, Default)]
pub(crate) struct Handed(Vec<(Key, Box<str>)>);

impl Handed {
    pub(super) fn add(&mut self, leaf: Key, text: Box<str>) {
        if is_title(&text) {
            self.0.push((leaf, text));
        }
    }

    /// The summary that covers most. It does not depend on the order in which they were added.
    fn best(&self, place: impl Fn(Key) -> Option<NodeId>) -> Option<&str> {
        let here = self.0.iter().filter_map(|(leaf, text)| Some((place(*leaf)?, text)));
        here.max_by_key(|(place, text)| (place.index(), *text)).map(|(_, text)| &**text)
    }
}

/// Whether a text can be a title: it has words, and they are not an element of the program.
fn is_title(text: &str) -> bool {
    !text.trim().is_empty() && known_tag(text).is_none()
}

/// The prompt in a `claude` command line: streams do not contain it.
fn asked<'a>(command: &[Text<'a>]) -> Option<Text<'a>> {
    let print = command.iter().position(|word| matches!(word.as_str(), "-p" | "--print"))?;
    command.get(print + 1).copied().filter(|word| !word.starts_with('-'))
}
