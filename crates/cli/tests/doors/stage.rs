//! A home folder with sessions and settings, and all requests that can be made there.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use testkit::gallery::Exhibit;

/// The settings: the zone, the currency, and the price of a model. All figures have to follow them.
const SETTINGS: &str = r#"
timezone = "Asia/Tokyo"

[usage]
currency = "€"
currency-rate = 0.5

[prices.models."claude-opus-5"]
input = 50.0
output = 250.0

[prices.models."in-house-7b"]
input = 1.0
output = 2.0
"#;

/// The zone of the settings.
pub(crate) const ZONE: &str = "Asia/Tokyo";
/// The symbol of the currency in the settings.
pub(crate) const SIGN: &str = "€";
/// The value of a dollar in that currency.
pub(crate) const RATE: f64 = 0.5;

/// A home folder for one test.
pub(crate) struct Stage {
    home: TempDir,
    /// The config root.
    pub(crate) root: PathBuf,
    /// The sessions of the gallery, if the root is one.
    pub(crate) exhibits: Vec<Exhibit>,
    served: OnceLock<Served>,
}

/// A server that is stopped when the test ends.
struct Served {
    process: Child,
    host: String,
    token: String,
}

impl Served {
    fn ask(&self, path: &str) -> (u16, String) {
        let Self { host, token, .. } = self;
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "GET {path} HTTP/1.0\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap();
        (status.parse().unwrap(), body.to_owned())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Stage {
    /// A home folder with the sessions of this root, or of `.claude` if there is none.
    pub(crate) fn new(root: Option<&Path>) -> Self {
        let home = tempfile::tempdir().unwrap();
        // The paths in sessions have to be those that programs see.
        let here = fs::canonicalize(home.path()).unwrap();
        let settings = here.join(".config/recount/config.toml");
        fs::create_dir_all(settings.parent().unwrap()).unwrap();
        fs::write(settings, SETTINGS).unwrap();
        let root = root.map_or_else(|| here.join(".claude"), Path::to_path_buf);
        Self { home, root, exhibits: Vec::new(), served: OnceLock::new() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        fs::canonicalize(self.home.path()).unwrap().join(name)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("recount"));
        command.current_dir(self.path("")).env_clear().env("HOME", self.path("")).env("CLAUDE_CONFIG_DIR", &self.root);
        // The time zone of the system and a narrow terminal must not affect the output.
        command.env("TZ", "America/Lima").env("COLUMNS", "400").env("NO_COLOR", "1");
        command
    }

    /// Runs `recount`, and accepts any exit status.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command().args(arguments).output().unwrap()
    }

    /// Runs it in the given folder.
    pub(crate) fn run_in(&self, folder: &Path, arguments: &[&str]) -> Output {
        self.command().current_dir(folder).args(arguments).output().unwrap()
    }

    /// The output of a run.
    pub(crate) fn text(&self, arguments: &[&str]) -> String {
        String::from_utf8_lossy(&self.run(arguments).stdout).into_owned()
    }

    /// The output of a run, parsed as JSON.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", String::from_utf8_lossy(&output.stderr)))
    }

    /// The response of the web app; `None` if there is no such page.
    pub(crate) fn get(&self, path: &str) -> Option<String> {
        /// A session that is still being read is available soon.
        const TRIES: usize = 600;
        let served = self.served.get_or_init(|| self.serve());
        for _ in 0..TRIES {
            let (status, body) = served.ask(path);
            match status {
                200 => return Some(body),
                503 => std::thread::sleep(Duration::from_millis(100)),
                400..500 => return None,
                _ => panic!("{path}: {status}: {body}"),
            }
        }
        panic!("{path}: it is still being read");
    }

    /// The response of the HTTP API.
    pub(crate) fn api(&self, path: &str) -> Option<Value> {
        Some(serde_json::from_str(&self.get(&format!("/api/v1{path}"))?).unwrap())
    }

    fn serve(&self) -> Served {
        // With an index, the first response is complete.
        self.run(&["ls"]);
        let mut command = self.command();
        let mut process = command.args(["serve", "--port", "0"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let (host, token) = address.trim().strip_prefix("http://").unwrap().split_once("/?token=").unwrap();
        Served { process, host: host.to_owned(), token: token.to_owned() }
    }
}
