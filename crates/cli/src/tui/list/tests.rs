//! Tests of the list: which sessions are listed, and what stays visible.

use super::*;
use crate::tui::samples::session;

fn list() -> List {
    let mut list = List::new(ProjectFilter::Folder("/src/garden".to_owned()));
    list.set_height(5);
    list.set_sessions(vec![
        session(1, "Water the beds", "/src/garden", 50),
        session(2, "Fix the build", "/src/other", 60),
        session(3, "Plan the spring", "/src/garden/app", 40),
        session(4, "Old things", "/src/gardener", 10),
    ]);
    list
}

fn shown(list: &List) -> Vec<String> {
    let text = |row| match row {
        Row::Here(count) => format!("here {count}"),
        Row::Elsewhere(count) => format!("elsewhere {count}"),
        Row::Session { session, is_selected } => {
            format!("{}{}", if is_selected { "> " } else { "" }, session.title)
        }
    };
    list.visible().map(text).collect()
}

#[test]
fn this_project_comes_first() {
    assert_eq!(shown(&list()), ["here 2", "> Water the beds", "Plan the spring", "elsewhere 2", "Fix the build"]);
}

#[test]
fn the_selected_one_stays_in_sight() {
    let mut list = list();
    list.go(Step::Last);
    assert_eq!(shown(&list), ["Water the beds", "Plan the spring", "elsewhere 2", "Fix the build", "> Old things"]);
    list.go(Step::Lines(1));
    list.go(Step::Lines(-3));
    assert_eq!(shown(&list).first().map(String::as_str), Some("here 2"));
    list.set_height(2);
    list.go(Step::Lines(2));
    assert_eq!(shown(&list), ["elsewhere 2", "> Fix the build"]);
    list.set_height(1);
    assert_eq!(shown(&list), ["> Fix the build"]);
    list.set_height(0);
    assert!(shown(&list).is_empty());
}

#[test]
fn headings_cannot_be_selected() {
    let mut list = list();
    assert!(!list.select_row(0) && !list.select_row(3) && !list.select_row(9));
    assert!(list.select_row(4));
    assert_eq!(list.selected().map(|session| session.id), Some(2));
}

#[test]
fn all_words_of_a_filter_must_occur_somewhere() {
    let mut list = list();
    list.set_prompts(HashMap::from([(
        3,
        Prompts { first: "how?".to_owned(), all: "how?\nWhat about TULIPS".to_owned() },
    )]));
    list.set_filter("garden tulips".to_owned());
    assert_eq!(shown(&list), ["here 1", "> Plan the spring"]);
    list.set_filter("00000003-5".to_owned());
    assert_eq!(shown(&list), ["here 1", "> Plan the spring"]);
    list.set_filter("nowhere".to_owned());
    assert!(shown(&list).is_empty() && list.selected().is_none());
    list.go(Step::Lines(1));
    list.set_filter(String::new());
    assert_eq!(list.count_listed(), 4);
}

#[test]
fn the_selection_stays_when_sessions_arrive() {
    let mut list = list();
    list.go(Step::Lines(1));
    let mut sessions = list.sessions.clone();
    sessions.push(session(9, "New", "/src/garden", 99));
    list.set_sessions(sessions);
    assert_eq!(shown(&list), ["here 3", "New", "Water the beds", "> Plan the spring", "elsewhere 2"]);
    list.set_scope(Scope::ThisProject);
    assert_eq!(shown(&list), ["here 3", "New", "Water the beds", "> Plan the spring"]);
}

#[test]
fn the_sort_orders_can_be_cycled() {
    let mut list = list();
    let seen: Vec<SortKey> = (0..SORTS.len())
        .map(|_| {
            list.resort();
            list.sort
        })
        .collect();
    assert_eq!(seen.last(), Some(&SortKey::LAST));
    assert!(SORTS.iter().all(|sort| seen.contains(sort)));
}
