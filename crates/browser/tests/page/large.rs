//! A session of 20 megabytes opens immediately, and little of it is in the document.

use std::path::PathBuf;

use browser::Browser;
use sources::Input;
use sources::SourceKind;
use sources::find_at;
use story::Detail;
use tempfile::TempDir;
use testkit::era::Era;
use testkit::root::{RootOptions, write_root};

use crate::made::{SOON, number, page_of};

fn session(megabytes: u64) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (bytes, eras) = (megabytes * 1_000_000, vec![Era::V2_1_2xx]);
    let options = RootOptions { bytes, seed: 7, eras, projects: 1, one_session: true, ..RootOptions::default() };
    write_root(folder.path(), &options).unwrap();
    let sources = find_at(&[folder.path().join("projects")]).sources.into_iter();
    let main = sources.filter(|source| source.kind == SourceKind::Transcript).max_by_key(|source| source.size);
    let Some(Input::File(path)) = main.map(|source| source.input) else { panic!("no session was written") };
    (folder, path)
}

#[test]
fn a_large_session_opens_immediately_and_stays_small() {
    let (_folder, path) = session(20);
    let made = page_of(&path, Detail::Steps);
    let browser = Browser::launch().unwrap();
    let page = made.open(&browser);
    page.wait_for("performance.getEntriesByName('first-contentful-paint').length", SOON).unwrap();
    let first_text = number(&page, "performance.getEntriesByName('first-contentful-paint')[0].startTime");
    let ready = number(&page, "performance.now()");
    let opened = page.metrics().unwrap();
    println!("page: {} kB", made.bytes / 1000);
    println!("first text after {first_text:.0} ms, ready before {ready:.0} ms");
    println!("opened: {:.0} nodes, {:.1} MB of heap", opened.nodes, opened.heap_bytes / 1e6);
    // A busy machine may take longer than a second.
    assert!(first_text < 4000.0, "{first_text} ms");
    assert!(opened.nodes < 15_000.0 && opened.heap_bytes < 60e6, "{opened:?}");

    // To the end and back, with a search through everything.
    page.press("G").unwrap();
    page.wait_for("document.querySelector('#conversation > .chunk:last-child > .turn')", SOON).unwrap();
    page.press("/").unwrap();
    page.type_text("the").unwrap();
    page.press("Enter").unwrap();
    page.wait_for("/^[\\d,]+ of [\\d,]+$/.test(document.querySelector('.found').textContent)", SOON * 3).unwrap();
    let found = page.evaluate("document.querySelector('.found').textContent").unwrap();
    let used = page.metrics().unwrap();
    println!("searched ({found}): {:.0} nodes, {:.1} MB of heap", used.nodes, used.heap_bytes / 1e6);
    assert!(used.nodes < 15_000.0 && used.heap_bytes < 60e6, "{used:?}");
    made.assert_quiet(&page);
}
