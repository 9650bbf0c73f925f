//! Writes a session as an asciinema recording, version 2: a header, and a line for each piece of text.

use std::io::{self, Write};
use std::time::Duration;

use render::replay::{Pace, Score};
use serde_json::json;

/// Columns and lines of the recording.
pub(super) const WIDTH: usize = 100;
const HEIGHT: usize = 30;

pub(super) fn write(out: &mut impl Write, score: &Score, pace: Pace, title: Option<&str>) -> io::Result<()> {
    let mut header = json!({"version": 2, "width": WIDTH, "height": HEIGHT, "env": {"TERM": "xterm-256color"}});
    if let Some(header) = header.as_object_mut() {
        if let Some(began) = score.began {
            header.insert("timestamp".to_owned(), json!(began / 1000));
        }
        if let Some(title) = title {
            header.insert("title".to_owned(), json!(title));
        }
    }
    writeln!(out, "{header}")?;
    let (mut time, mut before) = (Duration::ZERO, 0);
    for frame in &score.frames {
        time += pace.between(before, frame.at);
        before = frame.at;
        let text = json!(frame.text.replace('\n', "\r\n"));
        writeln!(out, "[{:.6}, \"o\", {text}]", time.as_secs_f64())?;
    }
    Ok(())
}
