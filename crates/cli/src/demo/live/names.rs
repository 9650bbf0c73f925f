//! Ids in the format of Claude Code and the API.

/// A deterministic source of ids: the same seed gives the same ids.
#[derive(Debug)]
pub(super) struct Names(u64);

impl Names {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next number (`SplitMix64`).
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Returns a number from 0 to below `end`.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next().checked_rem(end).unwrap_or_default()
    }

    /// Returns a random UUID.
    pub(super) fn uuid(&mut self) -> String {
        let (high, low) = (self.next(), self.next());
        format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            high >> 32,
            high >> 16 & 0xffff,
            high & 0xfff,
            low >> 48 & 0x3fff | 0x8000,
            low & 0xffff_ffff_ffff
        )
    }

    /// Returns an id of a subagent.
    pub(super) fn agent(&mut self) -> String {
        format!("a{:016x}", self.next())
    }

    /// Returns an id of the API, with a prefix.
    pub(super) fn of_api(&mut self, start: &str) -> String {
        let mut letters = || char::from_digit(u32::try_from(self.below(36)).unwrap_or_default(), 36).unwrap_or('0');
        let rest: String = (0..22).map(|_| letters()).collect();
        format!("{start}{rest}")
    }

    /// Returns an id of a background task.
    pub(super) fn task(&mut self) -> String {
        self.of_api("b").chars().take(9).collect()
    }
}
