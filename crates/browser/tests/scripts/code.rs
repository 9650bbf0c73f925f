//! Code to compare lexers with: from sessions, from this workspace, and random.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use styled::Language;
use styled::clean::clean_text;
use styled::highlight::{LANGUAGES, Spec};
use testkit::Rng;

/// Longer code is not highlighted on a page.
const LONGEST: usize = 200_000;

/// Some code.
pub(crate) struct Code {
    pub(crate) language: Language,
    /// The text as on a page.
    pub(crate) text: String,
}

/// A collection of code without duplicates.
#[derive(Default)]
pub(crate) struct Collection {
    seen: HashSet<(&'static str, String)>,
    pub(crate) pieces: Vec<Code>,
}

impl Collection {
    fn add(&mut self, text: &str, language: Option<Language>) {
        let Some(language) = language else { return };
        let text = clean_text(text).into_owned();
        if text.len() <= LONGEST && self.seen.insert((language.name(), text.clone())) {
            self.pieces.push(Code { language, text });
        }
    }

    /// The code in the sessions of a folder: commands, files and blocks in Markdown. It is recognized by the names of
    /// fields, not by the tool.
    pub(crate) fn add_sessions(&mut self, folder: &Path) {
        for path in files(folder, &["jsonl"]) {
            for line in fs::read(path).unwrap().split(|byte| *byte == b'\n') {
                if let Ok(value) = serde_json::from_slice(line) {
                    self.add_value(&value);
                }
            }
        }
    }

    fn add_value(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.add_blocks(text),
            Value::Array(values) => values.iter().for_each(|value| self.add_value(value)),
            Value::Object(fields) => {
                let text = |name: &str| fields.get(name).and_then(Value::as_str);
                let path = text("file_path").or_else(|| text("filePath")).unwrap_or_default();
                for name in ["content", "old_string", "new_string", "oldString", "newString", "originalFile"] {
                    self.add(text(name).unwrap_or_default(), Language::of_path(path));
                }
                self.add(text("command").unwrap_or_default(), Language::named("bash"));
                fields.values().for_each(|value| self.add_value(value));
            }
            _ => {}
        }
    }

    /// The code blocks of a text in Markdown.
    fn add_blocks(&mut self, text: &str) {
        for block in text.split("\n```").skip(1).chain(text.strip_prefix("```")) {
            if let Some((info, code)) = block.split_once('\n') {
                self.add(code.split("\n```").next().unwrap_or_default(), Language::named(info));
            }
        }
    }

    /// The files of a folder.
    pub(crate) fn add_files(&mut self, folder: &Path) {
        for path in files(folder, &["rs", "js", "css", "md", "toml", "json", "sh"]) {
            let text = fs::read_to_string(&path).unwrap();
            self.add(&text, Language::of_path(&path.to_string_lossy()));
        }
    }

    /// Random sequences of everything with a meaning in the language.
    pub(crate) fn add_nonsense(&mut self, per_language: usize) {
        let mut rng = Rng::new(20);
        for spec in LANGUAGES.iter().copied().flatten() {
            let vocabulary = vocabulary(spec);
            let vocabulary: Vec<&str> = vocabulary.iter().map(String::as_str).collect();
            for _ in 0..per_language {
                let text: String = (0..rng.between(5, 60)).map(|_| rng.pick(&vocabulary)).collect();
                self.add(&text, Language::named(spec.name));
            }
        }
    }
}

/// Files below a folder with one of these extensions, sorted by name.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Tokens with a meaning in a language, and text that resembles them.
fn vocabulary(spec: &Spec) -> Vec<String> {
    const ANYWHERE: [&str; 44] = [
        " ", " ", " ", "  ", "\t", "\n", "\n", "\n", "\u{a0}", "\u{3000}", "\u{2028}", "(", ")", ";", ",", ".", ":",
        "=", "<", ">", "/", "\\", "'", "\"", "`", "#", "-", "foo", "Name", "T", "MAX", "naïve", "日本", "😀",
        "\u{212a}", "ſ", "İ", "0", "42", "0xff_u8", "1.5e-3", "1..2", "10px", "1e+5",
    ];
    const TEXTS: [&str; 9] = ["EOF", "<<EOF", "<<-'END'", "<<~\"X\"", "END", "<<<word", "<<n", "1 <<'", "EOF);"];
    const CHARACTERS: [&str; 7] = ["'x'", "'\\''", "'😀'", "'\\u{1f600}'", "'\\😀'", "\"\\😀\"", "'a"];
    let mut words: Vec<String> =
        ANYWHERE.iter().chain(&TEXTS).chain(&CHARACTERS).map(|word| (*word).to_owned()).collect();
    let listed = [spec.keywords, spec.types].map(|list| list.split_ascii_whitespace().step_by(7).map(str::to_owned));
    words.extend(listed.into_iter().flatten());
    let first = spec.keywords.split_ascii_whitespace().find(|word| word.contains('k')).unwrap_or("like");
    words.extend([first.to_uppercase(), first.replace('k', "\u{212a}"), format!(".{first}"), format!("{first}:")]);
    words.extend(spec.line_comments.iter().map(|mark| (*mark).to_owned()));
    words.extend(spec.block_comments.iter().flat_map(|block| [block.open, block.close]).map(str::to_owned));
    for quote in spec.strings {
        words.extend([quote.open, quote.close].map(str::to_owned));
        words.extend(quote.escape.map(|escape| format!("{escape}{}", quote.close)));
    }
    words.extend(spec.line_starts.iter().map(|(start, _)| format!("\n{start}")));
    words.extend(spec.sigils.chars().chain(spec.word.chars()).flat_map(|c| [c.to_string(), format!("{c}name")]));
    words.extend(spec.key.map(|key| format!("name {key} \"text\"  {key}")));
    words
}
