//! Tests that all formats agree at full detail: terminal, Markdown, HTML and JSON of one session with every tool.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "these are tests")]

mod all_forms;
mod marked;

use std::fmt::Write as _;
use std::io;

use all_forms::{forms, plain};
use content::section::{Body, Section, Value};
use content::view::call_sections;
use format::tool::ToolKind;
use marked::{Mark, Marked};
use story::step::StepKind;
use story::{Detail, Role, Source, Span, StoryBuilder, Texts};

/// Lines in memory.
struct Kept(Vec<u8>);

impl Texts for Kept {
    fn line(&mut self, span: Span) -> io::Result<&[u8]> {
        let start = usize::try_from(span.offset).unwrap();
        Ok(&self.0[start..start + span.length as usize])
    }
}

/// Values that no readable format shows, each with the reason.
const UNSHOWN: [(&str, &str); 2] = [
    ("activeForm", "the same task in another grammatical form"),
    ("status", "an unknown status of a task is treated as missing"),
];

/// One call of the session.
struct Marking {
    tool: &'static str,
    /// Whether the mark is in the input, not in the result.
    is_input: bool,
    marked: Marked,
}

/// Every value of every tool's input and result, one call each.
fn markings() -> Vec<Marking> {
    let mut markings = Vec::new();
    for kind in ToolKind::ALL {
        let of = |is_input, marked| Marking { tool: kind.name(), is_input, marked };
        markings.extend(marked::all(&kind.input_shape()).into_iter().map(|marked| of(true, marked)));
        markings.extend(marked::all(&kind.result_shape()).into_iter().map(|marked| of(false, marked)));
    }
    // Each mark is unique in the whole session.
    for (number, marking) in markings.iter_mut().enumerate() {
        let (word, figure) = (format!("mark{number:05}x"), 1_000_000 + 1009 * i64::try_from(number).unwrap());
        let json = &mut marking.marked.json;
        match &mut marking.marked.mark {
            Mark::Word(old) => {
                *json = json.replace(old.as_str(), &word);
                *old = word;
            }
            Mark::Number(old) => {
                *json = json.replace(&old.to_string(), &figure.to_string());
                *old = figure;
            }
            Mark::Flag => {}
        }
    }
    markings
}

fn session(markings: &[Marking]) -> String {
    let mut lines = String::from(
        r#"{"type":"user","uuid":"u0","timestamp":"2026-03-01T09:00:00.000Z","sessionId":"s1","cwd":"/g","message":{"role":"user","content":"all of it"}}"#,
    );
    lines.push('\n');
    let mut parent = "u0".to_owned();
    for (number, Marking { tool, is_input, marked }) in markings.iter().enumerate() {
        let (input, structured) = if *is_input {
            (marked.json.as_str(), String::new())
        } else {
            ("{}", format!(r#","toolUseResult":{}"#, marked.json))
        };
        writeln!(
            lines,
            r#"{{"type":"assistant","uuid":"a{number}","parentUuid":"{parent}","timestamp":"2026-03-01T09:00:01.000Z","sessionId":"s1","cwd":"/g","message":{{"id":"m{number}","role":"assistant","content":[{{"type":"tool_use","id":"t{number}","name":"{tool}","input":{input}}}]}}}}"#
        )
        .unwrap();
        writeln!(
            lines,
            r#"{{"type":"user","uuid":"r{number}","parentUuid":"a{number}","timestamp":"2026-03-01T09:00:02.000Z","sessionId":"s1","cwd":"/g","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{number}","content":"told"}}]}}{structured}}}"#
        )
        .unwrap();
        parent = format!("r{number}");
    }
    lines
}

/// The visible form of the mark, if some section contains it.
fn expected(sections: &[&Section<'_>], mark: &Mark) -> Option<String> {
    sections.iter().find_map(|section| match mark {
        Mark::Word(word) => {
            let mut has = matches!(&section.body, Body::Json(json) if json.contains(word.as_str()));
            section.body.each_text(|text| has |= text.contains(word.as_str()));
            has.then(|| word.clone())
        }
        Mark::Number(number) => match &section.body {
            Body::Fact(value @ Value::Number(it)) if it == number => Some(value.words(section.label).into_owned()),
            Body::File(file) if [file.first_line, file.lines, file.total_lines].contains(&Some(*number)) => {
                Some(file.range()).filter(|range| range.contains(&human::thousands(number.unsigned_abs())))
            }
            _ => None,
        },
        Mark::Flag => None,
    })
}

#[test]
fn every_form_says_the_same_at_full() {
    let markings = markings();
    let lines = session(&markings);
    let mut builder = StoryBuilder::default();
    let source = builder.add_source(Source { role: Role::Main, session: "s1".into() });
    format::lines(lines.as_bytes()).for_each(|line| builder.push(source, line));
    let story = builder.story();
    let mut texts = Kept(lines.into_bytes());
    let forms = forms(story, &mut texts, Detail::Full);

    let (mut looked_for, mut missing) = (0, Vec::new());
    for (_, thread) in story.threads() {
        for step in thread.steps.iter().filter_map(|id| story.step(*id)) {
            let StepKind::Call(call) = &step.kind else { continue };
            let number: usize = call.id.strip_prefix('t').unwrap().parse().unwrap();
            let Marking { tool, is_input, marked } = &markings[number];
            if UNSHOWN.iter().any(|(key, _)| marked.path.rsplit('.').next() == Some(key)) {
                continue;
            }
            let mut all = String::new();
            let wanted = call_sections(story, &mut texts, step, call, |sections| {
                all = format!("{sections:?}");
                expected(&sections.all().collect::<Vec<_>>(), &marked.mark)
            });
            // Facts in the line of the call are left out of its sections.
            let wanted = wanted.or_else(|| match &marked.mark {
                Mark::Word(word) => call.subject.contains(word.as_str()).then(|| word.clone()),
                Mark::Number(_) | Mark::Flag => None,
            });
            let Some(wanted) = wanted else { continue };
            looked_for += 1;
            let side = if *is_input { "input" } else { "result" };
            for (form, text) in &forms.named {
                if !text.contains(&plain(&wanted)) {
                    missing.push(format!("{form}: {tool} {side} {} ({wanted})", marked.path));
                }
            }
            let raw = match &marked.mark {
                Mark::Word(word) => word.clone(),
                Mark::Number(number) => number.to_string(),
                Mark::Flag => continue,
            };
            if !forms.json.contains(&raw) {
                missing.push(format!("json: {tool} {side} {} ({raw})", marked.path));
            }
        }
    }
    assert!(looked_for > 450, "{looked_for} of {}", markings.len());
    assert!(missing.is_empty(), "{}\n{}", missing.len(), missing.join("\n"));
}

/// 300 words that occur nowhere else.
fn speech(name: &str) -> String {
    (0..300).map(|number| format!("{name}w{number:03}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_users_words_are_whole_at_every_level_in_every_form() {
    let [prompt, answer, notes, free, no, plan] =
        ["prompt", "answer", "notes", "free", "no", "plan"].map(|name| (name, speech(name)));
    let call = |number: u32, tool: &str, input: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"a{number}","timestamp":"2026-03-01T09:00:0{number}.000Z","message":{{"id":"m{number}","role":"assistant","content":[{{"type":"tool_use","id":"t{number}","name":"{tool}","input":{input}}}]}}}}"#
        )
    };
    let result = |number: u32, text: &str, more: &str| {
        format!(
            r#"{{"type":"user","uuid":"r{number}","timestamp":"2026-03-01T09:00:0{number}.500Z","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{number}",{text}}}]}}{more}}}"#
        )
    };
    let questions =
        r#""questions":[{"question":"Which bed?","header":"Bed","options":[{"label":"North","description":"cool"}]}]"#;
    let rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\\n";
    let lines = [
        format!(
            r#"{{"type":"user","uuid":"u0","timestamp":"2026-03-01T09:00:00.000Z","sessionId":"s1","message":{{"role":"user","content":"{}"}}}}"#,
            prompt.1
        ),
        call(1, "AskUserQuestion", &format!("{{{questions}}}")),
        result(
            1,
            r#""content":"User has answered your questions.""#,
            &format!(
                r#","toolUseResult":{{{questions},"answers":{{"Which bed?":"{}"}},"annotations":{{"Which bed?":{{"notes":"{}"}}}},"response":"{}"}}"#,
                answer.1, notes.1, free.1
            ),
        ),
        call(2, "Bash", r#"{"command":"rm beds"}"#),
        result(2, &format!(r#""is_error":true,"content":"{rejected}{}""#, no.1), ""),
        call(3, "ExitPlanMode", r##"{"plan":"# Dig\nDeep."}"##),
        result(3, &format!(r#""is_error":true,"content":"{rejected}{}""#, plan.1), ""),
        call(4, "ExitPlanMode", r##"{"plan":"# Dig\nDeeper."}"##),
        result(
            4,
            r#""content":"User has approved your plan.""#,
            r#","toolUseResult":{"plan":"Deeper.","isAgent":false}"#,
        ),
    ];
    let lines = lines.map(|line| line + "\n").concat();
    let mut builder = StoryBuilder::default();
    let source = builder.add_source(Source { role: Role::Main, session: "s1".into() });
    format::lines(lines.as_bytes()).for_each(|line| builder.push(source, line));
    let story = builder.story();
    let mut texts = Kept(lines.into_bytes());
    for detail in [Detail::Prompts, Detail::Talk, Detail::Steps, Detail::Full] {
        let forms = forms(story, &mut texts, detail);
        let json = ("json", forms.json);
        for (form, text) in forms.named.iter().map(|(form, text)| (*form, text)).chain([(json.0, &json.1)]) {
            for (name, words) in [&prompt, &answer, &notes, &free, &no, &plan] {
                let missing = words.split(' ').filter(|word| !text.contains(word)).count();
                assert_eq!(missing, 0, "{form} at {detail:?}: words of {name}");
            }
            assert!(text.contains("approved"), "{form} at {detail:?}: the plan is approved");
        }
    }
}
