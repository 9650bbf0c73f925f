//! Pages for tests, rendered like `recount show --format html`.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use browser::{Browser, Page};
use page::{PageOptions, write_page};
use reader::SessionReader;
use reader::find_session;
use story::Detail;
use tempfile::TempDir;

/// Timeout for an action of a page.
pub(crate) const SOON: Duration = Duration::from_secs(10);

/// A page in a folder of its own.
pub(crate) struct Made {
    _folder: TempDir,
    pub(crate) url: String,
    pub(crate) bytes: u64,
}

/// The page of a session.
pub(crate) fn page_of(session: &Path, detail: Detail) -> Made {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let source = find_session(&session.to_string_lossy(), &[]).unwrap();
    let (mut reader, problems) = SessionReader::of(&source, &|_| {}).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    let (story, texts) = reader.parts();
    let sources = texts.labels();
    let mut out = BufWriter::new(File::create(&path).unwrap());
    write_page(&mut out, story, texts, &PageOptions { detail, sources: &sources, ..PageOptions::default() }).unwrap();
    out.flush().unwrap();
    let bytes = fs::metadata(&path).unwrap().len();
    Made { url: format!("file://{}", path.display()), _folder: folder, bytes }
}

/// The sample session of `recount demo`.
pub(crate) fn demo() -> Made {
    page_of(&demo_session(), Detail::Steps)
}

pub(crate) fn demo_session() -> PathBuf {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../cli/src/demo");
    Path::new(folder).join("d3e0a5c4-71de-4c0b-9a11-7d1de0c11e47.jsonl")
}

impl Made {
    /// Opens the page in a window of a usual size.
    pub(crate) fn open<'b>(&self, browser: &'b Browser) -> Page<'b> {
        self.open_at(browser, "")
    }

    /// Opens the page at an anchor.
    pub(crate) fn open_at<'b>(&self, browser: &'b Browser, place: &str) -> Page<'b> {
        let page = browser.page().unwrap();
        page.set_viewport(1280, 900).unwrap();
        page.go(&format!("{}{place}", self.url)).unwrap();
        page.wait_for("'ready' in document.documentElement.dataset", SOON).unwrap();
        page
    }

    /// Checks that there are no errors, policy violations or requests.
    pub(crate) fn assert_quiet(&self, page: &Page<'_>) {
        assert_eq!(page.console_errors(), Vec::<String>::new());
        assert_eq!(page.policy_reports(), Vec::<String>::new());
        for request in page.requests() {
            let url = request.url.split('#').next().unwrap();
            assert!(url == self.url || url.starts_with("data:image/"), "{request:?}");
        }
    }
}

/// The value of an expression that is a number.
pub(crate) fn number(page: &Page<'_>, script: &str) -> f64 {
    page.evaluate(script).unwrap().as_f64().unwrap_or_else(|| panic!("not a number: {script}"))
}

/// The value of an expression that is a whole number.
pub(crate) fn count(page: &Page<'_>, script: &str) -> u64 {
    page.evaluate(script).unwrap().as_u64().unwrap_or_else(|| panic!("not a whole number: {script}"))
}

/// The number of visible elements that match.
pub(crate) fn seen(page: &Page<'_>, selector: &str) -> u64 {
    count(page, &format!("[...document.querySelectorAll({selector:?})].filter(e => e.checkVisibility()).length"))
}

/// Whether this text is visible, perhaps after scrolling.
pub(crate) fn is_visible(page: &Page<'_>, words: &str) -> bool {
    let script = format!(
        "(() => {{ const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (texts.nextNode()) {{
                const {{ data, parentElement }} = texts.currentNode;
                if (data.includes({words:?}) && parentElement.checkVisibility()) return true }}
            return false }})()"
    );
    page.evaluate(&script).unwrap() == true
}

/// The visible text.
pub(crate) fn words(page: &Page<'_>) -> String {
    page.evaluate("document.body.innerText").unwrap().as_str().unwrap().to_owned()
}
