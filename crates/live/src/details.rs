//! The details of a story's end that only its lines contain: the options of a question, and when a request is retried.

use std::fmt::Write as _;

use format::tool::Ask;
use serde::Deserialize;
use serde_json::value::RawValue;
use story::{BlockPlace, Ending};

use crate::hooks::event::options;

/// Adds the details to the end of a story, reading the few lines that contain them.
pub(crate) fn read_lines(ending: &mut Ending, line_at: &mut dyn FnMut(BlockPlace) -> Option<Vec<u8>>) {
    for open in ending.open.iter_mut().filter(|open| open.asks() == Some(Ask::Answer)) {
        let line = open.place.and_then(&mut *line_at);
        open.options = line.and_then(|line| options_in(&line, open.id.as_deref()?)).unwrap_or_default();
    }
    if let Some(trouble) = ending.trouble.as_mut().filter(|trouble| !trouble.is_limit && !trouble.is_final) {
        let pause = trouble.place.and_then(line_at).and_then(|line| pause_in(&line));
        if let Some(seconds) = pause.filter(|seconds| *seconds >= 1.0) {
            // Writing to a string cannot fail.
            let _ = write!(trouble.text, " after {seconds:.0} s");
        }
    }
}

/// The options of the question asked by the call with this id in a line.
fn options_in(line: &[u8], id: &str) -> Option<Vec<String>> {
    #[derive(Deserialize)]
    struct Entry<'l> {
        #[serde(borrow)]
        message: Message<'l>,
    }
    #[derive(Deserialize)]
    struct Message<'l> {
        #[serde(borrow)]
        content: Vec<Block<'l>>,
    }
    #[derive(Deserialize)]
    struct Block<'l> {
        id: Option<String>,
        #[serde(borrow)]
        input: Option<&'l RawValue>,
    }
    let entry: Entry<'_> = serde_json::from_slice(line).ok()?;
    let asked = entry.message.content.into_iter().find(|block| block.id.as_deref() == Some(id))?;
    Some(options(asked.input?.get()))
}

/// The seconds until the request that failed in a line is retried.
fn pause_in(line: &[u8]) -> Option<f64> {
    #[derive(Deserialize)]
    struct Retry {
        #[serde(rename = "retryInMs", alias = "retry_delay_ms")]
        milliseconds: f64,
    }
    let retry: Retry = serde_json::from_slice(line).ok()?;
    Some(retry.milliseconds / 1000.0)
}
