//! The time axis, from left to right, with long pauses cut out.

use story::step::Millis;

/// The width of a timeline.
pub(crate) const WIDTH: u32 = 1000;
/// Longer pauses are cut out.
const PAUSE: i64 = 5 * 60 * 1000;
/// Maximum number of marked pauses: with more, only the longest are cut out.
const MOST_PAUSES: usize = 40;
/// The width of a pause's mark.
const MARK: i64 = 6;

/// Periods of work, in any order.
#[derive(Debug, Default)]
pub(crate) struct Work(Vec<(Millis, Millis)>);

impl Work {
    /// Adds a period.
    pub(crate) fn add(&mut self, from: Millis, to: Millis) {
        let to = to.max(from);
        // Steps are nearly in order, so that few spans remain.
        match self.0.last_mut() {
            Some(last) if from >= last.0 && from.saturating_sub(last.1) <= PAUSE => last.1 = last.1.max(to),
            _ => self.0.push((from, to)),
        }
    }
}

/// Maps moments to positions.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Axis {
    /// Positions and their moments, both ascending. Between two of them time is linear.
    points: Vec<(u32, Millis)>,
    /// Where pauses were cut out.
    pauses: Vec<(u32, u32)>,
}

impl Axis {
    /// An axis for some periods of work; `None` if there are no times.
    pub(crate) fn new(mut work: Work) -> Option<Self> {
        work.0.sort_unstable();
        let mut pause = PAUSE;
        let mut spans = merged(&work.0, pause);
        while spans.len() > MOST_PAUSES {
            pause = pause.saturating_mul(2);
            spans = merged(&spans, pause);
        }
        let lengths = spans.iter().map(|(from, to)| i128::from(*to) - i128::from(*from));
        let all = lengths.clone().sum::<i128>().max(1);
        let marks = MARK * i64::try_from(spans.len().checked_sub(1)?).ok()?;
        let room = i128::from(i64::from(WIDTH) - marks);
        let mut axis = Self::default();
        let (mut done, mut mark) = (0, 0);
        for ((from, to), length) in spans.iter().zip(lengths) {
            let place = |done: i128| u32::try_from(done * room / all + i128::from(mark)).unwrap_or(WIDTH);
            if let Some((end, _)) = axis.points.last() {
                axis.pauses.push((*end, place(done)));
            }
            axis.points.push((place(done), *from));
            axis.points.push((place(done + length), *to));
            done += length;
            mark += MARK;
        }
        Some(axis)
    }

    /// Positions and their moments.
    pub(crate) fn points(&self) -> &[(u32, Millis)] {
        &self.points
    }

    /// Where pauses were cut out.
    pub(crate) fn pauses(&self) -> &[(u32, u32)] {
        &self.pauses
    }

    /// The position of a moment.
    pub(crate) fn place(&self, at: Millis) -> u32 {
        let after = self.points.partition_point(|(_, moment)| *moment <= at);
        let before = after.checked_sub(1).and_then(|before| self.points.get(before));
        match (before, self.points.get(after)) {
            (Some((from, start)), Some((to, end))) => {
                let part = i128::from(at) - i128::from(*start);
                let all = (i128::from(*end) - i128::from(*start)).max(1);
                let width = i128::from(to.saturating_sub(*from));
                from + u32::try_from(part * width / all).unwrap_or_default()
            }
            (Some((place, _)), None) | (None, Some((place, _))) => *place,
            (None, None) => 0,
        }
    }
}

/// Spans in order, merged where the pause between them is short.
fn merged(spans: &[(Millis, Millis)], pause: i64) -> Vec<(Millis, Millis)> {
    let mut merged: Vec<(Millis, Millis)> = Vec::new();
    for (from, to) in spans {
        match merged.last_mut() {
            Some(last) if from.saturating_sub(last.1) <= pause => last.1 = last.1.max(*to),
            _ => merged.push((*from, *to)),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000;

    fn axis(spans: &[(i64, i64)]) -> Option<Axis> {
        let mut work = Work::default();
        for (from, to) in spans {
            work.add(from * MINUTE, to * MINUTE);
        }
        Axis::new(work)
    }

    #[test]
    fn long_pauses_are_narrow() {
        let axis = axis(&[(0, 10), (15, 20), (500, 520)]).unwrap();
        assert_eq!(axis.points(), [(0, 0), (497, 20 * MINUTE), (503, 500 * MINUTE), (1000, 520 * MINUTE)]);
        assert_eq!(axis.pauses(), [(497, 503)]);
        let places = [-5, 0, 10, 20, 260, 500, 510, 600].map(|minute| axis.place(minute * MINUTE));
        assert_eq!(places, [0, 0, 248, 497, 500, 503, 751, 1000]);
    }

    #[test]
    fn any_times_will_do() {
        assert_eq!(axis(&[]), None);
        assert_eq!(axis(&[(3, 3)]).unwrap().place(3 * MINUTE), 0);
        let mut work = Work::default();
        for (from, to) in [(i64::MAX, i64::MIN), (i64::MIN, i64::MAX), (0, 5), (-7, 0)] {
            work.add(from, to);
        }
        let axis = Axis::new(work).unwrap();
        assert_eq!([i64::MIN, 0, i64::MAX].map(|at| axis.place(at)), [0, 500, 1000]);
    }

    #[test]
    fn pauses_leave_room_for_the_work() {
        let spans: Vec<_> = (0..5000).map(|number| (number * 60, number * 60 + 1 + number % 7)).collect();
        let axis = axis(&spans).unwrap();
        assert!(axis.pauses().len() < MOST_PAUSES);
        assert!(axis.points().is_sorted());
    }
}
