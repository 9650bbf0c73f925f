//! Whether processes are alive.

#[cfg(target_os = "linux")]
use std::fs;

/// Whether a process exists, as far as the system says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Life {
    /// It does not exist.
    Gone,
    /// It exists and started at this time, in the registry's notation: process ids are reused.
    Since(String),
    /// It may exist.
    Unknown,
}

/// A source of information about processes.
pub trait Processes {
    /// Looks up a process.
    fn life(&self, pid: u32) -> Life;
}

/// The processes of this machine, from Linux's `/proc`. Other systems only reveal whether a process exists.
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
        // A process of another user cannot be signalled, but exists.
        let is_gone = there.is_none_or(|there| there == Err(rustix::io::Errno::SRCH));
        if is_gone { Life::Gone } else { Life::Unknown }
    }

    #[cfg(not(unix))]
    fn life(&self, _: u32) -> Life {
        Life::Unknown
    }
}

/// When a process started, in clock ticks: the twenty-second field. The second field may contain anything, but ends
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
    fn the_name_of_a_program_may_contain_anything() {
        let stat = "7 (a ) 9 (x) y) S 1 7 7 0 -1 4194560 1 0 0 0 1 2 3 4 20 0 1 0 20095994 1 2 3";
        assert_eq!(began(stat), Some("20095994"));
        assert_eq!(began("7 (a"), None);
        assert_eq!(began(""), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_is_alive() {
        assert!(matches!(Here.life(std::process::id()), Life::Since(_)));
        // No system has that many.
        assert_eq!(Here.life(u32::MAX), Life::Gone);
    }
}
