//! Counts, tokens, bytes and shares.

/// A number with separators: `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `1 turn`, `2 turns`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// A number of things whose plural is regular: `1 line`, `2 lines`, `no matches`.
///
/// ```
/// assert_eq!(human::plural(0, "match"), "no matches");
/// assert_eq!(human::plural(1_204, "line"), "1,204 lines");
/// ```
pub fn plural(number: u64, noun: &str) -> String {
    let ending = if noun.ends_with("ch") || noun.ends_with('s') || noun.ends_with('x') { "es" } else { "s" };
    match number {
        0 => format!("no {noun}{ending}"),
        1 => format!("1 {noun}"),
        _ => format!("{} {noun}{ending}", thousands(number)),
    }
}

/// A number of bytes: `812 bytes`, `65.2 kB`, `9.1 MB`.
pub fn bytes(number: u64) -> String {
    const UNITS: [(u64, &str); 4] =
        [(1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    match UNITS.iter().find(|(unit, _)| number >= *unit) {
        Some((unit, name)) => {
            let tenths = u128::from(number) * 10 / u128::from(*unit);
            let whole = u64::try_from(tenths / 10).unwrap_or(u64::MAX);
            format!("{}.{} {name}", thousands(whole), tenths % 10)
        }
        None => counted(number, "byte", "bytes"),
    }
}

/// A number of tokens with its noun: `1 token`, `45.2k tokens`.
///
/// ```
/// assert_eq!(human::counted_tokens(1), "1 token");
/// assert_eq!(human::counted_tokens(45_200), "45.2k tokens");
/// ```
pub fn counted_tokens(number: u64) -> String {
    format!("{} {}", tokens(number), if number == 1 { "token" } else { "tokens" })
}

/// A number of tokens: `812`, `12.4k`, `828k`, `31.2M`.
///
/// One decimal below a hundred, none above; `.0` is left out. Rounded, not truncated.
pub fn tokens(number: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000, "k"), (1_000_000, "M"), (1_000_000_000, "G")];
    if number < 1_000 {
        return number.to_string();
    }
    for (unit, letter) in UNITS {
        let tenths = (u128::from(number) + u128::from(unit / 20)) / u128::from(unit / 10);
        let whole = (u128::from(number) + u128::from(unit / 2)) / u128::from(unit);
        match (tenths, whole) {
            (0..1000, _) if tenths.is_multiple_of(10) => return format!("{}{letter}", tenths / 10),
            (0..1000, _) => return format!("{}.{}{letter}", tenths / 10, tenths % 10),
            (_, 0..1000) => return format!("{whole}{letter}"),
            _ => {}
        }
    }
    format!("{}G", thousands(number / 1_000_000_000))
}

/// A share of a whole: `42%`, `<1%`; zero of zero is `0%`.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 || part == 0 {
        return "0%".to_owned();
    }
    let rounded = (u128::from(part) * 100 + u128::from(whole) / 2) / u128::from(whole);
    if rounded == 0 { "<1%".to_owned() } else { format!("{rounded}%") }
}

/// Lines that were added and removed: `+134 −13`.
pub fn changed_lines(added: u64, removed: u64) -> String {
    format!("+{} −{}", thousands(added), thousands(removed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let cases = [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (100_000, "100,000")];
        for (number, text) in cases {
            assert_eq!(thousands(number), text);
        }
    }

    #[test]
    fn plurals_agree_with_their_numbers() {
        assert_eq!(counted(1, "agent", "agents"), "1 agent");
        assert_eq!(counted(0, "agent", "agents"), "0 agents");
        assert_eq!([0, 1, 2].map(|number| plural(number, "match")), ["no matches", "1 match", "2 matches"]);
        assert_eq!(plural(2, "class"), "2 classes");
    }

    #[test]
    fn sizes_have_one_decimal() {
        let cases = [
            (1, "1 byte"),
            (999, "999 bytes"),
            (1_000, "1.0 kB"),
            (65_249, "65.2 kB"),
            (9_120_331, "9.1 MB"),
            (u64::MAX, "18,446,744.0 TB"),
        ];
        for (number, text) in cases {
            assert_eq!(bytes(number), text);
        }
    }

    #[test]
    fn tokens_have_three_digits_at_most() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (1_000, "1k"),
            (1_249, "1.2k"),
            (12_350, "12.4k"),
            (99_949, "99.9k"),
            (99_950, "100k"),
            (828_400, "828k"),
            (999_499, "999k"),
            (999_500, "1M"),
            (31_200_000, "31.2M"),
            (2_000_000_000, "2G"),
            (u64::MAX, "18,446,744,073G"),
        ];
        for (number, text) in cases {
            assert_eq!(tokens(number), text, "{number}");
        }
    }

    #[test]
    fn shares_are_rounded_and_never_hide_something() {
        assert_eq!(percent(0, 0), "0%");
        assert_eq!(percent(1, 1_000), "<1%");
        assert_eq!(percent(2, 3), "67%");
        assert_eq!(percent(u64::MAX, u64::MAX), "100%");
    }

    #[test]
    fn changes_have_a_real_minus() {
        assert_eq!(changed_lines(1_340, 13), "+1,340 −13");
    }
}
