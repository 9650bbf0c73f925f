//! Delivery of hook events to their readers.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::time::Duration;

use live::hooks::{Event, HookEventKind, Listener, Spool, deliver};

fn event(at: i64) -> Event {
    Event { at, kind: HookEventKind::Stop, session: "s".to_owned(), ..Event::default() }
}

fn times(spool: &mut Spool) -> Vec<i64> {
    spool.read().unwrap().into_iter().map(|event| event.at).collect()
}

/// Fills the file until the next event no longer fits.
fn fill(folder: &Path) {
    let mut file = OpenOptions::new().append(true).open(folder.join("events.jsonl")).unwrap();
    file.write_all(&vec![b'\n'; (4 << 20) + 1]).unwrap();
}

#[test]
fn each_event_is_read_once() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("state/recount");
    let mut spool = Spool::new(&folder);
    assert!(times(&mut spool).is_empty(), "there are no events yet");
    (1..4).for_each(|at| deliver(&folder, &event(at)).unwrap());
    assert_eq!(times(&mut spool), [1, 2, 3]);
    deliver(&folder, &event(4)).unwrap();
    assert_eq!(times(&mut spool), [4]);
    assert!(times(&mut spool).is_empty());
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(&folder.join("events.jsonl"))), (0o700, 0o600));
}

#[test]
fn torn_lines_and_others_hide_nothing() {
    let home = tempfile::tempdir().unwrap();
    deliver(home.path(), &event(1)).unwrap();
    let path = home.path().join("events.jsonl");
    let append = |bytes: &[u8]| OpenOptions::new().append(true).open(&path).unwrap().write_all(bytes).unwrap();
    append(b"not JSON\n\xff\xfe\n{\"at\":\"soon\"}\n[1]\n{\"at\":2,\"kind\":\"Invented\",\"session\":\"s\",\"new\":1}\n{\"at\":3,\"kind\":");
    let mut spool = Spool::new(home.path());
    assert_eq!(times(&mut spool), [1, 2]);
    append(b"\"Stop\",\"session\":\"s\"}\n");
    assert_eq!(times(&mut spool), [3]);
}

#[test]
fn a_full_file_is_rotated_and_nothing_is_missed() {
    let home = tempfile::tempdir().unwrap();
    let mut spool = Spool::new(home.path());
    deliver(home.path(), &event(1)).unwrap();
    assert_eq!(times(&mut spool), [1]);
    deliver(home.path(), &event(2)).unwrap();
    fill(home.path());
    deliver(home.path(), &event(3)).unwrap();
    assert!(fs::metadata(home.path().join("events.jsonl")).unwrap().len() < 1000);
    assert_eq!(times(&mut spool), [2, 3]);
    // Twice between two reads.
    deliver(home.path(), &event(4)).unwrap();
    fill(home.path());
    deliver(home.path(), &event(5)).unwrap();
    fill(home.path());
    deliver(home.path(), &event(6)).unwrap();
    assert_eq!(times(&mut spool), [4, 5, 6]);
    // A new reader gets what is still stored.
    assert_eq!(times(&mut Spool::new(home.path())), [5, 6]);
}

#[test]
fn a_file_may_be_truncated_or_deleted() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("events.jsonl");
    let mut spool = Spool::new(home.path());
    (1..4).for_each(|at| deliver(home.path(), &event(at)).unwrap());
    assert_eq!(times(&mut spool).len(), 3);
    fs::write(&path, "").unwrap();
    deliver(home.path(), &event(4)).unwrap();
    assert_eq!(times(&mut spool), [4]);
    fs::remove_file(&path).unwrap();
    assert!(times(&mut spool).is_empty());
    deliver(home.path(), &event(5)).unwrap();
    assert_eq!(times(&mut spool), [5]);
}

#[test]
fn events_of_several_processes_do_not_mix() {
    let home = tempfile::tempdir().unwrap();
    let long = |at: i64| Event { text: Some("x".repeat(3000)), ..event(at) };
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let folder = home.path();
            scope.spawn(move || (0..50).for_each(|at| deliver(folder, &long(thread * 100 + at)).unwrap()));
        }
    });
    let mut heard = times(&mut Spool::new(home.path()));
    heard.sort_unstable();
    let sent: Vec<i64> = (0..8).flat_map(|thread| (0..50).map(move |at| thread * 100 + at)).collect();
    assert_eq!(heard, sent);
}

#[test]
fn a_listener_wakes_immediately() {
    const LONG: Duration = Duration::from_secs(20);
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("recount");
    deliver(&folder, &event(1)).unwrap();
    let listener = Listener::bind(&folder).unwrap();
    let path = folder.join("events.sock");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    deliver(&folder, &event(2)).unwrap();
    assert_eq!(listener.wait(LONG).unwrap(), Some(event(2)));
    assert_eq!(listener.wait(Duration::ZERO).unwrap(), None);
    // Any process of this user may send anything.
    UnixDatagram::unbound().unwrap().send_to(b"\xffnonsense", &path).unwrap();
    assert_eq!(listener.wait(LONG).unwrap(), None);
    assert_eq!(Listener::bind(&folder).unwrap_err().kind(), ErrorKind::AddrInUse, "another process listens");
    drop(listener);
    assert!(!path.exists());
}

#[test]
fn a_stalled_listener_does_not_block() {
    let home = tempfile::tempdir().unwrap();
    let listener = Listener::bind(home.path()).unwrap();
    // More than any system buffers for a socket.
    (0..2000).for_each(|at| deliver(home.path(), &event(at)).unwrap());
    assert_eq!(times(&mut Spool::new(home.path())).len(), 2000);
    drop(listener);
}

#[test]
fn a_stale_socket_is_replaced() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("events.sock");
    drop(UnixDatagram::bind(&path).unwrap());
    assert!(path.exists(), "a socket outlives its process");
    let listener = Listener::bind(home.path()).unwrap();
    // Another process has replaced it: it is not removed.
    fs::remove_file(&path).unwrap();
    let other = UnixDatagram::bind(&path).unwrap();
    drop(listener);
    assert!(path.exists());
    drop(other);
    fs::remove_file(&path).unwrap();
    fs::write(&path, "a file of another program").unwrap();
    assert!(Listener::bind(home.path()).is_err());
    assert!(path.exists());
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("file"), "").unwrap();
    assert!(deliver(&home.path().join("file/below"), &event(1)).is_err());
}
