//! The table of measurements, compared with the goals.

use std::fmt;

use measure::Measured;

use crate::task::Task;

/// The best round of each task, in the order they were first added.
#[derive(Default)]
pub(crate) struct Report(Vec<(String, Measured)>);

/// A ratio that should stay on one side of a limit.
struct Goal {
    what: &'static str,
    ratio: f64,
    limit: f64,
    at_most: bool,
}

impl Report {
    pub(crate) fn add(&mut self, name: &str, measured: Measured) {
        let Some((_, best)) = self.0.iter_mut().find(|(known, _)| known == name) else {
            return self.0.push((name.to_owned(), measured));
        };
        *best = best.best(measured);
    }

    fn get(&self, name: &str) -> Option<Measured> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, measured)| *measured)
    }

    fn goals(&self) -> Option<Vec<Goal>> {
        let sonic = self.get(Task::Sonic.name())?;
        let full = self.get(Task::Full.name())?;
        let header = self.get(Task::Header.name())?;
        let texts = self.get(Task::Texts.name())?;
        let threads = self.get("full, 2 threads")?;
        let check = self.get("recount check")?;
        let goal = |what, ratio, limit, at_most| Goal { what, ratio, limit, at_most };
        // The command reads its folder only once, so its start-up time must not matter.
        let is_large = full.cpu_seconds > 0.2;
        let check =
            is_large.then(|| goal("recount check / full, CPU", check.cpu_seconds / full.cpu_seconds, 1.2, true));
        let goals = [
            goal("full / sonic_rs::Value, CPU", full.cpu_seconds / sonic.cpu_seconds, 1.3, true),
            goal("header / sonic_rs::Value, CPU", header.cpu_seconds / sonic.cpu_seconds, 0.7, true),
            goal("with its texts / full, CPU", texts.cpu_seconds / full.cpu_seconds, 1.25, true),
            goal("one thread / two threads, time", full.wall_seconds / threads.wall_seconds, 1.8, false),
        ];
        Some(goals.into_iter().chain(check).collect())
    }
}

impl fmt::Display for Report {
    #[expect(clippy::cast_precision_loss, reason = "megabytes")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.first().map_or(0, |(_, measured)| measured.bytes);
        writeln!(
            f,
            "{:.1} MB\n{:<20}{:>10}{:>10}{:>10}{:>12}",
            bytes as f64 / 1e6,
            "",
            "CPU s",
            "time s",
            "MB/CPU s",
            "peak MB"
        )?;
        for (name, measured) in &self.0 {
            writeln!(
                f,
                "{name:<20}{:>10.3}{:>10.3}{:>10.0}{:>12.1}",
                measured.cpu_seconds,
                measured.wall_seconds,
                bytes as f64 / 1e6 / measured.cpu_seconds,
                measured.peak_megabytes,
            )?;
        }
        for Goal { what, ratio, limit, at_most } in self.goals().unwrap_or_default() {
            let met = if at_most { ratio <= limit } else { ratio >= limit };
            let (side, verdict) = (if at_most { "at most" } else { "at least" }, if met { "met" } else { "MISSED" });
            writeln!(f, "{what:<32}{ratio:>6.2}   goal: {side} {limit}   {verdict}")?;
        }
        Ok(())
    }
}
