//! Tests following files that grow, shrink, move or are replaced.

use std::fs::File;
use std::path::PathBuf;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

/// A change to a file, or a look at it.
#[derive(Debug, Clone)]
enum Event {
    /// Bytes are appended: whole lines, or half of one.
    Append(Vec<u8>),
    /// It is truncated there, and later grows from there.
    Truncate(prop::sample::Index),
    /// It is copied and then emptied.
    Empty,
    /// Another file is renamed over it.
    Replace(Vec<u8>),
    /// It is rewritten in place, with the same length and modification time.
    Rewrite(prop::sample::Index, u8),
    /// It is deleted until it is written again. File systems often reuse its inode number for the next file.
    Delete,
    /// It is renamed and renamed back.
    Rename,
    /// Its modification time is set.
    Touch,
    /// The follower looks at it.
    Look,
    /// A restarted follower looks at it.
    Restart,
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof!["[a-c]{0,5}\n", "\\{\"a\":[0-9]{1,9}\\}\n", "x{4000,9000}\n", Just("\r\n".to_owned())];
    let end = prop_oneof![3 => Just(String::new()), 1 => "[a-c]{1,4}"];
    (prop::collection::vec(line, 0..4), end).prop_map(|(lines, end)| (lines.concat() + &end).into_bytes())
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        6 => text().prop_map(Event::Append),
        1 => any::<prop::sample::Index>().prop_map(Event::Truncate),
        1 => Just(Event::Empty),
        1 => text().prop_map(Event::Replace),
        1 => (any::<prop::sample::Index>(), any::<u8>()).prop_map(|(at, byte)| Event::Rewrite(at, byte)),
        1 => Just(Event::Delete),
        1 => Just(Event::Rename),
        1 => Just(Event::Touch),
        6 => Just(Event::Look),
        2 => Just(Event::Restart),
    ]
}

/// A file, and the lines that a follower has read from it.
struct Followed {
    folder: TempDir,
    mark: Option<Mark>,
    lines: Vec<(u64, u64, Vec<u8>)>,
    unfinished: Vec<u8>,
}

impl Followed {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), mark: None, lines: Vec::new(), unfinished: Vec::new() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("a.jsonl")
    }

    fn happen(&mut self, event: &Event) {
        let path = self.path();
        let before = fs::read(&path).unwrap_or_default();
        let is_there = path.exists();
        match event {
            Event::Append(bytes) => {
                let mut file = File::options().create(true).append(true).open(&path).unwrap();
                // In two pieces, as real writers do.
                let (one, other) = bytes.split_at(bytes.len() / 2);
                io::Write::write_all(&mut file, one).unwrap();
                io::Write::write_all(&mut file, other).unwrap();
            }
            Event::Truncate(at) if is_there => {
                let size = at.index(before.len() + 1);
                File::options().write(true).open(&path).unwrap().set_len(size as u64).unwrap();
            }
            Event::Empty if is_there => {
                fs::copy(&path, path.with_extension("1")).unwrap();
                File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
            }
            Event::Replace(bytes) => {
                let other = path.with_extension("new");
                fs::write(&other, bytes).unwrap();
                fs::rename(other, &path).unwrap();
            }
            Event::Rewrite(at, byte) if !before.is_empty() => {
                let modified = fs::metadata(&path).unwrap().modified().unwrap();
                let mut bytes = before;
                let at = at.index(bytes.len());
                bytes[at] = *byte;
                fs::write(&path, bytes).unwrap();
                File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
            }
            Event::Delete if is_there => fs::remove_file(&path).unwrap(),
            Event::Rename if is_there => {
                let other = path.with_extension("moved");
                fs::rename(&path, &other).unwrap();
                fs::rename(&other, &path).unwrap();
            }
            Event::Touch if is_there => {
                File::options().write(true).open(&path).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
            }
            Event::Look => self.look(),
            Event::Restart => {
                let kept = serde_json::to_string(&self.mark).unwrap();
                self.mark = serde_json::from_str(&kept).unwrap();
                self.look();
            }
            _ => {}
        }
    }

    fn look(&mut self) {
        if !self.path().exists() {
            assert_eq!(
                look(&Input::File(self.path()), self.mark.as_ref()).unwrap_err().kind(),
                io::ErrorKind::NotFound
            );
            return;
        }
        if let Some(reading) = look(&Input::File(self.path()), self.mark.as_ref()).unwrap() {
            if reading.change != Change::Grown {
                self.lines.clear();
            }
            self.unfinished.clear();
            let (lines, unfinished) = (&mut self.lines, &mut self.unfinished);
            let mark = reading.read(&mut Buffer::default(), |line| {
                if line.unfinished {
                    unfinished.extend(line.bytes);
                } else {
                    lines.push((line.number, line.offset, line.bytes.to_vec()));
                }
            });
            self.mark = Some(mark.unwrap());
        }
        self.check();
    }

    /// The lines read so far equal the lines of a fresh read, and together they are the file.
    fn check(&self) {
        let (mut lines, mut unfinished) = (Vec::new(), Vec::new());
        let reading = look(&Input::File(self.path()), None).unwrap().unwrap();
        let read = reading.read(&mut Buffer::default(), |line| {
            if line.unfinished {
                unfinished.extend(line.bytes);
            } else {
                lines.push((line.number, line.offset, line.bytes.to_vec()));
            }
        });
        read.unwrap();
        assert_eq!((&self.lines, &self.unfinished), (&lines, &unfinished));
        let whole: Vec<u8> = lines.into_iter().flat_map(|(_, _, bytes)| bytes).chain(unfinished).collect();
        assert_eq!(whole, fs::read(self.path()).unwrap());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(20_000) })]

    #[test]
    fn no_line_is_lost_and_none_comes_twice(events in prop::collection::vec(event(), 1..16)) {
        let mut followed = Followed::new();
        for event in &events {
            followed.happen(event);
        }
        followed.look();
    }
}

#[test]
fn an_object_over_several_lines_waits_until_it_is_complete() {
    let mut followed = Followed { ..Followed::new() };
    let path = followed.path();
    let read = |followed: &mut Followed| {
        let reading = look(&Input::File(path.clone()), followed.mark.as_ref()).unwrap().unwrap();
        let mut lines = Vec::new();
        let mark = reading.read(&mut Buffer::default(), |line| {
            lines.push((line.number, line.span, line.unfinished));
        });
        followed.mark = Some(mark.unwrap());
        lines
    };
    fs::write(&path, "{\"a\":1}\n{\n  \"b\": 2,\n").unwrap();
    assert_eq!(read(&mut followed), [(1, 1, false), (2, 1, true), (3, 1, true)]);
    fs::write(&path, "{\"a\":1}\n{\n  \"b\": 2,\n  \"c\": 3\n}\n{\"d\":4}").unwrap();
    assert_eq!(read(&mut followed), [(2, 4, false), (6, 1, true)]);
}

#[test]
fn large_files_are_known_by_their_ends_and_by_all_of_it_if_only_their_times_changed() {
    let mut followed = Followed::new();
    let line = format!("{}\n", "x".repeat(99));
    followed.happen(&Event::Append(line.repeat(30_000).into_bytes()));
    followed.look();
    followed.happen(&Event::Append(b"more\n".to_vec()));
    let reading = look(&Input::File(followed.path()), followed.mark.as_ref()).unwrap().unwrap();
    assert_eq!(reading.change, Change::Grown);
    followed.look();
    // Modification times advance in ticks of some milliseconds.
    std::thread::sleep(std::time::Duration::from_millis(20));
    let mut bytes = fs::read(followed.path()).unwrap();
    bytes[1_500_000] = b'y';
    fs::write(followed.path(), bytes).unwrap();
    let reading = look(&Input::File(followed.path()), followed.mark.as_ref()).unwrap().unwrap();
    assert_eq!(reading.change, Change::Replaced);
}
