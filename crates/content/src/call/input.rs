//! Forms of inputs that are more than a list of fields.

use std::borrow::Cow;

use format::tool::{
    AskUserQuestionInput, EditInput, ExitPlanModeInput, Finding, MultiEditInput, NotebookEditInput, ServerInput,
    ShellInput, SkillProposal, WriteInput,
};
use story::Detail;

use super::{cell, question};
use crate::pen::{Form, Pen, first_of, word};
use crate::section::{Body, File};

pub(super) fn shell<'e>(asked: &'e ShellInput<'e>, language: &'static str, pen: &mut Pen<'_, 'e>) {
    pen.record(asked, &[("command", Form::Code(language))]);
}

/// The new content of a file, if there is any.
pub(super) fn file<'e>(path: &'e str, content: Option<format::Text<'e>>, pen: &mut Pen<'_, 'e>) {
    let Some(content) = content else { return };
    let text = Cow::Borrowed(content.as_str());
    pen.put("", Body::File(File { path, first_line: None, lines: None, total_lines: None, text }));
}

pub(super) fn write<'e>(asked: &'e WriteInput<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(asked, &[("content", Form::Elsewhere)]);
    file(word(asked.file_path), asked.content, pen);
}

pub(super) fn edit<'e>(asked: &'e EditInput<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(asked, &[("old_string", Form::Elsewhere), ("new_string", Form::Elsewhere)]);
    let path = word(asked.file_path);
    super::file::replacement(path, asked.old_string, asked.new_string, pen);
}

pub(super) fn edits<'e>(asked: &'e MultiEditInput<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(asked, &[("edits", Form::Elsewhere)]);
    super::file::replacements(word(asked.file_path), &asked.edits, pen);
}

pub(super) fn notebook<'e>(asked: &'e NotebookEditInput<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(asked, &[("new_source", Form::Elsewhere)]);
    cell::source(word(asked.new_source), word(asked.cell_type), "", pen);
}

/// A plan, and the actions that it permits without asking.
pub(super) fn plan<'e>(asked: &'e ExitPlanModeInput<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(asked, &[("plan", Form::Elsewhere), ("allowedPrompts", Form::Elsewhere)]);
    pen.at(Detail::Talk).put_text("", Form::Plan, word(asked.plan));
    for allowed in &asked.allowed_prompts {
        let words = format!("{}: {}", word(allowed.tool), word(allowed.prompt));
        pen.put_text("allowedPrompts", Form::Item, words);
    }
}

/// Questions, with their answers if the program has added them.
pub(super) fn questions<'e>(asked: &'e AskUserQuestionInput<'e>, pen: &mut Pen<'_, 'e>) {
    pen.record(
        asked,
        &[
            ("questions", Form::Elsewhere),
            ("question", Form::Elsewhere),
            ("answers", Form::Elsewhere),
            ("annotations", Form::Elsewhere),
        ],
    );
    pen.at(Detail::Talk).prose("", word(asked.question));
    question::all(&asked.questions, &asked.answers, &asked.annotations, pen);
}

pub(super) fn proposals<'e>(proposals: &'e [SkillProposal<'e>], pen: &mut Pen<'_, 'e>) {
    pen.records("proposal", proposals, &[("evidence", Form::Item), ("skillMd", Form::Code("markdown"))]);
}

/// The findings of a review.
pub(super) fn findings<'e>(findings: &'e [Finding<'e>], pen: &mut Pen<'_, 'e>) {
    for finding in findings {
        let is_short = finding.short_summary.is_some();
        let title = first_of([word(finding.short_summary), word(finding.summary)]);
        pen.put("finding", Body::Group(Cow::Borrowed(title)));
        pen.record(
            finding,
            &[
                ("short_summary", Form::Elsewhere),
                ("summary", if is_short { Form::Prose } else { Form::Elsewhere }),
                ("failure_scenario", Form::Prose),
            ],
        );
    }
}

/// The input of a tool that runs at the API.
pub(super) fn server<'e>(asked: &'e ServerInput<'e>, pen: &mut Pen<'_, 'e>) {
    // A tool that edits files has commands such as `view`.
    let command = if asked.path.is_some() { Form::Fact } else { Form::Code("bash") };
    pen.record(
        asked,
        &[
            ("command", command),
            ("code", Form::Code("python")),
            ("file_text", Form::Elsewhere),
            ("old_str", Form::Elsewhere),
            ("new_str", Form::Elsewhere),
        ],
    );
    let path = word(asked.path);
    file(path, asked.file_text, pen);
    if asked.old_str.is_some() || asked.new_str.is_some() {
        super::file::replacement(path, asked.old_str, asked.new_str, pen);
    }
}
