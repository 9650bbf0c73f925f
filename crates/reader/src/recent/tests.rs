use std::fs::{self, FileTimes};
use std::io::Write as _;
use std::time::{Duration, UNIX_EPOCH};

use jiff::Timestamp;
use ledger::Prices;
use tempfile::TempDir;

use super::*;

/// 2026-08-08 12:00 UTC.
const NOON: i64 = 1_786_190_400_000;

/// More than any test needs.
const PLENTY: u64 = 1 << 22;

/// A root and its stored state.
struct RecentFixture(TempDir);

impl RecentFixture {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join("root/projects/-shop").join(name)
    }

    /// Appends to a file, as if at `now`.
    fn add(&self, name: &str, text: &str, now: i64) {
        let path = self.file(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut file = File::options().create(true).append(true).open(path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
        touch(&file, now);
    }

    fn open(&self, now: i64) -> Recent {
        let root = Root { path: self.0.path().join("root"), named: true };
        Recent::open(&self.0.path().join("cache"), &[root], now)
    }

    /// The number of known messages at a given time, after an update.
    fn messages(&self, now: i64) -> u64 {
        let mut recent = self.open(now);
        recent.update(None, PLENTY);
        assert!(!recent.is_behind());
        count(&recent)
    }

    fn kept(&self) -> PathBuf {
        let files = fs::read_dir(self.0.path().join("cache")).unwrap().map(|entry| entry.unwrap().path());
        files.into_iter().find(|path| path.extension().is_some_and(|extension| extension == "bin")).unwrap()
    }
}

fn touch(file: &File, at: i64) {
    let at = UNIX_EPOCH + Duration::from_millis(at.unsigned_abs());
    file.set_times(FileTimes::new().set_modified(at)).unwrap();
}

fn count(recent: &Recent) -> u64 {
    recent.ledger().unwrap().totals(&Prices::default()).messages
}

/// A message with 10 tokens.
fn message(id: &str, at: i64) -> String {
    let at = Timestamp::from_millisecond(at).unwrap();
    format!(
        r#"{{"type":"assistant","sessionId":"s","timestamp":"{at}","requestId":"r{id}","message":{{"id":"m{id}","model":"claude-opus-5","stop_reason":"end_turn","usage":{{"input_tokens":4,"output_tokens":6}}}}}}"#
    ) + "\n"
}

#[test]
fn what_is_added_is_read_once() {
    let place = RecentFixture::new();
    place.add("a.jsonl", &message("1", NOON), NOON);
    assert_eq!(place.messages(NOON), 1);
    place.add("a.jsonl", &message("2", NOON + 1), NOON + SECOND);
    place.add("a/subagents/workflows/wf_1/agent-b.jsonl", &message("3", NOON + 1), NOON + SECOND);
    assert_eq!(place.messages(NOON + 31 * SECOND), 3);
    let kept = fs::read(place.kept()).unwrap();
    assert_eq!(place.messages(NOON + 32 * SECOND), 3);
    assert!(kept == fs::read(place.kept()).unwrap(), "without anything new, nothing is written");
}

#[test]
fn the_session_that_asks_is_checked_every_time() {
    let place = RecentFixture::new();
    place.add("old.jsonl", &message("1", NOON - HOUR), NOON - HOUR);
    assert_eq!(place.messages(NOON), 1);
    place.add("old.jsonl", &message("2", NOON), NOON + SECOND);
    place.add("old/subagents/agent-a.jsonl", &message("3", NOON), NOON + SECOND);
    assert_eq!(place.messages(NOON + SECOND), 1, "not all folders are checked every second");
    let mut recent = place.open(NOON + SECOND);
    recent.update(Some(&place.file("old.jsonl")), PLENTY);
    assert_eq!(count(&recent), 3);
}

#[test]
fn many_files_are_checked_in_turn() {
    let place = RecentFixture::new();
    for number in 0..700 {
        place.add(&format!("{number:03}.jsonl"), "\n", NOON - 2 * HORIZON);
    }
    assert_eq!(place.messages(NOON), 0);
    place.add("zz.jsonl", &message("1", NOON), NOON);
    let later = NOON + 31 * SECOND;
    let known: Vec<_> = (0..6).map(|step| place.messages(later + step * SECOND)).collect();
    assert_eq!(known, [0, 0, 0, 0, 1, 1]);
}

#[test]
fn half_a_line_waits_for_the_rest() {
    let place = RecentFixture::new();
    let line = message("1", NOON);
    let (start, rest) = line.split_at(100);
    place.add("a.jsonl", start, NOON);
    assert_eq!(place.messages(NOON), 0);
    place.add("a.jsonl", rest, NOON + SECOND);
    assert_eq!(place.messages(NOON + SECOND), 1);
}

#[test]
fn truncated_or_replaced_files_are_read_again() {
    let place = RecentFixture::new();
    let two = message("1", NOON) + &message("2", NOON);
    place.add("a.jsonl", &two, NOON);
    assert_eq!(place.messages(NOON), 2);
    // Truncated, then written again.
    fs::write(place.file("a.jsonl"), message("3", NOON)).unwrap();
    place.add("a.jsonl", "", NOON + KEPT_FOR);
    assert_eq!(place.messages(NOON + KEPT_FOR), 3);
    // Other lines, longer than before.
    let others = message("4", NOON) + &message("5", NOON) + &message("6", NOON);
    fs::write(place.file("a.jsonl"), others).unwrap();
    place.add("a.jsonl", "", NOON + 2 * KEPT_FOR);
    assert_eq!(place.messages(NOON + 2 * KEPT_FOR), 6);
    // Another file with the same name.
    place.add("b.tmp", &(message("7", NOON) + &two + &two), NOON);
    fs::rename(place.file("b.tmp"), place.file("a.jsonl")).unwrap();
    place.add("a.jsonl", "", NOON + 3 * KEPT_FOR);
    assert_eq!(place.messages(NOON + 3 * KEPT_FOR), 7);
}

#[test]
fn copies_in_other_files_count_once() {
    let place = RecentFixture::new();
    for name in ["a.jsonl", "b.jsonl", "b/subagents/agent-c.jsonl", "agent-d.jsonl"] {
        place.add(name, &(message("1", NOON) + &message(name, NOON)), NOON);
    }
    assert_eq!(place.messages(NOON), 5);
}

#[test]
fn reading_past_the_budget_continues_next_time_newest_first() {
    let place = RecentFixture::new();
    for number in 0..10 {
        let at = NOON - number * MINUTE;
        place.add(&format!("{number}.jsonl"), &message(&format!("{number}"), at), at);
    }
    let length = message("0", NOON).len() as u64;
    let known = (0..5).map(|step| {
        let mut recent = place.open(NOON + step * SECOND);
        recent.update(None, 2 * length);
        let times = recent.ledger().unwrap().by(&Prices::default(), |post| post.at);
        assert_eq!(times.into_keys().next_back(), Some(NOON));
        (count(&recent), recent.is_behind())
    });
    assert_eq!(known.collect::<Vec<_>>(), [(2, true), (4, true), (6, true), (8, true), (10, false)]);
}

#[test]
fn overlong_lines_are_skipped() {
    let place = RecentFixture::new();
    let long = format!("{{\"usage\":\"{}\"}}\n", "x".repeat(5000));
    place.add("a.jsonl", &(message("1", NOON) + &long + &message("2", NOON)), NOON);
    let mut known = Vec::new();
    for step in 0..8 {
        let mut recent = place.open(NOON + step * SECOND);
        recent.update(None, 1000);
        known.push(count(&recent));
    }
    assert_eq!(known.last(), Some(&2), "{known:?}");
}

#[test]
fn only_the_last_hours_are_stored() {
    let place = RecentFixture::new();
    let old = NOON - HORIZON - 1;
    place.add("a.jsonl", &(message("1", old) + &message("2", NOON)), NOON);
    place.add("b.jsonl", &message("3", old), old);
    assert_eq!(place.messages(NOON), 1);
    place.add("a.jsonl", &message("4", NOON + 29 * HOUR), NOON + 29 * HOUR);
    assert_eq!(place.messages(NOON + 29 * HOUR), 2);
    assert_eq!(place.messages(NOON + 31 * HOUR), 1);
    assert_eq!(place.messages(NOON + 70 * HOUR), 0);
    assert!(fs::metadata(place.kept()).unwrap().len() < 200, "nothing is left behind");
}

#[test]
fn the_old_part_of_a_large_file_is_not_read() {
    let place = RecentFixture::new();
    let mut text = String::new();
    for number in 0..20_000 {
        text += &message(&number.to_string(), NOON - (20_000 - number) * MINUTE);
    }
    place.add("a.jsonl", &text, NOON);
    let mut recent = place.open(NOON);
    recent.update(None, 1 << 20);
    assert_eq!((count(&recent), recent.is_behind()), (30 * 60, false));
}

#[test]
fn a_corrupt_state_starts_over() {
    let place = RecentFixture::new();
    place.add("a.jsonl", &message("1", NOON), NOON);
    assert_eq!(place.messages(NOON), 1);
    let whole = fs::read(place.kept()).unwrap();
    let mut changed = whole.clone();
    *changed.last_mut().unwrap() ^= 1;
    for damaged in [&b""[..], b"junk", &whole[..whole.len() - 1], &changed] {
        fs::write(place.kept(), damaged).unwrap();
        assert_eq!(place.messages(NOON + SECOND), 1);
    }
}

#[test]
fn one_process_at_a_time_reads_and_the_others_see_what_it_wrote() {
    let place = RecentFixture::new();
    let mut first = place.open(NOON);
    let mut second = place.open(NOON);
    second.update(None, PLENTY);
    assert!(second.ledger().is_none(), "nothing is known yet");
    place.add("a.jsonl", &message("1", NOON), NOON);
    first.update(None, PLENTY);
    place.add("a.jsonl", &message("2", NOON), NOON);
    let mut second = place.open(NOON + SECOND);
    second.update(None, PLENTY);
    assert_eq!(count(&second), 1);
    drop(first);
    assert_eq!(place.messages(NOON + PAUSE - 1), 1, "the last update was a moment ago");
    assert_eq!(place.messages(NOON + PAUSE), 2);
}

#[test]
fn without_a_folder_to_store_it_nothing_is_known() {
    let place = RecentFixture::new();
    fs::write(place.0.path().join("cache"), "in the way").unwrap();
    let mut recent = place.open(NOON);
    recent.update(None, PLENTY);
    assert!(recent.ledger().is_none());
}

#[test]
fn damaged_and_unusual_files_do_no_harm() {
    let place = RecentFixture::new();
    let lines =
        "\u{feff}{\"usage\"\n{\"type\":\"assistant\",\"message\":{\"usage\":[]}}\n\n\"usage\"\n{\"usage\":{}}\n";
    place.add("a.jsonl", &(lines.to_owned() + &message("1", NOON)), NOON);
    fs::create_dir_all(place.file("folder.jsonl")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(place.file("").parent().unwrap(), place.file("loop")).unwrap();
    assert_eq!(place.messages(NOON), 1);
}
