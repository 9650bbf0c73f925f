//! What recount keeps for itself is closed to other users of the machine, whatever the umask.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use crate::sandbox::Sandbox;

const SESSION: &str = "11111111-1111-4111-8111-111111111111";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let mut session = testkit::Session::new().with_id(SESSION);
    session.prompt("water the garden");
    sandbox.write(&format!(".claude/projects/-w-shop/{SESSION}.jsonl"), session.jsonl());
    sandbox
}

/// Runs `recount` with a umask that closes nothing, and a browser that notes what it is started with.
fn run(sandbox: &Sandbox, arguments: &str, input: &str) -> Output {
    sandbox.write("bin/xdg-open", "#!/bin/sh\necho \"$1\" >> \"$HOME/opened\"\n");
    fs::set_permissions(sandbox.path("bin/xdg-open"), fs::Permissions::from_mode(0o755)).unwrap();
    let recount = assert_cmd::cargo::cargo_bin!("recount").to_str().unwrap().to_owned();
    let mut command = Command::new("sh");
    command.args(["-c", &format!("umask 0; exec {recount} {arguments}")]).current_dir(sandbox.path("")).env_clear();
    command.env("HOME", sandbox.path("")).env("PATH", format!("{}:/usr/bin:/bin", sandbox.path("bin").display()));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().unwrap();
    std::io::Write::write_all(&mut process.stdin.take().unwrap(), input.as_bytes()).unwrap();
    process.wait_with_output().unwrap()
}

/// All files and folders below one, with it.
fn all(path: &Path, found: &mut Vec<PathBuf>) {
    found.push(path.to_path_buf());
    for entry in path.read_dir().into_iter().flatten().flatten() {
        all(&entry.path(), found);
    }
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

fn exposed(sandbox: &Sandbox) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in [".cache/recount", ".local/share/recount"] {
        all(&sandbox.path(folder), &mut found);
    }
    assert!(found.len() > 5, "{found:?}");
    found.retain(|path| mode(path) & 0o077 != 0);
    found
}

#[test]
fn everything_that_is_kept_is_the_users_alone() {
    let sandbox = sandbox();
    let event = format!(r#"{{"hook_event_name":"Stop","session_id":"{SESSION}","cwd":"/w/shop"}}"#);
    let runs = [
        ("ls", ""),
        ("search water", ""),
        ("archive", ""),
        ("capture -- echo '{\"type\":\"result\",\"result\":\"done\"}'", ""),
        ("hook", event.as_str()),
        ("statusline", r#"{"model":{"display_name":"Opus"}}"#),
        ("show last --format html --open", ""),
    ];
    for (arguments, input) in runs {
        let output = run(&sandbox, arguments, input);
        assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let exposed = exposed(&sandbox);
    assert!(exposed.is_empty(), "{exposed:?}");
    // Files that the user names follow the umask.
    assert!(run(&sandbox, "show last -o named.txt", "").status.success());
    assert_eq!(mode(&sandbox.path("named.txt")), 0o666);
}

#[test]
fn what_an_earlier_version_left_open_is_closed() {
    let sandbox = sandbox();
    assert!(run(&sandbox, "ls", "").status.success());
    let (folder, index) = (sandbox.path(".cache/recount"), sandbox.path(".cache/recount/index.db"));
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(&index, fs::Permissions::from_mode(0o644)).unwrap();
    // `check` opens no index, and so it only names them.
    let output = run(&sandbox, "check", "");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("other users of this machine can read") && said.contains("index.db"), "{said}");
    assert!(said.contains("chmod -R go="), "{said}");
    assert!(run(&sandbox, "ls", "").status.success());
    assert_eq!((mode(&folder), mode(&index)), (0o700, 0o600));
    assert!(run(&sandbox, "check", "").stderr.is_empty());
}

#[test]
fn a_temporary_page_is_removed_by_the_next_run() {
    let sandbox = sandbox();
    assert!(run(&sandbox, "show last --format html --open", "").status.success());
    // The browser is not waited for.
    let opened = || fs::read_to_string(sandbox.path("opened")).ok().filter(|opened| opened.ends_with('\n'));
    let waited = (0..600).find_map(|_| {
        std::thread::sleep(Duration::from_millis(50));
        opened()
    });
    let opened = waited.unwrap();
    let page = Path::new(opened.trim());
    assert!(page.starts_with(sandbox.path(".cache/recount")), "{opened}");
    assert!(fs::read_to_string(page).unwrap().contains("water the garden"));
    assert!(run(&sandbox, "ls", "").status.success());
    assert!(page.exists(), "the browser may not have read it yet");
    let file = fs::File::options().write(true).open(page).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(120)).unwrap();
    assert!(run(&sandbox, "ls", "").status.success());
    assert!(!page.exists());
}
