//! The kinds of turns in a session, and what each writes.

use super::author::Author;
use super::exchanges::PromptSource;
use crate::entry;
use crate::era::Version;
use crate::json::Json;
use crate::rng::Rng;
use crate::text;
use crate::tools::{self, Call, Outcome};
use crate::{array, object};
use std::io;

/// A kind of turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Work,
    LocalCommand,
    CustomCommand,
    BashMode,
    Images,
    Agents,
    BackgroundAgent,
    BackgroundShell,
    Interrupted,
    InterruptedTool,
    SiblingFailed,
    Crashed,
    Rejected,
    Compacted,
    Microcompacted,
    Rewound,
    Steered,
    Queued,
    Retried,
    LimitReached,
    Planned,
    Asked,
    Skilled,
    Scheduled,
    Refused,
    Resumed,
    Notified,
    SteeredBehindNotes,
    Interleaved,
    Spread,
    Angled,
    Spoken,
    PromptInFile,
    Surrounded,
}

/// The turns with their first version, the version that no longer has them, and their frequency.
const TURNS: &[(Turn, Version, Version, usize)] = &[
    (Turn::Work, START, EVER, 60),
    (Turn::LocalCommand, START, EVER, 4),
    (Turn::CustomCommand, START, EVER, 2),
    (Turn::BashMode, START, EVER, 2),
    (Turn::Images, START, EVER, 1),
    (Turn::Agents, START, EVER, 4),
    (Turn::BackgroundAgent, Version::new(2, 0, 64), EVER, 2),
    (Turn::BackgroundShell, Version::new(2, 0, 0), EVER, 2),
    (Turn::Interrupted, START, EVER, 2),
    (Turn::InterruptedTool, START, EVER, 1),
    (Turn::SiblingFailed, Version::new(2, 0, 0), EVER, 1),
    (Turn::Crashed, START, EVER, 1),
    (Turn::Rejected, START, EVER, 2),
    (Turn::Compacted, START, EVER, 2),
    (Turn::Microcompacted, Version::new(2, 1, 12), Version::new(2, 1, 23), 1),
    (Turn::Rewound, START, EVER, 2),
    (Turn::Steered, Version::new(2, 0, 0), EVER, 3),
    (Turn::Queued, Version::new(2, 0, 0), EVER, 2),
    (Turn::Retried, Version::new(2, 1, 12), EVER, 2),
    (Turn::LimitReached, START, EVER, 1),
    (Turn::Planned, START, EVER, 2),
    (Turn::Asked, Version::new(2, 0, 0), EVER, 1),
    (Turn::Skilled, Version::new(2, 0, 0), EVER, 1),
    (Turn::Scheduled, Version::new(2, 1, 85), EVER, 1),
    (Turn::Refused, Version::new(2, 1, 200), EVER, 1),
    (Turn::Resumed, Version::new(2, 0, 0), EVER, 1),
    (Turn::Notified, Version::new(2, 0, 0), EVER, 3),
    (Turn::SteeredBehindNotes, Version::new(2, 1, 30), Version::new(2, 1, 59), 3),
    (Turn::Interleaved, Version::new(2, 0, 0), EVER, 1),
    (Turn::Spread, Version::new(2, 1, 76), EVER, 1),
    (Turn::Angled, START, EVER, 1),
    (Turn::Spoken, Version::new(2, 1, 280), EVER, 2),
    (Turn::PromptInFile, Version::new(2, 1, 280), EVER, 1),
    (Turn::Surrounded, Version::new(2, 1, 280), EVER, 2),
];

const START: Version = Version::new(1, 0, 0);
const EVER: Version = Version::new(9, 0, 0);

/// The turns of a version by frequency, in random order; the first round has each special one once.
pub(super) fn deck(version: Version, rng: &mut Rng, first_round: bool) -> Vec<Turn> {
    let mut cards = Vec::new();
    for (turn, from, until, weight) in TURNS {
        if *from <= version && version < *until {
            let copies = if first_round { weight.div_ceil(15) } else { *weight };
            cards.extend(std::iter::repeat_n(*turn, copies));
        }
    }
    rng.shuffle(&mut cards);
    cards
}

impl Turn {
    /// Whether a session in which every turn states its duration may have it: it ends in the usual way, and the
    /// conversation goes on from its end.
    pub(super) fn can_state_its_duration(self) -> bool {
        !matches!(
            self,
            Turn::LocalCommand
                | Turn::BashMode
                | Turn::Interrupted
                | Turn::InterruptedTool
                | Turn::Crashed
                | Turn::Rejected
                | Turn::Rewound
                | Turn::LimitReached
                | Turn::Resumed
                | Turn::Notified
        )
    }
}

impl Author<'_> {
    /// The first turn of a session: a prompt, the listings, an answer.
    pub(super) fn first_turn(&mut self) -> io::Result<()> {
        self.prompt()?;
        self.first_context()?;
        self.step()?;
        self.reply()?;
        self.end_turn()
    }

    /// Writes one turn.
    pub(super) fn play(&mut self, turn: Turn) -> io::Result<()> {
        match turn {
            Turn::Work => self.work(),
            Turn::LocalCommand => self.local_command(),
            Turn::CustomCommand => self.custom_command(),
            Turn::BashMode => self.bash_mode(),
            Turn::Images => self.images(),
            Turn::Agents => self.agents(),
            Turn::BackgroundAgent => self.background_agent(),
            Turn::BackgroundShell => self.background_shell(),
            Turn::Interrupted => self.interrupted(),
            Turn::InterruptedTool => self.interrupted_tool(),
            Turn::SiblingFailed => self.sibling_failed(),
            Turn::Crashed => self.crashed(),
            Turn::Rejected => self.rejected(),
            Turn::Compacted => self.compacted(),
            Turn::Microcompacted => self.microcompacted(),
            Turn::Rewound => self.rewound(),
            Turn::Steered => self.steered(),
            Turn::Queued => self.queued(),
            Turn::Retried => self.retried(),
            Turn::LimitReached => self.limit_reached(),
            Turn::Planned => self.planned(),
            Turn::Asked => self.asked(),
            Turn::Skilled => self.skilled(),
            Turn::Scheduled => self.scheduled(),
            Turn::Refused => self.refused(),
            Turn::Resumed => self.resumed(),
            Turn::Notified => self.notified(),
            Turn::SteeredBehindNotes => self.steered_behind_notes(),
            Turn::Interleaved => self.interleaved(),
            Turn::Spread => self.spread(),
            Turn::Angled => self.angled(),
            Turn::Spoken => self.spoken(),
            Turn::PromptInFile => self.prompt_in_file(),
            Turn::Surrounded => self.surrounded(),
        }
    }

    fn work(&mut self) -> io::Result<()> {
        self.prompt()?;
        self.steps(9)?;
        self.reply()?;
        self.end_turn()
    }

    /// Up to `most` steps, fewer when the session is full.
    pub(super) fn steps(&mut self, most: usize) -> io::Result<()> {
        for _ in 0..self.place.rng.between(1, most) {
            self.step()?;
            if self.is_full() {
                break;
            }
        }
        Ok(())
    }

    fn images(&mut self) -> io::Result<()> {
        let words = "why does the [Image #1] layout break?";
        let size = self.place.rng.log_between(20_000, 120_000);
        let data = self.place.rng.base64(size / 4 * 4);
        let mut prompt = entry::user_blocks().text(words).image("image/png", &data);
        if self.version().since(2, 1, 12) {
            prompt = prompt.with_after("imagePasteIds", array![1]);
        }
        self.prompt_with(prompt, words, PromptSource::Typed)?;
        let note = format!("[Image: source: /home/ana/.claude/image-cache/{}/1.png]", self.session.id());
        self.put(entry::user_blocks().text(note).meta())?;
        self.reply()?;
        self.end_turn()
    }

    fn interrupted(&mut self) -> io::Result<()> {
        self.prompt()?;
        let remark = self.remark();
        self.message(vec![remark], "end_turn")?;
        self.put(entry::interruption()).map(drop)
    }

    fn interrupted_tool(&mut self) -> io::Result<()> {
        self.prompt()?;
        let call = Call {
            name: "Bash".to_owned(),
            input: object! { "command" => "sleep 600", "description" => "Wait" },
            outcome: Outcome::failed("[Request interrupted by user for tool use]"),
        };
        for pending in self.ask(vec![call])? {
            self.result(pending)?;
        }
        self.put(entry::interruption_of_tool_use()).map(drop)
    }

    /// Of two parallel calls one fails, so the other is cancelled.
    fn sibling_failed(&mut self) -> io::Result<()> {
        self.prompt()?;
        let call = |command: &str, outcome| Call {
            name: "Bash".to_owned(),
            input: object! { "command" => command, "description" => "Check" },
            outcome,
        };
        let failed = Outcome::failed("Exit code 2\nls: cannot access 'dist': No such file or directory");
        let pair = vec![call("ls dist", failed), call("npm test", Outcome::tool_error("Sibling tool call errored"))];
        self.calls(pair)?;
        self.reply()?;
        self.end_turn()
    }

    /// A call that never gets a result; the next turn follows nevertheless.
    fn crashed(&mut self) -> io::Result<()> {
        self.prompt()?;
        let Some(tool) = self.studio.decks.tool(self.place.version, &mut self.place.rng) else { return Ok(()) };
        let before = self.place.shelf.clone();
        let call = (tool.make)(self.place);
        self.place.shelf = before;
        self.ask(vec![call]).map(drop)
    }

    fn rejected(&mut self) -> io::Result<()> {
        self.prompt()?;
        let words = text::prose(&mut self.place.rng, 60);
        let said = (self.place.next("rejection", 3) != 1).then_some(words);
        let Some(tool) = self.studio.decks.tool(self.place.version, &mut self.place.rng) else { return Ok(()) };
        let before = self.place.shelf.clone();
        let mut call = (tool.make)(self.place);
        self.place.shelf = before;
        call.outcome = tools::rejection(said.as_deref());
        if let Some(said) = &said {
            self.note_words(said)?;
        }
        for pending in self.ask(vec![call])? {
            self.result(pending)?;
        }
        if said.is_some() {
            self.reply()?;
            self.end_turn()
        } else {
            self.put(entry::interruption_of_tool_use()).map(drop)
        }
    }

    fn compacted(&mut self) -> io::Result<()> {
        let version = self.version();
        let length = self.place.rng.between(2000, 9000);
        let summary = text::markdown(&mut self.place.rng, length);
        let leaf = self.session.leaf().unwrap_or_default().to_owned();
        if version.since(2, 0, 0) {
            let trigger = if self.chance(70) { "auto" } else { "manual" };
            let mut details = object! { "preTokens" => self.place.context };
            if version.since(2, 1, 97) {
                details = details.with("postTokens", 21_877).with("durationMs", 61_250);
            }
            if version.since(2, 1, 200) {
                let kept = object! {
                    "anchorUuid" => leaf.as_str(), "uuids" => array![leaf.as_str()], "allUuids" => array![leaf.as_str()],
                };
                details = details.with("preservedMessages", kept);
            }
            self.put(entry::compact_boundary(trigger, &leaf, details))?;
            self.put(entry::compact_summary(&summary))?;
        } else {
            // Before 2.0, a compaction is only a new root with the preamble.
            let preamble = "This session is being continued from a previous conversation that ran out of context. \
                            The conversation is summarized below:\nAnalysis:\n";
            let line = entry::user(format!("{preamble}{summary}")).root();
            self.put(line.with_after("isCompactSummary", true))?;
        }
        self.place.context = 22_000;
        if version.has_attachments() {
            let path = text::file_name(&mut self.place.rng, &self.place.cwd, ".rs");
            let fields = object! { "filename" => path, "displayPath" => "src/up.rs" };
            self.put(entry::attachment("compact_file_reference", fields))?;
            let skill =
                object! { "name" => "review", "path" => "/home/ana/.claude/skills/review", "content" => "# Review" };
            self.put(entry::attachment("invoked_skills", object! { "skills" => array![skill] }))?;
        }
        self.step()?;
        self.reply()?;
        self.end_turn()
    }

    fn microcompacted(&mut self) -> io::Result<()> {
        let id = self.place.rng.tool_use_id();
        let details = object! {
            "trigger" => "auto", "preTokens" => self.place.context, "tokensSaved" => 21_400,
            "compactedToolIds" => array![id], "clearedAttachmentUUIDs" => array![],
        };
        let line = entry::system("microcompact_boundary")
            .with("content", "Context microcompacted")
            .with("isMeta", false)
            .with_after("level", "info")
            .with_after("microcompactMetadata", details);
        self.put(line)?;
        self.work()
    }

    /// A prompt is edited: the first answer becomes a rewound branch.
    fn rewound(&mut self) -> io::Result<()> {
        let fork = self.session.leaf().map(str::to_owned);
        self.prompt()?;
        self.step()?;
        self.reply()?;
        self.session.wait(40_000);
        self.memory.rewound = true;
        self.session.continue_from(fork.as_deref());
        self.prompt()?;
        self.step()?;
        self.reply()?;
        self.end_turn()
    }

    fn retried(&mut self) -> io::Result<()> {
        self.prompt()?;
        for attempt in 1..=self.place.rng.between(1, 4) {
            let request = self.place.rng.request_id();
            let error = match attempt {
                1 => object! {},
                2 => object! { "cause" => object! {
                    "code" => "ECONNRESET", "path" => "https://api.anthropic.com/v1/messages?beta=true", "errno" => 0,
                } },
                _ => object! {
                    "status" => 529,
                    "headers" => object! { "request-id" => request.as_str(), "x-should-retry" => "true" },
                    "requestID" => request,
                    "error" => object! {
                        "type" => "error",
                        "error" => object! { "type" => "overloaded_error", "message" => "Overloaded" },
                    },
                },
            };
            let line = entry::system("api_error")
                .with("level", "error")
                .with("error", error)
                .with("retryInMs", 537.920_144_1 * f64::from(u8::try_from(attempt).unwrap_or(1)))
                .with("retryAttempt", attempt)
                .with("maxRetries", 10);
            self.put(line)?;
        }
        self.reply()?;
        self.end_turn()
    }

    /// The CLI itself answers: a limit, an error.
    fn limit_reached(&mut self) -> io::Result<()> {
        self.prompt()?;
        let version = self.version();
        let words = if version.since(2, 1, 0) {
            "You've hit your session limit · resets 11pm (Europe/Berlin)"
        } else {
            "5-hour limit reached ∙ resets 11pm"
        };
        let id = self.place.rng.uuid();
        let line = entry::assistant()
            .model("<synthetic>")
            .message_id(id)
            .text(words)
            .stop_reason("stop_sequence")
            .usage(entry::usage(version, 0, 0, 0, 0))
            .without("requestId")
            .with_after("error", "rate_limit")
            .with_after("isApiErrorMessage", true);
        self.put(line).map(drop)
    }

    fn planned(&mut self) -> io::Result<()> {
        self.prompt()?;
        if self.version().since(2, 0, 64) {
            let message = "Entered plan mode. You should now focus on exploring the codebase.";
            self.calls(vec![Call {
                name: "EnterPlanMode".to_owned(),
                input: object! {},
                outcome: Outcome::done(message, object! { "message" => message }),
            }])?;
        }
        if self.version().has_attachments() {
            let fields = object! {
                "reminderType" => "full", "isSubAgent" => false, "planFilePath" => self.plan_file, "planExists" => false,
            };
            self.put(entry::attachment("plan_mode", fields))?;
        }
        self.step()?;
        let plan_file = self.plan_file;
        let mut refused = tools::exit_plan_mode(self.place, plan_file);
        let said = text::prose(&mut self.place.rng, 60);
        self.note_words(&said)?;
        refused.outcome = tools::rejection(Some(&said));
        self.calls(vec![refused])?;
        let accepted = tools::exit_plan_mode(self.place, plan_file);
        self.calls(vec![accepted])?;
        if self.version().has_attachments() {
            let fields = object! { "planFilePath" => self.plan_file, "planExists" => true };
            self.put(entry::attachment("plan_mode_exit", fields))?;
        }
        self.steps(4)?;
        self.reply()?;
        self.end_turn()
    }

    fn refused(&mut self) -> io::Result<()> {
        let prompt = self.prompt()?;
        let request = self.place.rng.request_id();
        let line = entry::system("model_refusal_fallback")
            .with("direction", "retry")
            .with("content", "The answer was refused; another model continues.")
            .with("level", "info")
            .with("trigger", "refusal")
            .with("originalModel", "claude-fable-5")
            .with("fallbackModel", "claude-opus-5")
            .with("requestId", request)
            .with("apiRefusalCategory", Json::Null)
            .with("apiRefusalExplanation", Json::Null)
            .with("isMeta", false)
            .with_after("refusedUserMessageUuid", prompt);
        self.put(line)?;
        self.reply()?;
        self.end_turn()
    }

    /// One line of this length: a pasted image of the right size.
    pub(super) fn long_line(&mut self, length: usize) -> io::Result<()> {
        let words = "[Image #1]";
        let data = self.place.rng.base64(length / 4 * 4);
        let prompt = entry::user_blocks().text(words).image("image/png", &data);
        self.prompt_with(prompt, words, PromptSource::Typed)?;
        self.reply().map(drop)
    }
}
