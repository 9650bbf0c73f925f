//! `recount serve`, as users start it, and its resources.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

/// A server that exits when dropped.
pub(crate) struct Served {
    process: Child,
    /// Host and port.
    pub(crate) host: String,
    pub(crate) token: String,
}

impl Served {
    /// Serves the sessions of a home, with all of its own data stored there.
    pub(crate) fn start(recount: &str, home: &Path) -> Result<Self> {
        let state: PathBuf = home.join("state");
        let mut process = Command::new(recount)
            .args(["serve", "--port", "0"])
            .env_remove("CLAUDE_CONFIG_DIR")
            .env("HOME", home)
            .env("XDG_CACHE_HOME", home.join("cache"))
            .env("XDG_DATA_HOME", home.join("data"))
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_STATE_HOME", state)
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().context("no output")?).read_line(&mut line)?;
        let (host, token) = line
            .trim()
            .strip_prefix("http://")
            .and_then(|rest| rest.split_once("/?token="))
            .with_context(|| format!("no address: {line}"))?;
        Ok(Self { process, host: host.to_owned(), token: token.to_owned() })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// The URL of a page, with the token that admits a browser.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}?token={}", self.host, self.token)
    }

    /// Sends a request and returns the stream with the response.
    pub(crate) fn ask(&self, path: &str) -> Result<TcpStream> {
        let mut stream = TcpStream::connect(&self.host)?;
        stream.set_nodelay(true)?;
        let Self { host, token, .. } = self;
        write!(stream, "GET {path} HTTP/1.0\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n")?;
        Ok(stream)
    }

    /// A response of the JSON API.
    pub(crate) fn json(&self, path: &str) -> Result<Value> {
        let mut text = String::new();
        self.ask(path)?.read_to_string(&mut text)?;
        let (head, body) = text.split_once("\r\n\r\n").context("no answer")?;
        ensure!(head.contains(" 200 "), "{path}: {head}");
        Ok(serde_json::from_str(body)?)
    }

    /// Waits until a page is available.
    pub(crate) fn wait_for_page(&self, path: &str) -> Result<()> {
        const PATIENCE: Duration = Duration::from_secs(120);
        let started = Instant::now();
        loop {
            let mut status = [0; 12];
            self.ask(path)?.read_exact(&mut status)?;
            if status.ends_with(b" 200") {
                return Ok(());
            }
            ensure!(started.elapsed() < PATIENCE, "{path} is not there: {}", String::from_utf8_lossy(&status));
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until the board meets a condition.
    pub(crate) fn wait_until(&self, is_good: impl Fn(&Value) -> bool) -> Result<Value> {
        const PATIENCE: Duration = Duration::from_secs(120);
        let started = Instant::now();
        loop {
            let board = self.json("/api/v1/board")?;
            if is_good(&board) {
                return Ok(board);
            }
            if started.elapsed() > PATIENCE {
                bail!("the board did not reach the expected state");
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// Its CPU time in seconds.
    pub(crate) fn cpu_seconds(&self) -> Result<f64> {
        // Linux reports hundredths to programs, whatever the kernel uses.
        const TICKS: f64 = 100.0;
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.pid()))?;
        let (_, rest) = stat.rsplit_once(')').context("no stat")?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).context("no time");
        Ok((ticks(11)? + ticks(12)?) / TICKS)
    }

    /// Its peak memory, in megabytes.
    pub(crate) fn peak_megabytes(&self) -> Result<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no VmHWM")?;
        Ok(line.trim().trim_end_matches(" kB").parse::<f64>()? * 1024.0 / 1e6)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
