//! Whether processes are there.

#[cfg(target_os = "linux")]
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

/// Those of this machine, as Linux tells them in `/proc`. Other systems only say whether there is one.
#[derive(Debug, Clone, Copy, Default)]
pub struct Here;

impl Processes for Here {
    #[cfg(target_os = "linux")]
    fn life(&self, pid: u32) -> Life {
        match fs::read_to_string(format!("/proc/{pid}/stat")) {
            Ok(stat) => began(&stat).map_or(Life::Unknown, |ticks| Life::Since(ticks.to_owned())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Life::Gone,
            Err(_) => Life::Unknown,
        }
    }

    #[cfg(all(unix, not(target_os = "linux")))]
    fn life(&self, pid: u32) -> Life {
        use rustix::process::{Pid, test_kill_process};
        let there = i32::try_from(pid).ok().and_then(Pid::from_raw).map(test_kill_process);
        // One that is somebody else's may not be asked, but is there.
        let is_gone = there.is_none_or(|there| there == Err(rustix::io::Errno::SRCH));
        if is_gone { Life::Gone } else { Life::Unknown }
    }

    #[cfg(not(unix))]
    fn life(&self, _: u32) -> Life {
        Life::Unknown
    }
}

/// When a process began, in ticks of the clock: the twenty-second field, of which the second may hold anything but ends
/// with the last `)`.
#[cfg(any(target_os = "linux", test))]
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
