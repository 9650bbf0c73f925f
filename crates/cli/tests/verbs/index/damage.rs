//! An index with damaged bytes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde_json::Value;
use testkit::rng::Rng;

use super::root::{Home, assert_same, lines};

/// The tables that are checked when they are read.
const SEALED: [&str; 5] = ["source", "session", "skeleton", "turn", "agent"];

/// A home folder whose index is damaged repeatedly.
struct Trial {
    home: Home,
    /// The intact index: its files and its answers.
    whole: Vec<(PathBuf, Vec<u8>)>,
    right: Vec<String>,
    rng: Rng,
}

impl Trial {
    /// Starts with an intact index.
    fn new(seed: u64) -> Self {
        let home = Home::new(seed);
        home.complete();
        home.check("before");
        // The write-ahead log is empty.
        let db = Connection::open(home.index()).unwrap();
        db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
        drop(db);
        Self::of(home, seed)
    }

    /// Starts with the latest changes in the write-ahead log.
    fn with_log(seed: u64) -> Self {
        let home = Home::new(seed);
        let mut rng = Rng::new(seed);
        (0..40).for_each(|_| home.change(&mut rng));
        home.check("before");
        // The log stays as long as a connection is open.
        let reader = Connection::open(home.index()).unwrap();
        reader.query_row("SELECT count(*) FROM source", [], |_| Ok(())).unwrap();
        home.complete();
        home.check("before");
        let trial = Self::of(home, seed);
        assert!(
            trial.whole.iter().any(|(path, bytes)| path.to_string_lossy().ends_with("-wal") && bytes.len() > 9_000)
        );
        trial
    }

    fn of(home: Home, seed: u64) -> Self {
        let files = fs::read_dir(home.index().parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
        let whole = files.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
        let right = home.answers(&home.sandbox.path(".cache"));
        Self { home, whole, right, rng: Rng::new(seed) }
    }

    fn restore(&self) {
        let _ = fs::remove_dir_all(self.home.index().parent().unwrap());
        fs::create_dir_all(self.home.index().parent().unwrap()).unwrap();
        for (path, bytes) in &self.whole {
            // This file is rebuilt; its content only matters to processes that have the index open.
            if !path.to_string_lossy().ends_with("-shm") {
                fs::write(path, bytes).unwrap();
            }
        }
    }

    /// Damages some bytes of a file, and returns a description.
    fn damage(&mut self, path: &Path, from: usize, length: usize) -> String {
        let rng = &mut self.rng;
        let mut bytes = fs::read(path).unwrap();
        let part = &mut bytes[from..from + length];
        let what = match rng.below(8) {
            0 => {
                part.fill(0);
                "zeroes".to_owned()
            }
            1 => {
                for byte in part.iter_mut() {
                    *byte = u8::try_from(rng.below(256)).unwrap();
                }
                "noise".to_owned()
            }
            _ => {
                let places: Vec<_> = (0..rng.between(1, 6)).map(|_| rng.below(length)).collect();
                for place in &places {
                    part[*place] ^= 1 << rng.below(8);
                }
                format!("flips at {places:?}")
            }
        };
        fs::write(path, bytes).unwrap();
        format!("{what} from {from}")
    }

    /// The answers of the damaged index. No run may fail or print a warning.
    fn answers(&self, what: &str) -> Vec<String> {
        println!("{what}");
        self.home.answers(&self.home.sandbox.path(".cache"))
    }

    fn check_all(&self, what: &str) {
        for (answer, right) in self.answers(what).iter().zip(&self.right) {
            assert_same(&lines(answer), &lines(right), what);
        }
    }

    /// The index and its write-ahead log.
    fn bytes(&self) -> (Vec<u8>, Vec<u8>) {
        let log = self.home.index().with_extension("db-wal");
        (fs::read(self.home.index()).unwrap(), fs::read(log).unwrap_or_default())
    }

    /// The pages of some tables, or of all others.
    fn pages(&self, is_sealed: bool) -> Vec<usize> {
        let db = Connection::open(self.home.index()).unwrap();
        let mut statement = db.prepare("SELECT name, pageno FROM dbstat").unwrap();
        let pages = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, usize>(1)?))).unwrap();
        let pages = pages.map(Result::unwrap).filter(|(name, _)| SEALED.contains(&name.as_str()) == is_sealed);
        pages.map(|(_, page)| page - 1).collect()
    }
}

const PAGE: usize = 4096;

#[test]
fn a_damaged_index_answers_correctly_or_is_rebuilt() {
    let mut trial = Trial::new(21);
    let pages = trial.pages(true);
    trial.restore();
    let whole = trial.bytes();
    trial.check_all("whole");
    assert_eq!(trial.bytes(), whole, "nothing is written where nothing is wrong");
    let mut noticed = 0;
    for round in 0..150 {
        trial.restore();
        let index = trial.home.index();
        let page = pages[trial.rng.below(pages.len())];
        let what = trial.damage(&index, page * PAGE, PAGE);
        let damaged = trial.bytes();
        trial.check_all(&format!("round {round}: {what}"));
        noticed += usize::from(trial.bytes() != damaged);
    }
    assert!(noticed > 50, "it was rebuilt {noticed} times");
}

#[test]
fn a_damaged_index_finds_only_existing_lines() {
    let mut trial = Trial::new(22);
    let pages = trial.pages(false);
    for round in 0..150 {
        trial.restore();
        let index = trial.home.index();
        let size = usize::try_from(fs::metadata(&index).unwrap().len()).unwrap();
        let what = match trial.rng.below(6) {
            0 => {
                let length = trial.rng.below(size);
                cut(&index, length);
                format!("cut at {length}")
            }
            // The header of the file.
            1 => trial.damage(&index, 0, 100),
            _ => {
                let page = pages[trial.rng.below(pages.len())];
                trial.damage(&index, page * PAGE, PAGE)
            }
        };
        let answers = trial.answers(&format!("round {round}: {what}"));
        assert!(answers[0] == trial.right[0], "round {round}: {what}");
        for line in found(&answers[1]) {
            assert!(line.to_lowercase().contains("the"), "round {round}: {what}: {line}");
        }
    }
}

#[test]
fn lost_changes_are_read_again() {
    let mut trial = Trial::with_log(23);
    let log = PathBuf::from(format!("{}-wal", trial.home.index().display()));
    for round in 0..60 {
        trial.restore();
        let size = usize::try_from(fs::metadata(&log).unwrap().len()).unwrap();
        let from = trial.rng.below(size);
        let what = if round % 4 == 0 {
            cut(&log, from);
            format!("cut at {from}")
        } else {
            trial.damage(&log, from, (size - from).min(PAGE))
        };
        trial.check_all(&format!("round {round}: {what}"));
    }
}

fn cut(path: &Path, length: usize) {
    File::options().write(true).open(path).unwrap().set_len(length as u64).unwrap();
}

/// The lines that a search finds.
fn found(answer: &str) -> Vec<String> {
    let answer: Value = serde_json::from_str(answer).unwrap();
    let sessions = answer["sessions"].as_array().unwrap().iter();
    let hits = sessions.flat_map(|session| session["hits"].as_array().unwrap());
    let line = |hit: &Value| {
        let path = Path::new(hit["file"].as_str().unwrap());
        // The prompts of a session in a prompt history are a part of that file.
        let is_part = path.parent().is_some_and(Path::is_file);
        if is_part {
            return hit["snippets"].to_string();
        }
        let file = fs::read_to_string(path).unwrap();
        let number = usize::try_from(hit["line"].as_u64().unwrap()).unwrap();
        file.lines().nth(number - 1).unwrap().to_owned()
    };
    hits.map(line).collect()
}
