//! Amounts of money.

use crate::thousands;

/// An amount in dollars: `$0.0040`, `$3.41`, `$1,204.50`.
pub fn dollars(amount: f64) -> String {
    amount_in("$", amount)
}

/// An amount with the sign of its currency before it. What is less than a cent has four decimals.
///
/// ```
/// assert_eq!(human::money::amount_in("€", 42.311), "€42.31");
/// ```
pub fn amount_in(sign: &str, amount: f64) -> String {
    if amount > 0.0 && amount < 0.01 {
        return format!("{sign}{amount:.4}");
    }
    // No bill has more than fits.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it stops at the largest number")]
    let cents = (amount * 100.0).round() as u64;
    format!("{sign}{}.{:02}", thousands(cents / 100), cents % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_two_decimals_or_enough_of_them() {
        let cases = [(0.0, "$0.00"), (0.004, "$0.0040"), (8.4, "$8.40"), (1_204.5, "$1,204.50"), (f64::NAN, "$0.00")];
        for (amount, text) in cases {
            assert_eq!(dollars(amount), text);
        }
    }
}
