//! Outcomes of calls: results, failures, what only looks like a failure, refusals.

use std::io;

use super::{Gallery, NEWEST, Truth, bash, end_turn, failing_bash, write_file};
use crate::entry;
use crate::era::Version;
use crate::json::Json;
use crate::session::Session;
use crate::{array, object};

const REFUSED: &str = "The user doesn't want to proceed with this tool use. The tool use was rejected \
    (eg. if it was a file edit, the new_string was NOT written to the file). ";

impl Gallery<'_> {
    pub(super) fn calls(&mut self) -> io::Result<()> {
        let mut plain = self.session();
        plain.prompt("add retries to the uploader");
        bash(&mut plain, "ls", "up.py");
        failing_bash(&mut plain, "cat nothing.py", "Exit code 1\ncat: nothing.py: No such file or directory");
        end_turn(&mut plain, "There is one file.");
        plain.wait(60_000);
        plain.prompt("and run the tests");
        failing_bash(&mut plain, "pytest -q", "Exit code 1\n1 failed, 3 passed");
        end_turn(&mut plain, "One test fails.");
        self.show("plain", &plain, Truth::of(3, 2, 0).called("add retries to the uploader").is("ended"))?;

        self.expected_failures()?;
        self.refusals()?;
        self.live()?;

        let mut crashed = self.session();
        crashed.prompt("migrate the database");
        crashed.call("Bash", object! { "command" => "make migrate", "description" => "Migrate" });
        self.show("call without a result", &crashed, Truth::of(1, 0, 0).is("failed"))?;

        let mut limited = self.session();
        limited.prompt("write the documentation");
        let words = "You've hit your session limit · resets 11pm (Europe/Berlin)";
        limited.push(
            entry::assistant()
                .model("<synthetic>")
                .message_id("1c0f6f0e-0d4c-4c64-8e0c-7f7f4f6b9a11")
                .text(words)
                .usage(entry::usage(NEWEST, 0, 0, 0, 0))
                .without("requestId")
                .with_after("error", "rate_limit")
                .with_after("isApiErrorMessage", true),
        );
        self.show("limit reached", &limited, Truth::of(0, 0, 0).is("failed"))?;
        self.conversations()
    }

    /// Harmless failures: something was already over, or a search found nothing.
    fn expected_failures(&mut self) -> io::Result<()> {
        let mut session = self.session();
        session.prompt("stop the server and look for leftovers");
        let stop = session.call("TaskStop", object! { "task_id" => "b7d1d23" });
        session.failure(&stop, "No task found with ID: b7d1d23");
        failing_bash(&mut session, "grep -rn leftover src", "Exit code 1");
        failing_bash(&mut session, "test -e dist", "Exit code 1");
        failing_bash(&mut session, "diff a.txt b.txt", "Exit code 1\n1c1\n< a\n---\n> b");
        end_turn(&mut session, "Nothing is left.");
        self.show("expected failures", &session, Truth::of(4, 0, 0).is("ended"))?;

        let mut old = self.session_in("shop", Version::new(2, 0, 55));
        old.prompt("kill the shell");
        let kill = old.call("KillShell", object! { "shell_id" => "dce0af" });
        old.failure(&kill, "Shell dce0af is not running, so cannot be killed (status: completed)");
        let look = old.call("BashOutput", object! { "bash_id" => "dce0af" });
        old.failure(&look, "No shell found with ID: dce0af");
        old.reply("It had ended.");
        self.show("expected failures of 2.0", &old, Truth::of(2, 0, 0))
    }

    /// Calls prevented by the user, a rule or another failure.
    fn refusals(&mut self) -> io::Result<()> {
        let mut session = self.session();
        session.prompt("publish it");
        let push = session.call("Bash", object! { "command" => "git push", "description" => "Push" });
        refuse(&mut session, &push, &format!("{REFUSED}To tell you how to proceed, the user said:\nonly to staging"));
        let push = session.call("Bash", object! { "command" => "git push --force", "description" => "Push" });
        refuse(
            &mut session,
            &push,
            &format!("{REFUSED}STOP what you are doing and wait for the user to tell you how to proceed."),
        );
        session.push(entry::interruption_of_tool_use());
        self.show("rejected calls", &session, Truth::of(2, 0, 0).is("ended"))?;

        let mut session = self.session();
        session.prompt("check both");
        let commands = ["ls dist", "npm test"].map(|command| ("Bash", object! { "command" => command }));
        let calls = session.parallel_calls(commands);
        if let [first, second] = calls.as_slice() {
            session.failure(first, "Exit code 2\nls: cannot access 'dist': No such file or directory");
            session.failure(second, "<tool_use_error>Sibling tool call errored</tool_use_error>");
        }
        let sleep = session.call("Bash", object! { "command" => "sleep 600", "description" => "Wait" });
        session.failure(&sleep, "[Request interrupted by user for tool use]");
        session.push(entry::interruption_of_tool_use());
        self.show("cancelled and interrupted calls", &session, Truth::of(3, 1, 0).is("ended"))?;

        let mut session = self.session();
        session.prompt("plan it first");
        let plan = session.call("ExitPlanMode", object! { "plan" => "# Retries\n\n1. back off" });
        refuse(&mut session, &plan, &format!("{REFUSED}To tell you how to proceed, the user said:\nsmaller steps"));
        end_turn(&mut session, "As you like.");
        self.show("rejected plan", &session, Truth::of(1, 0, 0))
    }

    /// Sessions that are active now.
    fn live(&mut self) -> io::Result<()> {
        let mut working = self.session().starting_at(self.now - 40_000);
        working.prompt("build the release");
        bash(&mut working, "cargo fetch", "ok");
        working.call("Bash", object! { "command" => "cargo build --release", "description" => "Build" });
        self.show("at work now", &working, Truth::of(2, 0, 0).is("working"))?;

        let mut waiting = self.session().starting_at(self.now - 50_000);
        waiting.prompt("choose a store");
        let option = |label: &str| object! { "label" => label, "description" => "a store" };
        let question = object! {
            "question" => "Which store?", "header" => "Store", "multiSelect" => false,
            "options" => array![option("SQLite"), option("Postgres")],
        };
        waiting.call("AskUserQuestion", object! { "questions" => array![question] });
        self.show("asks now", &waiting, Truth::of(1, 0, 0).is("blocked"))
    }

    /// Compactions, rewound branches, copies, several models.
    fn conversations(&mut self) -> io::Result<()> {
        let mut session = self.session();
        session.prompt("tidy the cache");
        bash(&mut session, "ls cache", "a b c");
        session.reply("There are three.");
        let leaf = session.leaf().unwrap_or_default().to_owned();
        session.push(entry::compact_boundary("auto", &leaf, object! { "preTokens" => 150_000 }));
        session.push(entry::compact_summary("The cache has three files."));
        bash(&mut session, "rm cache/a", "");
        end_turn(&mut session, "Two are left.");
        self.show("compacted", &session, Truth::of(2, 0, 0))?;

        let mut session = self.session();
        session.prompt("rename the module");
        let fork = session.reply("To what?");
        session.prompt("to tools");
        bash(&mut session, "git mv a tools", "");
        session.reply("Done.");
        session.wait(30_000);
        session.continue_from(Some(&fork));
        session.prompt("to kit");
        bash(&mut session, "git mv a kit", "");
        end_turn(&mut session, "Done.");
        self.show("rewound", &session, Truth::of(2, 0, 0))?;

        let mut original = self.session();
        original.prompt("draw the chart");
        bash(&mut original, "gnuplot chart.gp", "");
        original.reply("Here it is.");
        self.show("copied from", &original, Truth::of(1, 0, 0))?;
        // A fork has the lines of its original, under its own id.
        let mut fork = self.session();
        for line in original.lines() {
            fork.push_raw(line.replace(original.id(), fork.id()));
        }
        fork.continue_from(original.leaf());
        fork.prompt("in blue");
        bash(&mut fork, "gnuplot -e 'blue' chart.gp", "");
        end_turn(&mut fork, "Blue.");
        self.show("copy", &fork, Truth::of(1, 0, 0))?;

        let mut session = self.session();
        session.prompt("compare the models");
        session.push(entry::assistant().model("claude-sonnet-5").message_id("msg_sonnet").text("A."));
        session.push(entry::assistant().model("in-house-7b").message_id("msg_own").text("B."));
        session.push(entry::assistant().model("nobody-knows-1").message_id("msg_unknown").text("C."));
        end_turn(&mut session, "D.");
        self.show("models without a listed price", &session, Truth::of(0, 0, 0))?;

        // These versions wrote a message before its tokens were counted.
        let version = Version::new(2, 1, 17);
        let mut low = self.session_in("shop", version);
        low.prompt("count the words");
        let counted = entry::usage(version, 3, 1, 812, 41_250);
        low.push(entry::assistant().message_id("msg_low").text("812.").usage(counted).stop_reason(Json::Null));
        self.show("first counts of tokens only", &low, Truth::of(0, 0, 0))?;

        // Two weeks between its turns.
        let mut long = self.session();
        long.prompt("begin the migration");
        bash(&mut long, "make plan", "ok");
        end_turn(&mut long, "Begun.");
        long.wait(14 * 86_400_000);
        long.prompt("finish it");
        bash(&mut long, "make migrate", "ok");
        end_turn(&mut long, "Finished.");
        self.show("with a long pause", &long, Truth::of(2, 0, 0))?;

        // Its last line, which is a call, is being written.
        let mut open = self.session();
        open.prompt("measure the pages");
        bash(&mut open, "make measure", "ok");
        open.call("Bash", object! { "command" => "make report", "description" => "Report" });
        let path = self.place(&open);
        self.show("last line without an end", &open, Truth::of(2, 0, 0))?;
        write_file(&path, open.jsonl().trim_end())?;

        let mut damaged = self.session();
        damaged.prompt("mend the parser");
        damaged.push_raw("{\"type\":\"user\",\"mess");
        bash(&mut damaged, "cargo test", "ok");
        end_turn(&mut damaged, "Mended.");
        self.show("malformed line", &damaged, Truth::of(1, 0, 0))
    }
}

fn refuse(session: &mut Session, call: &entry::ToolUse, words: &str) {
    session
        .push(entry::tool_result(call).error(words).with_result("User rejected tool use").parent(call.entry.as_str()));
}
