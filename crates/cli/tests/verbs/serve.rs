//! `recount serve`: its addresses, and the board while `recount demo --live` plays.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use browser::Browser;
use serde_json::json;

use crate::capture::fake::Stage;
use crate::demo::Playing;
use crate::sandbox::Sandbox;

const PATIENCE: Duration = Duration::from_secs(60);

/// A server that is stopped when the test ends.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(sandbox: &Sandbox, arguments: &[&str]) -> (Served, String) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("recount"));
    command.arg("serve").args(arguments).env_clear().env("HOME", sandbox.path("")).stdout(Stdio::piped());
    let mut process = command.spawn().unwrap();
    let mut address = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut address).unwrap();
    (Served(process), address)
}

#[test]
fn it_listens_on_this_machine_only() {
    let sandbox = Sandbox::new();
    let (served, address) = start(&sandbox, &["--port", "0"]);
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
    let token = address.trim().split_once("/?token=").unwrap().1;
    assert!(token.len() == 64 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{token}");
    // The token stays the same after a restart, and only this user can read it.
    drop(served);
    let (_served, again) = start(&sandbox, &["--port", "0", "--bind", "::1"]);
    assert!(again.starts_with("http://[::1]:") && again.trim().ends_with(token), "{again}");
}

#[test]
fn the_browser_is_started_with_a_file_that_only_the_user_reads() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new();
    // A browser that copies what it is given.
    sandbox.write("bin/xdg-open", "#!/bin/sh\ncp -p \"$1\" \"$HOME/given\" && mv \"$HOME/given\" \"$HOME/opened\"\n");
    std::fs::set_permissions(sandbox.path("bin/xdg-open"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", sandbox.path("bin").display());
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("recount"));
    command.args(["serve", "--open", "--port", "0"]).env_clear().env("HOME", sandbox.path("")).env("PATH", path);
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let _served = Served(process);
    let opened = sandbox.path("opened");
    for _ in 0..600 {
        if opened.exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(std::fs::metadata(&opened).unwrap().permissions().mode() & 0o777, 0o600);
    let page = std::fs::read_to_string(&opened).unwrap();
    let (host, token) = address.trim().strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
    let (_, code) = page.split_once(&format!("url=http://{host}/?code=")).unwrap();
    assert!(!page.contains(token), "{page}");
    let code = &code[..64];
    let ask = || {
        let mut stream = std::net::TcpStream::connect(host).unwrap();
        write!(stream, "GET /?code={code} HTTP/1.0\r\nHost: {host}\r\nSec-Fetch-Site: cross-site\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let answer = ask();
    assert!(
        answer.contains(" 200 OK") && answer.contains("set-cookie: recount_") && !answer.contains(token),
        "{answer}"
    );
    assert!(ask().contains(" 401 "), "a code works once");
}

#[test]
fn a_token_that_others_can_read_is_refused_until_it_is_replaced() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new();
    let (served, first) = start(&sandbox, &["--port", "0"]);
    drop(served);
    let token = sandbox.path(".local/share/recount/serve.token");
    std::fs::set_permissions(&token, std::fs::Permissions::from_mode(0o644)).unwrap();
    let output = sandbox.recount(&["serve", "--port", "0"]).output().unwrap();
    let shown = sandbox.shown(&output);
    assert!(shown.starts_with("exit 2\n") && shown.contains("recount serve --rotate"), "{shown}");
    let (_served, address) = start(&sandbox, &["--port", "0", "--rotate"]);
    let of = |address: &str| address.trim().split_once("token=").unwrap().1.to_owned();
    assert_ne!(of(&first), of(&address));
    assert!(get(address.trim(), "/api/v1/board").contains(" 200 OK"));
}

#[test]
fn it_listens_to_other_machines_only_on_request() {
    let sandbox = Sandbox::new();
    for bind in ["0.0.0.0", "::", "192.0.2.7"] {
        let output = sandbox.recount(&["serve", "--port", "0", "--bind", bind]).output().unwrap();
        let shown = sandbox.shown(&output);
        assert!(shown.starts_with("exit 2\n") && shown.contains("--unencrypted"), "{shown}");
    }
    let (served, address) = start(&sandbox, &["--port", "0", "--bind", "0.0.0.0", "--unencrypted"]);
    // The printed address is reachable; the wildcard address is not.
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
    let answer = get(address.trim(), "/api/v1/board");
    assert!(answer.contains(" 200 OK"), "{answer}");
    drop(served);
    let (_served, address) =
        start(&sandbox, &["--port", "0", "--bind", "0.0.0.0", "--unencrypted", "--host", "desk.example"]);
    assert!(address.starts_with("http://desk.example:"), "{address}");
}

#[test]
fn a_port_that_is_taken_is_named() {
    let sandbox = Sandbox::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = sandbox.recount(&["serve", "--port", &port]).output().unwrap();
    let shown = sandbox.shown(&output);
    assert!(shown.starts_with("exit 2\n") && shown.contains(&format!("127.0.0.1:{port}")), "{shown}");
}

/// In its own namespace, the limit of watched files can be set to almost nothing. Not every system supports that.
#[test]
#[cfg(target_os = "linux")]
fn beyond_the_limit_of_watched_files_the_board_warns_and_continues() {
    let few = "echo 1 > /proc/sys/user/max_inotify_watches && exec \"$@\"";
    let limited = |program: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(["-U", "-r", "sh", "-c", few, "sh"]).args(program);
        command
    };
    if !limited(&["true"]).status().is_ok_and(|status| status.success()) {
        eprintln!("skipped: no namespaces here");
        return;
    }
    let sandbox = Sandbox::new();
    let mut session = testkit::Session::new().starting_at(jiff::Timestamp::now().as_millisecond() - 5_000);
    session.prompt("water the garden");
    let file = format!(".claude/projects/-w-shop/{}.jsonl", session.id());
    sandbox.write(&file, session.jsonl());
    sandbox.write(".claude/projects/-w-other/x.txt", "");
    let recount = assert_cmd::cargo::cargo_bin!("recount").to_str().unwrap();
    let mut command = limited(&[recount, "serve", "--port", "0"]);
    let mut process = command.env("HOME", sandbox.path("")).stdout(Stdio::piped()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let _served = Served(process);
    let board = |is_good: &dyn Fn(&str) -> bool| {
        for _ in 0..200 {
            let text = get(address.trim(), "/api/v1/board");
            if is_good(&text) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        panic!("the board did not become what was waited for: {}", get(address.trim(), "/api/v1/board"));
    };
    board(&|text| text.contains("water the garden") && text.contains("the system does not report file changes"));
    session.call("Bash", serde_json::json!({"command": "make rain"}));
    sandbox.write(&file, session.jsonl());
    board(&|text| text.contains("Bash make rain"));
}

/// Sends a request to a server, given an address with a token.
fn get(address: &str, path: &str) -> String {
    use std::io::Read as _;
    let (host, token) = address.strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
    let mut stream = std::net::TcpStream::connect(host).unwrap();
    write!(stream, "GET {path} HTTP/1.0\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn the_board_follows_played_sessions() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.path("tmp")).unwrap();
    let mut playing = Playing::new(&sandbox, &["--speed", "8"]);
    let (_served, address) = start(&sandbox, &["--port", "0", "--root", &playing.folder()]);
    let browser = Browser::launch().unwrap();
    let page = browser.open(address.trim()).unwrap();
    // The queue fills…
    page.wait_for("document.querySelector('#needs .card') && document.title.startsWith('(')", PATIENCE).unwrap();
    page.wait_for("document.querySelector('#needs .asked li')", PATIENCE).unwrap();
    // … and empties: the session that waited continues.
    let goes_on = "(() => { globalThis.waited ??= new Set(); \
        for (const card of document.querySelectorAll('#needs .card')) waited.add(card.dataset.session); \
        return [...waited].some(id => document.querySelector(`#work #s-${CSS.escape(id)}`)) })()";
    page.wait_for(goes_on, PATIENCE).unwrap();
    for kind in ["command", "edit", "agent", "failed", "human"] {
        page.wait_for(&format!("document.querySelector('#timeline rect.{kind}')"), PATIENCE).unwrap();
    }
    assert_eq!(page.console_errors(), Vec::<String>::new());
    // A session's page grows at its end while it is read.
    page.wait_for("document.querySelector('#work .card')", PATIENCE).unwrap();
    let address = page.evaluate("document.querySelector('#work .card h3 a').href").unwrap();
    page.go(address.as_str().unwrap()).unwrap();
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

#[test]
fn a_capture_is_followed_while_it_is_recorded() {
    let stage = Stage::new("init\nsay first words\nhear\nsay second words\nresult success 0.5\nhear");
    let mut capture = stage.capture(&["--input", "--conversation", "shed", "--title", "Tidy the shed"], &["-p"]);
    let mut capture = capture.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut input = capture.stdin.take().unwrap();
    let (_served, address) = start(&stage.sandbox, &["--port", "0"]);
    let browser = Browser::launch().unwrap();
    let page = browser.open(address.trim()).unwrap();
    let says = |text: &str| format!("document.querySelector('main').textContent.includes('{text}')");
    page.wait_for(&says("Tidy the shed"), PATIENCE).unwrap();
    let address = page.evaluate("document.querySelector('.card h3 a').href").unwrap();
    page.go(address.as_str().unwrap()).unwrap();
    page.wait_for("document.documentElement.dataset.live !== undefined", PATIENCE).unwrap();
    page.wait_for(&says("first words"), PATIENCE).unwrap();
    assert_eq!(page.evaluate(&says("second words")).unwrap(), json!(false));
    // The input of the program, and its answer.
    input.write_all(b"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"sweep the floor\"}}\n").unwrap();
    page.wait_for(&says("sweep the floor"), PATIENCE).unwrap();
    page.wait_for(&says("second words"), PATIENCE).unwrap();
    page.wait_for(&says("success"), PATIENCE).unwrap();
    drop(input);
    assert!(capture.wait().unwrap().success());
    assert_eq!(page.console_errors(), Vec::<String>::new());
}
