//! The price list compared with its sources, when they are available.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::float_cmp, reason = "these are tests")]

mod shared;

use std::fs;

use ledger::{Prices, Rates};
use serde_json::Value;

/// Not models, but `LiteLLM`'s notation for surcharges; or a price that differs from the dated model's.
fn is_odd(name: &str) -> bool {
    name.starts_with("fast/") || name.starts_with("us/") || name == "claude-3-5-haiku-latest"
}

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
        check(name, &price.rates, rates(said, said.get("note").is_none()));
        let long = ["above_100k", "above_200k"].iter().find_map(|key| Some((*key, said.get(*key)?)));
        assert_eq!(long.is_some(), price.long.is_some(), "{name}");
        if let (Some((key, said)), Some((above, long))) = (long, &price.long) {
            assert_eq!(key, format!("above_{}k", above / 1000));
            check(name, long, rates(said, true));
        }
        let fast = said["fast_multiplier"].as_f64();
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
            if change[1].is_null() || !is_last {
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
