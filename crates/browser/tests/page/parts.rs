//! A page in several files, opened from a folder: reading, searching and moving on work as in a single page.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

use browser::{Browser, Page};
use page::{Dress, PageOptions, Parts, write_page_in_parts};
use reader::SessionReader;
use reader::find_session;
use tempfile::TempDir;

use crate::made::{SOON, count, is_visible, number};

const SESSION: &str = "11111111-1111-4111-8111-111111111111";
const TURNS: usize = 120;

/// A page and its parts, in their own folder.
struct Split {
    folder: TempDir,
    parts: usize,
}

struct Folder {
    path: PathBuf,
    current: Option<File>,
    begun: usize,
}

impl Parts for Folder {
    fn limit(&self) -> usize {
        100_000
    }

    fn name(&self, number: usize) -> String {
        if number == 1 { "page.html".to_owned() } else { format!("page.{number}.html") }
    }

    fn begin(&mut self, number: usize) -> io::Result<()> {
        self.begun = number;
        self.current = Some(File::create(self.path.join(self.name(number)))?);
        Ok(())
    }

    fn out(&mut self) -> &mut dyn Write {
        self.current.as_mut().unwrap()
    }
}

/// A prompt and a long reply in every turn; the last reply contains a unique word.
fn session() -> String {
    let mut lines = String::new();
    let mut parent = "null".to_owned();
    for turn in 1..=TURNS {
        let mut line = |kind: &str, content: String| {
            writeln!(
                lines,
                r#"{{"type":"{kind}","uuid":"{kind}{turn}","parentUuid":{parent},"sessionId":"{SESSION}","cwd":"/home/ana/garden","timestamp":"2026-08-08T{:02}:{:02}:00.000Z","message":{{"id":"{kind}{turn}","role":"{kind}","content":{content}}}}}"#,
                9 + turn / 60,
                turn % 60,
            )
            .unwrap();
            parent = format!("\"{kind}{turn}\"");
        };
        line("user", format!("\"prompt {turn}\""));
        let words = "peas and beans\\n\\n".repeat(200);
        let last = if turn == TURNS { "zucchini" } else { "" };
        line("assistant", format!(r#"[{{"type":"text","text":"reply {turn} {words} {last}"}}]"#));
    }
    lines
}

impl Split {
    fn new(is_shared: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let transcript = folder.path().join(SESSION).with_extension("jsonl");
        fs::write(&transcript, session()).unwrap();
        let source = find_session(&transcript.to_string_lossy(), &[]).unwrap();
        let (mut reader, _) = SessionReader::of(&source, &|_| {}).unwrap();
        let (story, texts) = reader.parts();
        let mut parts = Folder { path: folder.path().to_path_buf(), current: None, begun: 1 };
        let dress = if is_shared { Dress::page().shared("") } else { Dress::page() };
        for (name, content) in Dress::shared_files() {
            fs::create_dir_all(folder.path().join(&name).parent().unwrap()).unwrap();
            fs::write(folder.path().join(name), content).unwrap();
        }
        let mut page = File::create(folder.path().join("page.html")).unwrap();
        let options = PageOptions { dress, ..PageOptions::default() };
        write_page_in_parts(&mut page, &mut parts, story, texts, &options).unwrap();
        assert!(parts.begun >= 4, "{} parts", parts.begun);
        Self { parts: parts.begun, folder }
    }

    fn open<'b>(&self, browser: &'b Browser, place: &str) -> Page<'b> {
        let page = browser.page().unwrap();
        page.set_viewport(1280, 900).unwrap();
        page.go(&format!("file://{}/{place}", self.folder.path().display())).unwrap();
        page.wait_for("'ready' in document.documentElement.dataset", SOON).unwrap();
        page
    }

    /// Checks that there are no errors, and that only our files are loaded.
    fn assert_quiet(&self, page: &Page<'_>) {
        assert_eq!(page.console_errors(), Vec::<String>::new());
        assert_eq!(page.policy_reports(), Vec::<String>::new());
        let own = format!("file://{}/", self.folder.path().display());
        for request in page.requests() {
            let is_own = request.url.starts_with(&own) && request.failure.is_none();
            assert!(is_own || request.url.starts_with("data:image/"), "{request:?}");
        }
    }
}

fn missing(page: &Page<'_>) -> u64 {
    count(page, "document.querySelectorAll('.part').length")
}

/// Waits until something is on the screen.
fn wait_to_see(page: &Page<'_>, id: &str) {
    let script = format!(
        "(() => {{ const box = document.getElementById('{id}')?.getBoundingClientRect();
            return box && box.height > 0 && box.bottom > 0 && box.top < innerHeight }})()"
    );
    page.wait_for(&script, SOON).unwrap();
}

#[test]
fn parts_are_loaded_on_demand() {
    let browser = Browser::launch().unwrap();
    for is_shared in [true, false] {
        let split = Split::new(is_shared);
        let page = split.open(&browser, "page.html");
        let before = missing(&page);
        assert_eq!(before, split.parts as u64 - 1);
        // Through the rail, to the end, and further with keys.
        let in_third = page.evaluate("document.querySelectorAll('.part')[1].dataset.turns.split('-')[1]").unwrap();
        let turn = format!("turn-{}", in_third.as_str().unwrap());
        page.evaluate(&format!("document.querySelector('.rail a[href=\"#{turn}\"]').click()")).unwrap();
        wait_to_see(&page, &turn);
        assert!(0 < missing(&page) && missing(&page) < before, "only what is needed is loaded");
        page.wait_for(&format!("location.hash === '#{turn}'"), SOON).unwrap();
        page.press("J").unwrap();
        wait_to_see(&page, &format!("turn-{}", in_third.as_str().unwrap().parse::<usize>().unwrap() + 1));
        page.press("G").unwrap();
        wait_to_see(&page, &format!("l{}", 2 * TURNS));
        page.press("g").unwrap();

        // A word that only the last part contains.
        page.press("/").unwrap();
        page.type_text("zucchini").unwrap();
        page.press("Enter").unwrap();
        page.wait_for("document.querySelector('.found').textContent === '1 of 1'", SOON).unwrap();
        assert_eq!(missing(&page), 0);
        assert_eq!(count(&page, "document.querySelectorAll('iframe').length"), 0);
        assert!(is_visible(&page, "zucchini"));
        split.assert_quiet(&page);
    }
}

#[test]
fn a_nearby_part_is_loaded() {
    let (browser, split) = (Browser::launch().unwrap(), Split::new(true));
    let page = split.open(&browser, "page.html");
    let before = missing(&page);
    page.evaluate("document.querySelector('.part').scrollIntoView()").unwrap();
    page.wait_for(&format!("document.querySelectorAll('.part').length < {before}"), SOON).unwrap();
    page.wait_for("[...document.querySelectorAll('.turn')].some(turn => turn.checkVisibility())", SOON).unwrap();
    split.assert_quiet(&page);
}

#[test]
fn a_link_into_a_part_is_followed_and_searched() {
    let (browser, split) = (Browser::launch().unwrap(), Split::new(true));
    // A step in an unknown part.
    let step = format!("l{}", 2 * TURNS - 1);
    let page = split.open(&browser, &format!("page.html#{step}"));
    wait_to_see(&page, &step);
    split.assert_quiet(&page);
    let page = split.open(&browser, "page.html#q=zucchini");
    page.wait_for("document.querySelector('.found').textContent === '1 found'", SOON).unwrap();
    split.assert_quiet(&page);
}

#[test]
fn a_part_works_on_its_own() {
    let (browser, split) = (Browser::launch().unwrap(), Split::new(true));
    let page = split.open(&browser, "page.3.html");
    assert!(number(&page, "document.querySelectorAll('.turn').length") > 0.0);
    for key in ["j", "J", "4", "o", "G", "g", "/", "?", "e", "3", "t", "n"] {
        page.press(key).unwrap();
    }
    split.assert_quiet(&page);
    // The page has what a part does not. Delayed, since an evaluation cannot return from a page that is being left.
    page.evaluate("setTimeout(() => { location.hash = '#turn-1' })").unwrap();
    page.wait_for("location.pathname.endsWith('/page.html') && location.hash === '#turn-1'", SOON).unwrap();
    wait_to_see(&page, "turn-1");
}

#[test]
fn parts_are_reached_without_scripts() {
    let (browser, split) = (Browser::launch().unwrap(), Split::new(true));
    let page = browser.page().unwrap();
    page.set_script_enabled(false).unwrap();
    page.go(&format!("file://{}/page.html", split.folder.path().display())).unwrap();
    let link = page.evaluate("document.querySelector('.part #turn-60, .part a').getAttribute('href')").unwrap();
    assert!(link.as_str().unwrap().starts_with("page."), "{link}");
    page.go(&format!("file://{}/page.{}.html", split.folder.path().display(), split.parts)).unwrap();
    assert!(is_visible(&page, &format!("prompt {TURNS}")) && is_visible(&page, &format!("part {}", split.parts - 1)));
    split.assert_quiet(&page);
}
