//! The order of sessions and projects: one set of keys for `--sort` and `?sort=`.

use std::cmp::Reverse;

use index::catalogue::{Project, Session, Used};

use crate::filter::Named;

/// What comes first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SortKey {
    /// The latest activity.
    #[default]
    Last,
    /// The highest cost.
    Cost,
    /// The most tokens.
    Tokens,
    /// The most turns.
    Turns,
    /// The most calls.
    Calls,
    /// The most failed calls.
    Failed,
    /// The longest active time.
    Worked,
    /// The project, by its path.
    Project,
    /// The title.
    Title,
}

/// The figures that sessions and projects are compared by.
#[derive(Debug, Clone, Copy)]
pub struct SortFigures<'a> {
    last: Option<i64>,
    used: Used,
    turns: u64,
    calls: u64,
    failed: u64,
    active_ms: u64,
    project: &'a str,
    title: &'a str,
}

/// Something that can be sorted.
pub trait Sortable {
    /// What it is compared by.
    fn figures(&self) -> SortFigures<'_>;
}

impl Sortable for Session {
    fn figures(&self) -> SortFigures<'_> {
        SortFigures {
            last: self.last,
            used: self.used,
            turns: self.counts.turns.into(),
            calls: self.counts.calls.into(),
            failed: self.counts.failed.into(),
            active_ms: self.active_ms,
            project: self.project.as_deref().unwrap_or_default(),
            title: self.title.as_deref().unwrap_or_default(),
        }
    }
}

impl Sortable for Project {
    fn figures(&self) -> SortFigures<'_> {
        SortFigures {
            last: self.last,
            used: self.used,
            turns: self.turns,
            calls: self.calls,
            failed: self.failed,
            active_ms: self.active_ms,
            project: &self.path,
            title: &self.path,
        }
    }
}

impl<T: Sortable> Sortable for &T {
    fn figures(&self) -> SortFigures<'_> {
        T::figures(self)
    }
}

impl SortKey {
    /// All of them as they are typed.
    pub const ALL: [Named<Self>; 9] = [
        (Self::Last, "last", &["when", "time"], "Latest first"),
        (Self::Cost, "cost", &[], "Most expensive first"),
        (Self::Tokens, "tokens", &[], "Most tokens first"),
        (Self::Turns, "turns", &[], "Most turns first"),
        (Self::Calls, "calls", &[], "Most calls first"),
        (Self::Failed, "failed", &["failures", "errors"], "Most failed calls first"),
        (Self::Worked, "worked", &["duration", "active", "time-worked"], "Longest active time first"),
        (Self::Project, "project", &[], "By the project's path"),
        (Self::Title, "title", &[], "By title"),
    ];

    /// The key with a name.
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, own, others, _)| *own == name || others.contains(&name));
        found.map(|(key, ..)| *key)
    }

    /// How it is typed.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(key, ..)| *key == self).map_or("last", |(_, name, ..)| name)
    }

    /// What comes first, in words.
    pub fn description(self) -> &'static str {
        Self::ALL.iter().find(|(key, ..)| *key == self).map_or("", |(.., description)| description)
    }

    /// Sorts a list. What is equal by this key stays in the order of time.
    pub fn sort<T: Sortable>(self, list: &mut [T], reverse: bool) {
        list.sort_by_key(|item| Reverse(item.figures().last));
        let by_number = |list: &mut [T], number: fn(&SortFigures<'_>) -> u64| {
            list.sort_by_key(|item| Reverse(number(&item.figures())));
        };
        match self {
            Self::Last => {}
            Self::Cost => list.sort_by_key(|item| Reverse(item.figures().used.cost)),
            Self::Tokens => by_number(list, |it| it.used.tokens),
            Self::Turns => by_number(list, |it| it.turns),
            Self::Calls => by_number(list, |it| it.calls),
            Self::Failed => by_number(list, |it| it.failed),
            Self::Worked => by_number(list, |it| it.active_ms),
            Self::Project => list.sort_by(|one, other| one.figures().project.cmp(other.figures().project)),
            Self::Title => list.sort_by_cached_key(|item| item.figures().title.to_lowercase()),
        }
        if reverse {
            list.reverse();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(path: &str, last: i64, turns: u64) -> Project {
        Project { path: path.to_owned(), last: Some(last), turns, ..Project::default() }
    }

    fn sorted(key: SortKey, reverse: bool) -> String {
        let mut list = [project("b", 1, 3), project("a", 3, 3), project("c", 2, 9)];
        key.sort(&mut list, reverse);
        list.iter().map(|project| project.path.as_str()).collect()
    }

    #[test]
    fn what_is_equal_stays_in_the_order_of_time() {
        assert_eq!(sorted(SortKey::Last, false), "acb");
        assert_eq!(sorted(SortKey::Turns, false), "cab");
        assert_eq!(sorted(SortKey::Project, false), "abc");
        assert_eq!(sorted(SortKey::Turns, true), "bac");
    }

    #[test]
    fn every_name_means_one_key() {
        for (key, name, others, _) in SortKey::ALL {
            assert_eq!(key.name(), name);
            for name in others.iter().chain([&name]) {
                assert_eq!(SortKey::named(name), Some(key), "{name}");
            }
        }
        assert_eq!(SortKey::named("size"), None);
    }
}
