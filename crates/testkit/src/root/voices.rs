//! Turns that begin with an event, and words of the user that are not prompts.

use std::io;

use super::author::Author;
use super::exchanges::PromptSource;
use crate::entry;
use crate::json::Json;
use crate::object;
use crate::text;
use crate::tools;

impl Author<'_> {
    /// Something happens that nobody typed: a message of a program, of a teammate, of another session.
    pub(super) fn notified(&mut self) -> io::Result<()> {
        for _ in 0..3 {
            self.event()?;
        }
        Ok(())
    }

    fn event(&mut self) -> io::Result<()> {
        let version = self.version();
        let words = text::phrase(&mut self.place.rng);
        let id = self.place.rng.hex(7);
        let mut events = Vec::new();
        if version.since(2, 1, 280) {
            events.extend([
                format!("<slack-ping from=\"ana\">{words}</slack-ping>"),
                format!("<coordinator-relay>\n{words}\n</coordinator-relay>"),
                format!("<mcp-resource-update server=\"linear\">{words}</mcp-resource-update>"),
                format!("<remote-review-progress>{words}</remote-review-progress>"),
                format!("<github-webhook-activity>\n{words}\n</github-webhook-activity>"),
                format!("<scheduled-task name=\"dusk\">\n{words}\n</scheduled-task>"),
            ]);
        }
        if version.since(2, 1, 97) {
            events.push(format!("<ci-monitor-event pr=\"12\">\nThe check `{words}` failed.\n</ci-monitor-event>"));
            events.push(format!(
                "Another Claude session sent a message:\n<cross-session-message from=\"uds:/run/user/1000/cc-socks/42.sock\" from-name=\"docs 2\" from-mode=\"prompting\">\n{words}\n</cross-session-message>"
            ));
        }
        if version.since(2, 1, 29) {
            events.push(format!(
                "<teammate-message teammate_id=\"ui-dev\" color=\"yellow\" summary=\"{words}\">\n{words}\n</teammate-message>"
            ));
            let idle = object! { "type" => "idle_notification", "from" => "ui-dev", "idleReason" => "available" };
            events.push(idle.to_string());
        }
        if !version.since(2, 1, 12) {
            events.push(format!(
                "<agent-notification>\n<agent-id>{id}</agent-id>\n<output-file>/tmp/tasks/{id}.output</output-file>\n<status>completed</status>\n<summary>Agent \"{words}\" completed.</summary>\nRead the output file to retrieve the full result.\n</agent-notification>"
            ));
            events.push(format!(
                "<bash-notification>\n<shell-id>{id}</shell-id>\n<status>completed</status>\n<summary>{words}</summary>\n</bash-notification>"
            ));
        }
        events.push(format!("Operation stopped by hook: {words}"));
        let event = events.swap_remove(self.place.next("event", events.len()));
        let is_end = event.starts_with("Operation");
        self.put(entry::user(event))?;
        if is_end {
            return Ok(());
        }
        self.reply()?;
        self.end_turn()
    }

    /// Context that precedes or follows a prompt, in entries of its own (from 2.1.280 on).
    pub(super) fn surrounded(&mut self) -> io::Result<()> {
        let chosen = self.place.next("context", 4);
        for (at, context) in [
            "<sandbox_violations>write /etc</sandbox_violations>",
            "<message-files-missing>a.png</message-files-missing>",
            "<fetched-web-content>a page</fetched-web-content>",
            "<skill-format>plain</skill-format>",
            "<fork-source>main</fork-source>",
            "<untrusted-widget-state>{}</untrusted-widget-state>",
            "<terminal>$ make\nno rule</terminal>",
        ]
        .into_iter()
        .enumerate()
        {
            if at % 4 == chosen {
                self.put(entry::user(context))?;
            }
        }
        let words = "<voice-call-talk>and make the header blue</voice-call-talk>";
        if chosen.is_multiple_of(2) {
            self.put(entry::user(words))?;
        }
        self.prompt()?;
        self.step()?;
        self.reply()?;
        self.end_turn()
    }

    /// A prompt that only looks like an element.
    pub(super) fn angled(&mut self) -> io::Result<()> {
        let words = format!("<div> is off-centre: {}", text::phrase(&mut self.place.rng));
        self.prompt_with(entry::user(words.as_str()), &words, PromptSource::Typed)?;
        self.step()?;
        self.reply()?;
        self.end_turn()
    }

    /// Questions of the model: chosen labels, several of them, free words, notes, a refusal with words.
    pub(super) fn asked(&mut self) -> io::Result<()> {
        self.prompt()?;
        let (question, words) = tools::ask_user_question(self.place);
        for words in &words {
            self.note_words(words)?;
        }
        self.calls(vec![question])?;
        if self.chance(40) {
            let (mut refused, _) = tools::ask_user_question(self.place);
            let said = text::prose(&mut self.place.rng, 60);
            self.note_words(&said)?;
            refused.outcome = tools::rejection(Some(&said));
            self.calls(vec![refused])?;
        }
        self.reply()?;
        self.end_turn()
    }

    /// While a call runs, notes for the host are put into the queue before a message of the user. A `remove` without
    /// content takes out that message, and the notes leave after the turn (2.1.30 to 2.1.58).
    pub(super) fn steered_behind_notes(&mut self) -> io::Result<()> {
        self.prompt()?;
        let call = tools::slow_bash(self.place);
        for pending in self.ask(vec![call])? {
            let note = object! {
                "task_id" => format!("b{}", self.place.rng.hex(6)), "tool_use_id" => pending.id.as_str(),
                "description" => "Run the tests", "task_type" => "local_bash",
            };
            self.queue("enqueue", Some(&note.to_string()))?;
            let words = text::prose(&mut self.place.rng, 80);
            self.note_words(&words)?;
            self.queue("enqueue", Some(&words))?;
            self.session.wait(4_000);
            self.answer(pending)?;
            self.queue("remove", None)?;
        }
        self.step()?;
        self.reply()?;
        self.end_turn()?;
        self.session.wait(1_500);
        self.queue("remove", None)
    }

    /// Records words of the user, if requested.
    pub(super) fn note_words(&mut self, words: &str) -> io::Result<()> {
        let Some(truth) = &mut self.studio.words_truth else { return Ok(()) };
        truth.write_json(&object! { "session" => self.session.id(), "words" => words }).map(drop)
    }

    /// Records what the session made of its files, if requested.
    pub(super) fn note_files(&mut self, is_fresh: bool) -> io::Result<()> {
        let Some(truth) = &mut self.studio.files_truth else { return Ok(()) };
        for file in self.place.shelf.files() {
            let first = file.first.as_deref().map_or(Json::Null, Json::from);
            let line = object! {
                "session" => self.session.id(), "path" => file.path.as_str(), "first" => first,
                "last" => file.text.as_str(), "certain" => is_fresh && !self.memory.rewound,
            };
            truth.write_json(&line)?;
        }
        Ok(())
    }
}
