//! A small session as a document, at every level of detail.

use std::io;

use story::{Role, SessionStatus, Source, Span, StateReason, StoryBuilder};

use super::*;
use content::{Bill, Threads};

/// Lines in memory, by source.
struct Kept(Vec<&'static [u8]>);

impl Texts for Kept {
    fn line(&mut self, span: Span) -> io::Result<&[u8]> {
        let start = usize::try_from(span.offset).unwrap();
        Ok(&self.0[span.source.index()][start..start + span.length as usize])
    }
}

fn document(selection: &Selection, images: Images) -> String {
    let files: [&[u8]; 2] = [include_bytes!("tests/session.jsonl"), include_bytes!("tests/agent.jsonl")];
    let mut builder = StoryBuilder::default();
    let agent = Role::Agent { id: "a1b2c3".into(), workflow: None };
    for (file, role) in files.into_iter().zip([Role::Main, agent]) {
        let source = builder.add_source(Source { role, session: "5e55104e-0000-4000-8000-000000000001".into() });
        format::lines(file).for_each(|line| builder.push(source, line));
    }
    let mut out = Vec::new();
    let mut placing = Placing::new(images, |name: &str, _: &[u8]| Ok(Some(name.to_owned())));
    let status = Some(SessionStatus { reason: StateReason::Stopped, since: Some(0), is_certain: true });
    write_markdown(
        &mut out,
        builder.story(),
        &mut Kept(files.to_vec()),
        selection,
        &mut placing,
        &Figures { locale: &Locale::default(), bill: &Bill::default(), status },
    )
    .unwrap();
    String::from_utf8(out).unwrap()
}

fn all(detail: Detail) -> Selection {
    Selection { detail, threads: Threads::All, ..Selection::default() }
}

#[test]
fn prompts() {
    insta::assert_snapshot!(document(&all(Detail::Prompts), Images::Omit));
}

#[test]
fn talk() {
    insta::assert_snapshot!(document(&all(Detail::Talk), Images::Omit));
}

#[test]
fn steps() {
    insta::assert_snapshot!(document(&all(Detail::Steps), Images::Files));
}

#[test]
fn full() {
    insta::assert_snapshot!(document(&all(Detail::Full), Images::Embed));
}

#[test]
fn raw() {
    insta::assert_snapshot!(document(&all(Detail::Raw), Images::Omit));
}

#[test]
fn only_what_is_wanted() {
    let selection = Selection { turns: Some(2..=2), detail: Detail::Full, ..Selection::default() };
    let document = document(&selection, Images::Omit);
    assert!(document.contains("\n## 2 · ") && !document.contains("\n## 1 · "));
    assert!(!document.contains("thread-"), "links lead to what is not there");
}

/// Whether all tags are our own.
fn is_ours(html: &str) -> bool {
    let html = html.trim();
    let summary = |html: &str| {
        let inside = html.strip_prefix("<details><summary>").and_then(|html| html.strip_suffix("</summary>"));
        inside.is_some_and(|text| !text.contains(['<', '>']))
    };
    let anchor =
        |html: &str| html.starts_with("<a id=\"thread-") && html.ends_with("\">") && html.matches('<').count() == 1;
    summary(html) || anchor(html) || matches!(html, "</details>" | "</a>" | "")
}

#[test]
fn no_tags_but_ours() {
    use pulldown_cmark::{Event, Options, Parser, Tag};

    for detail in [Detail::Prompts, Detail::Talk, Detail::Steps, Detail::Full, Detail::Raw] {
        let document = document(&all(detail), Images::Omit);
        assert!(!document.contains(|c: char| c.is_control() && c != '\n'));
        let (mut opened, mut closed) = (0, 0);
        for event in Parser::new_ext(&document, Options::ENABLE_TABLES | Options::ENABLE_GFM) {
            match event {
                Event::Html(html) | Event::InlineHtml(html) => {
                    assert!(is_ours(&html), "{html:?}");
                    opened += usize::from(html.starts_with("<details>"));
                    closed += usize::from(html.trim() == "</details>");
                }
                Event::Start(Tag::Image { .. }) => panic!("an image"),
                _ => {}
            }
        }
        assert_eq!(opened, closed);
    }
}

#[test]
fn first_words_end_between_words() {
    assert_eq!(shortened("one two three", 20), "one two three");
    assert_eq!(shortened("one, two three", 6), "one…");
    assert_eq!(shortened("onetwothree", 3), "one…");
}
