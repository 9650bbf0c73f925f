//! Every tool as the page shows it, from short sessions of one call.

use std::io;

use story::step::StepKind;
use story::{Role, Source, Span, StoryBuilder};

use super::*;

/// Lines in memory.
struct Kept(Vec<u8>);

impl Texts for Kept {
    fn line(&mut self, span: Span) -> io::Result<&[u8]> {
        let start = usize::try_from(span.offset).unwrap();
        Ok(&self.0[start..start + span.length as usize])
    }
}

/// A file that cannot be read a second time.
struct Gone;

impl Texts for Gone {
    fn line(&mut self, _: Span) -> io::Result<&[u8]> {
        Err(io::Error::other("the file is gone"))
    }
}

/// The tools of an example file, each with its lines: a word for the kind, and JSON or text.
fn sections(examples: &str) -> impl Iterator<Item = (&str, Vec<(&str, &str)>)> {
    examples.split("\n\n").filter_map(|section| {
        let (tool, lines) = section.trim_start_matches('\n').split_once('\n')?;
        Some((tool, lines.lines().map(|line| line.split_at(7)).map(|(kind, rest)| (kind.trim(), rest)).collect()))
    })
}

/// The examples that the parsing of tools is tested with.
fn examples() -> impl Iterator<Item = (&'static str, Vec<(&'static str, &'static str)>)> {
    let files = [
        include_str!("../../../format/src/tool/examples/agent.txt"),
        include_str!("../../../format/src/tool/examples/file.txt"),
        include_str!("../../../format/src/tool/examples/host.txt"),
        include_str!("../../../format/src/tool/examples/planning.txt"),
        include_str!("../../../format/src/tool/examples/search.txt"),
        include_str!("../../../format/src/tool/examples/shell.txt"),
    ];
    files.into_iter().flat_map(sections)
}

/// The lines of a session with one call.
fn session(tool: &str, input: &str, result: Option<(&str, &str)>) -> String {
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let name = quoted(tool);
    let asked = format!(
        r#"{{"type":"assistant","uuid":"a1","timestamp":"2026-03-01T09:00:00.000Z","cwd":"/garden","sessionId":"s1","message":{{"id":"m1","role":"assistant","content":[{{"type":"tool_use","id":"t1","name":{name},"input":{input}}}]}}}}"#
    );
    let Some((kind, text)) = result else { return asked + "\n" };
    let (content, structured) = match kind {
        "out" => ("\"told\"".to_owned(), format!(r#","toolUseResult":{text}"#)),
        "blocks" => (text.to_owned(), String::new()),
        _ => (quoted(&text.replace("\\n", "\n")), String::new()),
    };
    let is_error = if kind == "error" { r#","is_error":true"# } else { "" };
    let answered = format!(
        r#"{{"type":"user","uuid":"u1","parentUuid":"a1","timestamp":"2026-03-01T09:00:01.200Z","cwd":"/garden","sessionId":"s1","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t1","content":{content}{is_error}}}]}}{structured}}}"#
    );
    format!("{asked}\n{answered}\n")
}

fn shown_from(session: &str, texts: &mut dyn Texts, agent: Option<&Markup>) -> String {
    let mut builder = StoryBuilder::default();
    let source = builder.add_source(Source { role: Role::Main, session: "s1".into() });
    format::lines(session.as_bytes()).for_each(|line| builder.push(source, line));
    let story = builder.story();
    let mut shown = String::new();
    for (_, thread) in story.threads() {
        for step in thread.steps.iter().filter_map(|id| story.step(*id)) {
            if let StepKind::Call(it) = &step.kind {
                shown.push_str(&call(story, texts, step, it, "l1", agent).into_string());
            }
        }
    }
    shown
}

fn shown(tool: &str, input: &str, result: Option<(&str, &str)>) -> String {
    let session = session(tool, input, result);
    shown_from(&session, &mut Kept(session.clone().into_bytes()), None)
}

/// Each result of an example file, with the input before it; an input without results is a pending call.
fn all(examples: &str) -> Vec<String> {
    let mut calls = Vec::new();
    for (tool, lines) in sections(examples) {
        let mut input = "{}";
        for (number, (kind, text)) in lines.iter().enumerate() {
            if *kind != "in" {
                calls.push(shown(tool, input, Some((kind, text))));
                continue;
            }
            input = text;
            if lines.get(number + 1).is_none_or(|(kind, _)| *kind == "in") {
                calls.push(shown(tool, input, None));
            }
        }
    }
    calls
}

/// Puts each element on a line of its own.
fn readable(calls: &[String]) -> String {
    calls.iter().map(|call| call.replace("><", ">\n<")).collect::<Vec<_>>().join("\n\n")
}

macro_rules! families {
    ($( $family:ident ),+ $(,)?) => {$(
        #[test]
        fn $family() {
            let calls = all(include_str!(concat!("tests/", stringify!($family), ".txt")));
            for call in &calls {
                assert_balanced(call);
            }
            insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(readable(&calls)) });
        }
    )+};
}

families! { shell, files, search, web, agent, plan, tasks, rest }

/// Asserts that all elements are balanced and have only known attributes.
fn assert_balanced(html: &str) {
    const VOID: [&str; 3] = ["img", "br", "hr"];
    let mut open = Vec::new();
    for tag in html.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').unwrap();
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{html}");
        } else if !VOID.contains(&name) {
            open.push(name);
        }
        let mut pieces = attributes.split('"');
        while let Some(name) = pieces.next() {
            let value = pieces.next().unwrap_or_default();
            assert!(!name.trim().starts_with("on") && !name.contains('<'), "{tag}");
            let is_link = ["href=", "src="].contains(&name.trim());
            assert!(!is_link || ["https://", "http://", "data:image/"].iter().any(|it| value.starts_with(it)), "{tag}");
        }
    }
    assert!(open.is_empty(), "{open:?} {html}");
}

#[test]
fn every_example_is_shown() {
    for (tool, lines) in examples() {
        let inputs: Vec<_> = lines.iter().filter(|(kind, _)| *kind == "in").map(|(_, json)| *json).collect();
        let results: Vec<_> =
            lines.iter().filter(|(kind, _)| *kind != "in").map(|(kind, text)| (*kind, *text)).collect();
        for input in &inputs {
            for result in results.iter().map(|result| Some(*result)).chain([None]) {
                let html = shown(tool, input, result);
                assert_balanced(&html);
                let (_, body) = html.split_once("<div class=\"body\">").unwrap();
                assert!(body != "</div></details>", "{tool} {input} {result:?}");
            }
        }
    }
}

/// Every text of every example as an attack.
#[test]
fn no_text_becomes_markup() {
    const ATTACK: &str = r#"\"><script>alert(1)</script><img src=x onerror=alert(1)>"#;
    for (tool, lines) in examples() {
        let input = lines.iter().find(|(kind, _)| *kind == "in").map_or("{}", |(_, json)| json);
        for (kind, text) in &lines {
            let is_json = matches!(*kind, "in" | "out" | "blocks");
            let (input, result) = match *kind {
                "in" => (hostile(text, ATTACK), None),
                _ if is_json => (input.to_owned(), Some((*kind, hostile(text, ATTACK)))),
                _ => (input.to_owned(), Some((*kind, format!("{text}{}", ATTACK.replace('\\', ""))))),
            };
            let html = shown(tool, &input, result.as_ref().map(|(kind, text)| (*kind, text.as_str())));
            assert_balanced(&html);
            assert!(!html.contains("<script") && !html.contains("<img src=x"), "{tool} {kind}: {html}");
        }
    }
}

/// JSON in which all strings end in an attack; keys and types stay.
fn hostile(json: &str, attack: &str) -> String {
    let mut hostile = String::new();
    for (number, piece) in json.split('"').enumerate() {
        let is_text = number % 2 == 1;
        let is_value = hostile.trim_end().ends_with([':', '[', ',']) && is_text;
        let is_tag = hostile.trim_end().ends_with("\"type\":");
        hostile.push_str(if number == 0 { "" } else { "\"" });
        hostile.push_str(piece);
        let is_key = json.split('"').nth(number + 1).is_some_and(|after| after.trim_start().starts_with(':'));
        if is_value && !is_key && !is_tag {
            hostile.push_str(attack);
        }
    }
    hostile
}

#[test]
fn read_errors_are_shown() {
    let session = session("Bash", r#"{"command":"make"}"#, Some(("text", "done")));
    let html = shown_from(&session, &mut Gone, None);
    let (_, body) = html.split_once("<div class=\"body\">").unwrap();
    insta::assert_snapshot!(body.replace("><", ">\n<"), @r#"
    <p class="missing">line 1 cannot be read again: the file is gone</p>
    <p class="missing">line 2 cannot be read again: the file is gone</p>
    </div>
    </details>
    "#);
}

/// As in Markdown, for every tool.
#[test]
fn a_path_is_seen_from_the_project() {
    for (tool, key) in
        [("Read", "file_path"), ("Write", "file_path"), ("NotebookEdit", "notebook_path"), ("LS", "path")]
    {
        let html = shown(tool, &format!(r#"{{"{key}":"/garden/beds"}}"#), None);
        assert!(html.contains("<span class=\"subject\">beds</span>"), "{html}");
    }
}

#[test]
fn a_thread_stands_for_its_prompt() {
    let session = session(
        "Agent",
        r#"{"prompt":"Count the seeds.","description":"Count"}"#,
        Some(("out", r#"{"status":"completed","content":[{"type":"text","text":"Seven."}],"totalTokens":1200}"#)),
    );
    let link = html! { a.thread-link href="#thread-1" { "its thread" } };
    let html = shown_from(&session, &mut Kept(session.clone().into_bytes()), Some(&link));
    assert!(html.contains("Seven.") && html.contains("#thread-1") && !html.contains("Count the seeds."), "{html}");
}

/// Lines, and the files beside them.
struct Beside {
    lines: Kept,
    files: Vec<(&'static str, Vec<u8>)>,
    looked_for: Vec<String>,
}

impl Texts for Beside {
    fn line(&mut self, span: Span) -> io::Result<&[u8]> {
        self.lines.line(span)
    }

    fn companion(&mut self, name: &str) -> io::Result<Option<Vec<u8>>> {
        self.looked_for.push(name.to_owned());
        Ok(self.files.iter().find(|(file, _)| *file == name).map(|(_, bytes)| bytes.clone()))
    }
}

/// A command whose output is stored at this path; and the names that were looked up.
fn with_output_at(path: &str, files: Vec<(&'static str, Vec<u8>)>) -> (String, Vec<String>) {
    let path = serde_json::to_string(path).unwrap();
    let result =
        format!(r#"{{"stdout":"row 1","stderr":"","persistedOutputPath":{path},"persistedOutputSize":52100}}"#);
    let session = session("Bash", r#"{"command":"seq 9"}"#, Some(("out", &result)));
    let mut texts = Beside { lines: Kept(session.clone().into_bytes()), files, looked_for: Vec::new() };
    let shown = shown_from(&session, &mut texts, None);
    (shown, texts.looked_for)
}

#[test]
fn large_output_is_shown_from_its_file_wherever_that_was() {
    for path in ["/home/ana/.claude/projects/x/s1/tool-results/b1.txt", r"C:\Users\ana\s1\tool-results\b1.txt"] {
        let (shown, names) = with_output_at(path, vec![("b1.txt", b"row 1\nrow <2>\n".to_vec())]);
        assert_eq!(names, ["b1.txt"]);
        assert!(shown.contains("row &lt;2&gt;") && !shown.contains("only the"), "{shown}");
    }
    let text = "<persisted-output>\\nOutput too large (29.3KB). Full output saved to: /p/m1.txt\\n\\nPreview (first 2KB):\\nrow 1\\n</persisted-output>";
    let session = session("mcp__a__b", "{}", Some(("text", text)));
    let files = vec![("m1.txt", b"row 1\nrow 2\n".to_vec())];
    let mut texts = Beside { lines: Kept(session.clone().into_bytes()), files, looked_for: Vec::new() };
    assert!(shown_from(&session, &mut texts, None).contains("row 2"));
}

#[test]
fn the_path_of_missing_large_output_is_shown() {
    for (path, name) in [("/s/b1.txt", "b1.txt"), ("/etc/passwd", "passwd"), ("../../x", "x"), ("..", "..")] {
        let (shown, names) = with_output_at(path, Vec::new());
        assert_eq!(names, [name]);
        let place = format!("<dt>only the beginning; all of it is in</dt><dd>{path}</dd>");
        assert!(shown.contains("row 1") && shown.contains(&place) && shown.contains("52.1 kB"), "{shown}");
    }
    let (shown, _) = with_output_at("/s/b1.bin", vec![("b1.bin", b"PK\0".to_vec())]);
    assert!(shown.contains("row 1") && shown.contains("all of it is in"));
}

#[test]
fn what_is_too_large_is_cut() {
    let (shown, _) = with_output_at("/s/b1.txt", vec![("b1.txt", vec![b'a'; story::LONGEST_COMPANION + 1])]);
    assert!(shown.contains("only the first 8.3 MB") && shown.contains("/s/b1.txt"), "{}", shown.len());
}
