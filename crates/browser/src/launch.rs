//! Starts and stops a browser.

use std::cell::RefCell;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use nix::sys::stat::Mode;
use serde_json::json;
use tempfile::TempDir;

use crate::page::Page;
use crate::pipe::Pipe;

/// Its names in Debian, Ubuntu and Fedora, and Google's.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

const FLAGS: [&str; 13] = [
    "--headless",
    "--remote-debugging-pipe",
    // Tests run as root in containers, where the sandbox does not work; they open only our own pages.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--enable-precise-memory-info",
    "--force-color-profile=srgb",
];

/// A headless browser. It exits when dropped.
#[derive(Debug)]
pub struct Browser {
    pub(crate) pipe: RefCell<Pipe>,
    child: Child,
    /// The pipes and the profile.
    _folder: TempDir,
}

impl Browser {
    /// Starts a browser with a fresh profile.
    pub fn launch() -> Result<Self> {
        let program = find().context(
            "there is no Chromium\nhint: run script/setup --test, or install it: apt-get install chromium (Debian), \
             brew install --cask chromium (macOS)",
        )?;
        let folder = tempfile::tempdir()?;
        let (input, output) = (folder.path().join("in"), folder.path().join("out"));
        for pipe in [&input, &output] {
            nix::unistd::mkfifo(pipe, Mode::S_IRUSR | Mode::S_IWUSR)?;
        }
        let complaints = folder.path().join("stderr");
        // The browser expects its pipes as descriptors 3 and 4, which a shell can arrange without unsafe code.
        let child = Command::new("sh")
            .args(["-c", r#"exec "$@" 3<"$0/in" 4>"$0/out""#])
            .arg(folder.path())
            .arg(program)
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .arg("about:blank")
            .env_remove("CHROMIUM_FLAGS")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&complaints)?)
            .spawn()
            .context("no shell")?;
        // Each open returns once the shell opens the other end, in the same order.
        let input = File::options().write(true).open(input)?;
        let output = File::open(output)?;
        let browser = Self { pipe: RefCell::new(Pipe::new(input, output)), child, _folder: folder };
        let version = browser.pipe.borrow_mut().call(None, "Browser.getVersion", &json!({}));
        if let Err(error) = version {
            bail!("Chromium did not start: {error}\n{}", fs::read_to_string(complaints).unwrap_or_default());
        }
        Ok(browser)
    }

    /// A new, empty page.
    pub fn page(&self) -> Result<Page<'_>> {
        Page::new(self)
    }

    /// A new page with this URL, loaded.
    pub fn open(&self, url: &str) -> Result<Page<'_>> {
        let page = Page::new(self)?;
        page.go(url)?;
        Ok(page)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let asked = self.pipe.get_mut().call(None, "Browser.close", &json!({}));
        let patience = Instant::now() + Duration::from_secs(if asked.is_ok() { 5 } else { 0 });
        while matches!(self.child.try_wait(), Ok(None)) {
            if Instant::now() > patience {
                let _ = self.child.kill();
                let _ = self.child.wait();
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn find() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<_> = std::env::split_paths(&path).collect();
    let known = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let applications = [PathBuf::from("/Applications/Chromium.app/Contents/MacOS/Chromium")];
    named.into_iter().chain(known).chain(applications).find(|path| path.is_file())
}
