//! The same page of agentsview.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use browser::Browser;
use measure::{bench_folder, install_agentsview};

use crate::page::{open_often, show};

/// A server that exits when dropped.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Prints the figures of the peer, if it can be installed.
pub(crate) fn measure(home: &Path, id: &str, browser: &Browser) -> Result<()> {
    let program = match install_agentsview() {
        Ok(program) => program,
        Err(error) => {
            eprintln!("  without agentsview: {error:#}");
            return Ok(());
        }
    };
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let (host, started) = (format!("127.0.0.1:{port}"), Instant::now());
    let process = Command::new(program)
        .args(["serve", "--no-browser", "--no-update-check", "--port", &port.to_string()])
        .env("HOME", home)
        .env("AGENTSVIEW_TELEMETRY_ENABLED", "false")
        .env("AGENTSVIEW_DATA_DIR", bench_folder()?.join("watch-peer-data"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let _served = Served(process);
    while !is_there(&host, id) {
        ensure!(started.elapsed() < Duration::from_secs(180), "agentsview does not serve the session");
        std::thread::sleep(Duration::from_millis(100));
    }
    println!("  agentsview serves it after {:.1} s", started.elapsed().as_secs_f64());
    let text = "[...document.querySelectorAll('.message-body')].some(body => body.textContent.trim())";
    let (before, address) = (format!("http://{host}/favicon.svg"), format!("http://{host}/sessions/{id}"));
    show("agentsview", &open_often(browser, &before, &address, text)?);
    Ok(())
}

/// Whether it has the session yet.
fn is_there(host: &str, id: &str) -> bool {
    let ask = || -> std::io::Result<String> {
        let (mut stream, mut answer) = (TcpStream::connect(host)?, String::new());
        write!(stream, "GET /api/v1/sessions/{id} HTTP/1.0\r\nHost: {host}\r\n\r\n")?;
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    };
    ask().is_ok_and(|answer| answer.contains(" 200 OK"))
}
