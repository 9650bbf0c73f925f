//! Tokens by kind: small numbers for a message, large ones for sums.

use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

macro_rules! counts {
    ($( $(#[$meta:meta])* $vis:vis struct $name:ident($number:ty); )+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
        $vis struct $name {
            /// Without cached tokens.
            pub input: $number,
            /// Including thinking.
            pub output: $number,
            /// Read from the cache.
            pub cache_read: $number,
            /// Written to the cache, for any duration.
            pub cache_write: $number,
            /// The part of the cache writes that lasts an hour; the rest lasts five minutes.
            pub cache_write_1h: $number,
            /// Requests, not tokens.
            pub web_searches: $number,
            /// Requests, not tokens.
            pub web_fetches: $number,
        }

        impl $name {
            fn zip(self, other: Self, with: impl Fn($number, $number) -> $number) -> Self {
                Self {
                    input: with(self.input, other.input),
                    output: with(self.output, other.output),
                    cache_read: with(self.cache_read, other.cache_read),
                    cache_write: with(self.cache_write, other.cache_write),
                    cache_write_1h: with(self.cache_write_1h, other.cache_write_1h),
                    web_searches: with(self.web_searches, other.web_searches),
                    web_fetches: with(self.web_fetches, other.web_fetches),
                }
            }

            /// The maximum of each field.
            #[must_use]
            pub fn max(self, other: Self) -> Self {
                self.zip(other, Ord::max)
            }

            /// The size of the prompt: input, cache reads and cache writes.
            pub fn prompt(&self) -> $number {
                self.input.saturating_add(self.cache_read).saturating_add(self.cache_write)
            }
        }

        impl Add for $name {
            type Output = Self;

            fn add(self, other: Self) -> Self {
                self.zip(other, <$number>::saturating_add)
            }
        }
    )+};
}

counts! {
    /// The usage of one message.
    ///
    /// It can hold four thousand times the largest context; anything beyond is damage.
    pub struct Usage(u32);

    /// Sums of usage.
    pub struct Tokens(u64);
}

impl From<Usage> for Tokens {
    fn from(usage: Usage) -> Self {
        Self {
            input: usage.input.into(),
            output: usage.output.into(),
            cache_read: usage.cache_read.into(),
            cache_write: usage.cache_write.into(),
            cache_write_1h: usage.cache_write_1h.into(),
            web_searches: usage.web_searches.into(),
            web_fetches: usage.web_fetches.into(),
        }
    }
}

impl Tokens {
    /// All tokens together.
    pub fn total(&self) -> u64 {
        self.prompt().saturating_add(self.output)
    }

    /// The part of the cache writes that lasts five minutes.
    pub fn cache_write_5m(&self) -> u64 {
        self.cache_write.saturating_sub(self.cache_write_1h)
    }

    /// The difference, at least zero in each field.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        self.zip(other, u64::saturating_sub)
    }

    /// Whether there are at least as many tokens of each kind as in `other`.
    pub fn covers(&self, other: &Self) -> bool {
        self.input >= other.input
            && self.output >= other.output
            && self.cache_read >= other.cache_read
            && self.cache_write >= other.cache_write
    }
}

impl AddAssign for Tokens {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
