//! Parses `--name value`, `--name=value`, `--flag` and plain words.

use std::fmt;

/// Options that take no value.
const FLAGS: [&str; 3] = ["help", "partial", "natural-words"];

/// An error in the arguments.
#[derive(Debug)]
pub(crate) struct Usage(String);

impl Usage {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The arguments that have not been used yet.
#[derive(Debug)]
pub(crate) struct Arguments {
    words: Vec<String>,
    options: Vec<(String, String)>,
}

impl Arguments {
    pub(crate) fn new(given: impl Iterator<Item = String>) -> Result<Self, Usage> {
        let mut arguments = Self { words: Vec::new(), options: Vec::new() };
        let mut given = given;
        while let Some(argument) = given.next() {
            match argument.strip_prefix("--") {
                Some(option) => {
                    let (name, value) = match option.split_once('=') {
                        Some((name, value)) => (name.to_owned(), value.to_owned()),
                        None if FLAGS.contains(&option) => (option.to_owned(), String::new()),
                        None => {
                            let value = given.next().ok_or_else(|| Usage(format!("--{option} needs a value")))?;
                            (option.to_owned(), value)
                        }
                    };
                    arguments.options.push((name, value));
                }
                None if argument == "-h" => arguments.options.push(("help".to_owned(), String::new())),
                None => arguments.words.push(argument),
            }
        }
        Ok(arguments)
    }

    /// The next plain word.
    pub(crate) fn word(&mut self) -> Result<String, Usage> {
        if self.words.is_empty() {
            return Err(Usage::new("too few arguments"));
        }
        Ok(self.words.remove(0))
    }

    /// Whether an option was given.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// The value of an option; the last one counts.
    pub(crate) fn value(&mut self, name: &str) -> Option<String> {
        let value = self.options.iter().rfind(|(given, _)| given == name).map(|(_, value)| value.clone());
        self.options.retain(|(given, _)| given != name);
        value
    }

    /// The value of a required option.
    pub(crate) fn required(&mut self, name: &str) -> Result<String, Usage> {
        self.value(name).ok_or_else(|| Usage(format!("--{name} is missing")))
    }

    pub(crate) fn number(&mut self, name: &str) -> Result<Option<u64>, Usage> {
        self.value(name)
            .map(|value| value.parse().map_err(|_| Usage(format!("--{name} {value}: not a number"))))
            .transpose()
    }

    pub(crate) fn count(&mut self, name: &str) -> Result<Option<usize>, Usage> {
        Ok(self.number(name)?.and_then(|number| usize::try_from(number).ok()))
    }

    /// A number of bytes: `500`, `64KB`, `1.5MB`, `2GB`.
    pub(crate) fn size(&mut self, name: &str) -> Result<Option<u64>, Usage> {
        self.value(name)
            .map(|value| parse_size(&value).ok_or_else(|| Usage(format!("--{name} {value}: not a size like 500MB"))))
            .transpose()
    }

    /// Fails if arguments are left over.
    pub(crate) fn finish(self) -> Result<(), Usage> {
        match (self.options.first(), self.words.first()) {
            (Some((name, _)), _) => Err(Usage(format!("unknown option --{name}"))),
            (None, Some(word)) => Err(Usage(format!("unexpected argument `{word}`"))),
            (None, None) => Ok(()),
        }
    }
}

fn parse_size(text: &str) -> Option<u64> {
    let upper = text.trim().to_ascii_uppercase();
    let (digits, factor) = [
        ("GB", 1_000_000_000),
        ("MB", 1_000_000),
        ("KB", 1_000),
        ("G", 1_000_000_000),
        ("M", 1_000_000),
        ("K", 1_000),
        ("B", 1),
    ]
    .into_iter()
    .find_map(|(unit, factor)| Some((upper.strip_suffix(unit)?, factor)))
    .unwrap_or((upper.as_str(), 1));
    let (whole, fraction) = digits.trim().split_once('.').unwrap_or((digits.trim(), ""));
    let whole: u64 = whole.parse().ok()?;
    let mut total = whole.checked_mul(factor)?;
    let mut unit: u64 = factor;
    for digit in fraction.chars() {
        unit /= 10;
        total = total.checked_add(u64::from(digit.to_digit(10)?) * unit)?;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(text: &str) -> Result<Arguments, Usage> {
        Arguments::new(text.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in
            [("500", 500), ("64KB", 64_000), ("500mb", 500_000_000), ("1.5MB", 1_500_000), ("2GB", 2_000_000_000)]
        {
            assert_eq!(parse_size(text), Some(bytes), "{text}");
        }
        for text in ["", "MB", "x", "-3", "1.x"] {
            assert_eq!(parse_size(text), None, "{text}");
        }
    }

    #[test]
    fn options_and_words_may_be_mixed() {
        let mut given = arguments("mutate --seed 7 file --out=x --partial").unwrap();
        assert_eq!(given.word().unwrap(), "mutate");
        assert_eq!(given.number("seed").unwrap(), Some(7));
        assert_eq!(given.word().unwrap(), "file");
        assert_eq!(given.value("out").as_deref(), Some("x"));
        assert!(given.flag("partial"));
        assert!(given.finish().is_ok());
    }

    #[test]
    fn wrong_usage_is_reported() {
        assert!(arguments("root --out").is_err());
        assert!(arguments("root --sede 7").unwrap().finish().unwrap_err().to_string().contains("--sede"));
        assert!(arguments("--seed x").unwrap().number("seed").is_err());
    }
}
