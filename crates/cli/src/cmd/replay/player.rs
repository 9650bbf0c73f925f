//! Plays a score: waits, writes, and handles commands of the user.

use std::io::{self, Write};

use render::replay::{Frame, Pace, Score};

use super::clock::{Clock, Wish};

pub(super) struct Player<'s> {
    frames: &'s [Frame],
    pace: Pace,
    /// Whether the terminal is in raw mode, which needs `\r\n` and allows output to be erased.
    is_raw: bool,
    /// Position of the next frame.
    at: usize,
    is_paused: bool,
}

impl<'s> Player<'s> {
    pub(super) fn new(score: &'s Score, pace: Pace, is_raw: bool) -> Self {
        Self { frames: &score.frames, pace, is_raw, at: 0, is_paused: false }
    }

    /// Plays until the end, or until the user quits.
    pub(super) fn play(mut self, clock: &mut impl Clock, out: &mut impl Write) -> io::Result<()> {
        // When the previous frame was due. Waiting relative to it keeps one delay from delaying all later frames.
        let mut due = clock.now();
        while let Some(frame) = self.frames.get(self.at) {
            let before = self.at.checked_sub(1).and_then(|at| self.frames.get(at)).map_or(0, |frame| frame.at);
            let next = due + self.pace.between(before, frame.at);
            let until = (!self.is_paused).then_some(next);
            match clock.wait(until) {
                None => {
                    self.write(self.at..self.at + 1, out)?;
                    self.at += 1;
                    due = next;
                }
                Some(Wish::Quit) => break,
                Some(wish) => {
                    self.grant(wish, out)?;
                    due = clock.now();
                }
            }
        }
        if self.is_raw { write!(out, "\r\n") } else { Ok(()) }
    }

    fn grant(&mut self, wish: Wish, out: &mut impl Write) -> io::Result<()> {
        const FASTEST: f64 = 100.0;
        const SLOWEST: f64 = 0.1;
        match wish {
            Wish::Pause => self.is_paused = !self.is_paused,
            Wish::Faster => self.pace.speed = (self.pace.speed * 2.0).min(FASTEST),
            Wish::Slower => self.pace.speed = (self.pace.speed / 2.0).max(SLOWEST),
            Wish::Step => {
                self.is_paused = true;
                self.go_to(self.next_first(), out)?;
            }
            Wish::NextTurn => {
                let now = self.turn();
                let rest = self.frames.get(self.at..).unwrap_or_default();
                let ahead = rest.iter().position(|frame| frame.turn > now).map_or(rest.len(), |ahead| ahead + 1);
                self.go_to(self.at + ahead, out)?;
            }
            Wish::Back => {
                let start = |turn: usize| self.frames.iter().position(|frame| frame.turn >= turn).unwrap_or_default();
                let (here, before) = (start(self.turn()), start(self.turn().saturating_sub(1)));
                // At the beginning of a turn, going back means the previous turn.
                let place = if self.at > here + 2 { here } else { before };
                self.at = 0;
                if self.is_raw {
                    out.write_all(b"\x1b[2J\x1b[H")?;
                }
                self.go_to(place, out)?;
            }
            Wish::Quit => {}
        }
        Ok(())
    }

    /// Returns the current turn.
    fn turn(&self) -> usize {
        self.at.checked_sub(1).and_then(|at| self.frames.get(at)).map_or(1, |frame| frame.turn)
    }

    /// Returns the position of the first frame of the next step, or the end.
    fn next_first(&self) -> usize {
        let mut rest = self.frames.iter().enumerate().skip(self.at + 1);
        rest.find(|(_, frame)| frame.is_first).map_or(self.frames.len(), |(at, _)| at)
    }

    /// Shows everything up to a position at once.
    fn go_to(&mut self, place: usize, out: &mut impl Write) -> io::Result<()> {
        self.write(self.at..place, out)?;
        self.at = place;
        Ok(())
    }

    fn write(&self, frames: std::ops::Range<usize>, out: &mut impl Write) -> io::Result<()> {
        for frame in self.frames.get(frames).unwrap_or_default() {
            if self.is_raw {
                out.write_all(frame.text.replace('\n', "\r\n").as_bytes())?;
            } else {
                out.write_all(frame.text.as_bytes())?;
            }
        }
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::clock::Simulated;
    use super::*;

    fn score(frames: &[(u64, usize, &str)]) -> Score {
        let frame = |(at, turn, text): &(u64, usize, &str)| Frame {
            at: *at,
            turn: *turn,
            is_first: true,
            text: (*text).to_owned(),
        };
        Score { began: None, frames: frames.iter().map(frame).collect() }
    }

    /// A writer that records the time of each write.
    struct Paper<'c>(&'c std::cell::Cell<Duration>, Vec<(u64, String)>);

    impl Write for Paper<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let now = u64::try_from(self.0.get().as_millis()).unwrap();
            self.1.push((now, String::from_utf8(bytes.to_vec()).unwrap()));
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A clock with a shared current time; each wait takes slightly longer than asked, as in reality.
    struct Watched<'c>(Simulated, &'c std::cell::Cell<Duration>);

    impl Clock for Watched<'_> {
        fn now(&self) -> Duration {
            self.0.now()
        }

        fn wait(&mut self, until: Option<Duration>) -> Option<Wish> {
            let wish = self.0.wait(until);
            if wish.is_none() {
                self.0.now += Duration::from_micros(300);
            }
            self.1.set(self.0.now);
            wish
        }
    }

    fn played(score: &Score, pace: Pace, wishes: &[(u64, Wish)]) -> Vec<(u64, String)> {
        let hand = std::cell::Cell::new(Duration::ZERO);
        let wishes = wishes.iter().map(|(at, wish)| (Duration::from_millis(*at), *wish)).collect();
        let mut clock = Watched(Simulated { now: Duration::ZERO, wishes }, &hand);
        let mut paper = Paper(&hand, Vec::new());
        Player::new(score, pace, false).play(&mut clock, &mut paper).unwrap();
        paper.1
    }

    const ONCE: Pace = Pace { speed: 1.0, max_pause: None };

    #[test]
    fn speed_1_keeps_the_original_timing() {
        let frames: Vec<(u64, usize, &str)> = (0..2000).map(|at| (at * 37 + at % 7 * 5, 1, "x")).collect();
        for (speed, slack) in [(1.0, 1), (4.0, 1)] {
            let pace = Pace { speed, max_pause: None };
            for ((at, _), (wanted, ..)) in played(&score(&frames), pace, &[]).iter().zip(&frames) {
                #[expect(clippy::cast_precision_loss, reason = "these are small")]
                let (at, wanted) = (*at as f64, *wanted as f64 / speed);
                assert!((at - wanted).abs() <= f64::from(slack) + wanted * 0.001, "{at} instead of {wanted}");
            }
        }
    }

    #[test]
    fn long_pauses_are_shortened() {
        let score = score(&[(0, 1, "a"), (60_000, 1, "b"), (60_500, 1, "c")]);
        let times: Vec<u64> = played(&score, Pace { max_pause: Some(Duration::from_secs(2)), ..ONCE }, &[])
            .iter()
            .map(|(at, _)| *at)
            .collect();
        assert_eq!(times, [0, 2000, 2500]);
    }

    #[test]
    fn keys_pause_step_jump_and_end() {
        let score = score(&[(0, 1, "a"), (1000, 1, "b"), (2000, 2, "c"), (3000, 2, "d"), (4000, 3, "e")]);
        let wishes = [(500, Wish::Pause), (5000, Wish::Step), (6000, Wish::NextTurn), (7000, Wish::Pause)];
        let said: Vec<(u64, String)> = played(&score, ONCE, &wishes);
        let said: Vec<(u64, &str)> = said.iter().map(|(at, text)| (*at, text.as_str())).collect();
        assert_eq!(said, [(0, "a"), (5000, "b"), (6000, "c"), (8000, "d"), (9000, "e")]);
        let said = played(&score, ONCE, &[(500, Wish::Quit)]);
        assert_eq!(said.len(), 1);
        let said = played(&score, ONCE, &[(2500, Wish::Back)]);
        let said: String = said.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(said, "abcabcde");
        let said = played(&score, ONCE, &[(0, Wish::Faster), (0, Wish::Faster), (0, Wish::Slower)]);
        assert_eq!(said.last().unwrap().0, 2000);
    }
}
