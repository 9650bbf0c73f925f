//! The meaning of filters: which sessions and entries they accept.
//!
//! All names are compared here, both those from the tables and those from lines that are read directly, so that both
//! ways of searching accept the same entries.

use std::path::{Path, PathBuf};

use format::tool::Tool;
use human::path_is_meant;
use sources::FileKey;
use sources::naming::{has_mark, split_name};

use crate::project::ProjectFilter;
use crate::query::{Condition, Filter, Query, QueryError};
use crate::texts::Role;

/// The conditions on an entry, besides its words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conditions {
    pub(super) tests: Vec<Test>,
}

/// At least one of the rules must hold, or none if it is negated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) is_not: bool,
    pub(super) any: Vec<Rule>,
}

/// A rule of a filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rule {
    /// The session belongs to a project.
    Project(ProjectFilter),
    /// The session's id has this prefix.
    Session(String),
    /// The session's position, counted back from the newest.
    Last(usize),
    Tool(String),
    Role(Role),
    Model(String),
    Branch(String),
    File(String),
    Type(String),
    Error,
    After(i64),
    Before(i64),
}

/// The properties of an entry.
#[derive(Debug, Clone, Copy)]
pub(super) struct Traits<'a> {
    pub(super) tools: &'a [String],
    pub(super) files: &'a [&'a str],
    pub(super) role: Option<Role>,
    pub(super) model: Option<&'a str>,
    pub(super) branch: Option<&'a str>,
    pub(super) kind: &'a str,
    pub(super) is_error: bool,
    pub(super) at: Option<i64>,
}

/// The properties of a session.
#[derive(Debug, Clone, Copy)]
pub(super) struct SessionTraits<'a> {
    pub(super) id: &'a str,
    /// Its main file, if it is known.
    pub(super) main: Option<&'a FileKey>,
    pub(super) project: Option<&'a str>,
    /// The number of newer sessions.
    pub(super) age: usize,
}

impl Conditions {
    /// Interprets the filters of a query. `here` is the folder for `.`; `moment` parses the value of `after:` and
    /// `before:` as milliseconds since 1970 (for a date, its first millisecond), or returns what it expected.
    pub fn of(query: &Query, here: &Path, moment: impl Fn(&str) -> Result<i64, String>) -> Result<Self, QueryError> {
        let test = |filter: &Filter| {
            let rule = |(condition, range): &(Condition, std::ops::Range<usize>)| {
                let at = |text: &str| {
                    let wrong = |why| QueryError::new(range.clone(), format!("this is not a time: {text}"), why);
                    moment(text).map_err(wrong)
                };
                Ok(match condition {
                    Condition::Project(text) => Rule::Project(ProjectFilter::of(text, here)),
                    Condition::Tool(text) => Rule::Tool(text.clone()),
                    Condition::Role(role) => Rule::Role(*role),
                    Condition::Model(text) => Rule::Model(text.to_lowercase()),
                    Condition::Branch(text) => Rule::Branch(text.to_lowercase()),
                    Condition::File(text) => Rule::File(file(text, here)),
                    Condition::Session(text) => session(text),
                    Condition::Error => Rule::Error,
                    Condition::After(text) => Rule::After(at(text)?),
                    Condition::Before(text) => Rule::Before(at(text)?),
                    Condition::Type(text) => Rule::Type(text.clone()),
                })
            };
            let any = filter.any.iter().map(rule).collect::<Result<_, QueryError>>()?;
            Ok(Test { is_not: filter.is_not, any })
        };
        Ok(Self { tests: query.filters.iter().map(test).collect::<Result<_, QueryError>>()? })
    }

    /// Whether there are no conditions.
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// Whether an entry is accepted, if its session is.
    pub(super) fn allow(&self, traits: &Traits<'_>) -> bool {
        let tests = self.tests.iter().filter(|test| !test.is_about_session());
        tests.into_iter().all(|test| test.any.iter().any(|rule| rule.holds(traits)) != test.is_not)
    }

    /// Whether a session is accepted.
    pub(super) fn allow_session(&self, traits: &SessionTraits<'_>) -> bool {
        let tests = self.tests.iter().filter(|test| test.is_about_session());
        tests.into_iter().all(|test| test.any.iter().any(|rule| rule.holds_for_session(traits)) != test.is_not)
    }

    /// Whether any condition concerns sessions.
    pub(super) fn are_about_sessions(&self) -> bool {
        self.tests.iter().any(Test::is_about_session)
    }

    /// The time range of accepted entries, as far as it is restricted.
    pub(super) fn span(&self) -> (i64, i64) {
        let (mut first, mut last) = (i64::MIN, i64::MAX);
        for test in self.tests.iter().filter(|test| !test.is_not) {
            match test.any.as_slice() {
                [Rule::After(at)] => first = first.max(*at),
                [Rule::Before(at)] => last = last.min(*at),
                _ => {}
            }
        }
        (first, last)
    }
}

impl Test {
    pub(super) fn is_about_session(&self) -> bool {
        let is = |rule: &Rule| matches!(rule, Rule::Project(_) | Rule::Session(_) | Rule::Last(_));
        self.any.iter().any(is)
    }
}

impl Rule {
    fn holds(&self, traits: &Traits<'_>) -> bool {
        match self {
            Self::Project(_) | Self::Session(_) | Self::Last(_) => true,
            Self::Tool(_) => traits.tools.iter().any(|tool| self.fits(tool)),
            Self::File(_) => traits.files.iter().any(|file| self.fits(file)),
            Self::Role(role) => traits.role == Some(*role),
            Self::Model(_) => traits.model.is_some_and(|model| self.fits(model)),
            Self::Branch(_) => traits.branch.is_some_and(|branch| self.fits(branch)),
            Self::Type(_) => self.fits(traits.kind),
            Self::Error => traits.is_error,
            Self::After(at) => traits.at.is_some_and(|it| it >= *at),
            Self::Before(at) => traits.at.is_some_and(|it| it < *at),
        }
    }

    fn holds_for_session(&self, traits: &SessionTraits<'_>) -> bool {
        let SessionTraits { id, main, project, age } = *traits;
        match self {
            Self::Project(filter) => project.is_some_and(|project| filter.matches(project)),
            Self::Session(start) => {
                // Without the index, a name has its suffix only where it needs one.
                let has = |mark: &str| match main {
                    Some(main) => has_mark(main, mark),
                    None => split_name(id).1.is_some_and(|of_session| of_session.starts_with(mark)),
                };
                let (beginning, mark) = split_name(start);
                id.starts_with(start.as_str()) || id.starts_with(beginning) && mark.is_some_and(has)
            }
            Self::Last(steps) => age == *steps,
            _ => true,
        }
    }

    /// Whether a name of a tool, model, branch, file or type satisfies the rule.
    pub(super) fn fits(&self, name: &str) -> bool {
        match self {
            Self::Tool(wanted) => Tool::named(name).is_meant_by(wanted),
            Self::Model(part) => name.to_lowercase().contains(part.as_str()),
            Self::Branch(wanted) => {
                let name = name.to_lowercase();
                let before =
                    name.strip_suffix(wanted.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
                before || name.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.starts_with('/'))
            }
            Self::File(wanted) => path_is_meant(name, wanted),
            Self::Type(wanted) => name.eq_ignore_ascii_case(wanted),
            _ => false,
        }
    }
}

/// Resolves a path that begins with a dot.
pub(super) fn file(text: &str, here: &Path) -> String {
    if !["./", "../", ".\\", "..\\"].iter().any(|dots| text.starts_with(dots)) {
        return text.to_owned();
    }
    let text = text.replace('\\', "/");
    let mut path = PathBuf::new();
    for part in here.join(text).components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => drop(path.pop()),
            part => path.push(part),
        }
    }
    path.to_string_lossy().into_owned()
}

fn session(text: &str) -> Rule {
    let steps = text.strip_prefix("last").and_then(|rest| match rest {
        "" => Some(0),
        rest => rest.strip_prefix('~')?.parse().ok(),
    });
    steps.map_or_else(|| Rule::Session(text.to_owned()), Rule::Last)
}
