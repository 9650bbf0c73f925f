//! A server with sessions of its own, and a client that sends exactly the given bytes.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::Duration;

use app::{App, Environment, Flags};
use server::access::Access;
use server::token::Token;
use server::{Options, Server};
use sources::Root;
use testkit::Session;

/// Environment variables, by name.
type Variables = &'static [(&'static str, &'static str)];

/// A server that stops at the end of the test.
pub(crate) struct Site {
    pub(crate) folder: tempfile::TempDir,
    variables: Variables,
    pub(crate) address: SocketAddr,
    pub(crate) token: String,
    /// The cookie of a browser that has signed in.
    cookie: String,
    /// Whether browsers stay signed in when the server ends.
    is_remembering: bool,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// A session that is active now.
pub(crate) fn session(id: &str) -> Session {
    let now = jiff::Timestamp::now().as_millisecond();
    // Equal entries in two sessions would be taken for copies.
    let seed = id.bytes().fold(7, |seed, byte| seed * 31 + u64::from(byte));
    Session::seeded(seed).with_id(id).in_directory("/w/shop").starting_at(now - 60_000)
}

impl Site {
    pub(crate) fn new() -> Self {
        Self::with(&[("TZ", "UTC")])
    }

    /// With these variables, which may be settings.
    pub(crate) fn with(variables: Variables) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("root/projects/-w-shop")).unwrap();
        Self::at(folder, "127.0.0.1:0".parse().unwrap(), variables, false)
    }

    /// Browsers stay signed in when the server ends.
    pub(crate) fn remembering() -> Self {
        let mut site = Self::new();
        site.is_remembering = true;
        site.restarted()
    }

    /// Archives everything, and starts again with the archive.
    pub(crate) fn with_archive(self) -> Self {
        let archive = self.archive();
        let roots = [Root { path: self.folder.path().join("root"), named: true }];
        let mut writer = archive::Writer::open(&archive, Duration::from_secs(1)).unwrap();
        let (files, problems) = sources::keep::belongings(&roots);
        assert!(problems.is_empty(), "{problems:?}");
        sources::keep::keep(&mut writer, &files, "", &|_| {}).unwrap();
        writer.finish().unwrap();
        self.restarted()
    }

    fn archive(&self) -> PathBuf {
        self.folder.path().join("archive")
    }

    fn at(folder: tempfile::TempDir, address: SocketAddr, variables: Variables, is_remembering: bool) -> Self {
        let mut access = Access::with_token_of(&folder.path().join("token")).unwrap();
        if is_remembering {
            access = access.remembering(&folder.path().join("browsers")).unwrap();
        }
        let token = access.token().clone();
        let [root, archive] = ["root", "archive"].map(|name| folder.path().join(name));
        let is_archive = Root { path: archive.clone(), named: false }.is_archive();
        let environment = Environment {
            sources: sources::Environment {
                claude_config_dir: Some(root.into()),
                archive: is_archive.then_some(archive),
                ..sources::Environment::default()
            },
            cache: Some(folder.path().join("cache")),
            variables: variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            ..Environment::default()
        };
        let server = Server::bind(Options {
            app: App::new(environment, Flags::default()),
            address,
            names: vec!["desk.example".to_owned()],
            access: access.with_code(Some(Token::load(&folder.path().join("code")).unwrap())),
        })
        .unwrap();
        let address = server.address();
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let thread = std::thread::spawn(move || server.run_until(async { drop(stopped.await) }).unwrap());
        let token = token.as_str().to_owned();
        let (stop, thread, cookie) = (Some(stop), Some(thread), String::new());
        let mut site = Self { folder, variables, address, token, cookie, is_remembering, stop, thread };
        site.cookie = site.signed_in();
        site
    }

    /// Signs a browser in, and returns its cookie.
    pub(crate) fn signed_in(&self) -> String {
        let answer = self.ask("GET", &format!("/?token={}", self.token), &[("Host", &self.host())]);
        let cookie = answer.header("set-cookie").unwrap();
        cookie.split_once(';').unwrap().0.to_owned()
    }

    /// Stops the server, and starts another with the same sessions at the same address.
    pub(crate) fn restarted(mut self) -> Self {
        self.end();
        let folder = std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap());
        Self::at(folder, self.address, self.variables, self.is_remembering)
    }

    fn end(&mut self) {
        drop(self.stop.take());
        self.thread.take().map(JoinHandle::join);
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join("root/projects/-w-shop").join(format!("{name}.jsonl"))
    }

    /// Writes a session as it is now.
    pub(crate) fn write(&self, name: &str, session: &Session) {
        fs::write(self.file(name), session.jsonl()).unwrap();
    }

    /// Sends bytes, and reads the response.
    pub(crate) fn send(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        read(&bytes)
    }

    /// Sends a request with these headers and no others.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = format!("{method} {path} HTTP/1.1\r\n");
        for (name, value) in headers.iter().chain(&[("Connection", "close")]) {
            request.extend([name, ": ", value, "\r\n"]);
        }
        self.send(&format!("{request}\r\n"))
    }

    pub(crate) fn host(&self) -> String {
        self.address.to_string()
    }

    pub(crate) fn cookie(&self) -> String {
        self.cookie.clone()
    }

    /// Sends a request as an authenticated browser.
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[("Host", &self.host()), ("Cookie", &self.cookie())])
    }

    /// Repeats a request until the response is good. Lists include new lines within a quarter of a minute.
    pub(crate) fn get_until(&self, path: &str, is_good: impl Fn(&Answer) -> bool) -> Answer {
        for _ in 0..800 {
            let answer = self.get(path);
            if is_good(&answer) {
                return answer;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("{path} did not become what was waited for: {}", self.get(path).text());
    }

    /// Listens for events.
    pub(crate) fn listen(&self, path: &str, last: Option<&str>) -> Listening {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let last = last.map(|last| format!("Last-Event-ID: {last}\r\n")).unwrap_or_default();
        let (host, cookie) = (self.host(), self.cookie());
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n{last}\r\n").unwrap();
        Listening { lines: BufReader::new(stream) }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.end();
    }
}

/// A stream of events.
pub(crate) struct Listening {
    lines: BufReader<TcpStream>,
}

/// An event.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ServerEvent {
    pub(crate) name: String,
    pub(crate) id: String,
    pub(crate) data: String,
}

impl Listening {
    /// Whether the server ends the events.
    pub(crate) fn ends(&mut self) -> bool {
        loop {
            let mut line = String::new();
            match self.lines.read_line(&mut line) {
                // The last chunk is empty.
                Ok(length) if length == 0 || line.trim_end() == "0" => return true,
                Ok(_) => {}
                Err(_) => return false,
            }
        }
    }

    /// The next event.
    pub(crate) fn next(&mut self) -> ServerEvent {
        let mut event = ServerEvent::default();
        loop {
            let mut line = String::new();
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "the connection was closed");
            match line.trim_end().split_once(": ") {
                Some(("event", name)) => name.clone_into(&mut event.name),
                Some(("id", id)) => id.clone_into(&mut event.id),
                Some(("data", data)) => data.clone_into(&mut event.data),
                _ if line.trim_end().is_empty() && !event.name.is_empty() => return event,
                _ => {}
            }
        }
    }
}

fn read(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(bytes.len());
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|status| status.parse().ok());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let rest = bytes.get(end + 4..).unwrap_or_default();
    let is_chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let body = if is_chunked { unchunked(rest) } else { rest.to_vec() };
    Answer { status: status.unwrap_or(0), headers, body }
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let length = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
        body.extend_from_slice(&rest[end + 2..end + 2 + length]);
        rest = &rest[end + 4 + length..];
        if length == 0 {
            break;
        }
    }
    body
}
