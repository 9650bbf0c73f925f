//! The page of a session's file changes, in the look of the session's own page.
//!
//! ```html
//! <nav class="rail">…<li data-turn="2"><a href="#file-2">…     one line per file
//! <main id="conversation"><div class="chunk">
//!   <section class="turn" id="file-2" data-turn="2">
//!     <details class="step call" data-family="edit" open><summary><b>src/a.rs</b> …</summary>
//!       <div class="body"><div class="diff">…
//! ```

use std::io::{self, Write};

use format::tool::Family;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use story::Detail;

use super::Dress;
use super::chunk::{Chunk, rows};
use super::layout::level;
use super::opening_tag;
use crate::call::WRITE;
use crate::{diff, text};
use changes::{Base, Changes, FileChange};
use human::{Locale, counted, thousands};
use styled::diff::{Change, Hunk};
use styled::highlight::Language;

/// Writes the page of a session's file changes.
pub fn write_changes(out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
    let dress = Dress::page();
    let opening = html! {
        (DOCTYPE)
        (opening_tag(Detail::Full, &Locale::default()))
        head { (dress.head()) title { "Changes · " (text(&changes.title)) " · recount" } }
        (PreEscaped("<body>\n"))
        a.skip href="#conversation" { "skip to the changes" }
        (head(changes))
        (toolbar())
        nav.rail #rail aria-label="Files" {
            ol { @for (number, file) in (1..).zip(&changes.files) { (line(number, file)) } }
        }
        (PreEscaped("<main id=\"conversation\" tabindex=\"-1\" aria-label=\"Changes\">\n"))
    };
    out.write_all(opening.into_string().as_bytes())?;
    let mut chunk = Chunk::default();
    let mut is_first = true;
    for (number, file) in (1..).zip(&changes.files) {
        chunk.turn(number, Some(&name(number)), level(Detail::Prompts), &html! {});
        let shown = shown(file);
        chunk.push_step(&shown, rows(&shown));
        chunk.end_turn();
        if chunk.is_full() || number == changes.files.len() {
            chunk.write(out, std::mem::take(&mut is_first))?;
        }
    }
    let closing = html! {
        (PreEscaped("</main>\n"))
        (dress.scripts())
        (PreEscaped("</body></html>\n"))
    };
    out.write_all(closing.into_string().as_bytes())
}

fn name(number: usize) -> String {
    format!("file-{number}")
}

fn head(changes: &Changes) -> Markup {
    let (added, removed) = changes.counts();
    html! {
        header.head {
            h1 { (text(&changes.title)) }
            @if let Some(project) = &changes.project { p.where { code.project { (text(project)) } } }
            @if let Some(turn) = changes.since_turn { p.part { "Only what was changed from turn " (turn) " on." } }
            dl.facts {
                div.fact data-fact="calls" {
                    dt { "Files changed" } dd { (thousands(changes.files.len() as u64)) }
                }
                div.fact data-fact="turns" { dt { "Lines" } dd { (counts(added, removed)) } }
                div.fact data-fact="session" { dt { "Session" } dd { code { (text(&changes.session)) } } }
            }
            @for note in changes.notes() { p.note { (note) } }
        }
    }
}

/// The toolbar, hidden until the script runs.
fn toolbar() -> Markup {
    html! {
        div.toolbar role="toolbar" aria-label="View" hidden {
            button type="button" data-action="rail" aria-controls="rail" aria-expanded="false" { "files" }
            div.search role="search" {
                input type="search" name="search" aria-label="Search in these changes" placeholder="Search";
                label { input type="checkbox" name="regex"; " " span { "regex" } }
                output.found aria-live="polite" {}
                button type="button" data-action="previous" aria-label="Previous find" { "↑" }
                button type="button" data-action="next" aria-label="Next find" { "↓" }
            }
            button type="button" data-action="unfold" { "open all" }
            button type="button" data-action="fold" { "close all" }
            select name="theme" aria-label="Theme" {
                @for theme in ["auto", "light", "dark"] { option value=(theme) { (theme) } }
            }
        }
    }
}

fn counts(added: usize, removed: usize) -> Markup {
    html! {
        span.change {
            @if added > 0 { ins { "+" (thousands(added as u64)) } }
            @if added > 0 && removed > 0 { " " }
            @if removed > 0 { del { "−" (thousands(removed as u64)) } }
        }
    }
}

fn line(number: usize, file: &FileChange) -> Markup {
    let (added, removed) = file.counts();
    let path = &file.path.name;
    let short = path.rsplit('/').next().filter(|short| !short.is_empty()).unwrap_or(path);
    html! {
        li data-turn=(number) {
            a href={ "#" (name(number)) } title=(text(path)) {
                span.words { (text(short)) }
                " " small { (counts(added, removed)) @for note in file.notes() { " · " (note) } }
            }
        }
    }
}

fn shown(file: &FileChange) -> Markup {
    let (added, removed) = file.counts();
    let is_new = file.patches.first().is_some_and(|patch| patch.base == Base::Absent);
    let language = Language::of_path(&file.path.name);
    let calls = counted(file.calls as u64, "call", "calls");
    html! {
        details.step.call data-level=(level(Detail::Prompts)) data-kind="call"
            data-family=(if is_new { WRITE } else { Family::Edit.name() }) open {
            summary {
                span.subject { (text(&file.path.name)) }
                " " (counts(added, removed))
                @for note in file.notes() { " " span.outcome { (note) } }
                span.took { (calls) " · " (turns(file.turns)) }
            }
            div.body {
                @for (number, patch) in file.patches.iter().enumerate() {
                    @if number > 0 { p.note { "something else changed the file here" } }
                    @if patch.hunks.is_empty() { p.note { "an empty file" } } @else { (diff(&patch.shown(), language)) }
                }
                @for change in &file.unplaced {
                    p.note { "where in the file is not known" }
                    div.unnumbered { (diff(&[replacement(&change.old, &change.new)], language)) }
                }
            }
        }
    }
}

fn replacement<'t>(old: &'t str, new: &'t str) -> Hunk<'t> {
    let removed = old.lines().map(|line| (Change::Removed, line));
    let added = new.lines().map(|line| (Change::Added, line));
    Hunk { old_start: 1, new_start: 1, lines: removed.chain(added).collect() }
}

fn turns((first, last): (u64, u64)) -> String {
    if first == last { format!("turn {first}") } else { format!("turns {first}–{last}") }
}
