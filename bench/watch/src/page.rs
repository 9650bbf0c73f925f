//! The page of a large session, served by `recount serve`, in a browser.

use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use browser::{Browser, Page};
use measure::{Goal, bench_folder, generated_session, verdict};

use crate::peer;
use crate::served::Served;

const MEGABYTES: u64 = 100;

/// The browser's figures for a page, once it has settled.
pub(crate) struct Opened {
    /// Milliseconds until text is visible.
    pub(crate) first_text: f64,
    pub(crate) megabytes: f64,
    pub(crate) nodes: f64,
}

pub(crate) fn measure(recount: &str, with_peer: bool) -> Result<()> {
    let session = generated_session(MEGABYTES)?;
    let root = session.ancestors().nth(3).context("a session without a root")?;
    let home = bench_folder()?.join("watch-home");
    fs::create_dir_all(&home)?;
    let link = home.join(".claude");
    if !link.exists() {
        std::os::unix::fs::symlink(root, &link)?;
    }
    let id = session.file_stem().and_then(|name| name.to_str()).context("a session without a name")?;
    println!("the page of a session of {MEGABYTES} MB");
    let started = Instant::now();
    let served = Served::start(recount, &home)?;
    served.wait_for_page(&format!("/session/{id}"))?;
    println!("  served after {:.2} s (the first time, it is indexed)", started.elapsed().as_secs_f64());
    let browser = Browser::launch()?;
    let address = format!("http://{}/session/{id}", served.host);
    let opened = open_often(&browser, &served.url("/metrics"), &address, "document.querySelector('.turn')")?;
    show("recount", &opened);
    verdict("first text, ms", opened.first_text, Goal::AtMost(300.0));
    verdict("transferred, MB", opened.megabytes, Goal::AtMost(1.0));
    verdict("nodes", opened.nodes, Goal::AtMost(15_000.0));
    if with_peer {
        peer::measure(&home, id, &browser)?;
    }
    Ok(())
}

pub(crate) fn show(name: &str, opened: &Opened) {
    println!(
        "  {name}: first text after {:.0} ms, {:.2} MB transferred, {:.0} nodes",
        opened.first_text, opened.megabytes, opened.nodes
    );
}

/// Opens a page several times, each time after another one of the same server, and returns the median.
pub(crate) fn open_often(browser: &Browser, before: &str, url: &str, text: &str) -> Result<Opened> {
    const TIMES: usize = 5;
    let page = browser.page()?;
    page.call("Network.setCacheDisabled", &serde_json::json!({"cacheDisabled": true}))?;
    // The page marks the time when the text appears, from its very start.
    let note = format!(
        "new MutationObserver((_, observer) => {{ if ({text}) {{ performance.mark('text'); observer.disconnect(); }} }})\
         .observe(document, {{childList: true, subtree: true}})"
    );
    page.call("Page.addScriptToEvaluateOnNewDocument", &serde_json::json!({"source": note}))?;
    let mut all = Vec::new();
    for _ in 0..TIMES {
        page.go(before)?;
        all.push(open(&page, url)?);
    }
    all.sort_by(|one, other| one.first_text.total_cmp(&other.first_text));
    let most = all.last().context("not opened")?.first_text;
    let usual = all.swap_remove(TIMES / 2);
    println!("  opened {TIMES} times; the first text came after {most:.0} ms at most");
    Ok(usual)
}

/// Opens a page, and waits until its text is there.
fn open(page: &Page<'_>, url: &str) -> Result<Opened> {
    const PATIENCE: Duration = Duration::from_secs(120);
    page.go(url)?;
    page.wait_for("performance.getEntriesByName('text').length", PATIENCE)?;
    page.wait_for("performance.getEntriesByName('first-contentful-paint').length", PATIENCE)?;
    let number = |script: &str| -> Result<f64> { page.evaluate(script)?.as_f64().context("no figure") };
    // Text is visible once something is painted.
    let first_text = number(
        "Math.max(performance.getEntriesByName('text')[0].startTime, performance.getEntriesByName('first-contentful-paint')[0].startTime)",
    )?;
    // By then, nearby content is loaded and laid out.
    std::thread::sleep(Duration::from_secs(1));
    let bytes = number(
        "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))\
         .reduce((sum, entry) => sum + entry.transferSize, 0)",
    )?;
    let nodes = page.metrics()?.nodes;
    Ok(Opened { first_text, megabytes: bytes / 1e6, nodes })
}
