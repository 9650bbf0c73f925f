//! Every kind of step as the page shows it.

use std::fmt::Write as _;
use std::io;

use story::{Source, Span, StoryBuilder};

use super::*;
use crate::document::layout::level;

/// Lines in memory.
struct Kept(&'static [u8]);

impl Texts for Kept {
    fn line(&mut self, span: Span) -> io::Result<&[u8]> {
        let start = usize::try_from(span.offset).unwrap();
        Ok(&self.0[start..start + span.length as usize])
    }
}

fn shown_steps(session: &'static [u8], thread: Option<&Markup>) -> String {
    let mut builder = StoryBuilder::default();
    let source = builder.add_source(Source::default());
    format::lines(session).for_each(|line| builder.push(source, line));
    let story = builder.story();
    let mut shown = String::new();
    for id in story.threads().flat_map(|(_, thread)| &thread.steps) {
        let step = story.step(*id).unwrap();
        let frame = Frame { anchor: "l1", level: level(step.kind.detail()), thread, locale: &human::Locale::default() };
        writeln!(shown, "{}\n", super::step(story, &mut Kept(session), step, frame).into_string()).unwrap();
    }
    shown
}

#[test]
fn every_kind_of_step() {
    insta::assert_snapshot!(shown_steps(include_bytes!("tests/session.jsonl"), None));
}

#[test]
fn a_notification_leads_to_its_agent() {
    const SESSION: &[u8] = br#"{"type":"user","uuid":"u1","message":{"content":"<task-notification>\n<task-id>b1</task-id>\n<status>failed</status>\n</task-notification>"}}
"#;
    let link = html! { a.thread-ref href="#thread-2" { "Explore" } };
    let shown = shown_steps(SESSION, Some(&link));
    let note =
        r##"<p class="note">task <code>b1</code> failed · <a class="thread-ref" href="#thread-2">Explore</a></p>"##;
    assert!(shown.contains(note), "{shown}");
}
