//! Whether processes are there.

use std::fs;

/// What is known of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Life {
    /// There is none.
    Gone,
    /// It began at this moment, as the registry writes it: numbers of processes are used again.
    Since(String),
    /// There may be one.
    Unknown,
}

/// Who knows about processes.
pub trait Processes {
    /// What is known of a process.
    fn life(&self, pid: u32) -> Life;
}

/// Those of this machine, as Linux tells them in `/proc`; elsewhere nothing is known.
#[derive(Debug, Clone, Copy, Default)]
pub struct Here;

impl Processes for Here {
    fn life(&self, pid: u32) -> Life {
        if !cfg!(target_os = "linux") {
            return Life::Unknown;
        }
        match fs::read_to_string(format!("/proc/{pid}/stat")) {
            Ok(stat) => began(&stat).map_or(Life::Unknown, |ticks| Life::Since(ticks.to_owned())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Life::Gone,
            Err(_) => Life::Unknown,
        }
    }
}

/// When a process began, in ticks of the clock: the twenty-second field, of which the second may hold anything but ends
/// with the last `)`.
fn began(stat: &str) -> Option<&str> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(19)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_program_may_hold_anything() {
        let stat = "7 (a ) 9 (x) y) S 1 7 7 0 -1 4194560 1 0 0 0 1 2 3 4 20 0 1 0 20095994 1 2 3";
        assert_eq!(began(stat), Some("20095994"));
        assert_eq!(began("7 (a"), None);
        assert_eq!(began(""), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_is_there() {
        assert!(matches!(Here.life(std::process::id()), Life::Since(_)));
        // No system has so many.
        assert_eq!(Here.life(u32::MAX), Life::Gone);
    }
}
