//! Working directories of sessions: a repository, its worktrees, folders that are gone; captured runs; and prompts of
//! which the session is gone.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use super::{Gallery, NEWEST, Truth, bash, end_turn, write_file};
use crate::entry;
use crate::json::Json;
use crate::object;
use crate::session::Session;
use crate::stream::{self, StreamOptions};

/// A worktree inside the repository, where Claude Code creates them.
const INNER: &str = "shop/.claude/worktrees/feat";

impl Gallery<'_> {
    /// A repository `shop` with two worktrees, a folder without git, and one whose name starts with the repository's.
    pub(super) fn folders(&self) -> io::Result<()> {
        let git = self.work.join("shop/.git");
        write_file(&git.join("HEAD"), "ref: refs/heads/main\n")?;
        write_file(&git.join("config"), "[core]\n\trepositoryformatversion = 0\n")?;
        self.worktree(&git, "feat", INNER)?;
        self.worktree(&git, "retries", "shop-retries")?;
        write_file(&self.work.join("garden/notes.txt"), "roses\n")?;
        write_file(&self.work.join("workshop/notes.txt"), "saws\n")
    }

    fn worktree(&self, git: &Path, name: &str, folder: &str) -> io::Result<()> {
        let (own, folder) = (git.join("worktrees").join(name), self.work.join(folder));
        write_file(&own.join("HEAD"), &format!("ref: refs/heads/{name}\n"))?;
        write_file(&own.join("commondir"), "../..\n")?;
        write_file(&own.join("gitdir"), &format!("{}\n", folder.join(".git").display()))?;
        write_file(&folder.join(".git"), &format!("gitdir: {}\n", own.display()))
    }

    pub(super) fn places(&mut self) -> io::Result<()> {
        for (what, folder, branch, project) in [
            ("worktree inside its repository", INNER, "worktree-feat", "shop"),
            ("worktree beside its repository", "shop-retries", "retries", "shop"),
            ("folder below its repository", "shop/web", "main", "shop"),
            ("folder without git", "garden", "", "garden"),
            ("folder whose name has another in it", "workshop", "", "workshop"),
            ("folder that is gone", "/home/ana/gone/shop", "main", "/home/ana/gone/shop"),
        ] {
            let mut session = self.session_in(folder, NEWEST).on_branch(branch);
            session.prompt(&format!("list {}", folder.rsplit('/').next().unwrap_or(folder)));
            bash(&mut session, "ls", "a");
            end_turn(&mut session, "One file.");
            let truth = Truth { project: Some(self.folder(project)), ..Truth::of(1, 0, 0) };
            self.show(what, &session, truth)?;
        }

        let mut session = self.session();
        session.prompt("go on in the other folder");
        bash(&mut session, "cd web", "");
        let elsewhere = self.folder("shop/web");
        session.push(entry::assistant().message_id("msg_elsewhere").text("I am there.").cwd(elsewhere));
        self.show("changes its folder", &session, Truth::of(1, 0, 0))?;
        self.same_name()?;
        self.captures()?;
        self.prompts()
    }

    /// A prompt history: of a session without a transcript, of one with a transcript, and of none.
    fn prompts(&mut self) -> io::Result<()> {
        let gone = self.session();
        let there = self.exhibits.last().map(|exhibit| exhibit.id.clone()).unwrap_or_default();
        let typed = |minutes: i64, display: &str| {
            object! {
                "display" => display, "pastedContents" => object! {}, "timestamp" => gone.now() + minutes * 60_000,
                "project" => gone.cwd(),
            }
        };
        let of = |session: &str, line: Json| format!("{}\n", line.with("sessionId", session));
        let paste = object! { "1" => object! { "id" => 1, "type" => "text", "content" => "row one\nrow two" } };
        let pasted = typed(4, "sort [Pasted text #1 +2 lines]").with("pastedContents", paste);
        let lines = [
            format!("{}\n", typed(0, "a prompt of an old version")),
            of(gone.id(), typed(1, "water the beans")),
            of(&there, typed(2, "say hello")),
            of(gone.id(), typed(3, "/model opus")),
            of(gone.id(), pasted),
        ];
        let path = self.root.join("history.jsonl");
        // A generated root may have one already.
        let before = fs::read_to_string(&path).unwrap_or_default();
        write_file(&path, &(before + &lines.concat()))?;
        let project = Some(self.folder("shop"));
        let truth = Truth { project, ..Truth::of(0, 0, 0).called("water the beans") };
        self.note("only prompts", &gone, path, truth);
        Ok(())
    }

    /// Two transcripts with one id, in two folders.
    fn same_name(&mut self) -> io::Result<()> {
        let mut first = self.session();
        first.prompt("begin here");
        bash(&mut first, "pwd", "shop");
        end_turn(&mut first, "Begun.");
        self.show("id that another has, too", &first, Truth::of(1, 0, 0))?;
        let mut second = self.session_in("garden", NEWEST).with_id(first.id());
        second.prompt("begin there");
        bash(&mut second, "pwd", "garden");
        end_turn(&mut second, "Begun there.");
        self.show("id that another has, too", &second, Truth::of(1, 0, 0))
    }

    /// Runs to be imported: one without a transcript, and one with one.
    fn captures(&mut self) -> io::Result<()> {
        let mut alone = Vec::new();
        let options = StreamOptions { seed: 11, bytes: 20_000, ..StreamOptions::default() };
        stream::write_stream(&mut alone, &options)?;
        let session = self.session();
        self.captured("alone", &String::from_utf8_lossy(&alone), &session)?;

        let mut session = self.session();
        session.prompt("say hello");
        bash(&mut session, "echo hello", "hello");
        session.reply("Hello.");
        self.captured("twin", &streamed(&session), &session)?;
        self.show("captured, too", &session, Truth::of(1, 0, 0).called("say hello"))
    }

    /// A file whose modification time is the end of the session, which nothing else records.
    fn captured(&self, name: &str, text: &str, session: &Session) -> io::Result<()> {
        let path = self.root.join("stream-json").join(format!("{name}.jsonl"));
        write_file(&path, text)?;
        let ended = Duration::from_millis(session.now().unsigned_abs());
        File::options().write(true).open(path)?.set_modified(UNIX_EPOCH + ended)
    }
}

/// The output of the program while it wrote this session.
fn streamed(session: &Session) -> String {
    let mut lines = vec![
        object! {
            "type" => "system", "subtype" => "init", "cwd" => session.cwd(), "session_id" => session.id(),
            "tools" => crate::array!["Bash"], "model" => "claude-opus-5", "permissionMode" => "default",
        }
        .to_string(),
    ];
    for line in session.lines() {
        let Ok(value) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let value = Json::from(value);
        let part = |key: &str| value.get(key).cloned().unwrap_or(Json::Null);
        let is_prompt = value.get("message").and_then(|message| message.get("content")?.as_str()).is_some();
        if matches!(part("type").as_str(), Some("user" | "assistant")) && !is_prompt {
            let printed = object! {
                "type" => part("type"), "message" => part("message"), "parent_tool_use_id" => Json::Null,
                "session_id" => session.id(), "uuid" => part("uuid"),
            };
            lines.push(printed.to_string());
        }
    }
    let result = object! {
        "type" => "result", "subtype" => "success", "is_error" => false, "duration_ms" => 3_000, "num_turns" => 2,
        "result" => "Hello.", "session_id" => session.id(), "total_cost_usd" => 0.05,
    };
    lines.push(result.to_string());
    lines.push(String::new());
    lines.join("\n")
}
