//! A small seeded random number generator.
//!
//! Own code instead of a crate, because the bytes the generator writes must be
//! the same on every machine and after every dependency update. The algorithm
//! is `SplitMix64` (Steele, Lea, Flood 2014): one addition and two
//! multiplications per number, any seed is good.

/// A seeded source of numbers; the same seed gives the same sequence forever.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
    words: Words,
}

/// How often which words are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Words {
    /// A few hundred, all alike.
    #[default]
    Few,
    /// Thousands, a few of them often and most of them hardly ever, as people use them. In published transcripts the
    /// hundredth word is in every twentieth line, and the thousandth in one of 120.
    Natural,
}

const HEX: &[u8; 16] = b"0123456789abcdef";
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

impl Rng {
    /// A generator that begins at `seed`.
    pub fn new(seed: u64) -> Self {
        Self { state: seed, words: Words::Few }
    }

    /// The same with other words.
    #[must_use]
    pub fn with_words(self, words: Words) -> Self {
        Self { words, ..self }
    }

    /// How often which words are drawn.
    pub fn words(&self) -> Words {
        self.words
    }

    /// A second generator whose numbers do not depend on how many were drawn
    /// from this one, only on its seed and `label`.
    #[must_use]
    pub fn fork(&self, label: u64) -> Self {
        let mut forked = Self { state: self.state ^ label.wrapping_mul(0xd6e8_feb8_6659_fd93), ..*self };
        forked.next_u64();
        forked
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, or 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let wide = u128::from(self.next_u64()) * (bound as u128);
        usize::try_from(wide >> 64).unwrap_or(0)
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// Like [`Rng::between`], for JSON integers.
    pub fn integer(&mut self, low: i64, high: i64) -> i64 {
        let span = usize::try_from(high.saturating_sub(low)).unwrap_or(0);
        low + i64::try_from(self.between(0, span)).unwrap_or(0)
    }

    /// A size whose logarithm is spread evenly from `low` to `high`: many small
    /// ones, few large ones, as file and output sizes are.
    pub fn log_between(&mut self, low: usize, high: usize) -> usize {
        let low_bits = usize::BITS - low.max(1).leading_zeros();
        let high_bits = usize::BITS - high.max(1).leading_zeros();
        let bits = self.between(low_bits as usize, high_bits as usize);
        let floor = 1_usize.checked_shl(u32::try_from(bits).unwrap_or(1).saturating_sub(1)).unwrap_or(high);
        self.between(floor, floor.saturating_mul(2)).clamp(low, high.max(low))
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `items`.
    pub fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T
    where
        &'a T: Default,
    {
        let index = self.below(items.len());
        items.get(index).copied().unwrap_or_default()
    }

    /// Puts `items` into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// `length` lower-case hexadecimal digits.
    pub fn hex(&mut self, length: usize) -> String {
        self.letters(HEX, length)
    }

    /// `length` letters and digits, as in `msg_…` and `toolu_…` ids.
    pub fn base62(&mut self, length: usize) -> String {
        self.letters(BASE62, length)
    }

    /// `length` characters that look like base64 data.
    pub fn base64(&mut self, length: usize) -> String {
        self.letters(BASE64, length)
    }

    /// A version 4 UUID.
    pub fn uuid(&mut self) -> String {
        let (high, low) = (self.next_u64(), self.next_u64());
        format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            high >> 32,
            (high >> 16) & 0xffff,
            high & 0xfff,
            0x8000 | ((low >> 48) & 0x3fff),
            low & 0xffff_ffff_ffff
        )
    }

    /// A `msg_…` id of the Anthropic API.
    pub fn message_id(&mut self) -> String {
        format!("msg_01{}", self.base62(22))
    }

    /// A `req_…` id of the Anthropic API.
    pub fn request_id(&mut self) -> String {
        format!("req_011C{}", self.base62(20))
    }

    /// A `toolu_…` id of the Anthropic API.
    pub fn tool_use_id(&mut self) -> String {
        format!("toolu_01{}", self.base62(22))
    }

    /// Eight characters per drawn number: base64 images are long.
    fn letters(&mut self, alphabet: &[u8], length: usize) -> String {
        let mut text = String::with_capacity(length);
        while text.len() < length {
            let mut bits = self.next_u64();
            for _ in 0..8.min(length - text.len()) {
                let index = usize::from((bits & 0xff) as u8) * alphabet.len() / 256;
                text.push(char::from(alphabet.get(index).copied().unwrap_or(b'0')));
                bits >>= 8;
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_of_a_seed_never_changes() {
        let mut rng = Rng::new(7);
        assert_eq!(rng.next_u64(), 7_191_089_600_892_374_487);
        assert_eq!(Rng::new(7).uuid(), Rng::new(7).uuid());
        assert_ne!(Rng::new(7).uuid(), Rng::new(8).uuid());
    }

    #[test]
    fn uuids_are_version_four() {
        let mut rng = Rng::new(1);
        for _ in 0..100 {
            let uuid = rng.uuid();
            assert_eq!(uuid.len(), 36);
            assert_eq!(uuid.as_bytes()[14], b'4');
            assert!(b"89ab".contains(&uuid.as_bytes()[19]), "{uuid}");
        }
    }

    #[test]
    fn bounds_hold() {
        let mut rng = Rng::new(3);
        for _ in 0..1000 {
            assert!(rng.below(3) < 3);
            assert!((5..=9).contains(&rng.between(5, 9)));
            assert!((100..=5000).contains(&rng.log_between(100, 5000)));
        }
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.pick::<str>(&[]), "");
    }

    #[test]
    fn forks_do_not_depend_on_each_other() {
        let rng = Rng::new(3);
        assert_ne!(rng.fork(1).next_u64(), rng.fork(2).next_u64());
        assert_eq!(rng.fork(1).next_u64(), rng.fork(1).next_u64());
    }
}
