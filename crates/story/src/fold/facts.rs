//! What the entries say about the session as a whole.

use format::entry::system::Init;
use format::{Body, Envelope, Text};

use super::millis;
use crate::facts::{Facts, Link, LinkKind, Title, TitleSource};
use crate::preview::{preview, shortened};

/// What is known so far.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Everything but what follows from the order of the steps.
    pub(crate) facts: Facts,
    titles: [Option<Box<str>>; 4],
}

/// Adds a name to a list, if it is not there. Names come from transcripts, so there is an end to it.
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
    /// Notes what stands around an entry.
    pub(super) fn note(&mut self, envelope: &Envelope<'_>, is_main: bool) {
        let facts = &mut self.facts;
        if let Some(at) = millis(envelope.timestamp.or(envelope.audit_timestamp)) {
            facts.first = Some(facts.first.map_or(at, |first| first.min(at)));
            facts.last = Some(facts.last.map_or(at, |last| last.max(at)));
        }
        if !is_main {
            return;
        }
        if facts.id.is_empty()
            && let Some(session) = envelope.session()
        {
            facts.id = shortened(session.as_str(), 80);
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

    fn folder(&mut self, path: &str) {
        match &self.facts.project {
            None => self.facts.project = Some(shortened(path, 4000)),
            Some(project) if **project != *path => add(&mut self.facts.other_folders, path),
            Some(_) => {}
        }
    }

    /// Notes the model that answered.
    pub(super) fn model(&mut self, model: &str) {
        if model != "<synthetic>" {
            add(&mut self.facts.models, model);
        }
    }

    /// Notes what a stream says at its beginning.
    pub(super) fn init(&mut self, init: &Init<'_>) {
        if let Some(version) = init.claude_code_version {
            add(&mut self.facts.versions, &version);
        }
    }

    /// Notes what bookkeeping says.
    pub(super) fn body(&mut self, body: &Body<'_>) {
        let text = |text: Option<Text<'_>>| text.map(|text| preview(&text)).filter(|text| !text.is_empty());
        match body {
            Body::CustomTitle(title) => self.title(TitleSource::Custom, text(title.custom_title)),
            Body::AiTitle(title) => self.title(TitleSource::Model, text(title.ai_title)),
            Body::LastPrompt(last) => self.title(TitleSource::LastPrompt, text(last.last_prompt)),
            Body::Summary(summary) => self.title(TitleSource::Summary, text(summary.summary)),
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
            Body::ContinuedIn(next) => {
                self.facts.continued_in = next.session_id.map(|id| shortened(id.as_str(), 80));
            }
            _ => {}
        }
    }

    fn title(&mut self, source: TitleSource, text: Option<Box<str>>) {
        if let Some(slot) = self.titles.get_mut(source as usize)
            && text.is_some()
        {
            *slot = text;
        }
    }

    /// The title that is left when nothing better is known.
    pub(crate) fn best_title(&self, first_prompt: Option<&str>) -> Option<Title> {
        const SOURCES: [TitleSource; 4] =
            [TitleSource::Custom, TitleSource::Model, TitleSource::LastPrompt, TitleSource::Summary];
        let given = SOURCES.into_iter().zip(&self.titles).find_map(|(source, text)| Some((source, text.clone()?)));
        given
            .or_else(|| Some((TitleSource::FirstPrompt, first_prompt?.into())))
            .map(|(source, text)| Title { text, source })
    }

    fn link(&mut self, kind: LinkKind, title: &str, url: &str) {
        const MOST: usize = 1000;
        let link = Link { kind, title: preview(title), url: shortened(url, 2000) };
        if self.facts.links.len() < MOST && !self.facts.links.contains(&link) {
            self.facts.links.push(link);
        }
    }
}
