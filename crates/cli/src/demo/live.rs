//! A sample config root that plays itself: sessions of a small web shop that start, work, wait for the user and end.
//!
//! | module | for |
//! |---|---|
//! | `script` | the scripted events, from files beside the code |
//! | `session` | entries and files of a session, in the current format |
//! | `outcome` | the results of calls |
//! | `process` | placeholder processes of the sessions, and their registry |
//! | `names` | ids |
//! | `demo_folder` | the output folder |

pub(crate) mod demo_folder;
mod names;
mod outcome;
mod process;
mod script;
mod session;

use std::path::Path;
use std::time::{Duration, Instant};

use crate::failure::{CommandError, Context as _};
use app::Clock;

use crate::stop::Stop;
use names::Names;
use script::{Deed, Script};
use session::Session;

/// The scripts, in display order where that matters.
const SCRIPTS: [&str; 6] = [
    include_str!("live/totals.json"),
    include_str!("live/mail.json"),
    include_str!("live/search.json"),
    include_str!("live/returns.json"),
    include_str!("live/stock.json"),
    include_str!("live/payment.json"),
];

/// Pause at the end of a round, in seconds.
const REST: f64 = 30.0;

/// Playback options.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// Playback speed relative to the scripts.
    pub(crate) speed: f64,
    /// Whether to play only once; otherwise each round starts with new sessions.
    pub(crate) once: bool,
}

/// Plays until the user stops it or all scripts are complete.
pub(crate) fn play(root: &Path, pace: Pace, clock: Clock, stop: &Stop) -> Result<(), CommandError> {
    let scripts = SCRIPTS.iter().map(|text| serde_json::from_str(text).context("a script of the demo is wrong"));
    let scripts: Vec<Script> = scripts.collect::<Result<_, CommandError>>()?;
    let mut names = Names::new(clock.now().as_millisecond().cast_unsigned());
    loop {
        let is_over = play_round(root, &scripts, (pace.speed, clock), &mut names, stop)?;
        if is_over || pace.once {
            return Ok(());
        }
    }
}

/// Plays all scripts once. Returns whether the user stopped it.
fn play_round(
    root: &Path,
    scripts: &[Script],
    (speed, clock): (f64, Clock),
    names: &mut Names,
    stop: &Stop,
) -> Result<bool, CommandError> {
    let mut cues: Vec<(f64, usize, usize)> = Vec::new();
    for (session, script) in scripts.iter().enumerate() {
        let mut at = script.begins;
        for (number, beat) in script.beats.iter().enumerate() {
            at += beat.after;
            cues.push((at, session, number));
        }
    }
    cues.sort_by(|one, other| one.0.total_cmp(&other.0));
    let end = cues.last().map_or(0.0, |cue| cue.0) + REST;
    let mut sessions: Vec<Option<Session<'_>>> = scripts.iter().map(|_| None).collect();
    let began = Instant::now();
    for (at, number, beat) in cues {
        if wait_until(began, at / speed, stop) {
            return Ok(true);
        }
        let (Some(script), Some(place)) = (scripts.get(number), sessions.get_mut(number)) else { continue };
        let Some(beat) = script.beats.get(beat) else { continue };
        if matches!(beat.deed, Deed::Leave) {
            *place = None;
            continue;
        }
        let session = match place {
            Some(session) => session,
            None => place.insert(Session::begin(root, script, clock, names)?),
        };
        session.play(beat, names)?;
    }
    Ok(wait_until(began, end / speed, stop))
}

/// Waits. Returns whether the user stopped it meanwhile.
fn wait_until(began: Instant, seconds: f64, stop: &Stop) -> bool {
    const SLICE: Duration = Duration::from_millis(100);
    let due = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    loop {
        if stop.is_wanted() {
            return true;
        }
        let Some(left) = due.checked_sub(began.elapsed()).filter(|left| !left.is_zero()) else { return false };
        std::thread::sleep(left.min(SLICE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scripts_can_be_played() {
        for text in SCRIPTS {
            let script: Script = serde_json::from_str(text).unwrap();
            script.check().unwrap();
        }
    }
}
