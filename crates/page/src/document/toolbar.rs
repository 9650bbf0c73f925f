//! The toolbar and the help, which only work with the script.

use maud::{Markup, html};
use story::Detail;

use super::facts::Totals;
use super::layout::{LEVELS, name};
use crate::text;
use human::thousands;

/// Keyboard shortcuts and their descriptions.
const KEYS: &[(&[&str], &str)] = &[
    (&["j", "k"], "next and previous step"),
    (&["J", "K"], "next and previous turn"),
    (&["e", "E"], "next and previous failure"),
    (&["o"], "open or close"),
    (&["O"], "open or close all"),
    (&["1", "…", "5"], "detail: prompts, talk, steps, full, raw"),
    (&["/"], "search"),
    (&["n", "N"], "next and previous find"),
    (&["g", "G"], "beginning and end"),
    (&["c"], "copy the link to this step"),
    (&["y"], "copy what it says"),
    (&["p"], "play it as it happened; then space, ← → and ."),
    (&["t"], "light or dark"),
    (&["?"], "this help"),
    (&["Esc"], "close"),
];

/// The toolbar, hidden until the script runs.
pub(super) fn toolbar(detail: Detail, deepest: Detail, totals: &Totals) -> Markup {
    html! {
        div.toolbar role="toolbar" aria-label="View" hidden {
            button type="button" data-action="rail" aria-controls="rail" aria-expanded="false" { "turns" }
            fieldset.detail {
                legend { "Detail" }
                @for level in LEVELS.into_iter().filter(|level| *level <= deepest) {
                    label {
                        input type="radio" name="detail" value=(name(level)) checked[level == detail];
                        " " span { (name(level)) }
                    }
                }
            }
            (filters(totals))
            div.search role="search" {
                input type="search" name="search" aria-label="Search in this session" placeholder="Search";
                label { input type="checkbox" name="regex"; " " span { "regex" } }
                output.found aria-live="polite" {}
                button type="button" data-action="previous" aria-label="Previous find" { "↑" }
                button type="button" data-action="next" aria-label="Next find" { "↓" }
            }
            button type="button" data-action="play" { "play" }
            button type="button" data-action="unfold" { "open all" }
            button type="button" data-action="fold" { "close all" }
            select name="theme" aria-label="Theme" {
                @for theme in ["auto", "light", "dark"] { option value=(theme) { (theme) } }
            }
            button type="button" data-action="help" aria-controls="help" aria-label="Keys" { "?" }
        }
    }
}

fn filters(totals: &Totals) -> Markup {
    let kinds = [
        ("prompts", totals.prompts),
        ("replies", totals.replies),
        ("thinking", totals.thinking),
        ("errors", totals.errors),
        ("agents", totals.agents),
        ("system", totals.system),
    ];
    let mut tools: Vec<(&String, &u32)> = totals.tools.iter().collect();
    tools.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    html! {
        details.filters {
            summary { "filter" }
            div.menu {
                ul.kinds aria-label="Kinds" {
                    @for (kind, count) in kinds.into_iter().filter(|(_, count)| *count > 0) {
                        li { (choice("filter", kind, count)) }
                    }
                }
                @if !tools.is_empty() {
                    ul.tools aria-label="Tools" {
                        @for (tool, count) in tools { li { (choice("tool", tool, *count)) } }
                    }
                }
                button type="button" data-action="filter-all" { "all" }
                button type="button" data-action="filter-none" { "none" }
            }
        }
    }
}

fn choice(name: &str, value: &str, count: u32) -> Markup {
    html! {
        label {
            input type="checkbox" name=(name) value=(text(value)) checked;
            " " span { (text(value)) } " " span.count { (thousands(u64::from(count))) }
        }
    }
}

/// The dialog with the keyboard shortcuts.
pub(super) fn help(grows: bool) -> Markup {
    let following: &[(&[&str], &str)] = if grows { &[(&["F"], "follow: go to the end, and stay there")] } else { &[] };
    html! {
        dialog #help.help aria-labelledby="help-title" {
            h2 #help-title { "Keys" }
            dl {
                @for (keys, what) in KEYS.iter().chain(following) {
                    div { dt { @for key in *keys { kbd { (key) } " " } } dd { (what) } }
                }
            }
            button type="button" data-action="close-help" { "close" }
        }
    }
}
