//! A step in a line of JSON. Its fields are described in `docs/tail-json.md`.

use reader::Texts;
use serde::Serialize;
use story::{Agent, Detail, Story, ThreadKind};
use wire::show::{self, Step};

use super::followed::News;

/// It grows when a field goes or changes its meaning.
const SCHEMA: &str = "recount.tail/2";

#[derive(Serialize)]
struct Told<'a> {
    schema: &'static str,
    event: &'static str,
    session: &'a str,
    project: Option<&'a str>,
    thread: usize,
    agent: Option<&'a Agent>,
    step: Step<'a>,
}

/// A line with its end; empty if there is nothing to tell.
pub(super) fn write(news: News, session: &str, story: &Story, texts: &mut Texts) -> serde_json::Result<String> {
    let Some(step) = show::step(story, texts, news.step, Detail::Steps) else { return Ok(String::new()) };
    let agent = story.thread(news.thread).and_then(|thread| match &thread.kind {
        ThreadKind::Agent(agent) => Some(&**agent),
        ThreadKind::Main | ThreadKind::Branch => None,
    });
    let told = Told {
        schema: SCHEMA,
        event: if news.is_result { "result" } else { "step" },
        session,
        project: story.facts.project.as_deref(),
        thread: news.thread.index(),
        agent,
        step,
    };
    Ok(serde_json::to_string(&told)? + "\n")
}
