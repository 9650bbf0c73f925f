//! What to do about data that the types do not know.

use std::fmt;

use super::Census;

/// Data that no known version writes, as advice for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Novelty<'c> {
    /// How often it occurs.
    pub times: u64,
    /// The versions of Claude Code that wrote it, the oldest first, each with the number of occurrences.
    pub versions: Vec<(&'c str, u64)>,
}

impl Census {
    /// The data that no known version writes, if there is any in the transcripts.
    pub fn novelty(&self) -> Option<Novelty<'_>> {
        let kinds = self.unknown_kinds.values().chain(self.unknown_fields.values());
        let named: u64 = kinds.flat_map(super::tally::Tally::values).map(|seen| seen.count).sum();
        let times = named + self.odd_values.values().map(|seen| seen.count).sum::<u64>();
        (times > 0).then(|| Novelty { times, versions: super::in_order(&self.unknown_by_version) })
    }
}

impl fmt::Display for Novelty<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = |count: u64| if count == 1 { "once".to_owned() } else { format!("{count} times") };
        write!(f, "Data that this recount does not know occurs {}", times(self.times))?;
        match self.versions.as_slice() {
            [] => {}
            [(version, _)] => write!(f, ", written by Claude Code {version}")?,
            [(first, _), .., (last, count)] => {
                let number = self.versions.len();
                write!(
                    f,
                    ", written by {number} versions of Claude Code, {first} to {last} ({last} {})",
                    times(*count)
                )?;
            }
        }
        let known = format::NEWEST_VERSION;
        write!(
            f,
            "; it knows the format up to {known}. Nothing is lost: the lines stay as they are, and `recount show --detail \
             raw` and `recount cat` print them. Update recount. If it is the newest, report the names above with the \
             version of Claude Code."
        )
    }
}
