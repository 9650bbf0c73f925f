//! `recount serve` with `recount demo --live`, in a real browser: what anybody sees who tries it.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use browser::Browser;
use serde_json::json;

use crate::demo::Playing;
use crate::sandbox::Sandbox;

const PATIENCE: Duration = Duration::from_secs(60);

/// A server that ends with the test.
struct Serving(Child);

impl Serving {
    /// Starts it, and gives the address that it prints.
    fn start(sandbox: &Sandbox, root: &str) -> (Self, String) {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("recount"));
        command.args(["serve", "--port", "0"]).env_clear().env("HOME", sandbox.path("")).env("CLAUDE_CONFIG_DIR", root);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        (Self(child), line.trim().to_owned())
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_board_follows_what_is_played() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.path("tmp")).unwrap();
    let mut playing = Playing::new(&sandbox, &["--speed", "8"]);
    let (_serving, address) = Serving::start(&sandbox, &playing.folder());
    let browser = Browser::launch().unwrap();
    let page = browser.open(&address).unwrap();
    // The queue fills…
    page.wait_for("document.querySelector('#needs .card') && document.title.startsWith('(')", PATIENCE).unwrap();
    page.wait_for("document.querySelector('#needs .asked li')", PATIENCE).unwrap();
    // … and empties: whoever waited goes on.
    let goes_on = "(() => { globalThis.waited ??= new Set(); \
        for (const card of document.querySelectorAll('#needs .card')) waited.add(card.dataset.session); \
        return [...waited].some(id => document.querySelector(`#work #s-${CSS.escape(id)}`)) })()";
    page.wait_for(goes_on, PATIENCE).unwrap();
    for kind in ["command", "edit", "agent", "failed", "human"] {
        page.wait_for(&format!("document.querySelector('#timeline rect.{kind}')"), PATIENCE).unwrap();
    }
    assert_eq!(page.console_errors(), Vec::<String>::new());
    // A session's page grows below what is read.
    page.wait_for("document.querySelector('#work .card')", PATIENCE).unwrap();
    page.evaluate("location.href = document.querySelector('#work .card h3 a').href").unwrap();
    page.wait_for("document.documentElement.dataset.live !== undefined", PATIENCE).unwrap();
    page.evaluate(
        "globalThis.steps = document.querySelectorAll('#conversation .step').length; globalThis.first = scrollY",
    )
    .unwrap();
    page.wait_for("document.querySelectorAll('#conversation .step').length > steps", PATIENCE).unwrap();
    assert_eq!(page.evaluate("scrollY === first").unwrap(), json!(true), "nothing jumps");
    assert_eq!(page.console_errors(), Vec::<String>::new());
    assert_eq!(page.policy_reports(), Vec::<String>::new());
}
