//! Takes a screenshot of a page:
//! `cargo run -p recount-browser --example screenshot -- PAGE PICTURE.png [WIDTH HEIGHT] [dark]`
//!
//! The page is a file or a URL. A last argument that is none of these is a script to run first.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [page, picture, rest @ ..] = arguments.as_slice() else { anyhow::bail!("expected a page and an output file") };
    let mut numbers = rest.iter().filter_map(|word| word.parse().ok());
    let (width, height) = (numbers.next().unwrap_or(1280), numbers.next().unwrap_or(900));
    let browser = browser::Browser::launch()?;
    let shown = browser.page()?;
    shown.set_viewport(width, height)?;
    shown.emulate_dark(rest.iter().any(|word| word == "dark"))?;
    let address = if page.starts_with("http://") {
        page.clone()
    } else {
        format!("file://{}", std::fs::canonicalize(page).with_context(|| page.clone())?.display())
    };
    shown.go(&address)?;
    for script in rest.iter().filter(|word| *word != "dark" && word.parse::<u32>().is_err()) {
        shown.evaluate(script)?;
    }
    shown.evaluate("new Promise(done => setTimeout(done, 300))")?;
    shown.wait_for("document.fonts.status === 'loaded'", Duration::from_secs(5))?;
    for error in shown.console_errors() {
        eprintln!("console: {error}");
    }
    shown.screenshot(Path::new(picture))
}
