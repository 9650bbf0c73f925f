//! The session filter of lists, reports, exports, the board and the web.

use index::catalogue::Session;
use ledger::Post;
use live::board::Card;
use reader::Accounts;
use sources::project::project_of;
use story::{Counts, Facts, SessionStatus};

pub use index::project::ProjectFilter;

/// Conditions on sessions. Unset ones match every session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionFilter {
    /// `--project`
    pub project: Option<ProjectFilter>,
    /// `--since`, in milliseconds since 1970: active at this time or later.
    pub since: Option<i64>,
    /// `--until`: started at this time or earlier.
    pub until: Option<i64>,
    /// `--session`: a prefix of the id.
    pub session: Option<String>,
    /// `--model`: part of the name of a model that replied.
    pub model: Option<String>,
    /// `--branch`: part of the name of the git branch.
    pub branch: Option<String>,
    /// `--has`: all of these.
    pub has: Vec<SessionHas>,
    /// Words that the title, project, branch or id contains.
    pub words: Vec<String>,
}

/// A property of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionHas {
    /// A call that failed.
    Error,
    /// A question or a plan that waits for an answer.
    Question,
    /// Subagents.
    Agents,
    /// Rewound branches.
    Branches,
    /// A conversation that was summarized to continue.
    Compaction,
}

/// A named value: its name, its aliases, and a description.
pub type Named<T> = (T, &'static str, &'static [&'static str], &'static str);

impl SessionHas {
    /// All properties with their names.
    pub const ALL: [Named<Self>; 5] = [
        (Self::Error, "error", &["errors", "failed", "failure", "failures"], "A call that failed"),
        (Self::Question, "question", &[], "A question or a plan that waits for an answer"),
        (Self::Agents, "agents", &["agent", "subagents"], "Subagents"),
        (Self::Branches, "branches", &["branch"], "Rewound branches"),
        (Self::Compaction, "compaction", &["compactions"], "A conversation that was summarised to continue"),
    ];

    fn is_true_of(self, counts: &Counts, status: Option<SessionStatus>) -> bool {
        match self {
            Self::Error => counts.failed > 0,
            Self::Question => status.is_some_and(|status| status.reason.is_question()),
            Self::Agents => counts.agents > 0,
            Self::Branches => counts.branches > 0,
            Self::Compaction => counts.compactions > 0,
        }
    }
}

/// The fields of a session that a filter examines, from any source.
struct Described<'s> {
    name: &'s str,
    title: &'s str,
    project: Option<&'s str>,
    branch: Option<&'s str>,
    models: Vec<&'s str>,
    first: Option<i64>,
    last: Option<i64>,
    counts: &'s Counts,
    status: Option<SessionStatus>,
}

impl SessionFilter {
    /// Creates a filter from words typed into a field.
    #[must_use]
    pub fn with_words(self, text: &str) -> Self {
        Self { words: text.split_whitespace().map(str::to_lowercase).collect(), ..self }
    }

    /// Returns whether there are no conditions.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether a session of the index matches.
    pub fn wants(&self, session: &Session) -> bool {
        self.fits(&Described {
            name: &session.name,
            title: &session.title,
            project: session.project.as_deref(),
            branch: session.branch.as_deref(),
            models: session.models.iter().map(String::as_str).collect(),
            first: session.first,
            last: session.last,
            counts: &session.counts,
            status: session.status,
        })
    }

    /// Returns whether a session that was read matches. Unless it is known how lists show it, it is its folder's project.
    pub fn wants_facts(&self, facts: &Facts) -> bool {
        let needs_project = self.project.is_some() || !self.words.is_empty();
        let project = facts.project.as_deref().filter(|_| needs_project);
        let project = project.map(|project| match facts.folder.as_deref() {
            Some(folder) if folder == project => project_of(folder).path,
            _ => project.to_owned(),
        });
        self.fits(&Described {
            name: &facts.id,
            title: facts.title.as_ref().map_or("", |title| &title.text),
            project: project.as_deref(),
            branch: facts.branch.as_deref(),
            models: facts.models.iter().map(|model| &**model).collect(),
            first: facts.first,
            last: facts.last,
            counts: &facts.counts,
            // Only what is listed can be chosen by its state.
            status: None,
        })
    }

    /// Returns whether a session on the board matches. A running session that is not in the index yet has only its
    /// folder.
    pub fn wants_card(&self, card: &Card) -> bool {
        match &card.session {
            Some(session) => self.wants(session),
            None => self.wants_project(card.project()),
        }
    }

    /// Returns whether a message matches: it is inside the period, and its session matches.
    pub fn wants_post(&self, post: &Post<'_>, accounts: &Accounts) -> bool {
        let is_in_time = match post.at {
            Some(at) => self.since.is_none_or(|since| at >= since) && self.until.is_none_or(|until| at <= until),
            None => self.since.is_none() && self.until.is_none(),
        };
        let name = accounts.ledger.session_name(post.session);
        let is_meant = |start: &String| {
            let listed_as = || accounts.homes.of(name).and_then(|home| home.conversation.as_deref());
            name.starts_with(start.as_str()) || listed_as().is_some_and(|name| name.starts_with(start.as_str()))
        };
        is_in_time
            && self.session.as_ref().is_none_or(is_meant)
            && self.model.as_ref().is_none_or(|part| has_part(post.model_name, part))
            && self.wants_project(accounts.homes.of(name).and_then(|home| home.project.as_deref()))
    }

    /// Returns whether a project matches.
    pub fn wants_project(&self, project: Option<&str>) -> bool {
        self.project.as_ref().is_none_or(|wanted| project.is_some_and(|project| wanted.matches(project)))
    }

    fn fits(&self, session: &Described<'_>) -> bool {
        self.wants_project(session.project)
            && self.since.is_none_or(|since| session.last.is_some_and(|last| last >= since))
            && self.until.is_none_or(|until| session.first.is_some_and(|first| first <= until))
            && self.session.as_ref().is_none_or(|start| session.name.starts_with(start.as_str()))
            && self.model.as_ref().is_none_or(|part| session.models.iter().any(|model| has_part(model, part)))
            && self.branch.as_ref().is_none_or(|part| session.branch.is_some_and(|branch| has_part(branch, part)))
            && self.has.iter().all(|has| has.is_true_of(session.counts, session.status))
            && self.has_words(session)
    }

    fn has_words(&self, session: &Described<'_>) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let texts = [Some(session.title), session.project, session.branch, Some(session.name)];
        let all = texts.iter().flatten().map(|text| text.to_lowercase()).collect::<Vec<_>>().join("\n");
        self.words.iter().all(|word| all.contains(word.as_str()))
    }
}

/// Returns whether a name contains a part, ignoring case.
fn has_part(name: &str, part: &str) -> bool {
    name.to_lowercase().contains(&part.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Facts {
        Facts {
            id: "4c1e0f7a".into(),
            project: Some("/home/ana/work/shop".into()),
            branch: Some("feat/Retry".into()),
            models: vec!["claude-opus-5".into()],
            first: Some(1_000),
            last: Some(5_000),
            counts: Counts { failed: 1, ..Counts::default() },
            ..Facts::default()
        }
    }

    #[test]
    fn a_session_has_to_match_every_filter() {
        let part = |text: &str| Some(ProjectFilter::Part(text.to_owned()));
        let some = |text: &str| Some(text.to_owned());
        let filter = SessionFilter::default;
        let fitting = [
            filter(),
            SessionFilter { project: part("shop"), ..filter() },
            SessionFilter { since: Some(5_000), until: Some(1_000), ..filter() },
            SessionFilter { session: some("4c1e"), model: some("Opus"), branch: some("retry"), ..filter() },
            SessionFilter { has: vec![SessionHas::Error], ..filter() },
            filter().with_words("SHOP feat"),
        ];
        let others = [
            SessionFilter { project: part("garden"), ..filter() },
            SessionFilter { since: Some(5_001), ..filter() },
            SessionFilter { until: Some(999), ..filter() },
            SessionFilter { session: some("c1e"), ..filter() },
            SessionFilter { has: vec![SessionHas::Error, SessionHas::Agents], ..filter() },
            filter().with_words("shop fix"),
        ];
        assert!(fitting.iter().all(|filter| filter.wants_facts(&facts())));
        for filter in others {
            assert!(!filter.wants_facts(&facts()), "{filter:?}");
        }
    }

    #[test]
    fn a_question_is_one_that_waits_now() {
        use story::StateReason;
        let filter = SessionFilter { has: vec![SessionHas::Question], ..SessionFilter::default() };
        let is_wanted = |reason| {
            let status = SessionStatus { reason, since: None, is_certain: true };
            filter.wants(&Session { status: Some(status), ..Session::default() })
        };
        let wanted: Vec<_> = StateReason::ALL.into_iter().filter(|reason| is_wanted(*reason)).collect();
        assert_eq!(wanted, [StateReason::Question, StateReason::Plan]);
        assert!(!filter.wants(&Session::default()));
    }

    #[test]
    fn a_session_without_a_time_or_a_project_matches_no_filter_on_them() {
        let bare = Facts::default();
        assert!(SessionFilter::default().wants_facts(&bare));
        assert!(!SessionFilter { since: Some(0), ..SessionFilter::default() }.wants_facts(&bare));
        let project = Some(ProjectFilter::Part("shop".to_owned()));
        assert!(!SessionFilter { project, ..SessionFilter::default() }.wants_facts(&bare));
    }
}
