//! Amounts of money in the user's currency.

use crate::thousands;

/// The currency of shown amounts. Amounts are stored in dollars and converted only for display.
#[derive(Debug, Clone, PartialEq)]
pub struct Currency {
    /// The symbol before the amount.
    pub sign: String,
    /// The value of one dollar in this currency.
    pub rate: f64,
}

impl Default for Currency {
    fn default() -> Self {
        Self { sign: "$".to_owned(), rate: 1.0 }
    }
}

/// A cost with its quality.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cost {
    /// The part of it that is known.
    pub dollars: f64,
    /// Only a first count of tokens was recorded for some of it.
    pub is_at_least: bool,
    /// Some of it has no known price.
    pub is_partial: bool,
}

/// Tokens and their cost.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spent {
    /// Tokens of all kinds.
    pub tokens: u64,
    /// Their cost.
    pub cost: Cost,
}

impl Spent {
    /// Whether there is nothing to show.
    pub fn is_nothing(&self) -> bool {
        self.tokens == 0 && self.cost.dollars <= 0.0
    }
}

impl Currency {
    /// An amount: `$3.41`, `€1,204.50`. Amounts below a cent have four decimals: `$0.0040`.
    pub fn show(&self, dollars: f64) -> String {
        let amount = dollars.abs() * self.rate;
        let (digits, is_zero) = if amount > 0.0 && amount < 0.01 {
            let digits = format!("{amount:.4}");
            let is_zero = digits == "0.0000";
            (if is_zero { "0.00".to_owned() } else { digits }, is_zero)
        } else {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
            let cents = (amount * 100.0).round() as u64;
            (format!("{}.{:02}", thousands(cents / 100), cents % 100), cents == 0)
        };
        let minus = if dollars < 0.0 && !is_zero { "-" } else { "" };
        format!("{minus}{}{digits}", self.sign)
    }

    /// A cost with its quality: `$3.41`, `≥$3.41`, `$3.41 + ?`, and `?` if none of it is known.
    pub fn cost(&self, cost: Cost) -> String {
        if cost.is_partial && cost.dollars <= 0.0 {
            return "?".to_owned();
        }
        let at_least = if cost.is_at_least { "≥" } else { "" };
        let rest = if cost.is_partial { " + ?" } else { "" };
        format!("{at_least}{}{rest}", self.show(cost.dollars))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_cents_and_separators() {
        let euros = Currency { sign: "€".to_owned(), rate: 0.5 };
        let cases = [
            (0.0, "€0.00"),
            (0.008, "€0.0040"),
            (0.000_01, "€0.00"),
            (0.02, "€0.01"),
            (2469.0, "€1,234.50"),
            (-2.0, "-€1.00"),
            (-0.000_01, "€0.00"),
        ];
        for (dollars, text) in cases {
            assert_eq!(euros.show(dollars), text);
        }
    }

    #[test]
    fn a_cost_shows_its_quality() {
        let cost =
            |dollars, is_at_least, is_partial| Currency::default().cost(Cost { dollars, is_at_least, is_partial });
        assert_eq!(cost(3.41, false, false), "$3.41");
        assert_eq!(cost(3.41, true, false), "≥$3.41");
        assert_eq!(cost(3.41, true, true), "≥$3.41 + ?");
        assert_eq!(cost(0.0, false, true), "?");
        assert_eq!(cost(0.0, true, false), "≥$0.00");
    }
}
