//! `recount` without a verb, in a real terminal: the tests drive tmux and read its screen.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "these are tests")]

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

const RETRIES: &str = "11111111-5a1b-4c00-9e21-7d1de0c11e47";
const BEDS: &str = "22222222-5a1b-4c00-9e21-7d1de0c11e47";
const BUILD: &str = "33333333-5a1b-4c00-9e21-7d1de0c11e47";

/// A home folder with three sessions, two of them in the project `garden`.
struct Home(TempDir);

impl Home {
    fn empty() -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(home.path("garden")).unwrap();
        home
    }

    fn new() -> Self {
        let home = Self::empty();
        let garden = home.path("garden");
        home.session(RETRIES, &garden, "Retries for the client", "please retry", "2026-08-08T09", 40);
        home.session(BEDS, &garden, "Water the beds", "they are dry", "2026-08-07T09", 2);
        home.session(
            BUILD,
            Path::new("/srv/other"),
            "Fix the \\u001b[2J\\u001b]0;evil\\u0007build",
            "it is broken",
            "2026-08-06T09",
            2,
        );
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    /// Writes a session with this many turns.
    fn session(&self, id: &str, project: &Path, title: &str, prompt: &str, hour: &str, turns: u32) {
        let mut lines = format!("{{\"type\":\"custom-title\",\"customTitle\":\"{title}\",\"sessionId\":\"{id}\"}}\n");
        for turn in 1..=turns {
            let about = format!(
                "\"sessionId\":\"{id}\",\"cwd\":\"{}\",\"version\":\"2.1.0\",\"timestamp\":\"{hour}:{turn:02}:00.000Z\"",
                project.display()
            );
            let before = if turn > 1 { format!("\"a{}\"", turn - 1) } else { "null".to_owned() };
            let _ = write!(
                lines,
                "{{\"type\":\"user\",\"uuid\":\"u{turn}\",\"parentUuid\":{before},{about},\
                 \"message\":{{\"role\":\"user\",\"content\":\"{prompt} number {turn}\"}}}}\n\
                 {{\"type\":\"assistant\",\"uuid\":\"a{turn}\",\"parentUuid\":\"u{turn}\",{about},\
                 \"message\":{{\"id\":\"m{turn}\",\"role\":\"assistant\",\"model\":\"claude-opus-4-1\",\
                 \"content\":[{{\"type\":\"text\",\"text\":\"Answer number {turn}.\"}}],\
                 \"usage\":{{\"input_tokens\":10,\"output_tokens\":20}}}}}}\n"
            );
        }
        let folder = self.path(".claude/projects").join(project.display().to_string().replace('/', "-"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("{id}.jsonl")), lines).unwrap();
    }
}

/// A terminal with a shell in it, in the folder `garden`.
struct Terminal {
    socket: PathBuf,
}

impl Terminal {
    fn new(home: &Home, width: u16, height: u16) -> Self {
        let terminal = Self { socket: home.path("tmux") };
        let program = assert_cmd::cargo::cargo_bin!("recount");
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", program.parent().unwrap().display());
        let mut tmux = terminal.command();
        tmux.env_clear().env("PATH", path).env("HOME", home.path("")).env("TZ", "UTC");
        // The startup file of an interactive shell.
        fs::write(home.path("prompt"), "PS1='ready> '\n").unwrap();
        tmux.env("ENV", home.path("prompt"));
        tmux.env("LC_ALL", "C.UTF-8");
        tmux.args(["new-session", "-d", "-x", &width.to_string(), "-y", &height.to_string(), "-c"]);
        tmux.arg(home.path("garden")).arg("sh");
        let output = tmux.output().expect("tmux is needed for these tests");
        assert!(output.status.success(), "{output:?}");
        terminal.wait_for("ready>");
        terminal
    }

    fn command(&self) -> Command {
        let mut command = Command::new("tmux");
        command.env_remove("TMUX").args(["-u", "-f", "/dev/null", "-S"]).arg(&self.socket);
        command
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let output: Output = self.command().args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Sends keys by name: `Enter`, `Escape`, `C-c`, or letters.
    fn press(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// Sends a text literally.
    fn send(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
    }

    fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    /// Waits until the screen meets a condition.
    fn wait_until(&self, what: &str, is_so: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + Duration::from_secs(40);
        loop {
            let screen = self.screen();
            if is_so(&screen) {
                return screen;
            }
            assert!(Instant::now() < deadline, "waited for {what} in vain:\n{screen}");
            thread::sleep(Duration::from_millis(30));
        }
    }

    fn wait_for(&self, text: &str) -> String {
        self.wait_until(text, |screen| screen.contains(text))
    }

    fn start(&self) {
        self.press(&["recount", "Enter"]);
        self.wait_until("the list", |screen| screen.contains("3 sessions") && !screen.contains("reading"));
    }

    /// Whether the terminal is restored: no alternate screen, a visible cursor, no mouse, line editing.
    fn is_given_back(&self) -> bool {
        let modes = self.tmux(&["display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}"]);
        self.press(&["clear; stty -a | tr ';' '\\n' | grep -o '[-]*icanon'; echo a$((1 + 1))z", "Enter"]);
        let screen = self.wait_for("a2z");
        modes.trim() == "0 1 0" && screen.lines().any(|line| line == "icanon")
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.command().arg("kill-server").output();
    }
}

#[test]
fn sessions_of_this_project_come_first() {
    let home = Home::new();
    let terminal = Terminal::new(&home, 80, 24);
    terminal.start();
    let screen = terminal.wait_for("please retry number 1");
    let row = |text: &str| screen.lines().position(|line| line.contains(text)).unwrap();
    assert!(row("this project") < row("Retries for the client"), "{screen}");
    assert!(row("Retries for the client") < row("Water the beds"), "{screen}");
    assert!(row("Water the beds") < row("elsewhere") && row("elsewhere") < row("Fix the build"), "{screen}");
}

#[test]
fn letters_narrow_the_list() {
    let home = Home::new();
    let terminal = Terminal::new(&home, 80, 24);
    terminal.start();
    terminal.press(&["/"]);
    // Words of a prompt also find the session.
    terminal.send("dry");
    terminal.wait_for("1 of 3");
    terminal.wait_until("what is left", |screen| {
        screen.contains("Water the beds") && !screen.contains("Retries for the client")
    });
    terminal.press(&["Escape"]);
    terminal.wait_for("Retries for the client");
    terminal.press(&["Escape"]);
    terminal.wait_for("ready>");
}

#[test]
fn a_session_is_read_and_left_and_q_quits() {
    let home = Home::new();
    let terminal = Terminal::new(&home, 80, 24);
    terminal.start();
    terminal.press(&["Enter"]);
    terminal.wait_for("Answer number 2.");
    terminal.press(&["G"]);
    terminal.wait_for("Answer number 40.");
    terminal.press(&["["]);
    terminal.press(&["d"]);
    terminal.wait_for("full");
    terminal.press(&["/"]);
    terminal.send("number 12");
    terminal.press(&["Enter"]);
    terminal.wait_until("the place", |screen| screen.lines().nth(1).is_some_and(|line| line.contains("number 12")));
    terminal.press(&["q"]);
    terminal.wait_for("this project");
    terminal.press(&["q"]);
    terminal.wait_until("the prompt", |screen| !screen.contains("this project") && screen.contains("ready>"));
    assert!(terminal.is_given_back());
}

#[test]
fn it_follows_the_size_of_the_window() {
    let home = Home::new();
    let terminal = Terminal::new(&home, 80, 24);
    terminal.start();
    for (width, height) in [("160", "45"), ("40", "10"), ("7", "3"), ("120", "30")] {
        terminal.tmux(&["resize-window", "-x", width, "-y", height]);
        thread::sleep(Duration::from_millis(300));
    }
    terminal.wait_until("both sides", |screen| {
        screen.lines().any(|line| line.contains("Water the beds") && line.contains('│'))
    });
    terminal.press(&["q"]);
    terminal.wait_until("the prompt", |screen| screen.contains("ready>") && !screen.contains("elsewhere"));
    assert!(terminal.is_given_back());
}

#[test]
fn the_mouse_selects_and_reads() {
    let home = Home::new();
    let terminal = Terminal::new(&home, 80, 24);
    terminal.start();
    // Scrolls the list with the wheel, then clicks twice on the third row.
    terminal.send("\x1b[<65;10;4M");
    terminal.wait_for("it is broken number 1");
    terminal.send("\x1b[<0;10;4M\x1b[<0;10;4m\x1b[<0;10;4M\x1b[<0;10;4m");
    terminal.wait_until("the reader", |screen| screen.contains("they are dry number 1") && screen.contains("turn"));
    terminal.press(&["C-c"]);
    terminal.wait_for("ready>");
    assert!(terminal.is_given_back());
}

#[test]
fn a_signal_ends_it_and_the_terminal_is_restored() {
    for (signal, code) in [("TERM", 128 + 15), ("HUP", 128 + 1)] {
        let home = Home::new();
        let terminal = Terminal::new(&home, 80, 24);
        terminal.press(&["sh -c 'echo $$ > ../pid; exec recount'; echo ended $?", "Enter"]);
        terminal.wait_for("3 sessions");
        let pid = fs::read_to_string(home.path("pid")).unwrap();
        assert!(Command::new("kill").args([&format!("-{signal}"), pid.trim()]).status().unwrap().success());
        terminal.wait_for(&format!("ended {code}"));
        assert!(terminal.is_given_back(), "{signal}");
    }
}

#[test]
fn it_can_be_suspended() {
    let home = Home::new();
    let terminal = Terminal::new(&home, 80, 24);
    terminal.start();
    terminal.press(&["C-z"]);
    terminal.wait_until("the prompt", |screen| !screen.contains("this project") && screen.contains("ready>"));
    assert!(terminal.is_given_back());
    terminal.press(&["fg", "Enter"]);
    terminal.wait_for("this project");
    terminal.press(&["j"]);
    terminal.wait_for("they are dry number 1");
    terminal.press(&["q"]);
    terminal.wait_until("the prompt", |screen| !screen.contains("this project") && screen.contains("ready>"));
}

#[test]
fn pages_and_markdown_never_replace_a_file() {
    let home = Home::new();
    fs::write(home.path("garden/11111111.html"), "mine").unwrap();
    let terminal = Terminal::new(&home, 80, 24);
    terminal.start();
    terminal.press(&["e"]);
    terminal.wait_for("written: 11111111-2.html");
    terminal.press(&["E"]);
    terminal.wait_for("written: 11111111.md");
    assert_eq!(fs::read_to_string(home.path("garden/11111111.html")).unwrap(), "mine");
    assert!(fs::read_to_string(home.path("garden/11111111-2.html")).unwrap().contains("please retry number 40"));
    assert!(fs::read_to_string(home.path("garden/11111111.md")).unwrap().contains("please retry number 40"));
}

#[test]
fn without_sessions_it_says_what_to_do() {
    let home = Home::empty();
    let terminal = Terminal::new(&home, 80, 24);
    terminal.press(&["recount", "Enter"]);
    let screen = terminal.wait_for("recount demo");
    assert!(!screen.contains("could not be read"), "{screen}");
    terminal.press(&["q"]);
    terminal.wait_for("ready>");
}

#[test]
fn without_a_place_for_the_index_it_warns_and_continues() {
    let home = Home::new();
    fs::write(home.path(".cache"), "no folder").unwrap();
    let terminal = Terminal::new(&home, 120, 24);
    terminal.press(&["recount", "Enter"]);
    terminal.wait_for("reading all sessions, because the index cannot be stored");
    terminal.wait_for("3 sessions");
    terminal.press(&["q"]);
    terminal.wait_for("ready>");
}

/// A demo that plays in the folder `played` until it is dropped.
struct Playing(std::process::Child);

impl Playing {
    fn new(home: &Home) -> Self {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("recount"));
        command.args(["demo", "--live", "--speed", "5"]).arg(home.path("played"));
        command.env_clear().env("HOME", home.path("")).env("PATH", "/usr/bin:/bin");
        Self(command.stdout(std::process::Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_board_updates_itself_and_obeys_keys() {
    let home = Home::empty();
    let _playing = Playing::new(&home);
    let terminal = Terminal::new(&home, 80, 24);
    terminal.press(&["CLAUDE_CONFIG_DIR=../played recount watch", "Enter"]);
    // Without a key: a session works, then one waits.
    terminal.wait_until("work", |screen| screen.contains("working"));
    terminal.wait_until("a wait", |screen| screen.contains(" needs you  ") && screen.contains(" 1 "));
    terminal.wait_until("costs", |screen| screen.contains("today") && screen.contains("tokens"));
    terminal.press(&["g"]);
    terminal.wait_until("projects", |screen| screen.contains(" shop  ") && screen.contains(" shop-admin  "));
    terminal.press(&["/"]);
    terminal.send("search page");
    terminal.wait_until("one", |screen| screen.contains("/ search page") && !screen.contains(" shop-admin  "));
    terminal.press(&["Enter"]);
    terminal.press(&["Enter"]);
    terminal.wait_until("the reader", |screen| screen.contains("steps · ") && screen.contains("The search page takes"));
    terminal.press(&["q"]);
    terminal.wait_for("/ search page");
    for (width, height) in [("40", "12"), ("7", "3"), ("120", "30")] {
        terminal.tmux(&["resize-window", "-x", width, "-y", height]);
        thread::sleep(Duration::from_millis(200));
    }
    terminal.press(&["Escape"]);
    terminal.wait_for(" shop-admin  ");
    terminal.press(&["q"]);
    // tmux may leave lines of the board above the prompt after the window was resized.
    terminal.wait_until("the prompt", |screen| screen.trim_end().ends_with("ready>"));
    assert!(terminal.is_given_back());
}

#[test]
fn a_capture_shows_progress_in_a_terminal() {
    let home = Home::empty();
    let terminal = Terminal::new(&home, 80, 24);
    terminal.press(&["mkfifo pipe; recount capture --conversation c < pipe > out", "Enter"]);
    let pipe = home.path("garden/pipe");
    while !pipe.exists() {
        thread::sleep(Duration::from_millis(10));
    }
    let mut pipe = fs::OpenOptions::new().write(true).open(pipe).unwrap();
    let call = r#"{"type":"assistant","session_id":"s","message":{"id":"m","role":"assistant","model":"claude-opus-5","content":[{"type":"tool_use","id":"t","name":"Ba\u001b[2Jsh","input":{}}],"usage":{"input_tokens":1000,"output_tokens":234}}}"#;
    let result = r#"{"type":"user","session_id":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"done"}]}}"#;
    let end = r#"{"type":"result","subtype":"success","is_error":false,"session_id":"s","total_cost_usd":0.25}"#;
    pipe.write_all(format!("{{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}}\n{call}\n").as_bytes())
        .unwrap();
    terminal.wait_until("the call", |screen| screen.contains("turn 1 · Ba") && screen.contains("sh · 1.2k tokens"));
    pipe.write_all(format!("{result}\n").as_bytes()).unwrap();
    terminal.wait_for("turn 1 · 1.2k tokens");
    pipe.write_all(format!("{end}\n").as_bytes()).unwrap();
    terminal.wait_for("turn 2 · 1.2k tokens · $0.25");
    drop(pipe);
    // The final message replaces the progress line.
    let screen = terminal.wait_for("recorded 4 messages, $0.25: c");
    assert!(!screen.contains("turn 2"), "{screen}");
    assert!(fs::read_to_string(home.path("garden/out")).unwrap().ends_with(&format!("{result}\n{end}\n")));
}

/// The terminal sends the signal of a key to the program itself, so recount does not repeat it, but passes on others.
#[test]
#[cfg(target_os = "linux")]
fn signals_arrive_once_from_the_terminal_and_from_elsewhere() {
    let home = Home::empty();
    fs::write(
        home.path("garden/said"),
        "trap 'echo heard >> heard; kill $!; exit 7' INT; sleep 100 & echo ready > ready; wait\n",
    )
    .unwrap();
    let terminal = Terminal::new(&home, 80, 24);
    for way in ["key", "kill"] {
        for file in ["garden/ready", "garden/heard"] {
            let _ = fs::remove_file(home.path(file));
        }
        terminal.press(&[&format!("recount capture -- sh said > out; echo {way}: $?"), "Enter"]);
        while !home.path("garden/ready").exists() {
            thread::sleep(Duration::from_millis(10));
        }
        if way == "key" {
            terminal.press(&["C-c"]);
        } else {
            let shell = terminal.tmux(&["display-message", "-p", "#{pane_pid}"]);
            let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", shell.trim())).unwrap();
            let kill = format!("kill -INT {}", children.trim());
            assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        }
        terminal.wait_for(&format!("{way}: 7"));
        assert_eq!(fs::read_to_string(home.path("garden/heard")).unwrap(), "heard\n", "{way}");
    }
}

#[test]
fn a_session_is_played_and_obeys_keys() {
    let home = Home::new();
    let terminal = Terminal::new(&home, 80, 24);
    // A minute passes from turn to turn.
    terminal.press(&["recount replay 11111111 --max-pause 1h", "Enter"]);
    terminal.wait_for("Answer number 1.");
    terminal.press(&["Right"]);
    let screen = terminal.wait_for("Answer number 2.");
    assert!(!screen.contains("number 3"), "{screen}");
    // One step forward, and the playback stays paused.
    terminal.press(&["."]);
    let screen = terminal.wait_for("please retry number 3");
    assert!(!screen.contains("Answer number 3."), "{screen}");
    terminal.press(&["."]);
    terminal.wait_for("Answer number 3.");
    terminal.press(&["Left"]);
    terminal.wait_until("the turn before", |screen| !screen.contains("number 3"));
    // At the highest speed, a minute passes in less than a second.
    terminal.press(&["Up", "Up", "Up", "Up", "Up", "Up", "Up", "Space"]);
    terminal.wait_for("Answer number 4.");
    terminal.press(&["q"]);
    terminal.wait_for("ready>");
    assert!(terminal.is_given_back());
}

/// `recount` with its output in a file, in a folder.
fn listed(home: &Home, folder: &str) -> (String, String) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("recount"));
    let output =
        command.env_clear().env("HOME", home.path("")).env("TZ", "UTC").current_dir(home.path(folder)).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn without_a_terminal_the_sessions_of_this_project_are_listed() {
    let home = Home::new();
    let (out, err) = listed(&home, "garden");
    assert!(
        out.contains("Retries for the client") && out.contains("Water the beds") && !out.contains("build"),
        "{out}"
    );
    assert_eq!(err, "");
    fs::create_dir(home.path("new")).unwrap();
    let (out, err) = listed(&home, "new");
    assert!(out.contains("Retries for the client") && out.contains("build"), "{out}");
    assert!(err.contains("no session of this project"), "{err}");
}
