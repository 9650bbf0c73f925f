//! Writes the original lines of a session with their original timing.

use std::io::Write;
use std::time::Duration;

use format::{Scratch, Time};
use record::{Record, Stream};
use render::replay::Pace;
use sources::Buffer;
use sources::Lines;
use sources::Source;

use super::clock::Clock;
use crate::failure::CommandError;

/// Writes the lines of each source in turn, and returns their number. For a capture, these are the lines of its
/// standard output, unchanged.
pub(super) fn play(
    sources: &[Source],
    pace: Pace,
    clock: &mut impl Clock,
    out: &mut impl Write,
) -> Result<u64, CommandError> {
    let (mut buffer, mut scratch) = (Buffer::default(), Scratch::default());
    let (mut due, mut before, mut count) = (clock.now(), None, 0);
    for source in sources {
        let mut lines = Lines::new(source.open()?, &mut buffer);
        while let Some(line) = lines.next_line().map_err(|error| source.unreadable(error))? {
            scratch.reset();
            let (bytes, at) = match Record::read(line.bytes) {
                Ok(record) if record.stream != Some(Stream::Output) => continue,
                // Uses microseconds, so that intervals below a millisecond are kept.
                Ok(record) => (record.line(), record.at.map(jiff::Timestamp::as_microsecond)),
                Err(_) => {
                    let header = format::read_header(line.bytes, &scratch);
                    let at = header.and_then(|header| header.timestamp).and_then(Time::milliseconds);
                    (line.bytes.to_vec(), at.map(|at| at.saturating_mul(1000)))
                }
            };
            if let Some(at) = at {
                let gap = at.saturating_sub(before.unwrap_or(at));
                due += pace.pause(Duration::from_micros(u64::try_from(gap).unwrap_or_default()));
                before = Some(before.unwrap_or(at).max(at));
                clock.wait(Some(due));
            }
            out.write_all(&bytes)?;
            out.flush()?;
            count += 1;
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use sources::find_at;

    use super::super::clock::{Simulated, Wish};
    use super::*;

    /// A clock that records the moments it was asked to wait for.
    #[derive(Default)]
    struct Noting(Simulated, Vec<Duration>);

    impl Clock for Noting {
        fn now(&self) -> Duration {
            self.0.now()
        }

        fn wait(&mut self, until: Option<Duration>) -> Option<Wish> {
            let wish = self.0.wait(until);
            self.1.push(self.0.now());
            wish
        }
    }

    /// Plays a capture whose lines have these times in microseconds, and returns when each is written.
    fn played(times: &[i64], speed: f64) -> Vec<Duration> {
        const HEAD: &str = r#""id":"1","conversationId":"c","agentId":"a""#;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.jsonl");
        let lines = times.iter().flat_map(|at| {
            let at = jiff::Timestamp::from_microsecond(1_786_180_500_000_000 + at).unwrap();
            let said = format!(r#"{{{HEAD},"timestamp":"{at}","stream":"stdout","claudeMessage":{{"x":1}}}}"#);
            [said, format!(r#"{{{HEAD},"timestamp":"{at}","stream":"stderr","text":"x"}}"#)]
        });
        std::fs::write(&path, lines.collect::<Vec<_>>().join("\n") + "\n").unwrap();
        let sources = find_at(&[path]).sources;
        let (mut clock, mut said) = (Noting::default(), Vec::new());
        let count = play(&sources, Pace { speed, max_pause: None }, &mut clock, &mut said).unwrap();
        assert_eq!(count, times.len() as u64);
        assert_eq!(said, b"{\"x\":1}\n".repeat(times.len()));
        clock.1
    }

    #[test]
    fn lines_keep_their_original_timing() {
        let times = [0, 250, 1_000, 41_000, 41_000, 3_000_000, 3_000_100, 65_000_000];
        for speed in [1.0, 10.0] {
            for (at, wanted) in played(&times, speed).iter().zip(times) {
                let (at, wanted) =
                    (at.as_secs_f64() * speed, Duration::from_micros(wanted.cast_unsigned()).as_secs_f64());
                assert!((at - wanted).abs() <= wanted * 0.05 + 1e-6, "{at} instead of {wanted}");
            }
        }
    }
}
