//! Prices set by the user.

use std::collections::BTreeMap;

use ledger::{Price, Prices, Rates};
use serde::Deserialize;

use super::Flag;

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct PriceSettings {
    pub(super) regions_cost_more: Flag,
    models: BTreeMap<String, ModelPrice>,
}

impl Default for PriceSettings {
    fn default() -> Self {
        Self { regions_cost_more: Flag(true), models: BTreeMap::new() }
    }
}

/// The price of a model, in dollars per million tokens.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ModelPrice {
    input: Dollars,
    output: Dollars,
    cache_write_5m: Option<Dollars>,
    cache_write_1h: Option<Dollars>,
    cache_read: Option<Dollars>,
    fast: Option<Multiple>,
    above: Option<Tier>,
}

/// The price of requests with a long prompt.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Tier {
    tokens: u32,
    input: Dollars,
    output: Dollars,
    cache_write_5m: Option<Dollars>,
    cache_write_1h: Option<Dollars>,
    cache_read: Option<Dollars>,
}

/// Dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "f64")]
struct Dollars(f64);

/// The highest price; twice as much, for an hour in the cache, still fits.
const MAX_PRICE: f64 = 1_000_000.0;

impl TryFrom<f64> for Dollars {
    type Error = &'static str;

    fn try_from(dollars: f64) -> Result<Self, &'static str> {
        let is_price = (0.0..=MAX_PRICE).contains(&dollars);
        is_price.then_some(Self(dollars)).ok_or("expected dollars per million tokens, from 0 to 1000000")
    }
}

impl Dollars {
    fn times(self, factor: f64) -> Self {
        Self(self.0 * factor)
    }

    /// Converts to billionths of a dollar per token.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "values out of range are rejected")]
    fn rate(self) -> u32 {
        (self.0 * 1000.0).round() as u32
    }
}

/// A multiple of a price.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "f64")]
struct Multiple(f64);

impl TryFrom<f64> for Multiple {
    type Error = &'static str;

    fn try_from(multiple: f64) -> Result<Self, &'static str> {
        (multiple > 0.0 && multiple <= 1000.0).then_some(Self(multiple)).ok_or("expected a multiple such as 2.0")
    }
}

impl Multiple {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "values out of range are rejected")]
    fn thousandths(self) -> u32 {
        (self.0 * 1000.0).round() as u32
    }
}

/// Returns the rates of a model. Caching (writing for five minutes, for an hour, reading) costs the usual multiples of
/// the input unless set.
fn rates(input: Dollars, output: Dollars, [short, long, read]: [Option<Dollars>; 3]) -> Rates {
    let usual = |said: Option<Dollars>, factor: f64| said.unwrap_or(input.times(factor)).rate();
    Rates {
        input: input.rate(),
        output: output.rate(),
        cache_write_5m: usual(short, 1.25),
        cache_write_1h: usual(long, 2.0),
        cache_read: usual(read, 0.1),
    }
}

impl ModelPrice {
    fn price(&self) -> Price {
        let caching = [self.cache_write_5m, self.cache_write_1h, self.cache_read];
        Price {
            rates: rates(self.input, self.output, caching),
            long: self.above.as_ref().map(|tier| (tier.tokens, tier.rates())),
            fast: self.fast.map(Multiple::thousandths),
        }
    }
}

impl Tier {
    fn rates(&self) -> Rates {
        rates(self.input, self.output, [self.cache_write_5m, self.cache_write_1h, self.cache_read])
    }
}

impl PriceSettings {
    /// Returns the listed prices, with the user's own.
    pub(super) fn prices(&self) -> Prices {
        let mut prices = Prices::default();
        prices.regions_cost_more = self.regions_cost_more.0;
        for (model, price) in &self.models {
            prices.set(model, price.price());
        }
        prices
    }
}
