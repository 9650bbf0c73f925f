//! The name of this machine, for stores with files of several machines.
//!
//! It belongs to the user's home more than to the hardware: machines that share a home share its sessions, and
//! therefore its name. It is generated once and stored beside the archive. Reading does not require it: without it, all
//! files with a machine count as foreign, and none belong to this machine.

use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::Write as _;
use std::path::PathBuf;

use crate::folders;

/// The maximum length of a name.
const LONGEST: usize = 64;

/// The name, if this machine has one: `$RECOUNT_MACHINE`, or the stored one.
pub fn known() -> Option<Box<str>> {
    let stated = std::env::var("RECOUNT_MACHINE").ok();
    stated.as_deref().and_then(name).or_else(|| name(&fs::read_to_string(place()?).ok()?))
}

/// The name, which is generated and stored if there is none. Empty if it cannot be stored.
pub fn established() -> Box<str> {
    known().or_else(make_up).unwrap_or_default()
}

fn place() -> Option<PathBuf> {
    Some(folders::data()?.join("recount").join("machine"))
}

/// Makes a name safe for paths and URLs; `None` if nothing usable is left.
fn name(text: &str) -> Option<Box<str>> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let name: String = text.trim().chars().take(LONGEST).map(|c| if is_plain(c) { c } else { '-' }).collect();
    (!name.is_empty() && !name.starts_with('.')).then(|| name.into())
}

fn make_up() -> Option<Box<str>> {
    // It need not be secret, only unique.
    let [one, other] = [(); 2].map(|()| RandomState::new().build_hasher().finish());
    let place = place()?;
    private::make_folder(place.parent()?).ok()?;
    // Write it to a temporary file first, so that a concurrent process finds the whole name or none.
    let beside = place.with_extension(format!("{other:016x}"));
    let created = private::options().write(true).create_new(true).open(&beside);
    let written = created.and_then(|mut file| writeln!(file, "{one:016x}{other:016x}"));
    // The hard link fails if another process was first. Not all file systems have hard links.
    let linked = written.and_then(|()| fs::hard_link(&beside, &place));
    if linked.is_err() && !place.exists() {
        let _ = fs::rename(&beside, &place);
    }
    let _ = fs::remove_file(&beside);
    known()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_be_part_of_a_path() {
        let read = |text: &str| name(text).map(String::from);
        assert_eq!(read(" build-01.example\n").as_deref(), Some("build-01.example"));
        assert_eq!(read("ana's laptop/2").as_deref(), Some("ana-s-laptop-2"));
        assert_eq!([read(""), read(" \n"), read(".."), read("../x")], [None, None, None, None]);
        assert_eq!(read(&"x".repeat(100)).map(|name| name.len()), Some(LONGEST));
    }
}
