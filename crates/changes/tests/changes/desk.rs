//! A session written as Claude Code writes it, and a strict patch tool.

use std::fmt::Write as _;
use std::io;

use serde_json::{Value, json};
use story::{Role, Source, Span, Story, StoryBuilder, Texts};

use changes::{ChangeFilter, Changes};
use styled::diff::{Change, hunks};

const SESSION: &str = "5e55104e-0000-4000-8000-000000000001";

/// A session in the folder `/p`.
#[derive(Default)]
pub(crate) struct Desk {
    lines: String,
    agent: Option<String>,
    parent: Option<String>,
    entries: usize,
    seconds: usize,
    calls: usize,
    agents: Vec<Desk>,
}

/// Lines in memory, by source.
struct Kept(Vec<String>);

impl Texts for Kept {
    fn line(&mut self, span: Span) -> io::Result<&[u8]> {
        let start = usize::try_from(span.offset).unwrap();
        Ok(&self.0[span.source.index()].as_bytes()[start..start + span.length as usize])
    }
}

impl Desk {
    fn push(&mut self, kind: &str, content: &Value, result: Option<&Value>) {
        if self.entries == 0 && kind != "user" {
            self.prompt("do it");
        }
        self.entries += 1;
        self.seconds += 1;
        let id = format!("{}{}", self.agent.as_deref().unwrap_or("e"), self.entries);
        let mut entry = json!({
            "type": kind, "uuid": id, "parentUuid": self.parent, "sessionId": SESSION, "cwd": "/p",
            "timestamp": format!("2026-08-08T09:{:02}:{:02}.000Z", self.seconds / 60, self.seconds % 60),
            "message": {"id": format!("m{id}"), "role": kind, "content": content},
        });
        if let Some(result) = result {
            entry["toolUseResult"] = result.clone();
        }
        if let Some(agent) = &self.agent {
            entry["agentId"] = json!(agent);
            entry["isSidechain"] = json!(true);
        }
        writeln!(self.lines, "{entry}").unwrap();
        self.parent = Some(id);
    }

    pub(crate) fn prompt(&mut self, words: &str) {
        self.push("user", &json!(words), None);
    }

    pub(crate) fn call(&mut self, tool: &str, input: &Value) {
        self.calls += 1;
        let id = self.call_id();
        self.push("assistant", &json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]), None);
    }

    fn call_id(&self) -> String {
        format!("toolu_{}{}", self.agent.as_deref().unwrap_or_default(), self.calls)
    }

    pub(crate) fn result(&mut self, said: &str, result: &Value) {
        let content = json!([{"type": "tool_result", "tool_use_id": self.call_id(), "content": said}]);
        self.push("user", &content, Some(result));
    }

    pub(crate) fn say(&mut self, said: &str) {
        let content = json!([{"type": "tool_result", "tool_use_id": self.call_id(), "content": said}]);
        self.push("user", &content, None);
    }

    pub(crate) fn fail(&mut self, said: &str) {
        let content =
            json!([{"type": "tool_result", "tool_use_id": self.call_id(), "is_error": true, "content": said}]);
        self.push("user", &content, Some(&json!(format!("Error: {said}"))));
    }

    /// An edit that turns one text into another.
    pub(crate) fn edit(&mut self, path: &str, before: &str, after: &str, has_original: bool) {
        self.replace(path, before, after, difference(before, after), has_original);
    }

    /// The same with the shortest texts that differ, if the old one is unique.
    pub(crate) fn edit_within_lines(&mut self, path: &str, before: &str, after: &str, has_original: bool) {
        let short = shortest_difference(before, after);
        let is_unique = !short.0.is_empty() && before.matches(short.0).count() == 1;
        // Text that is removed is removed with its newline.
        let eats = short.1.is_empty() && before.contains(&format!("{}\n", short.0));
        let texts = if is_unique && !eats { short } else { difference(before, after) };
        self.replace(path, before, after, texts, has_original);
    }

    fn replace(&mut self, path: &str, before: &str, after: &str, (old, new): (&str, &str), has_original: bool) {
        let path = full(path);
        self.call("Edit", &json!({"file_path": path, "old_string": old, "new_string": new}));
        let original = if has_original { json!(before) } else { Value::Null };
        let result = json!({
            "filePath": path, "oldString": old, "newString": new, "originalFile": original,
            "structuredPatch": patch_of(before, after), "userModified": false, "replaceAll": false,
        });
        self.result(&format!("The file {path} has been updated."), &result);
    }

    pub(crate) fn create(&mut self, path: &str, content: &str) {
        let path = full(path);
        self.call("Write", &json!({"file_path": path, "content": content}));
        let result = json!({
            "type": "create", "filePath": path, "content": content, "structuredPatch": [], "originalFile": null,
        });
        self.result(&format!("File created successfully at: {path}"), &result);
    }

    pub(crate) fn read(&mut self, path: &str, content: &str) {
        self.read_part(path, content, 0, usize::MAX);
    }

    /// Reads some lines of a file.
    pub(crate) fn read_part(&mut self, path: &str, content: &str, skipped: usize, most: usize) {
        let path = full(path);
        self.call("Read", &json!({"file_path": path}));
        let all: Vec<&str> = content.split('\n').collect();
        let lines: Vec<&str> = all.iter().skip(skipped).take(most).copied().collect();
        let file = json!({
            "filePath": path, "content": lines.join("\n"), "startLine": skipped + 1, "numLines": lines.len(),
            "totalLines": all.len(),
        });
        self.result(&numbered(skipped + 1, &lines), &json!({"type": "text", "file": file}));
    }

    pub(crate) fn wait(&mut self, seconds: usize) {
        self.seconds += seconds;
    }

    pub(crate) fn here(&self) -> Option<String> {
        self.parent.clone()
    }

    pub(crate) fn go_back(&mut self, place: Option<String>) {
        self.parent = place;
    }

    /// An agent that begins now.
    pub(crate) fn agent(&mut self, id: &str) -> Self {
        Self { agent: Some(id.to_owned()), seconds: self.seconds, ..Self::default() }
    }

    pub(crate) fn take_in(&mut self, agent: Self) {
        self.agents.push(agent);
    }

    /// Whether any line so far begins with a tab.
    pub(crate) fn shows_tabs(&self) -> bool {
        [r#""\t"#, r"\n\t"].iter().any(|tab| self.lines.contains(tab))
    }

    /// Whether any text of several lines has one that begins with spaces. Patches are lists of lines.
    pub(crate) fn shows_spaces(&self) -> bool {
        self.lines.contains(r"\n  ")
    }

    pub(crate) fn push_raw(&mut self, line: &str) {
        self.lines.push_str(line);
        self.lines.push('\n');
    }

    pub(crate) fn changes(&self) -> Changes {
        self.changes_of(&ChangeFilter::default())
    }

    pub(crate) fn changes_of(&self, filter: &ChangeFilter) -> Changes {
        let mut builder = StoryBuilder::default();
        let mut kept = Vec::new();
        for desk in std::iter::once(self).chain(&self.agents) {
            let role = match &desk.agent {
                Some(id) => Role::Agent { id: id.as_str().into(), workflow: None },
                None => Role::Main,
            };
            let source = builder.add_source(Source { role, session: SESSION.into() });
            format::lines(desk.lines.as_bytes()).for_each(|line| builder.push(source, line));
            kept.push(desk.lines.clone());
        }
        let story: &Story = builder.story();
        Changes::of(story, &mut Kept(kept), filter)
    }
}

/// The changes of a session of one file.
pub(crate) fn changes_of_lines(lines: &str) -> Changes {
    let mut builder = StoryBuilder::default();
    let source = builder.add_source(Source { role: Role::Main, session: SESSION.into() });
    format::lines(lines.as_bytes()).for_each(|line| builder.push(source, line));
    Changes::of(builder.story(), &mut Kept(vec![lines.to_owned()]), &ChangeFilter::default())
}

fn full(path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("/p/{path}") }
}

/// Lines as printed by `cat -n`.
pub(crate) fn numbered(first: usize, lines: &[&str]) -> String {
    (first..).zip(lines).map(|(number, line)| format!("{number:>6}→{line}")).collect::<Vec<_>>().join("\n") + "\n"
}

/// The replaced and the replacing text, in whole lines. As many lines around them are included as make the old one
/// unique, since an edit is rejected otherwise.
fn difference<'t>(before: &'t str, after: &'t str) -> (&'t str, &'t str) {
    let most = before.split_inclusive('\n').count();
    let fits = |(old, new): &(&str, &str)| before.matches(old).count() == 1 && before.replacen(old, new, 1) == after;
    (0..=most).map(|more| difference_with(before, after, more)).find(fits).unwrap_or((before, after))
}

fn difference_with<'t>(before: &'t str, after: &'t str, more: usize) -> (&'t str, &'t str) {
    let lines = |text: &'t str| text.split_inclusive('\n').collect::<Vec<_>>();
    let (old, new) = (lines(before), lines(after));
    let mut first = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    // Empty text cannot be replaced: extend it by the line before, or after.
    first -= usize::from(first == old.len() && first > 0);
    let most = old.len().min(new.len()) - first;
    let most = most.min((old.len() - first).saturating_sub(1));
    let last = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
    let (first, last) = (first.saturating_sub(more), last.saturating_sub(more));
    let length = |lines: &[&str]| lines.iter().map(|line| line.len()).sum::<usize>();
    let start = length(&old[..first]);
    (
        &before[start..before.len() - length(&old[old.len() - last..])],
        &after[start..after.len() - length(&new[new.len() - last..])],
    )
}

/// The replaced and the replacing text, without the characters that both begin or end with.
fn shortest_difference<'t>(before: &'t str, after: &'t str) -> (&'t str, &'t str) {
    let same = |(one, other): &((usize, char), char)| one.1 == *other;
    let start = before.char_indices().zip(after.chars()).take_while(same).map(|((at, c), _)| at + c.len_utf8()).last();
    let (before, after) = (&before[start.unwrap_or(0)..], &after[start.unwrap_or(0)..]);
    let end = before.chars().rev().zip(after.chars().rev()).take_while(|(one, other)| one == other);
    let end: usize = end.map(|(c, _)| c.len_utf8()).sum();
    (&before[..before.len() - end], &after[..after.len() - end])
}

/// A patch as in results: with two spaces for each leading tab.
pub(crate) fn patch_of(before: &str, after: &str) -> Value {
    let marked = |text: &str| -> String {
        // A line without a newline differs from one with it.
        text.split_inclusive('\n')
            .map(|line| line.strip_suffix('\n').map_or_else(|| format!("{line}\u{1}\n"), |line| format!("{line}\n")))
            .collect()
    };
    let (old, new) = (marked(before), marked(after));
    let hunk = |hunk: &styled::diff::Hunk<'_>| {
        let count = |other| hunk.lines.iter().filter(|(change, _)| *change != other).count();
        let lines = hunk.lines.iter().flat_map(|(change, line)| {
            let sign = match change {
                Change::Added => '+',
                Change::Removed => '-',
                Change::Same | Change::Note => ' ',
            };
            let text = line.trim_end_matches('\u{1}');
            let rest = text.trim_start_matches('\t');
            let marked_line = format!("{sign}{}{rest}", "  ".repeat(text.len() - rest.len()));
            let note = line.ends_with('\u{1}').then(|| "\\ No newline at end of file".to_owned());
            std::iter::once(marked_line).chain(note)
        });
        json!({
            "oldStart": hunk.old_start, "oldLines": count(Change::Added), "newStart": hunk.new_start,
            "newLines": count(Change::Removed), "lines": lines.collect::<Vec<_>>(),
        })
    };
    Value::Array(hunks(&old, &new, 3).iter().map(hunk).collect())
}

/// Applies a patch to a file, as strictly as git does; `None` if it does not fit.
pub(crate) fn apply(patch: &str, name: &str, file: Option<&str>) -> Option<String> {
    let header = format!("diff --git a/{name} b/{name}\n");
    let start = patch.find(&header)? + header.len();
    let mut patch_lines = patch[start..].split_inclusive('\n').peekable();
    let is_new = patch_lines.next_if(|line| line.starts_with("new file")).is_some();
    assert_eq!(is_new, file.is_none());
    let old: Vec<&str> = file.unwrap_or_default().split_inclusive('\n').collect();
    let mut new: Vec<String> = Vec::new();
    let mut at = 0;
    patch_lines.next_if(|line| line.starts_with("--- "));
    patch_lines.next_if(|line| line.starts_with("+++ "));
    while let Some(line) = patch_lines.next_if(|line| line.starts_with("@@ ")) {
        let ranges: Vec<(usize, usize)> = line.split(' ').skip(1).take(2).map(range).collect();
        let [(old_start, mut old_count), (new_start, mut new_count)] = ranges[..] else { panic!("{line}") };
        let begin = if old_count == 0 { old_start } else { old_start - 1 };
        new.extend(old.get(at..begin)?.iter().map(|line| (*line).to_owned()));
        at = begin;
        assert_eq!(new.len(), if new_count == 0 { new_start } else { new_start - 1 }, "{line}");
        let mut trailing = 0;
        while old_count > 0 || new_count > 0 {
            let line = patch_lines.next()?;
            let (sign, rest) = line.split_at(1);
            let has_note = patch_lines.next_if(|line| line.starts_with('\\')).is_some();
            let text = if has_note { rest.trim_end_matches('\n') } else { rest };
            trailing = if sign == " " { trailing + 1 } else { 0 };
            if sign != "+" {
                if old.get(at) != Some(&text) {
                    return None;
                }
                at += 1;
                old_count -= 1;
            }
            if sign != "-" {
                new.push(text.to_owned());
                new_count -= 1;
            }
        }
        assert!(trailing > 0 || at == old.len(), "git requires context after a change, or the end");
    }
    new.extend(old.get(at..)?.iter().map(|line| (*line).to_owned()));
    Some(new.concat())
}

fn range(words: &str) -> (usize, usize) {
    let (start, count) = words[1..].split_once(',').unwrap_or((&words[1..], "1"));
    (start.parse().unwrap(), count.parse().unwrap())
}
