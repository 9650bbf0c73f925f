use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;

use super::*;
use crate::find::{find_at, find_in_roots};
use crate::roots::Root;
use crate::source::Lines;

struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(home.0.path().join("projects/-a")).unwrap();
        home
    }

    fn history(&self) -> PathBuf {
        self.0.path().join(HISTORY)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn append(&self, text: &str) {
        let mut file = File::options().create(true).append(true).open(self.history()).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    fn found(&self) -> FoundSources {
        find_in_roots(&[Root { path: self.0.path().to_path_buf(), named: true }])
    }

    fn lone(&self) -> Vec<Source> {
        let (lone, problems) = lone_prompts(&self.found(), &Neighbours::default());
        assert!(problems.is_empty(), "{problems:?}");
        lone
    }

    fn names(&self) -> Vec<String> {
        self.lone().iter().map(|source| source.name().unwrap().to_owned()).collect()
    }
}

fn prompt(session: &str, text: &str, at: i64) -> String {
    format!(r#"{{"display":"{text}","pastedContents":{{}},"timestamp":{at},"project":"/w","sessionId":"{session}"}}"#)
        + "\n"
}

fn text_of(source: &Source) -> String {
    let mut text = String::new();
    source.open().unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn the_prompts_of_a_session_are_read_like_a_file() {
    let home = Home::new();
    let a = |text| prompt("aaaa", text, 1_770_000_000_000);
    let b = |text| prompt("bbbb", text, 1_770_000_060_000);
    home.append(&[a("one"), b("two"), a("three"), a("four"), b("five")].concat());
    let lone = home.lone();
    assert_eq!(
        lone.iter().map(text_of).collect::<Vec<_>>(),
        [[a("one"), a("three"), a("four")].concat(), [b("two"), b("five")].concat()]
    );
    let source = &lone[0];
    assert_eq!((source.kind, source.name()), (SourceKind::Prompts, Some("aaaa")));
    assert_eq!(source.size, text_of(source).len() as u64);
    assert_eq!(source.modified, UNIX_EPOCH.checked_add(Duration::from_secs(1_770_000_000)));
    // Lines are found again by their positions.
    let mut buffer = Buffer::default();
    let mut lines = Lines::new(source.open().unwrap(), &mut buffer);
    let mut content = source.input.open().unwrap();
    let mut count = 0;
    while let Some(line) = lines.next_line().unwrap() {
        let mut bytes = vec![0; line.bytes.len()];
        content.seek(SeekFrom::Start(line.offset)).unwrap();
        content.read_exact(&mut bytes).unwrap();
        assert_eq!(bytes, line.bytes);
        count += 1;
    }
    assert_eq!(count, 3);
    // Its path leads there, too.
    let path = home.history().join("bbbb");
    assert_eq!(lone[1].input.path(), Some(path.as_path()));
    assert_eq!(
        find_at(std::slice::from_ref(&path)).sources,
        [lone[1].clone()].map(|it| Source { found_by: crate::FoundBy::Named, ..it })
    );
    assert_eq!(find_at(&[home.history().join("cccc")]).problems.len(), 1);
    let found = home.found();
    assert_eq!(found.shelf.input_at(&FileKey { path, ..FileKey::default() }), Some(lone[1].input.clone()));
}

#[test]
fn a_session_of_which_there_is_more_is_no_session_of_prompts() {
    const ID: &str = "4c1e0f3a-0000-4000-8000-00000000beef";
    let home = Home::new();
    for id in ["transcript", "agents", ID, "renamed", "lone"] {
        home.append(&prompt(id, "hi", 1));
    }
    assert_eq!(home.names(), [ID, "agents", "lone", "renamed", "transcript"]);
    home.write("projects/-a/transcript.jsonl", "{\"type\":\"mode\"}\n");
    home.write("projects/-a/agents/subagents/agent-a1.jsonl", "{\"type\":\"mode\"}\n");
    let old = format!("{{\"type\":\"user\",\"uuid\":\"u\",\"sessionId\":\"{ID}\",\"agentId\":\"3f19\"}}\n");
    home.write("projects/-a/agent-3f19.jsonl", &old);
    home.write("projects/-a/notes.jsonl", "{\"type\":\"user\",\"uuid\":\"u\",\"sessionId\":\"renamed\"}\n");
    assert_eq!(home.names(), ["lone"]);
    fs::remove_file(home.0.path().join("projects/-a/transcript.jsonl")).unwrap();
    assert_eq!(home.names(), ["lone", "transcript"]);
}

#[test]
fn a_bad_line_hides_no_other() {
    let home = Home::new();
    let good = prompt("good", "one", 1);
    home.append(&good);
    home.append("{\"display\":\"torn\n\0\0\0\n[]\nnull\n\n{\"sessionId\":\"good\"}\n");
    home.append("{\"display\":\"without a session\",\"timestamp\":1}\n");
    for id in ["", "..", "a/b", "a.b", "\\u0000", &"x".repeat(5000)] {
        home.append(&prompt(id, "hostile", 2));
    }
    // Two objects on one line, as after a crash: both are found.
    let (first, second) = (prompt("good", "two", 3), prompt("other", "three", 4));
    let glued = first.trim_end().to_owned() + &second;
    home.append(&glued);
    let torn = prompt("good", "four", 5);
    home.append(&torn[..torn.len() / 2]);
    let lone = home.lone();
    assert_eq!(lone.iter().map(text_of).collect::<Vec<_>>(), [good.clone() + &glued, glued.clone()]);
    assert_eq!(home.names(), ["good", "other"]);
    // The rest of the torn line follows.
    home.append(&torn[torn.len() / 2..]);
    assert_eq!(text_of(&home.lone()[0]), good + &glued + &torn);
}

#[test]
fn only_new_lines_are_read_again() {
    let home = Home::new();
    home.append(&(0..100).map(|at| prompt(&format!("s{}", at % 7), "early", at)).collect::<String>());
    let source = home.found().sources.pop().unwrap();
    let state = PromptHistories::default().resume(&source, None).unwrap().unwrap();
    // What an earlier run stored is used as it is: a state with a mark but without sessions gives only new lines.
    let emptied = PromptHistory { sessions: BTreeMap::new(), ..state.clone() };
    home.append(&prompt("s3", "late", 200));
    home.append(&prompt("new", "late", 201));
    let (histories, resumed) = (PromptHistories::default(), PromptHistories::default());
    let new = histories.resume(&source, Some(emptied)).unwrap().unwrap();
    assert_eq!(new.sessions().collect::<Vec<_>>(), ["new", "s3"]);
    // A state that was stored and extended equals a fresh one.
    let bytes = serde_json::to_vec(&state).unwrap();
    let extended = resumed.resume(&source, Some(serde_json::from_slice(&bytes).unwrap())).unwrap().unwrap();
    let fresh = PromptHistories::default().resume(&source, None).unwrap().unwrap();
    let parts = |history: &PromptHistory| {
        let part =
            |id: &str| history.source(&source, id).map(|it| (it.input, text_of(&history.source(&source, id).unwrap())));
        history.sessions().map(part).collect::<Vec<_>>()
    };
    assert_eq!(parts(&extended), parts(&fresh));
    // What was rewritten is read from the start.
    fs::write(home.history(), prompt("other", "text", 1)).unwrap();
    let rewritten = PromptHistories::default().resume(&source, Some(fresh)).unwrap().unwrap();
    assert_eq!(rewritten.sessions().collect::<Vec<_>>(), ["other"]);
}

#[test]
fn many_prompts_of_many_sessions_take_linear_time() {
    let home = Home::new();
    let mut text = String::new();
    for at in 0..60_000 {
        text += &prompt(&format!("s{}", at % 5_000), "water the garden", at);
    }
    home.append(&text);
    let begin = std::time::Instant::now();
    let lone = home.lone();
    let bytes: usize = lone.iter().map(|source| text_of(source).len()).sum();
    assert_eq!((lone.len(), bytes), (5_000, text.len()));
    assert!(begin.elapsed().as_secs() < 20, "{:?}", begin.elapsed());
}
