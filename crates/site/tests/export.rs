//! The files that an export writes, keeps and removes.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "these are tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use app::{App, Environment, Flags, ProjectFilter, SessionFilter};
use site::{Exported, Form, PART_BYTES, SiteError, Wish, export};
use sources::find_at;
use story::Detail;

/// An app with settings as variables, in UTC unless they say otherwise.
fn app(variables: &[(&str, &str)]) -> App {
    let variables =
        variables.iter().chain(&[("TZ", "UTC")]).map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    App::new(Environment { variables: variables.collect(), ..Environment::default() }, Flags::default())
}

/// A root with some sessions, and a folder beside it.
struct Bench {
    home: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let bench = Self { home };
        bench.write("11111111-1111-4111-8111-111111111111", "/home/ana/garden", "water the beds");
        bench.write("22222222-2222-4222-8222-222222222222", "/home/ana/garden", "count the seeds");
        bench.write("33333333-3333-4333-8333-333333333333", "/home/ana/kitchen", "<script>boil</script>");
        bench
    }

    fn source(&self, session: &str) -> PathBuf {
        self.home.path().join("projects/-home-ana").join(format!("{session}.jsonl"))
    }

    fn write(&self, session: &str, cwd: &str, prompt: &str) {
        let path = self.source(session);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let line = |kind: &str, uuid: &str, parent: &str, second: u32, content: &str| {
            format!(
                r#"{{"type":"{kind}","uuid":"{session}-{uuid}","parentUuid":{parent},"sessionId":"{session}","cwd":"{cwd}","timestamp":"2026-08-08T09:00:0{second}.000Z","message":{{"role":"{kind}","content":"{content}"}}}}"#
            )
        };
        let parent = format!("\"{session}-u1\"");
        let lines = [line("user", "u1", "null", 1, prompt), line("assistant", "a1", &parent, 2, "Done.")];
        fs::write(path, lines.join("\n")).unwrap();
    }

    fn folder(&self) -> PathBuf {
        self.home.path().join("site")
    }

    fn export_as(&self, wish: &Wish) -> Result<Exported, SiteError> {
        self.export_with(&app(&[]), wish)
    }

    fn export_with(&self, app: &App, wish: &Wish) -> Result<Exported, SiteError> {
        let found = find_at(&[self.home.path().join("projects")]);
        export(app, &found, &self.folder(), wish, &|_| {}, &|_| {})
    }

    fn export(&self) -> Exported {
        self.export_as(&wish(Form::Html)).unwrap()
    }
}

fn wish(form: Form) -> Wish {
    Wish {
        form,
        detail: Detail::Steps,
        filter: SessionFilter::default(),
        inline: false,
        part_bytes: PART_BYTES,
        threads: 2,
    }
}

/// All files below a folder except the record, by name.
fn files(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { names.push(path) }
        }
    }
    let mut names: Vec<String> =
        names.iter().map(|path| path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned()).collect();
    names.retain(|name| !name.starts_with('.'));
    names.sort();
    names
}

fn page_of(folder: &Path, session: &str) -> PathBuf {
    let name = files(folder).into_iter().find(|name| name.contains(session)).unwrap();
    folder.join(name)
}

#[test]
fn a_site_has_a_list_and_a_page_per_session() {
    let bench = Bench::new();
    let exported = bench.export();
    assert_eq!((exported.written, exported.unchanged, exported.removed), (3, 0, 0));
    let index = fs::read_to_string(bench.folder().join("index.html")).unwrap();
    for name in files(&bench.folder()) {
        if name.starts_with("garden") || name.starts_with("kitchen") {
            assert!(index.contains(&name), "{name} is not in the list");
        }
    }
    assert!(index.contains("water the beds") && !index.contains("<script>boil"), "{index}");
    let page = fs::read_to_string(page_of(&bench.folder(), "11111111")).unwrap();
    assert!(page.contains("water the beds") && page.contains("../assets/") && !page.contains("<style>"));
    // Every file that a page refers to exists.
    for name in page.split("\"../").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(bench.folder().join(name).is_file(), "{name}");
    }
}

#[test]
fn a_second_export_writes_only_what_changed() {
    let bench = Bench::new();
    bench.export();
    let old = SystemTime::now() - Duration::from_secs(3600);
    for name in files(&bench.folder()) {
        fs::File::open(bench.folder().join(name)).unwrap().set_modified(old).unwrap();
    }
    let is_old = |path: &Path| fs::metadata(path).unwrap().modified().unwrap() == old;
    let exported = bench.export();
    assert_eq!((exported.written, exported.unchanged), (0, 3));
    assert!(files(&bench.folder()).iter().all(|name| is_old(&bench.folder().join(name))));

    bench.write("22222222-2222-4222-8222-222222222222", "/home/ana/garden", "count the seeds again");
    let exported = bench.export();
    assert_eq!((exported.written, exported.unchanged), (1, 2));
    assert!(!is_old(&page_of(&bench.folder(), "22222222")) && is_old(&page_of(&bench.folder(), "11111111")));
    assert!(fs::read_to_string(bench.folder().join("index.html")).unwrap().contains("count the seeds again"));

    // A deleted page is written again.
    fs::remove_file(page_of(&bench.folder(), "11111111")).unwrap();
    assert_eq!(bench.export().written, 1);
    page_of(&bench.folder(), "11111111");
}

/// The state of a session depends on the time: its page says when it no longer holds, and only then.
#[test]
fn a_page_is_written_again_when_its_state_changes() {
    let bench = Bench::new();
    let environment = || app(&[]).environment().clone();
    let export_at = |clock: &str, form: Form| {
        let now = format!("2026-08-08T{clock}Z").parse().unwrap();
        let exported = bench.export_with(&App::at(now, environment(), Flags::default()), &wish(form)).unwrap();
        (exported.written, exported.unchanged)
    };
    let state = |name: &str, before: &str| {
        let page = fs::read_to_string(bench.folder().join(name)).unwrap();
        page.split_once(before).unwrap().1.split(['<', '"']).next().unwrap().to_owned()
    };
    let page = |bench: &Bench| page_of(&bench.folder(), "11111111").to_str().unwrap().to_owned();
    assert_eq!(export_at("09:05:00", Form::Html), (3, 0));
    let fact = "data-fact=\"state\"><dt>State</dt><dd>";
    assert_eq!(
        (state(&page(&bench), fact), state("index.html", "<td class=\"status\">")),
        ("done?".into(), "done?".into())
    );
    assert_eq!(export_at("09:10:00", Form::Html), (0, 3), "nothing has changed");
    assert_eq!(export_at("09:30:00", Form::Html), (3, 0));
    assert_eq!(
        (state(&page(&bench), fact), state("index.html", "<td class=\"status\">")),
        ("ended".into(), "ended".into())
    );
    // A state that is over stays.
    assert_eq!(export_at("23:00:00", Form::Html), (0, 3));

    fs::remove_dir_all(bench.folder()).unwrap();
    assert_eq!((export_at("09:05:00", Form::Json), export_at("09:30:00", Form::Json)), ((3, 0), (3, 0)));
    assert_eq!(state(&page(&bench), "\"state\":\""), "ended");
    assert_eq!(state("index.json", "\"state\": \""), "ended");
}

#[test]
fn stale_files_are_removed_and_files_of_others_stay() {
    let bench = Bench::new();
    bench.export();
    let page = page_of(&bench.folder(), "33333333");
    let (notes, beside) = (bench.folder().join("notes.txt"), page.with_file_name("mine.html"));
    fs::write(&notes, "mine").unwrap();
    fs::write(&beside, "mine").unwrap();
    fs::remove_file(bench.source("33333333-3333-4333-8333-333333333333")).unwrap();
    let exported = bench.export();
    assert_eq!((exported.unchanged, exported.removed), (2, 1));
    assert!(!page.exists() && notes.exists() && beside.exists());
}

#[test]
fn nothing_outside_the_folder_is_ever_touched() {
    let bench = Bench::new();
    bench.export();
    let outside = bench.home.path().join("outside.html");
    fs::write(&outside, "mine").unwrap();
    let record = bench.folder().join(".recount-export.json");
    let page = page_of(&bench.folder(), "33333333");
    let name = page.strip_prefix(bench.folder()).unwrap().to_str().unwrap().to_owned();
    let json = fs::read_to_string(&record).unwrap().replace(&format!("[\"{name}\"]"), "[\"../outside.html\"]");
    fs::write(&record, json).unwrap();
    fs::remove_file(bench.source("33333333-3333-4333-8333-333333333333")).unwrap();
    bench.export();
    assert_eq!(fs::read_to_string(outside).unwrap(), "mine");
}

/// Replaces the folder of a project by a link to one outside, which has a file with the name of the page.
#[cfg(unix)]
fn replace_by_link(bench: &Bench, page: &Path) -> PathBuf {
    let outside = bench.home.path().join("outside");
    fs::create_dir(&outside).unwrap();
    let theirs = outside.join(page.file_name().unwrap());
    fs::write(&theirs, "mine").unwrap();
    let project = page.parent().unwrap();
    fs::remove_dir_all(project).unwrap();
    std::os::unix::fs::symlink(&outside, project).unwrap();
    theirs
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    for form in [Form::Html, Form::Markdown, Form::Json] {
        let bench = Bench::new();
        bench.export_as(&wish(form)).unwrap();
        let page = page_of(&bench.folder(), "33333333");
        let theirs = replace_by_link(&bench, &page);
        let refused = bench.export_as(&wish(form)).unwrap_err();
        let SiteError::Write { path, error } = &refused else { panic!("{refused:?}") };
        assert!(path == &page && error.to_string().contains("is a link"), "{refused:?}");
        assert_eq!(fs::read_to_string(&theirs).unwrap(), "mine");
        assert_eq!(fs::read_dir(theirs.parent().unwrap()).unwrap().count(), 1, "nothing is beside it");
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_removed_through_a_link() {
    let bench = Bench::new();
    bench.export();
    let theirs = replace_by_link(&bench, &page_of(&bench.folder(), "33333333"));
    fs::remove_file(bench.source("33333333-3333-4333-8333-333333333333")).unwrap();
    assert_eq!(bench.export().unchanged, 2);
    assert_eq!(fs::read_to_string(&theirs).unwrap(), "mine");
}

#[cfg(unix)]
#[test]
fn a_link_with_the_name_of_a_page_is_replaced_and_its_target_stays() {
    let bench = Bench::new();
    bench.export();
    let outside = bench.home.path().join("outside.html");
    fs::write(&outside, "mine").unwrap();
    for page in [page_of(&bench.folder(), "33333333"), bench.folder().join("index.html")] {
        fs::remove_file(&page).unwrap();
        std::os::unix::fs::symlink(&outside, &page).unwrap();
        bench.export();
        assert!(page.symlink_metadata().unwrap().is_file(), "{}", page.display());
        assert_eq!(fs::read_to_string(&outside).unwrap(), "mine");
    }
}

#[cfg(unix)]
#[test]
fn a_record_behind_a_link_is_no_record() {
    let bench = Bench::new();
    bench.export();
    let (record, outside) = (bench.folder().join(".recount-export.json"), bench.home.path().join("record"));
    fs::rename(&record, &outside).unwrap();
    std::os::unix::fs::symlink(&outside, &record).unwrap();
    let refused = bench.export_as(&wish(Form::Html));
    assert!(matches!(&refused, Err(SiteError::Write { path, .. }) if path == &record), "{refused:?}");
}

#[test]
fn a_foreign_folder_is_refused() {
    let bench = Bench::new();
    fs::create_dir_all(bench.folder()).unwrap();
    fs::write(bench.folder().join("thesis.txt"), "mine").unwrap();
    let refused = bench.export_as(&wish(Form::Html));
    assert!(matches!(refused, Err(SiteError::NotOurs { .. })), "{refused:?}");
    assert_eq!(files(&bench.folder()), ["thesis.txt"]);
}

#[test]
fn projects_are_filtered_and_a_wider_export_adds_the_others() {
    let bench = Bench::new();
    let project = Some(ProjectFilter::of("garden", Path::new("/")));
    let garden = Wish { filter: SessionFilter { project, ..SessionFilter::default() }, ..wish(Form::Html) };
    let exported = bench.export_as(&garden).unwrap();
    assert_eq!((exported.written, exported.unchanged), (2, 0));
    assert!(!files(&bench.folder()).iter().any(|name| name.starts_with("kitchen")));
    assert_eq!(bench.export_as(&garden).unwrap().unchanged, 2);
    assert_eq!(bench.export().written, 3);
}

#[test]
fn markdown_and_json_are_exported_too() {
    for (form, index, word) in [(Form::Markdown, "README.md", "water the beds"), (Form::Json, "index.json", "prompts")]
    {
        let bench = Bench::new();
        assert_eq!(bench.export_as(&wish(form)).unwrap().written, 3);
        assert!(fs::read_to_string(bench.folder().join(index)).unwrap().contains(word));
        let page = fs::read_to_string(page_of(&bench.folder(), "11111111")).unwrap();
        assert!(page.contains("water the beds"));
        assert_eq!(bench.export_as(&wish(form)).unwrap().unchanged, 3);
    }
}

#[test]
fn inline_pages_are_self_contained() {
    let bench = Bench::new();
    bench.export_as(&Wish { inline: true, ..wish(Form::Html) }).unwrap();
    assert!(!bench.folder().join("assets").exists());
    let page = fs::read_to_string(page_of(&bench.folder(), "11111111")).unwrap();
    assert!(page.contains("<style>") && !page.contains("../assets/"));
}

#[test]
fn other_settings_make_other_pages() {
    let bench = Bench::new();
    bench.export();
    let page = fs::read_to_string(page_of(&bench.folder(), "11111111")).unwrap();
    assert!(page.contains("8 Aug 2026 09:00 UTC") && !page.contains("data-zone"), "{page}");
    let tokyo = app(&[("RECOUNT_TIMEZONE", "Asia/Tokyo")]);
    assert_eq!(bench.export_with(&tokyo, &wish(Form::Html)).unwrap().written, 3);
    for name in ["index.html".to_owned(), page_of(&bench.folder(), "11111111").display().to_string()] {
        let page = fs::read_to_string(bench.folder().join(&name)).unwrap();
        assert!(page.contains("8 Aug 2026 18:00 JST") && page.contains("data-zone=\"Asia/Tokyo\""), "{name}");
    }
    assert_eq!(bench.export_with(&tokyo, &wish(Form::Html)).unwrap().unchanged, 3);
    bench.export_with(&tokyo, &wish(Form::Markdown)).unwrap();
    let list = fs::read_to_string(bench.folder().join("README.md")).unwrap();
    assert!(list.contains("when (Asia/Tokyo)") && list.contains("8 Aug 2026 18:00"), "{list}");
    let page = fs::read_to_string(page_of(&bench.folder(), "11111111")).unwrap();
    assert!(page.contains("8 Aug 2026 18:00 JST"), "{page}");
}

#[test]
fn pages_follow_summaries_in_files_of_other_sessions() {
    let bench = Bench::new();
    bench.export();
    let title = |title: &str| {
        let page = fs::read_to_string(page_of(&bench.folder(), "11111111")).unwrap();
        let index = fs::read_to_string(bench.folder().join("index.html")).unwrap();
        assert!(page.contains(&format!("<h1>{title}</h1>")) && index.contains(&format!(">{title}</a>")), "{title}");
    };
    title("water the beds");
    let other = bench.source("22222222-2222-4222-8222-222222222222");
    let before = fs::read_to_string(&other).unwrap();
    let leaf = "11111111-1111-4111-8111-111111111111-a1";
    let summary = format!("{{\"type\":\"summary\",\"summary\":\"Watering of beds\",\"leafUuid\":\"{leaf}\"}}\n");
    fs::write(&other, summary + &before).unwrap();
    // One file has changed, and another session has a new title. Without an index, nothing says that a third session of
    // the folder is not the one that is summarised.
    assert_eq!(bench.export().written, 3);
    assert_eq!(bench.export().written, 0);
    title("Watering of beds");
    fs::remove_file(&other).unwrap();
    bench.export();
    title("water the beds");
}

#[test]
fn a_session_without_a_step_or_a_title_is_listed() {
    let bench = Bench::new();
    let empty = "44444444-4444-4444-8444-444444444444";
    let line = r#"{"type":"mode","mode":"normal","timestamp":"2026-08-08T09:00:00.000Z"}"#;
    fs::write(bench.source(empty), format!("{line}\n")).unwrap();
    for (form, list) in [(Form::Html, "index.html"), (Form::Markdown, "README.md"), (Form::Json, "index.json")] {
        assert_eq!(bench.export_as(&wish(form)).unwrap().written, 4);
        let list = fs::read_to_string(bench.folder().join(list)).unwrap();
        let page = page_of(&bench.folder(), empty);
        assert!(
            list.contains(page.file_name().unwrap().to_str().unwrap()) && list.contains("Untitled, 8 Aug"),
            "{list}"
        );
    }
}
