//! Sections as HTML: one look for each form.
//!
//! - `<p class="note">` is a sentence of ours, `<p class="label">` names the next element, `<p class="missing">` says
//!   why content cannot be shown, `<blockquote class="said">` contains human words.
//! - `<pre class="output stderr">` is what a program wrote to its standard error.
//! - `<dl class="facts">` of `<dt>` and `<dd>` contains facts; `<ul class="items">` and `<ul class="links">` are lists.
//! - `<pre class="paths">` lists files below their folders, `<pre class="output matches">` lines with `<mark>`.
//! - `<div class="unnumbered">` wraps a diff without meaningful line numbers.
//! - `<ul class="tasks">` of `<li data-status="pending|in-progress|completed|removed">`, each with a `badge` that names
//!   the change, and `<span class="progress">` in the one in progress.
//! - `<section class="question">` with `<ul class="options">` of `<li data-chosen>`.

mod pattern;
mod search;
mod tasks;

use std::borrow::Cow;

use content::call::split_answer;
use content::json;
use content::section::{Body, File, Label, Question, Section, Speaker, Value};
use format::tool::{Choice, Hunk as PatchHunk};
use maud::{Markup, html};
use styled::diff::{Hunk, hunks};
use styled::highlight::Language;

use crate::{code, diff, image, output, prose, text};

/// Unchanged lines around a change.
const CONTEXT: usize = 3;

/// The context of sections.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Around<'a> {
    /// The folder that paths are relative to; may be empty.
    pub(crate) project: &'a str,
}

/// All sections in order. Consecutive sections of a list become one list.
pub(crate) fn all<'s, 'e: 's>(sections: impl IntoIterator<Item = &'s Section<'e>>, around: Around<'_>) -> Markup {
    let sections: Vec<&Section<'e>> = sections.into_iter().collect();
    let mut rest = &sections[..];
    let mut question = None;
    let mut parts = Vec::new();
    while let [first, ..] = rest {
        let length = rest.iter().take_while(|next| first.is_listed_with(next)).count().max(1);
        let (list, after) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        rest = after;
        parts.push(match &first.body {
            Body::Fact(_) => facts(list),
            Body::Link { .. } => html! { ul.links { @for section in list { (link_item(section)) } } },
            Body::Item(_) => html! {
                (heading(first))
                ul.items { @for item in list { @if let Body::Item(words) = &item.body { li { (text(words)) } } } }
            },
            Body::Task(_) => tasks::list(list.iter().filter_map(|section| match &section.body {
                Body::Task(task) => Some(task),
                _ => None,
            })),
            Body::Question(asked) => {
                question = Some(*asked);
                section(first, around)
            }
            Body::Answer { words, .. } => html! { (heading(first)) (answer(words, first, question.as_ref())) },
            _ => section(first, around),
        });
    }
    html! { @for part in parts { (part) } }
}

/// A section that is not part of a list.
pub(crate) fn section(section: &Section<'_>, around: Around<'_>) -> Markup {
    let is_human = section.speaker == Speaker::Human;
    let body = match &section.body {
        Body::Words(words) if is_human => html! { blockquote.said { (text(words)) } },
        Body::Words(words) | Body::Thinking(words) => html! { div.words { (text(words)) } },
        Body::Reply(markdown) | Body::Prose(markdown) | Body::Plan(markdown) => prose(markdown),
        Body::Code { language, text } => code(text, Language::named(language), None),
        Body::Output(words) if section.is_stderr() => output::error_stream(words),
        Body::Output(words) => printed(words),
        Body::Matches(found) => search::matches(found, around.project),
        Body::File(file) => self::file(file),
        Body::Patch { path, hunks } => patch(hunks, path),
        Body::Replacement { path, language, old, new } => {
            let language = Language::named(language).or_else(|| Language::of_path(path));
            replacement(old, new, language)
        }
        Body::Question(question) => self::question(question),
        Body::Paths(paths) => search::paths(paths, around.project),
        Body::Image(shown) => image(shown),
        Body::Notice(words) if is_human => html! { p.note { b { "You" } " " (text(words)) } },
        Body::Notice(words) => html! { p.note { (text(words)) } },
        Body::Json(json) => json_block(json),
        Body::Group(words) => {
            let words = if words.is_empty() { section.label.words() } else { Cow::Borrowed(&**words) };
            return html! { p.label { (text(&words)) } };
        }
        Body::Missing(why) => html! { p.missing { (text(why)) } },
        // These only occur in lists.
        Body::Fact(_) | Body::Task(_) | Body::Item(_) | Body::Link { .. } | Body::Answer { .. } => return html! {},
    };
    html! { (heading(section)) (body) }
}

/// The heading of a form, where its content does not explain itself.
fn heading(section: &Section<'_>) -> Markup {
    html! { @if let Some(words) = section.heading() { p.label { (text(&words)) } } }
}

/// Facts by label; consecutive facts with the same label become one.
fn facts(facts: &[&Section<'_>]) -> Markup {
    let mut rows: Vec<(Label<'_>, Vec<Cow<'_, str>>)> = Vec::new();
    for fact in facts {
        let Body::Fact(value) = &fact.body else { continue };
        match rows.last_mut() {
            Some((label, values)) if label.words() == fact.label.words() => values.push(value.words(fact.label)),
            _ => rows.push((fact.label, vec![value.words(fact.label)])),
        }
    }
    html! {
        dl.facts {
            @for (label, values) in &rows {
                dt { (text(&label.words())) }
                dd { @for (number, value) in values.iter().enumerate() { @if number > 0 { ", " } (self::value(value)) } }
            }
        }
    }
}

/// A value; a link if it is a URL of the web.
fn value(value: &str) -> Markup {
    if is_web(value) && !value.contains(char::is_whitespace) {
        link(value, value)
    } else {
        html! { (text(value)) }
    }
}

fn is_web(target: &str) -> bool {
    ["https://", "http://"]
        .iter()
        .any(|start| target.get(..start.len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(start)))
}

fn link_item(section: &Section<'_>) -> Markup {
    let Body::Link { title, target, about } = &section.body else { return html! {} };
    html! { li { (link(title, target)) @if !about.is_empty() { p { (text(about)) } } } }
}

/// A link, if its target is on the web; otherwise both as text.
fn link(title: &str, target: &str) -> Markup {
    let title = if title.trim().is_empty() { target } else { title };
    html! {
        @if is_web(target) {
            a href=(text(target)) rel="noopener noreferrer nofollow" { (text(title)) }
        } @else {
            (text(title)) @if title != target && !target.is_empty() { " (" (text(target)) ")" }
        }
    }
}

/// The output of a program; JSON is indented to be readable.
fn printed(words: &str) -> Markup {
    match json::printed(words) {
        Some(json) => code(&json, Language::named("json"), None),
        None => output(words),
    }
}

/// JSON as a block of code; invalid JSON as it is.
fn json_block(json: &str) -> Markup {
    match json::tidy(json) {
        Some(tidy) => code(&tidy, Language::named("json"), None),
        None => output(json),
    }
}

fn file(file: &File<'_>) -> Markup {
    let range = file.range();
    html! {
        @if !range.is_empty() { p.note { (range) } }
        @if !file.text.is_empty() { (code(&file.text, Language::of_path(file.path), Some(file.start()))) }
    }
}

/// A text that replaced another. Its position in the file is unknown.
fn replacement(old: &str, new: &str, language: Option<Language>) -> Markup {
    let hunks = hunks(old, new, CONTEXT);
    html! {
        @if hunks.is_empty() { p.note { "nothing changed" } } @else { div.unnumbered { (diff(&hunks, language)) } }
    }
}

fn patch(hunks: &[PatchHunk<'_>], path: &str) -> Markup {
    let number = |line: Option<i64>| line.and_then(|line| usize::try_from(line).ok()).unwrap_or(1);
    let hunks: Vec<Hunk<'_>> = hunks
        .iter()
        .map(|hunk| {
            let lines = hunk.lines.iter().map(|line| line.as_str());
            Hunk::from_patch(number(hunk.old_start), number(hunk.new_start), lines)
        })
        .collect();
    diff(&hunks, Language::of_path(path))
}

fn question(question: &Question<'_>) -> Markup {
    let (chosen, _) = split_answer(question.answer, question.options, question.is_multiple);
    html! {
        section.question {
            p { @if !question.header.is_empty() { b { (text(question.header)) } " " } (text(question.text)) }
            @if !question.options.is_empty() {
                ul.options {
                    @for (number, option) in question.options.iter().enumerate() {
                        (choice(option, chosen.contains(&number)))
                    }
                }
            }
        }
    }
}

fn choice(option: &Choice<'_>, is_chosen: bool) -> Markup {
    html! {
        li data-chosen[is_chosen] {
            b { (text(option.label.map_or("", format::Text::as_str))) }
            @if is_chosen { " " span.badge { "chosen" } }
            @if let Some(words) = option.description { p { (text(&words)) } }
            @if let Some(preview) = option.preview { (output(&preview)) }
        }
    }
}

/// The human's answer, unless it is marked among the options of the question above it.
fn answer(words: &str, section: &Section<'_>, asked: Option<&Question<'_>>) -> Markup {
    let Body::Answer { question, .. } = &section.body else { return html! {} };
    let asked = asked.filter(|asked| asked.text == *question && section.label.key.is_empty());
    let free = asked.map(|asked| split_answer(words, asked.options, asked.is_multiple).1);
    let free = free.as_deref().unwrap_or(words);
    html! {
        @if asked.is_none() && !question.is_empty() && section.label.key.is_empty() {
            section.question { p { (text(question)) } }
        }
        @if !free.is_empty() { blockquote.said { (text(free)) } }
    }
}

/// Whether a fact has this key and is true.
pub(crate) fn is_set(section: &Section<'_>, key: &str) -> bool {
    section.label.key == key
        && match &section.body {
            Body::Fact(Value::Flag(flag)) => *flag,
            Body::Fact(Value::Number(number)) => *number > 0,
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use story::Detail;

    #[test]
    fn links_are_of_the_web_only() {
        assert!(link("a", "https://a.b").into_string().contains("href=\"https://a.b\""));
        assert_eq!(link("a", "javascript:x").into_string(), "a (javascript:x)");
        assert_eq!(link("", "file:///a").into_string(), "file:///a");
    }

    #[test]
    fn facts_with_one_label_are_one() {
        let fact = |key, value: &'static str| Section {
            speaker: Speaker::Tool,
            level: Detail::Full,
            label: Label::new(key),
            body: Body::Fact(Value::Text(value.into())),
        };
        let facts = [fact("model", "a"), fact("allowedTools", "Bash"), fact("allowedTools", "<b>")];
        insta::assert_snapshot!(all(&facts, Around::default()).into_string(), @"<dl class=\"facts\"><dt>model</dt><dd>a</dd><dt>allowed tools</dt><dd>Bash, &lt;b&gt;</dd></dl>");
    }
}
