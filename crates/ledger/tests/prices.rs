//! The price list compared with its sources, when they are available, and with its page in the documentation.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::float_cmp, reason = "these are tests")]

mod shared;

use std::fs;
use std::path::Path;

use ledger::prices::{Certainty, PriceSource};
use ledger::{Prices, Rates};
use serde_json::Value;

/// Not models, but `LiteLLM`'s notation for surcharges; or a price that differs from the dated model's.
fn is_odd(name: &str) -> bool {
    name.starts_with("fast/") || name.starts_with("us/") || name == "claude-3-5-haiku-latest"
}

/// Models whose recorded price is wrong, and which part of it; docs/prices.md has the reasons.
const WRONG: [&str; 1] = ["claude-mythos-preview"];

/// Fast mode has ended, so the record no longer has its price; old lines still do.
const FAST_ENDED: [&str; 4] =
    ["claude-opus-4-6", "claude-opus-4-6-20260205", "claude-opus-4-7", "claude-opus-4-7-20260416"];

/// A day with a recorded error.
const WRONG_DAY: (&str, &str) = ("claude-sonnet-5", "2026-06-30");

fn facts(name: &str) -> Option<Value> {
    let folder = shared::folder("usage")?;
    serde_json::from_slice(&fs::read(folder.join(name)).ok()?).ok()
}

/// In thousandths of a dollar per million, as the sources state it.
fn rate(said: &Value, per: f64) -> Option<f64> {
    said.as_f64().map(|dollars| (dollars * per * 1e6).round() / 1e6)
}

fn check(name: &str, rates: &Rates, said: [Option<f64>; 5]) {
    let ours = [rates.input, rates.output, rates.cache_write_5m, rates.cache_write_1h, rates.cache_read];
    for (ours, said) in ours.into_iter().zip(said) {
        if let Some(said) = said {
            assert_eq!(f64::from(ours), said, "{name}: {rates:?}");
        }
    }
}

#[test]
fn newest_prices_match_the_list() {
    let Some(facts) = facts("prices.json") else { return };
    for (name, said) in facts["models"].as_object().unwrap().iter().filter(|(name, _)| !is_odd(name)) {
        let prices = Prices::default();
        let price = prices.of(name).unwrap_or_else(|| unreachable!("{name}")).at(None).unwrap();
        let rates = |said: &Value, has_right_hours: bool| {
            let hours = rate(&said["cache_write_1h"], 1e3).filter(|_| has_right_hours);
            let rate = |key: &str| rate(&said[key], 1e3);
            [rate("input"), rate("output"), rate("cache_write_5m"), hours, rate("cache_read")]
        };
        if WRONG.contains(&name.as_str()) {
            continue;
        }
        check(name, &price.rates, rates(said, said.get("note").is_none()));
        let long = ["above_100k", "above_200k"].iter().find_map(|key| Some((*key, said.get(*key)?)));
        assert_eq!(long.is_some(), price.long.is_some(), "{name}");
        if let (Some((key, said)), Some((above, long))) = (long, &price.long) {
            assert_eq!(key, format!("above_{}k", above / 1000));
            check(name, long, rates(said, true));
        }
        let fast = said["fast_multiplier"].as_f64().or(FAST_ENDED.contains(&name.as_str()).then_some(6.0));
        assert_eq!(fast, price.fast.map(|thousandths| f64::from(thousandths) / 1000.0), "{name}");
    }
}

#[test]
fn earlier_prices_match_their_day() {
    let Some(facts) = facts("price_history.json") else { return };
    for (name, changes) in facts.as_object().unwrap().iter().filter(|(name, _)| !is_odd(name)) {
        let changes = changes.as_array().unwrap();
        for (number, change) in changes.iter().enumerate() {
            let date = change[0].as_str().unwrap();
            // Missing on that day, or changed again on the same day.
            let is_last = changes.get(number + 1).is_none_or(|next| next[0].as_str() != Some(date));
            if change[1].is_null() || !is_last || (name.as_str(), date) == WRONG_DAY {
                continue;
            }
            let noon = format!("{date}T12:00:00.000Z");
            let at = format::Time::from(noon.as_str()).milliseconds();
            let prices = Prices::default();
            let price = prices.of(name).unwrap().at(at).unwrap();
            let said = |place: usize| rate(&change[1][place], 1e9);
            check(&format!("{name} on {date}"), &price.rates, [said(0), said(1), said(2), None, said(4)]);
            if let (Some((_, long)), Some(_)) = (&price.long, said(5)) {
                check(&format!("{name} on {date}, long"), long, [said(5), said(6), None, None, said(7)]);
            }
            // The sources were late to list tiers, so a missing one is fine; a listed one must exist here.
            assert!(price.long.is_some() || said(5).is_none(), "{name} on {date}");
        }
    }
}

/// The page of all prices, as docs/prices.md has it.
fn page() -> String {
    let mut page = String::from(INTRODUCTION);
    for (model, prices) in ledger::prices::listed() {
        for dated in prices {
            let day = dated.from.map_or_else(String::new, |from| {
                jiff::Timestamp::from_millisecond(from).unwrap().strftime("%Y-%m-%d").to_string()
            });
            let price = &dated.price;
            let long = price.long.as_ref().map_or_else(String::new, |(above, rates)| {
                format!("above {}k: {}", above / 1000, figures(rates).join(" / "))
            });
            let fast = price.fast.map_or_else(String::new, |thousandths| format!("× {}", thousandths / 1000));
            let certainty = match dated.certainty {
                Certainty::Certain => "certain",
                Certainty::High => "high",
                Certainty::Medium => "medium",
            };
            let source = match dated.source {
                PriceSource::Catalogue => "catalogue",
                PriceSource::RecordedList => "recorded list",
                PriceSource::Announcement => "announcement",
            };
            let cells = figures(&price.rates).join(" | ");
            let row = [day, cells, fast, long, source.into(), certainty.into(), dated.note.into()].join(" | ");
            page += &format!("| `{model}` | {row} |\n").replace("|  |", "| |").replace("|  |", "| |");
        }
    }
    page
}

const INTRODUCTION: &str = "\
# Prices

The prices that recount has built in, in US dollars per million tokens. A message has the price of its day; the first \
price of a model also counts for all time before. A Claude model that is not here is newer than the list: its cost is \
unknown, and `recount usage` says so. Prices of your own go first ([settings](config.md#prices)).

Beyond the table: a batch costs half; `inference_geo: \"us\"` and the regional endpoints of clouds (from Sonnet 4.5 on) \
cost 1.1 times as much, which is what Claude Code charges, too; both are for tokens only. A web search costs $0.01. The \
price of long prompts is for all tokens of a request whose input, cache reads and cache writes together exceed the limit.

The sources: *catalogue* is the list that Claude Code 2.1.326 brings along for the costs that it states itself; \
*recorded list* is Anthropic's public list as LiteLLM recorded it over time, up to 2026-11-09; *announcement* is an \
announcement or a copy of the documentation of that time. How sure: *certain* is the price, if perhaps not its first \
day; *high* is a good source that nothing contradicts; *medium* is inferred in part.

| model | from | input | output | write 5 min | write 1 h | read | fast | long prompts | source | sure | note |
|---|---|---|---|---|---|---|---|---|---|---|---|
";

/// In dollars per million.
fn figures(rates: &Rates) -> [String; 5] {
    [rates.input, rates.output, rates.cache_write_5m, rates.cache_write_1h, rates.cache_read]
        .map(|rate| (f64::from(rate) / 1000.0).to_string())
}

#[test]
fn the_page_of_prices_is_the_list() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/prices.md");
    if std::env::var_os("RECOUNT_UPDATE_DOCS").is_some() {
        fs::write(&file, page()).unwrap();
    }
    let hint = "hint: RECOUNT_UPDATE_DOCS=1 cargo test -p recount-ledger prices";
    assert!(fs::read_to_string(&file).unwrap_or_default() == page(), "docs/prices.md is stale; {hint}");
}
