use super::*;
use ledger::cost::Request;
use ledger::record::Speed;
use ledger::{Money, Quality, Tokens};

fn read(text: &str) -> Result<Config, String> {
    let (config, unknown) = Config::read(text, Path::new("config.toml")).map_err(|error| error.to_string())?;
    assert_eq!(unknown, []);
    Ok(config)
}

fn with_variables(config: Config, variables: &[(&str, &str)]) -> Result<Config, String> {
    let mut config = config;
    let value = |name: &str| variables.iter().find(|(of, _)| *of == name).map(|(_, value)| *value);
    config.take_variables(value).map(|()| config).map_err(|error| error.to_string())
}

const DOCUMENTED: &str = include_str!("../../../../docs/config.md");

/// Returns the example in the documentation.
fn example() -> &'static str {
    let (_, rest) = DOCUMENTED.split_once("```toml\n").unwrap();
    rest.split_once("```").unwrap().0
}

#[test]
fn the_documented_example_sets_everything() {
    let config = read(example()).unwrap();
    assert_eq!(config.time_zone(&Environment::default()).iana_name(), Some("Europe/Riga"));
    let calendar = config.calendar(&Environment::default());
    assert_eq!((calendar.week_starts, calendar.billing_day), (jiff::civil::Weekday::Monday, 5));
    assert_eq!(config.currency(), Currency { sign: "€".to_owned(), rate: 0.92 });
    assert_eq!(config.block_limit(), Some(BlockLimit::Tokens(500_000)));
    assert!(config.statusline().is_some());
    assert!(config.prices().of("my-model").is_some());
    let redaction = config.redaction();
    assert!(redaction.keep.contains(&redact::Category::Ip));
    assert_eq!((redaction.words, redaction.patterns), (vec!["Bluebird".to_owned()], vec![r"CASE-\d{4}".to_owned()]));
}

#[test]
fn without_settings_all_is_as_usual() {
    let config = read("").unwrap();
    assert_eq!(config, Config::default());
    assert_eq!(
        (config.calendar(&Environment::default()).week_starts, config.calendar(&Environment::default()).billing_day),
        (jiff::civil::Weekday::Sunday, 1)
    );
    assert_eq!(config.currency().show(1234.567), "$1,234.57");
    assert_eq!((config.block_limit(), config.statusline()), (None, None));
    assert!(config.prices().regions_cost_more);
}

#[test]
fn missing_prices_are_the_usual_multiples() {
    let text = r#"
        [prices.models."glm-5.1"]
        input = 0.5
        output = 2
        cache-read = 0.01
        above = { tokens = 100000, input = 1, output = 4 }
    "#;
    let prices = read(text).unwrap().prices();
    let million = |tokens: Tokens, prompt: u64| {
        let request = Request { at: None, tokens, prompt, speed: Speed::Standard, batch: false, us_only: false };
        let cost = prices.cost(prices.of("glm-5.1"), &request);
        assert_eq!(cost.quality, Quality::Computed);
        cost.amount
    };
    let none = Tokens::default();
    assert_eq!(million(Tokens { input: 1_000_000, ..none }, 1), Money::from_dollars(0.5));
    assert_eq!(million(Tokens { output: 1_000_000, ..none }, 1), Money::from_dollars(2.0));
    assert_eq!(million(Tokens { cache_read: 1_000_000, ..none }, 1), Money::from_dollars(0.01));
    assert_eq!(million(Tokens { cache_write: 1_000_000, ..none }, 1), Money::from_dollars(0.625));
    assert_eq!(
        million(Tokens { cache_write: 1_000_000, cache_write_1h: 1_000_000, ..none }, 1),
        Money::from_dollars(1.0)
    );
    assert_eq!(million(Tokens { cache_read: 1_000_000, ..none }, 100_001), Money::from_dollars(0.1));
}

#[test]
fn errors_name_the_line_and_the_expected_value() {
    let errors = [
        "timezone = 'Europe/Rigga'",
        "[usage]\nstart-of-week = 'moonday'",
        "[usage]\nbilling-day = 32",
        "[usage]\nbilling-day = 'first'",
        "[usage]\ncurrency = \"\\u001b[31m\"",
        "[usage]\ncurrency-rate = -1",
        "[usage]\nblock-limit = 'lots'",
        "[usage]\nblock-limit = 1.5",
        "[prices]\nregions-cost-more = 1",
        "[prices.models.x]\ninput = -5.0\noutput = 25.0",
        "[prices.models.x]\ninput = nan\noutput = 25.0",
        "[prices.models.x]\ninput = 5.0",
        "[prices.models.x]\ninput = 5\noutput = 2\nfast = 0",
        "[prices.models.x]\ninput = 5\noutput = 2\nabove = { tokens = 1, input = 2 }",
        "timezone = ",
    ];
    let shown: Vec<String> = errors.iter().map(|text| read(text).unwrap_err()).collect();
    insta::assert_snapshot!(shown.join("\n"), @r#"
    config.toml:1: unknown time zone `Europe/Rigga`, expected one such as Europe/Riga or UTC
    config.toml:2: unknown day `moonday`, expected one from monday to sunday
    config.toml:2: expected a day from 1 to 31
    config.toml:2: invalid type: string "first", expected i64
    config.toml:2: expected a currency symbol such as € or CHF, with at most 8 characters
    config.toml:2: expected the value of a dollar, such as 0.92
    config.toml:2: expected a number of tokens, or "max"
    config.toml:2: expected a number of tokens, or "max"
    config.toml:2: invalid type: integer `1`, expected a boolean
    config.toml:2: expected dollars per million tokens, from 0 to 1000000
    config.toml:2: expected dollars per million tokens, from 0 to 1000000
    config.toml:1: missing field `output`
    config.toml:4: expected a multiple such as 2.0
    config.toml:4: missing field `output`
    config.toml:1: string values must be quoted, expected literal string
    "#);
}

#[test]
fn variables_override_the_file() {
    let variables = [
        ("RECOUNT_TIMEZONE", "UTC"),
        ("RECOUNT_START_OF_WEEK", "Friday"),
        ("RECOUNT_BILLING_DAY", "31"),
        ("RECOUNT_CURRENCY", "CHF "),
        ("RECOUNT_CURRENCY_RATE", "0.5"),
        ("RECOUNT_BLOCK_LIMIT", "max"),
        ("RECOUNT_REGIONS_COST_MORE", "false"),
        ("RECOUNT_STATUSLINE", "{model}"),
    ];
    let config = with_variables(read(example()).unwrap(), &variables).unwrap();
    let calendar = config.calendar(&Environment::default());
    assert_eq!((calendar.week_starts, calendar.billing_day), (jiff::civil::Weekday::Friday, 31));
    assert_eq!(calendar.zone, TimeZone::UTC);
    assert_eq!(config.currency().show(3.0), "CHF 1.50");
    assert_eq!((config.block_limit(), config.statusline()), (Some(BlockLimit::Max), Some("{model}")));
    assert!(!config.prices().regions_cost_more);
    assert_eq!(with_variables(read(example()).unwrap(), &[]), read(example()));
    for (name, _) in variables {
        assert!(DOCUMENTED.contains(&format!("`{name}`")), "{name} is not documented");
    }
}

#[test]
fn variables_that_make_no_sense_are_refused() {
    let cases = [
        ("RECOUNT_BILLING_DAY", "0", "RECOUNT_BILLING_DAY=0: expected a day from 1 to 31"),
        ("RECOUNT_CURRENCY_RATE", "x", "RECOUNT_CURRENCY_RATE=x: expected the value of a dollar, such as 0.92"),
        ("RECOUNT_BLOCK_LIMIT", "-1", "RECOUNT_BLOCK_LIMIT=-1: expected a number of tokens, or \"max\""),
        ("RECOUNT_REGIONS_COST_MORE", "perhaps", "RECOUNT_REGIONS_COST_MORE=perhaps: expected true or false"),
    ];
    for (name, value, error) in cases {
        assert_eq!(with_variables(Config::default(), &[(name, value)]), Err(error.to_owned()));
    }
}

#[test]
fn unknown_settings_are_named_with_their_line_and_the_rest_counts() {
    let text = "zone = 'UTC'\n[usage]\ncurrency = '€'\ncurency-rate = 0.5\n[alerts]\nloud = true\n\
        [prices.models.x]\ninput = 5\noutput = 2\nabove = { tokens = 1, input = 2, output = 3, sum = 4 }\n[mcp]\nport = 1\n";
    let (config, unknown) = Config::read(text, Path::new("config.toml")).unwrap();
    assert_eq!(config.currency().sign, "€");
    assert!(config.prices().of("x").is_some());
    let shown: Vec<String> = unknown.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(shown.join("\n"), @r"
    config.toml:1: unknown setting zone is ignored
    config.toml:4: unknown setting usage.curency-rate is ignored
    config.toml:6: unknown setting alerts.loud is ignored
    config.toml:10: unknown setting prices.models.x.above.sum is ignored
    config.toml:11: unknown setting mcp is ignored
    ");
    let hints = unknown[1].hints().join("\n");
    assert!(hints.contains("start-of-week, billing-day, currency, currency-rate, block-limit"), "{hints}");
}

/// A settings file of an older version, with all settings that it had, still loads.
#[test]
fn the_settings_of_earlier_versions_still_count() {
    let config = read(include_str!("fixtures/config-0.1.toml")).unwrap();
    assert_eq!(config.time_zone(&Environment::default()).iana_name(), Some("Asia/Tokyo"));
    assert_eq!(config.currency(), Currency { sign: "€".to_owned(), rate: 0.5 });
    let calendar = config.calendar(&Environment::default());
    assert_eq!((calendar.week_starts, calendar.billing_day), (jiff::civil::Weekday::Monday, 5));
    assert_eq!(config.block_limit(), Some(BlockLimit::Max));
    let prices = config.prices();
    assert!(!prices.regions_cost_more && prices.of("my-model").is_some());
    assert_eq!(config.statusline(), Some("{model}[ · {today} today]"));
    let rules = config.rules(&Currency::default());
    assert_eq!((rules.waiting, rules.failed, rules.repeated, rules.context), (Some(600_000), None, Some(8), Some(90)));
    assert_eq!((rules.cost, rules.budget), (Some(Money::from_dollars(20.0)), Some(Money::from_dollars(100.0))));
    assert!(rules.pattern.unwrap().is_match("rm -rf /"));
}
