//! The commands that read sessions.

use std::path::Path;

use crate::writer::SESSION;

/// A command.
#[derive(Clone, Copy)]
pub(crate) struct Verb {
    pub(crate) name: &'static str,
    /// Its arguments: `PATH` stands for the transcript, `ROOT` for the config root, `OUT` for a new folder.
    pub(crate) arguments: &'static [&'static str],
    /// Whether it receives what Claude Code gives the status line.
    pub(crate) is_statusline: bool,
}

const fn verb(name: &'static str, arguments: &'static [&'static str]) -> Verb {
    Verb { name, arguments, is_statusline: false }
}

pub(crate) const VERBS: &[Verb] = &[
    verb("check", &["check", "PATH"]),
    verb("check-json", &["check", "--json", "--root", "ROOT"]),
    verb("cat-typed", &["cat", "PATH", "--type", "user,assistant"]),
    verb("cat-pretty", &["cat", "PATH", "--pretty"]),
    verb("show", &["show", "PATH", "--detail", "full", "--thread", "all"]),
    verb("show-raw", &["show", "PATH", "--detail", "raw", "--thread", "all"]),
    verb("show-prompts", &["show", "PATH", "--detail", "prompts"]),
    verb("show-md", &["show", "PATH", "--detail", "full", "--thread", "all", "--format", "md"]),
    verb("show-html", &["show", "PATH", "--detail", "full", "--thread", "all", "--format", "html"]),
    verb("show-json", &["show", "PATH", "--detail", "full", "--thread", "all", "--format", "json"]),
    verb("show-accounting", &["show", "PATH", "--accounting"]),
    verb("ls", &["ls", "--root", "ROOT", "--limit", "0"]),
    verb("ls-no-index", &["ls", "--root", "ROOT", "--no-index", "--json"]),
    verb("projects", &["projects", "--root", "ROOT", "--no-index"]),
    verb("usage", &["usage", "--root", "ROOT"]),
    verb("usage-tool", &["usage", "tool", "--root", "ROOT", "--json"]),
    verb("usage-session", &["usage", "session", "--root", "ROOT", "--json"]),
    verb("search", &["search", "x", "--root", "ROOT", "--json", "--limit", "100000"]),
    verb("search-no-index", &["search", "dig", "--root", "ROOT", "--no-index", "--limit", "100000"]),
    verb("search-regex", &["search", "--regex", "[dx]i?g?", "--root", "ROOT", "--limit", "100000"]),
    verb("diff", &["diff", "PATH"]),
    verb("diff-html", &["diff", "PATH", "--format", "html"]),
    verb("diff-json", &["diff", "PATH", "--json"]),
    verb("file", &["file", "a.py", "--root", "ROOT", "--json"]),
    verb("tail", &["tail", "PATH", "--limit", "100000000"]),
    verb("tail-json", &["tail", "PATH", "--limit", "100000000", "--json"]),
    verb("replay-cast", &["replay", "PATH", "--cast", "-"]),
    verb("replay-stream", &["replay", "PATH", "--stream", "--speed", "100", "--max-pause", "0ms"]),
    verb("export-html", &["export", "html", "OUT", "--root", "ROOT"]),
    verb("export-md", &["export", "md", "OUT", "--root", "ROOT"]),
    verb("export-json", &["export", "json", "OUT", "--root", "ROOT"]),
    verb("archive", &["archive", "--root", "ROOT"]),
    Verb { name: "statusline", arguments: &["statusline", "--root", "ROOT"], is_statusline: true },
];

impl Verb {
    /// The arguments for a root.
    pub(crate) fn arguments(&self, root: &Path, out: &Path) -> Vec<String> {
        let word = |word: &&str| match *word {
            "PATH" => transcript(root),
            "ROOT" => root.display().to_string(),
            "OUT" => out.display().to_string(),
            word => word.to_owned(),
        };
        self.arguments.iter().map(word).collect()
    }

    /// What it reads on standard input.
    pub(crate) fn input(&self, root: &Path) -> String {
        if !self.is_statusline {
            return String::new();
        }
        let model = serde_json::json!({"id": "claude-opus-5", "display_name": "Opus 5"});
        let workspace = serde_json::json!({"current_dir": "/w/shop", "project_dir": "/w/shop"});
        serde_json::json!({
            "session_id": SESSION, "transcript_path": transcript(root), "model": model, "workspace": workspace,
        })
        .to_string()
    }
}

fn transcript(root: &Path) -> String {
    root.join(format!("projects/-w-shop/{SESSION}.jsonl")).display().to_string()
}
