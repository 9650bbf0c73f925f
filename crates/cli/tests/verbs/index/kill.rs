//! Runs that are killed midway, and runs that continue the work of others.

use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use testkit::rng::Rng;

use super::root::{Home, QUESTIONS};

fn start(home: &Home, arguments: &[&str]) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("recount"));
    command.args(arguments).env_clear().env("HOME", home.sandbox.path("")).current_dir(home.sandbox.path(""));
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn the_next_run_continues_after_a_kill() {
    const ROUNDS: u64 = 300;
    let home = Home::new(11);
    let mut rng = Rng::new(5);
    let (mut killed, mut ended) = (0, 0);
    // The duration of a run depends on the machine and on the new data; kills have to occur at every point of it.
    let mut usual = Duration::from_millis(20);
    for round in 0..ROUNDS {
        for _ in 0..rng.between(1, 4) {
            home.change(&mut rng);
        }
        let started = Instant::now();
        let mut child = start(&home, QUESTIONS[rng.below(QUESTIONS.len())]);
        let is_spared = round % 10 == 9;
        if !is_spared {
            thread::sleep(usual.mul_f64(f64::from(u32::try_from(rng.below(1000)).unwrap()) / 900.0));
            let _ = child.kill();
        }
        if child.wait().unwrap().code().is_some() {
            ended += 1;
            // The work of a run is kept: no later run rebuilds the index.
            let db = Connection::open(home.index()).unwrap();
            let is_new = db.execute("INSERT OR IGNORE INTO setting (name, value) VALUES ('test', 1)", []).unwrap() == 1;
            assert_eq!(is_new, ended == 1, "round {round}");
            if is_spared {
                usual = (usual + started.elapsed()) / 2;
            }
        } else {
            killed += 1;
        }
        if round % 5 == 0 && home.index().exists() {
            let db = Connection::open(home.index()).unwrap();
            db.create_scalar_function("is_sealed", -1, FunctionFlags::SQLITE_DETERMINISTIC, |_| Ok(1)).unwrap();
            let state: String = db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
            assert_eq!(state, "ok", "round {round}");
        }
        if round % 25 == 24 {
            home.check(&format!("round {round}"));
        }
    }
    assert!(killed > 100 && ended >= 30, "{killed} runs were killed, {ended} ended");
    home.complete();
    home.check("at the end");
}

#[test]
fn the_index_equals_a_fresh_one_after_any_change() {
    for seed in [13, 21, 28] {
        let home = Home::new(seed);
        let mut rng = Rng::new(seed);
        for round in 0..100 {
            for _ in 0..rng.between(1, 6) {
                home.change(&mut rng);
            }
            assert!(start(&home, QUESTIONS[0]).wait().unwrap().code().is_some());
            if round % 10 == 9 {
                home.check(&format!("seed {seed}, round {round}"));
            }
        }
    }
}
