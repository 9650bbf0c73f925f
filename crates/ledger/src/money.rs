//! Money in whole picodollars, so that sums are exact.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

use serde::{Deserialize, Serialize};

/// An amount of US dollars.
///
/// A token costs a few millionths of a dollar, and a cached one at half price in a batch a small part of that:
/// picodollars are precise enough for all of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Money(i128);

const PER_DOLLAR: f64 = 1e12;

impl Money {
    /// Zero.
    pub const ZERO: Self = Self(0);

    /// An amount in picodollars.
    pub const fn from_picodollars(amount: i128) -> Self {
        Self(amount)
    }

    /// An amount as stated in files. NaN counts as zero.
    #[expect(clippy::cast_possible_truncation, reason = "the cast saturates, and fractions were rounded")]
    pub fn from_dollars(amount: f64) -> Self {
        // More than a billion dollars is damage, and sums must not overflow.
        Self((amount.clamp(-1e9, 1e9) * PER_DOLLAR).round() as i128)
    }

    /// In picodollars.
    pub const fn picodollars(self) -> i128 {
        self.0
    }

    /// In dollars, for display.
    #[expect(clippy::cast_precision_loss, reason = "the displayed value has far fewer digits")]
    pub fn dollars(self) -> f64 {
        self.0 as f64 / PER_DOLLAR
    }
}

impl Add for Money {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Money {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_small_amounts_add_up_exactly() {
        let sum: Money = std::iter::repeat_n(Money::from_dollars(0.000_001), 1_000_000).sum();
        assert_eq!(sum, Money::from_dollars(1.0));
    }

    #[test]
    fn damaged_amounts_do_no_harm() {
        assert_eq!(Money::from_dollars(f64::NAN), Money::ZERO);
        assert_eq!(Money::from_dollars(f64::INFINITY), Money::from_dollars(1e9));
        assert_eq!((0..9).map(|_| Money::from_picodollars(i128::MAX)).sum::<Money>().picodollars(), i128::MAX);
    }
}
