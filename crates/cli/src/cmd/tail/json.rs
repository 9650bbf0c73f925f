//! A step in a line of JSON. Its fields are described in `docs/tail-json.md`.

use reader::Texts;
use serde::Serialize;
use story::{Detail, Story, ThreadKind};
use wire::show::{self, Agent, Step};

use super::followed::News;

/// It grows when a field goes or changes its meaning.
const SCHEMA: &str = "recount.tail/1";

#[derive(Serialize)]
struct Told<'a> {
    schema: &'static str,
    event: &'static str,
    session: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<&'a str>,
    thread: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<Agent>,
    step: Step,
}

/// A line with its end; empty if there is nothing to tell.
pub(super) fn write(news: News, session: &str, story: &Story, texts: &mut Texts) -> serde_json::Result<String> {
    let Some(step) = show::step(story, texts, news.step, Detail::Steps) else { return Ok(String::new()) };
    let agent = story.thread(news.thread).and_then(|thread| match &thread.kind {
        ThreadKind::Agent(agent) => Some(Agent::from(&**agent)),
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
