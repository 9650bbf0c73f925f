//! The entries around a tool call: progress up to 2.1.81, hook attachments and reminders from 2.1.97 on.

use super::author::{Author, Pending};
use crate::array;
use crate::entry;
use crate::json::Json;
use crate::object;
use crate::text;
use std::io;

impl Author<'_> {
    /// Entries between a call and its result.
    pub(super) fn progress_of(&mut self, call: &Pending) -> io::Result<()> {
        let version = self.version();
        if !version.has_progress() || self.depth > 0 {
            return Ok(());
        }
        if self.chance(30) {
            self.hook_progress("PreToolUse", &call.name, &call.id)?;
        }
        match call.name.as_str() {
            "Bash" if self.chance(50) => self.bash_progress(call),
            name if name.starts_with("mcp__") => self.mcp_progress(call),
            "WebSearch" if !version.since(2, 1, 38) => self.search_progress(call),
            "TaskOutput" if version.since(2, 1, 17) && !version.since(2, 1, 43) => {
                let data = object! {
                    "type" => "waiting_for_task", "taskDescription" => "Run the server", "taskType" => "local_bash",
                };
                self.note(data, "task-output-waiting-0", &call.id)
            }
            _ => Ok(()),
        }
    }

    fn note(&mut self, data: Json, id: &str, parent: &str) -> io::Result<()> {
        self.session.wait(900);
        self.put(entry::progress(data, id, parent)).map(drop)
    }

    /// The whole output so far, repeatedly.
    fn bash_progress(&mut self, call: &Pending) -> io::Result<()> {
        let ticks = self.place.rng.log_between(2, 24);
        let mut full = String::new();
        for second in 0..ticks {
            text::fill("$w: $v $w $n\n", &mut self.place.rng, &mut full);
            let mut data = object! {
                "type" => "bash_progress", "output" => full.as_str(), "fullOutput" => full.as_str(),
                "elapsedTimeSeconds" => second + 2, "totalLines" => second + 1,
            };
            if self.version().since(2, 1, 59) {
                data = data.with("totalBytes", full.len()).with("taskId", "b7d1d23");
            } else {
                data = data.with("timeoutMs", 120_000);
            }
            self.note(data, &format!("bash-progress-{second}"), &call.id)?;
        }
        Ok(())
    }

    fn mcp_progress(&mut self, call: &Pending) -> io::Result<()> {
        let mut parts = call.name.splitn(3, "__").skip(1);
        let (server, tool) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        for status in ["started", "completed"] {
            let data = object! {
                "type" => "mcp_progress", "status" => status, "serverName" => server, "toolName" => tool,
            };
            let data = if status == "completed" { data.with("elapsedTimeMs", 812) } else { data };
            self.note(data, &format!("mcp-progress-{}", call.id), &call.id)?;
        }
        Ok(())
    }

    fn search_progress(&mut self, call: &Pending) -> io::Result<()> {
        self.note(object! { "type" => "query_update", "query" => "limits" }, "search-progress-1", &call.id)?;
        let data = object! { "type" => "search_results_received", "resultCount" => 10, "query" => "limits" };
        self.note(data, "search-progress-2", &call.id)
    }

    /// A running hook.
    pub(super) fn hook_progress(&mut self, event: &str, tool: &str, id: &str) -> io::Result<()> {
        let name = if tool.is_empty() { event.to_owned() } else { format!("{event}:{tool}") };
        let data = object! {
            "type" => "hook_progress", "hookEvent" => event, "hookName" => name,
            "command" => "python3 \"$CLAUDE_PROJECT_DIR\"/.claude/hooks/check.py",
        };
        self.note(data, id, id)
    }

    /// The entries of hooks after a result.
    pub(super) fn hooks_after(&mut self, id: &str, tool: &str) -> io::Result<()> {
        let version = self.version();
        if !version.since(2, 0, 0) {
            if self.depth == 0 && self.chance(16) {
                let note = format!("Running \u{1b}[1mPostToolUse:{tool}\u{1b}[22m...");
                self.put(entry::system_note(&note, id))?;
            }
            return Ok(());
        }
        if version.has_progress() && self.depth == 0 && self.chance(35) {
            return self.hook_progress("PostToolUse", tool, id);
        }
        if version.has_attachments() && self.chance(10) {
            return self.hook_attachment(tool, id);
        }
        Ok(())
    }

    fn hook_attachment(&mut self, tool: &str, id: &str) -> io::Result<()> {
        let name = format!("PostToolUse:{tool}");
        let line = match self.place.rng.below(12) {
            0 => entry::attachment(
                "hook_non_blocking_error",
                object! {
                    "hookName" => name, "toolUseID" => id, "hookEvent" => "PostToolUse",
                    "stderr" => "Failed with non-blocking status code: check.py: No such file or directory\n",
                    "stdout" => "", "exitCode" => 127, "command" => "check.py", "durationMs" => 21,
                },
            ),
            1 => entry::attachment(
                "hook_additional_context",
                object! {
                    "content" => array!["The linter \"ruff\" found 2 warnings."], "hookName" => name, "toolUseID" => id,
                    "hookEvent" => "PostToolUse",
                },
            ),
            2 => entry::attachment(
                "hook_blocking_error",
                object! {
                    "hookName" => name, "hookEvent" => "PostToolUse", "toolUseID" => id,
                    "blockingError" => object! { "blockingError" => "tests are red", "command" => "make check" },
                },
            ),
            _ => entry::attachment(
                "hook_success",
                object! {
                    "hookName" => name, "toolUseID" => id, "hookEvent" => "PostToolUse", "content" => "",
                    "stdout" => "All checks passed!\n", "stderr" => "", "exitCode" => 0, "command" => "ruff check",
                    "durationMs" => self.place.rng.between(20, 900),
                },
            ),
        };
        self.put(line).map(drop)
    }

    /// Reminders that follow the results of a step.
    pub(super) fn after_step(&mut self) -> io::Result<()> {
        let version = self.version();
        if !version.has_attachments() {
            return Ok(());
        }
        if version.since(2, 1, 207) && self.chance(85) {
            let left = (1_000_000 - self.place.context).max(2000);
            let reminder = format!("<total_tokens>{left} tokens left</total_tokens>");
            self.put(entry::attachment("total_tokens_reminder", object! { "text" => reminder }))?;
        }
        if self.chance(4) {
            let todo =
                object! { "id" => "1", "subject" => "Add retries", "status" => "in_progress", "blockedBy" => array![] };
            self.put(entry::attachment("task_reminder", object! { "content" => array![todo], "itemCount" => 1 }))?;
        }
        if self.chance(2) {
            let path = text::file_name(&mut self.place.rng, &self.place.cwd, ".py");
            let code = text::code(&mut self.place.rng, text::Language::Python, 300);
            let snippet = text::numbered(&code, 10, false);
            self.put(entry::attachment("edited_text_file", object! { "filename" => path, "snippet" => snippet }))?;
        }
        Ok(())
    }
}
