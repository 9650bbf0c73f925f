//! Runs that are killed midway, and concurrent runs.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use archive::Archive;

use crate::sandbox::Sandbox;

/// Bytes without a pattern, one letter each.
fn noise(state: &mut u64, length: usize) -> Vec<u8> {
    let mut next = || {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        b'a' + u8::try_from(*state % 26).unwrap()
    };
    (0..length).map(|_| next()).collect()
}

fn start(sandbox: &Sandbox) -> std::process::Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("recount"));
    command.args(["archive", "--quiet", "--archive"]).arg(sandbox.path("kept")).env_clear();
    command.env("HOME", sandbox.path(".")).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Whether the archive contains a file that begins with these bytes.
fn has(archive: &Archive, path: &Path, bytes: &[u8]) -> bool {
    archive.files().find(|file| file.name.full() == path).is_some_and(|file| {
        file.versions.iter().any(|version| {
            let mut read = Vec::new();
            archive.read(file, version).read_to_end(&mut read).unwrap();
            read.starts_with(bytes)
        })
    })
}

#[test]
fn a_killed_run_loses_nothing_that_was_acknowledged() {
    const ROUNDS: u64 = 300;
    let sandbox = Sandbox::new();
    let mut state = 7;
    let mut acknowledged: Vec<(std::path::PathBuf, Vec<u8>)> = Vec::new();
    let paths: Vec<_> = (0..4).map(|at| sandbox.path(&format!("./.claude/projects/-p/{at}.jsonl"))).collect();
    fs::create_dir_all(paths[0].parent().unwrap()).unwrap();
    let (mut killed, mut ended) = (0, 0);
    // The duration of a run depends on the machine; kills have to occur at every point of it.
    let mut usual = Duration::from_millis(10);
    for round in 0..ROUNDS {
        let path = &paths[usize::from(noise(&mut state, 1)[0]) % paths.len()];
        if round % 17 == 16 {
            fs::write(path, b"anew\n").unwrap();
        }
        let length = usize::try_from(state % 5_000).unwrap();
        let mut file = fs::File::options().create(true).append(true).open(path).unwrap();
        file.write_all(&noise(&mut state, length)).unwrap();
        file.write_all(b"\n").unwrap();
        let there: Vec<_> = paths.iter().filter_map(|path| Some((path.clone(), fs::read(path).ok()?))).collect();

        let started = std::time::Instant::now();
        let mut child = start(&sandbox);
        if round % 10 != 9 {
            thread::sleep(usual.mul_f64(f64::from(u32::try_from(state % 1000).unwrap()) / 900.0));
            let _ = child.kill();
        }
        if child.wait().unwrap().success() {
            ended += 1;
            acknowledged = there;
            if round % 10 == 9 {
                usual = started.elapsed();
            }
        } else {
            killed += 1;
        }
        let archive = Archive::open(&sandbox.path("kept")).unwrap();
        for (path, bytes) in &acknowledged {
            assert!(
                has(&archive, &std::path::absolute(path).unwrap(), bytes),
                "round {round}: {} lost bytes",
                path.display()
            );
        }
        if round % 20 == 0 {
            assert_eq!(archive::verify(&sandbox.path("kept"), &|_| {}).unwrap().damages, [], "round {round}");
        }
    }
    assert!(killed > 50 && ended >= 30, "{killed} runs were killed, {ended} ended");
    assert!(start(&sandbox).wait().unwrap().success());
    let verified = archive::verify(&sandbox.path("kept"), &|_| {}).unwrap();
    assert_eq!((verified.damages, verified.unfinished), (vec![], 0));
    assert_eq!(fs::read_dir(sandbox.path("kept")).unwrap().count(), 3, "nothing is left aside");
}

#[test]
fn runs_side_by_side_wait_for_each_other() {
    let sandbox = Sandbox::new();
    let path = sandbox.path("./.claude/projects/-p/1.jsonl");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, noise(&mut 3, 500_000)).unwrap();
    let children: Vec<_> = (0..4).map(|_| start(&sandbox)).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let archive = Archive::open(&sandbox.path("kept")).unwrap();
    let files: Vec<_> = archive.files().collect();
    assert_eq!((files.len(), files[0].versions.len()), (1, 1));
    assert!(has(&archive, &std::path::absolute(&path).unwrap(), &fs::read(&path).unwrap()));
}
