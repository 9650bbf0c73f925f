//! Results of calls: the content for the model, and the structured result stored beside it.

use format::tool::ToolKind;
use serde_json::{Map, Value, json};

use super::script::Outcome;

/// A call that was made.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) id: String,
    pub(super) tool: String,
    pub(super) input: Map<String, Value>,
    /// The entry that contains the call.
    pub(super) entry: String,
    /// The time, in milliseconds since 1970.
    pub(super) at: i64,
    /// The task, if the call runs in the background.
    pub(super) task: Option<String>,
}

/// A subagent, as described in the result of its call.
#[derive(Debug)]
pub(super) struct Report<'r> {
    pub(super) id: &'r str,
    pub(super) model: &'r str,
    pub(super) words: &'r str,
    pub(super) calls: usize,
    pub(super) tokens: u64,
    pub(super) took: i64,
}

/// The two forms of a result.
#[derive(Debug)]
pub(super) struct Forms {
    pub(super) content: Value,
    pub(super) is_error: Option<bool>,
    pub(super) kept: Value,
}

impl Made {
    fn text(&self, key: &str) -> &str {
        self.input.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the output file of a background command.
    pub(super) fn output_file(task: &str) -> String {
        format!("/tmp/claude-1000/tasks/{task}.output")
    }
}

/// Returns both forms of the result of a call.
pub(super) fn forms(call: &Made, outcome: &Outcome, report: Option<&Report<'_>>) -> Forms {
    let text = outcome.text.as_str();
    let worded = |content: String, kept: Value| Forms { content: content.into(), is_error: None, kept };
    if outcome.is_failure {
        return Forms { content: text.into(), is_error: Some(true), kept: format!("Error: {text}").into() };
    }
    let path = call.text("file_path");
    match (ToolKind::named(&call.tool), report, &call.task) {
        (Some(ToolKind::Agent), Some(report), _) => agent(call, report),
        (Some(ToolKind::Bash), _, Some(task)) => Forms {
            content: format!(
                "Command running in background with ID: {task}. Output is being written to: {}. You will be notified \
                 when it completes. To check interim output, use Read on that file path.",
                Made::output_file(task)
            )
            .into(),
            is_error: Some(false),
            kept: shell("", Some(task)),
        },
        (Some(ToolKind::Bash), ..) => Forms { content: text.into(), is_error: Some(false), kept: shell(text, None) },
        (Some(ToolKind::Read), ..) => {
            let numbered = (1..).zip(text.lines()).map(|(number, line)| format!("{number}\t{line}"));
            let count = text.lines().count();
            let file = json!({
                "filePath": path, "content": text, "numLines": count, "startLine": 1, "totalLines": count,
            });
            worded(numbered.collect::<Vec<_>>().join("\n"), json!({"type": "text", "file": file}))
        }
        (Some(ToolKind::Grep), ..) => {
            let count = text.lines().count();
            let kept = json!({
                "mode": "content", "numFiles": 0, "filenames": [], "content": text, "numLines": count,
            });
            worded(text.to_owned(), kept)
        }
        (Some(ToolKind::Edit), ..) => edit(call, outcome.line.unwrap_or(1)),
        (Some(ToolKind::Write), ..) => worded(
            format!("File created successfully at: {path}"),
            json!({
                "type": "create", "filePath": path, "content": call.text("content"), "structuredPatch": [],
                "originalFile": null, "userModified": false,
            }),
        ),
        (Some(ToolKind::TodoWrite), ..) => worded(
            "Todos have been modified successfully. Ensure that you continue to use the todo list to track your \
             progress. Please proceed with the current tasks if applicable"
                .to_owned(),
            json!({"oldTodos": [], "newTodos": call.input.get("todos")}),
        ),
        (Some(ToolKind::AskUserQuestion), ..) => {
            let answers = outcome.answers.clone().unwrap_or_default();
            let said = answers.iter().map(|(question, answer)| format!("\"{question}\"={answer}"));
            let said = said.collect::<Vec<_>>().join(", ");
            worded(
                format!(
                    "User has answered your questions: {said}. You can now continue with the user's answers in mind."
                ),
                json!({"questions": call.input.get("questions"), "answers": answers}),
            )
        }
        (Some(ToolKind::ExitPlanMode), ..) => {
            let (plan, file) = (call.text("plan"), call.text("planFilePath"));
            worded(
                format!(
                    "User has approved your plan. You can now start coding.\n\nYour plan has been saved to: \
                     {file}\n\n## Approved Plan:\n{plan}"
                ),
                json!({"plan": plan, "isAgent": false, "filePath": file}),
            )
        }
        _ => worded(text.to_owned(), text.into()),
    }
}

fn shell(printed: &str, task: Option<&str>) -> Value {
    let mut kept = json!({
        "stdout": printed, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false,
    });
    if let (Some(task), Some(kept)) = (task, kept.as_object_mut()) {
        kept.insert("backgroundTaskId".to_owned(), task.into());
    }
    kept
}

fn edit(call: &Made, line: usize) -> Forms {
    let (path, old, new) = (call.text("file_path"), call.text("old_string"), call.text("new_string"));
    let lines: Vec<String> =
        old.lines().map(|line| format!("-{line}")).chain(new.lines().map(|line| format!("+{line}"))).collect();
    let (before, after) = (old.lines().count(), new.lines().count());
    let hunk = json!({"oldStart": line, "oldLines": before, "newStart": line, "newLines": after, "lines": lines});
    Forms {
        content: format!("The file {path} has been updated successfully.").into(),
        is_error: None,
        kept: json!({
            "filePath": path, "oldString": old, "newString": new, "originalFile": null, "structuredPatch": [hunk],
            "userModified": false, "replaceAll": false,
        }),
    }
}

fn agent(call: &Made, report: &Report<'_>) -> Forms {
    let Report { id, model, words, calls, tokens, took } = report;
    let after = format!(
        "agentId: {id} (use SendMessage with to: '{id}' to continue this agent)\n<usage>total_tokens: \
         {tokens}\ntool_uses: {calls}\nduration_ms: {took}</usage>"
    );
    Forms {
        content: json!([{"type": "text", "text": words}, {"type": "text", "text": after}]),
        is_error: None,
        kept: json!({
            "status": "completed", "prompt": call.input.get("prompt"), "agentId": id,
            "agentType": call.input.get("subagent_type"), "content": [{"type": "text", "text": words}],
            "resolvedModel": model, "modelsUsed": [model], "totalDurationMs": took, "totalTokens": tokens,
            "totalToolUseCount": calls,
        }),
    }
}
