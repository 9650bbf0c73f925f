//! Forms of results that are more than a list of fields.

use std::borrow::Cow;

use format::text::PersistedOutput;
use format::tool::{
    AgentResult, Found, GlobResult, GrepResult, ProjectsResult, ReadMcpResourceResult, ShellResult, TaskKind,
    TaskOutputResult, WebSearchResult,
};

use crate::block;
use crate::pen::{Form, Pen, first_of, word};
use crate::section::{Body, File, Matches};

/// Output of which only the beginning is in the line.
pub(super) fn persisted<'e>(output: PersistedOutput<'e>, pen: &mut Pen<'_, 'e>) {
    pen.put_text("persistedOutputPath", Form::Fact, output.path.unwrap_or_default());
    pen.put_text("persistedOutputSize", Form::Fact, output.size.unwrap_or_default());
    pen.output("stdout", output.preview);
}

/// The answer of an agent, or its state while it works. The call shows its task.
pub(super) fn agent<'e>(given: &'e AgentResult<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(
        given,
        &[
            ("content", Form::Elsewhere),
            ("wasInterrupted", Form::Elsewhere),
            ("prompt", Form::Detail),
            ("color", Form::Detail),
            ("tmux_session_name", Form::Detail),
            ("tmux_window_name", Form::Detail),
            ("tmux_pane_id", Form::Detail),
            ("is_splitpane", Form::Detail),
        ],
    );
    if given.was_interrupted == Some(true) {
        pen.human().notice("interrupted");
    }
    let Some(answer) = &given.content else { return };
    answer.texts().for_each(|text| pen.prose("answer", text.as_str()));
    block::others(answer, pen);
}

/// The output of a command, or a note that there is none.
pub(super) fn shell<'e>(given: &'e ShellResult<'e>, pen: &mut Pen<'_, 'e>) {
    let (stdout, stderr) = (word(given.stdout), word(given.stderr));
    pen.record(
        given,
        &[
            // If the shell repeats one stream as the other, it is shown once.
            ("stderr", if stderr == stdout { Form::Elsewhere } else { Form::Output }),
            // The text for the model contains the image.
            ("stdout", if given.is_image == Some(true) { Form::Elsewhere } else { Form::Output }),
            ("isImage", Form::Detail),
            ("interrupted", Form::Elsewhere),
            ("noOutputExpected", Form::Detail),
            ("tokenSaverOutput", Form::Output),
        ],
    );
    let is_silent = stdout.trim().is_empty() && stderr.trim().is_empty();
    let is_over = given.background_task_id.is_none() && given.interrupted != Some(true);
    if given.interrupted == Some(true) {
        pen.human().notice("interrupted");
    }
    if is_silent && is_over && given.is_image != Some(true) {
        pen.notice("no output");
    }
}

/// The output of a background task. The output of an agent is its transcript; its answer is its result.
pub(super) fn task_output<'e>(given: &'e TaskOutputResult<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(given, &[("task", Form::Elsewhere)]);
    let Some(task) = &given.task else { return };
    let is_agent = matches!(task.kind, Some(TaskKind::LocalAgent | TaskKind::RemoteAgent));
    let is_answer = is_agent && task.is_raw_transcript != Some(true);
    pen.record(
        task,
        &[
            ("prompt", Form::Prose),
            ("output", if is_answer { Form::Prose } else { Form::Output }),
            ("result", Form::Prose),
            ("error", Form::Output),
        ],
    );
}

pub(super) fn globbed<'e>(found: &'e GlobResult<'e>, pen: &mut Pen<'_, 'e>) {
    // The list itself shows the number of files.
    pen.record(found, &[("filenames", Form::Elsewhere), ("numFiles", Form::Detail)]);
    if found.filenames.is_empty() {
        pen.notice("no files");
    } else {
        pen.put("", Body::Paths(&found.filenames));
    }
}

pub(super) fn grepped<'e>(found: &'e GrepResult<'e>, pen: &mut Pen<'_, 'e>) {
    // The call shows the mode, and the list itself shows the number of matches.
    pen.record(
        found,
        &[
            ("filenames", Form::Elsewhere),
            ("content", Form::Elsewhere),
            ("mode", Form::Detail),
            ("numFiles", Form::Detail),
            ("numLines", Form::Detail),
        ],
    );
    let text = word(found.content);
    if !text.trim().is_empty() {
        pen.put("", Body::Matches(Matches { text, pattern: "", ignores_case: false }));
    }
    if !found.filenames.is_empty() {
        pen.put("", Body::Paths(&found.filenames));
    } else if text.trim().is_empty() {
        pen.notice("no matches");
    }
}

/// Web pages, and the comments of the model that searched.
pub(super) fn searched<'e>(given: &'e WebSearchResult<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(given, &[("results", Form::Elsewhere), ("query", Form::Detail)]);
    for found in &given.results {
        match found {
            Found::Comment(words) => pen.prose("", words.as_str()),
            Found::Hits(hits) => {
                pen.event(hits, &[("content", Form::Elsewhere)]);
                for link in &hits.links {
                    pen.link(word(link.title), word(link.url), word(link.snippet));
                }
            }
        }
    }
    if given.results.is_empty() {
        pen.notice("nothing found");
    }
}

pub(super) fn project<'e>(given: &'e ProjectsResult<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(given, &[("content", Form::Elsewhere), ("instructions", Form::Prose), ("hits", Form::Elsewhere)]);
    pen.records("hit", &given.hits, &[("text", Form::Output)]);
    if let Some(content) = given.content {
        let (path, text) = (word(given.path), Cow::Borrowed(content.as_str()));
        pen.put("", Body::File(File { path, first_line: None, lines: None, total_lines: None, text }));
    }
}

/// The content of a resource of an MCP server.
pub(super) fn resource<'e>(given: &'e ReadMcpResourceResult<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(given, &[("contents", Form::Elsewhere), ("error", Form::Output)]);
    for part in &given.contents {
        pen.element("content", part, &[("text", Form::Output)]);
        let media_type = first_of([word(part.media_type), "application/octet-stream"]);
        part.blob.iter().for_each(|data| block::shown(media_type, data.as_str(), pen));
    }
}
