//! Sessions that try to break out of their page: nothing in them runs, loads, or becomes an element or an attribute.

use std::fs;
use std::path::{Path, PathBuf};

use browser::{Browser, Page};
use serde_json::{Value, json};
use story::Detail;
use tempfile::TempDir;
use testkit::{Session, entry};

use crate::made::{Made, SOON, count, page_of};
use crate::payloads::{all, all_in_one, everywhere};

/// Keys that determine how a line is parsed and linked. All other values are text.
const STRUCTURE: [&str; 16] = [
    "type",
    "subtype",
    "uuid",
    "parentUuid",
    "logicalParentUuid",
    "timestamp",
    "role",
    "id",
    "tool_use_id",
    "sourceToolAssistantUUID",
    "leafUuid",
    "messageId",
    "requestId",
    "media_type",
    "operation",
    "sessionId",
];

/// Keys with a few known values.
const CHOICES: [&str; 8] =
    ["status", "mode", "kind", "commandMode", "hookEvent", "stop_reason", "retrieval_status", "reminderType"];

/// Hands out payloads in turn.
struct Poison {
    payloads: Vec<String>,
    next: usize,
    /// Whether values with a few known choices are poisoned as well.
    thorough: bool,
}

impl Poison {
    fn new(thorough: bool) -> Self {
        Self { payloads: all(), next: 0, thorough }
    }

    fn dose(&mut self) -> String {
        self.next += 1;
        self.payloads[self.next % self.payloads.len()].clone()
    }

    /// Puts a payload into every text of a value, and an unknown key into every object.
    fn fill(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => {
                let dose = self.dose();
                *text = match self.next % 3 {
                    0 => dose,
                    1 => format!("{text}{dose}"),
                    _ => format!("{text} {} {dose}", all_in_one()),
                };
            }
            Value::Array(values) => values.iter_mut().for_each(|value| self.fill(value)),
            Value::Object(fields) => {
                for (key, value) in fields.iter_mut() {
                    let key = key.as_str();
                    let is_kept = STRUCTURE.contains(&key) || !self.thorough && CHOICES.contains(&key);
                    // Image data must stay valid.
                    let is_image = key == "data" || key == "base64";
                    if !is_kept && !is_image {
                        self.fill(value);
                    }
                }
                fields.insert(self.dose(), self.dose().into());
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn filled(&mut self, value: &str) -> Option<Value> {
        let mut value = serde_json::from_str(value).ok()?;
        self.fill(&mut value);
        Some(value)
    }
}

fn format_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../format")
}

/// Every tool with every example of its inputs and results.
fn use_all_tools(session: &mut Session, poison: &mut Poison) -> usize {
    let mut calls = 0;
    let mut files: Vec<_> = fs::read_dir(format_folder().join("src/tool/examples")).unwrap().flatten().collect();
    files.sort_by_key(fs::DirEntry::path);
    for file in files {
        for section in fs::read_to_string(file.path()).unwrap().split("\n\n") {
            let Some((tool, lines)) = section.trim_start_matches('\n').split_once('\n') else { continue };
            let lines: Vec<_> = lines.lines().map(|line| line.split_at(7)).collect();
            let inputs: Vec<_> = lines.iter().filter(|(kind, _)| kind.trim() == "in").map(|(_, text)| *text).collect();
            for (number, (kind, text)) in lines.iter().filter(|(kind, _)| kind.trim() != "in").enumerate() {
                let input = inputs.get(number % inputs.len().max(1)).copied().unwrap_or("{}");
                let call = session.call(tool, poison.filled(input).unwrap());
                calls += 1;
                let said = poison.dose();
                match (kind.trim(), poison.filled(text)) {
                    ("out", Some(result)) => session.result(&call, said, result),
                    ("blocks", Some(blocks)) => {
                        session.push(entry::tool_result(&call).output(blocks).parent(call.entry.as_str()))
                    }
                    ("error", _) => session.failure(&call, &format!("{text} {said}")),
                    _ => session
                        .push(entry::tool_result(&call).output(format!("{text} {said}")).parent(call.entry.as_str())),
                };
            }
        }
    }
    calls
}

/// Every example of an entry, appended to the session.
fn add_all_entries(session: &mut Session, poison: &mut Poison) {
    let examples = fs::read_to_string(format_folder().join("tests/fixtures/entries.jsonl")).unwrap();
    for (number, line) in examples.lines().enumerate() {
        let Some(mut value) = poison.filled(line) else { continue };
        let Some(fields) = value.as_object_mut() else { continue };
        if fields.contains_key("uuid") {
            // A chain of their own, so that all of them are shown.
            let leaf = session.leaf().map(str::to_owned);
            let uuid = format!("00000000-0000-4000-8000-{number:012}");
            fields.insert("parentUuid".to_owned(), leaf.into());
            fields.insert("uuid".to_owned(), uuid.as_str().into());
            session.continue_from(Some(&uuid));
        }
        fields.insert("sessionId".to_owned(), session.id().into());
        session.push_raw(value.to_string());
    }
}

/// A session with payloads in every text, and an agent of it.
fn session() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let bad = all_in_one();
    let mut session = Session::new().in_directory(format!("/home/{bad}")).on_branch(bad.clone());
    session.push(entry::custom_title(&bad));
    for payload in everywhere() {
        session.prompt(&payload);
        session.push(entry::assistant().thinking(payload.as_str()));
        session.reply(&payload);
        let call = session.call("Bash", json!({"command": payload, "description": payload}));
        session.result(&call, payload.as_str(), json!({"stdout": payload, "stderr": payload, "interrupted": false}));
    }
    let called = session.call("Agent", json!({"description": bad, "prompt": bad, "subagent_type": bad}));
    let agent_id = "a3f19c27be5540d18";
    let mut agent = session.subagent(Some(agent_id));
    agent.prompt(&bad);
    use_all_tools(&mut agent, &mut Poison::new(false));
    session.result(&called, bad.as_str(), json!({"status": "completed", "agentId": agent_id, "agentType": bad}));
    for thorough in [false, true] {
        session.prompt(&bad);
        let mut poison = Poison::new(thorough);
        assert!(use_all_tools(&mut session, &mut poison) > 90);
        add_all_entries(&mut session, &mut poison);
        for tool in [bad.clone(), format!("mcp__{bad}__{bad}"), "__proto__".to_owned()] {
            let mut input = json!({"a": {"b": ["c", {"d": "e"}]}});
            poison.fill(&mut input);
            let call = session.call(&tool, input);
            let result = poison.dose();
            session.result(&call, result.as_str(), json!([{"type": "text", "text": result}]));
        }
        session.push(entry::assistant().model(bad.clone()).text(bad.clone()));
        let branch = session.leaf().map(str::to_owned);
        session.prompt(&bad);
        session.continue_from(branch.as_deref());
    }
    let project = folder.path().join("projects/-home-x");
    fs::create_dir_all(project.join(session.id()).join("subagents")).unwrap();
    let path = project.join(format!("{}.jsonl", session.id()));
    fs::write(&path, session.jsonl()).unwrap();
    let agents = project.join(session.id()).join("subagents");
    fs::write(agents.join(format!("agent-{agent_id}.jsonl")), agent.jsonl()).unwrap();
    let notes = json!({"agentType": bad, "description": bad, "toolUseId": called.id, "name": bad, "model": bad});
    fs::write(agents.join(format!("agent-{agent_id}.meta.json")), notes.to_string()).unwrap();
    (folder, path)
}

/// Opens everything that can be opened, and puts all chunks into the document.
fn open_everything(page: &Page<'_>) {
    page.press("O").unwrap();
    // Printing renders all chunks.
    page.evaluate("dispatchEvent(new Event('beforeprint'))").unwrap();
    let open = "(() => { const closed = [...document.querySelectorAll('details:not([open])')];
        for (const fold of closed) fold.querySelector('summary')?.click();
        return closed.length })()";
    for _ in 0..20 {
        if count(page, open) == 0 {
            return;
        }
        page.evaluate("new Promise(done => setTimeout(done, 300))").unwrap();
    }
    panic!("some element does not open");
}

/// Elements and attributes that are not ours, and URLs that lead elsewhere.
const FOREIGN: &str = r#"(() => {
    const elements = new Set(`html head meta title style link body header nav main section div figure figcaption h1 h2 h3 h4
        h5 h6 p a span b i em strong del s small sup sub code pre kbd mark q blockquote ul ol li dl dt dd table thead tbody
        tr th td hr br img svg path rect line g circle polyline text use symbol defs title details summary dialog button input
        label select option fieldset legend output time noscript script textarea caption abbr ins`.split(/\s+/));
    const attributes = /^(class|id|href|src|alt|title|lang|dir|name|value|type|role|hidden|open|checked|disabled|tabindex|charset|content|http-equiv|rel|datetime|width|height|loading|decoding|start|colspan|rowspan|scope|placeholder|for|autocomplete|spellcheck|style|viewBox|preserveAspectRatio|d|x|y|x1|x2|y1|y2|cx|cy|r|rx|points|fill|stroke|stroke-width|stroke-linecap|stroke-linejoin|focusable|transform|target|referrerpolicy|media|aria-[a-z]+|data-[a-z-]+)$/;
    const bad = [];
    const look = (root) => {
        for (const element of root.querySelectorAll("*")) {
            if (!elements.has(element.localName)) bad.push(`element: ${element.outerHTML.slice(0, 200)}`);
            for (const { name, value } of element.attributes) {
                const tell = () => bad.push(`${element.localName} ${name}=${value.slice(0, 200)}`);
                if (!attributes.test(name)) tell();
                const isIcon = element.matches("head > link[rel=icon]") && value.startsWith("data:image/svg+xml,");
                if (name === "href" && !isIcon && !/^(https?:|mailto:|#)/.test(value)) tell();
                if (name === "src" && !/^data:image\/(png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+\/=]*$/.test(value)) tell();
                if (name === "id" && !/^[A-Za-z0-9_-]+$/.test(value)) tell();
                if (name === "class" && !/^[a-z0-9 -]*$/.test(value)) tell();
                if (name === "style" && /url|expression|@|</i.test(value)) tell();
                if (name === "style" && element.closest(".step")) tell();
                if (/^data-(level|kind|family|state|severity|from|delivery|status)$/.test(name) && !/^[a-z0-9 -]*$/.test(value)) tell();
            }
            if (element.localName === "script" && element.closest("main, .threads, .head")) bad.push("a script in the text");
            if (element.localName === "style" && !element.closest("head")) bad.push("a style in the text");
            if (element.localName === "noscript" && element.childElementCount === 0 && element.textContent.includes("<")) {
                const template = document.createElement("template");
                template.innerHTML = element.textContent;
                look(template.content);
            }
        }
    };
    look(document);
    return [...new Set(bad)].slice(0, 20);
})()"#;

fn assert_harmless(made: &Made, page: &Page<'_>) {
    assert_eq!(page.evaluate(FOREIGN).unwrap(), json!([]));
    assert_eq!(
        page.evaluate("[typeof window.__pwned, typeof ({}).__pwned]").unwrap(),
        json!(["undefined", "undefined"])
    );
    made.assert_quiet(page);
}

#[test]
fn nothing_of_a_hostile_session_runs() {
    let (_folder, path) = session();
    let made = page_of(&path, Detail::Raw);
    let browser = Browser::launch().unwrap();
    let page = made.open(&browser);
    assert_harmless(&made, &page);
    open_everything(&page);
    // The payloads arrived, as text.
    let payloads = count(&page, "document.body.textContent.split('__pwned').length");
    println!("page: {} kB; {payloads} payloads are visible", made.bytes / 1000);
    assert!(payloads > 5000, "{payloads}");
    assert_harmless(&made, &page);
    // With the pointer over everything, focus on everything, and a search.
    page.evaluate(
        "(() => { for (const element of document.querySelectorAll('main *, .threads *, .head *')) {
            element.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
            element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
            if (element.tabIndex >= 0) element.focus({ preventScroll: true }) } })()",
    )
    .unwrap();
    page.press("/").unwrap();
    page.type_text("<script>").unwrap();
    page.press("Enter").unwrap();
    page.wait_for("/ of /.test(document.querySelector('.found').textContent)", SOON * 3).unwrap();
    assert_harmless(&made, &page);
    // Also with everything that the page inserts step by step, all at once and open.
    page.evaluate(
        "(() => { for (const source of document.querySelectorAll('noscript')) {
            const all = document.createElement('div');
            all.innerHTML = source.textContent;
            for (const fold of all.querySelectorAll('details')) fold.open = true;
            document.querySelector('main').append(all) } })()",
    )
    .unwrap();
    page.evaluate("new Promise(done => setTimeout(done, 1000))").unwrap();
    assert_harmless(&made, &page);
    // And the check itself detects what it should.
    for foreign in
        ["<img src=x>", "<a href='javascript:0'>", "<p onclick=x>", "<iframe>", "<b style='background:url(x)'>"]
    {
        let script =
            format!("document.querySelector('main').insertAdjacentHTML('beforeend', {foreign:?}); {FOREIGN}.length");
        assert_ne!(page.evaluate(&script).unwrap(), 0, "{foreign}");
        page.evaluate("document.querySelector('main').lastElementChild.remove()").unwrap();
    }
}

#[test]
fn without_scripts_a_hostile_session_is_text_too() {
    let (_folder, path) = session();
    let made = page_of(&path, Detail::Full);
    let browser = Browser::launch().unwrap();
    let page = browser.page().unwrap();
    page.set_script_enabled(false).unwrap();
    page.go(&made.url).unwrap();
    assert_harmless(&made, &page);
}
