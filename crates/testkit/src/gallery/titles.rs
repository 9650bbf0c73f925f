//! Sources of titles, and sessions with hardly any content.

use std::io;

use super::{Gallery, Truth, bash, end_turn};
use crate::entry;
use crate::object;

impl Gallery<'_> {
    pub(super) fn titles(&mut self) -> io::Result<()> {
        let mut session = self.session();
        session.prompt("water the garden");
        end_turn(&mut session, "Watered.");
        session.push(entry::ai_title("Generated title"));
        session.push(entry::custom_title("Title of your own"));
        self.show("custom title", &session, Truth::of(0, 0, 0).called("Title of your own"))?;

        let mut session = self.session();
        session.prompt("weed the beds");
        end_turn(&mut session, "Weeded.");
        session.push(entry::ai_title("Weeding the beds"));
        self.show("generated title", &session, Truth::of(0, 0, 0).called("Weeding the beds"))?;

        // The summary is in the file of another session.
        let mut session = self.session();
        session.prompt("prune the roses");
        end_turn(&mut session, "Pruned.");
        let leaf = session.leaf().unwrap_or_default().to_owned();
        self.show("summarised elsewhere", &session, Truth::of(0, 0, 0).called("Pruning of roses"))?;
        let mut other = self.session();
        other.push(entry::summary("Pruning of roses", &leaf));
        other.prompt("and the lilacs");
        end_turn(&mut other, "Pruned, too.");
        self.show("holds the summary of another", &other, Truth::of(0, 0, 0).called("and the lilacs"))?;

        let mut session = self.session();
        let words = "Please go through the whole repository, list every place where a file is opened without a limit \
            on its size, and explain for each of them whether somebody outside could make it arbitrarily large.";
        session.prompt(words);
        end_turn(&mut session, "There are four.");
        self.show("long first prompt", &session, Truth::default())?;

        let mut session = self.session();
        session.push(entry::slash_command("/review", "412"));
        bash(&mut session, "gh pr view 412", "ok");
        end_turn(&mut session, "It looks good.");
        self.show("begins with a command", &session, Truth::of(1, 0, 0).called("/review 412"))?;

        let mut session = self.session();
        session.prompt("<teammate-message teammate_id=\"team-lead\" summary=\"Check the forms\">\nCheck the forms.\n</teammate-message>");
        end_turn(&mut session, "Checked.");
        self.show("begins with a message of a teammate", &session, Truth::default())?;

        let mut session = self.session();
        session.push(entry::slash_command("/clear", ""));
        session.push(entry::local_command_stdout(""));
        self.show("local command only", &session, Truth::default())?;

        let mut session = self.session();
        session.push(entry::file_history_snapshot("f0b6d1d2-3a52-4f41-9d0c-8c0b1f3e5a77", object! {}));
        self.show("bookkeeping only", &session, Truth::default())?;

        let mut session = self.session();
        session.push(entry::summary("Summary of something else", "0d3f7a1c-8a4e-4d8f-9a55-2f7a6c1b9e00"));
        self.show("summary only", &session, Truth::default())?;

        let mut session = self.session();
        session.reply("I was asked something before.");
        bash(&mut session, "ls", "a");
        session.reply("Done.");
        self.show("no prompt", &session, Truth::of(1, 0, 0))
    }
}
