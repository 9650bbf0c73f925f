//! The cost of a message, and the quality of that figure.

use crate::money::Money;
use crate::prices::{ModelPrices, Price, Prices, Rates};
use crate::record::Speed;
use crate::tokens::Tokens;

/// The quality of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quality {
    /// Stated by the session itself.
    Exact,
    /// Stated by the session itself, at prices that its organisation set: not the list price.
    Managed,
    /// Computed from final usage and a known price.
    Computed,
    /// A lower bound: the usage is a placeholder, or the price of its speed is unknown.
    Low,
    /// The price is unknown; the amount does not include it.
    Unknown,
}

/// An amount with its quality.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Zero if unknown.
    pub amount: Money,
    /// The quality of the amount.
    pub quality: Quality,
}

/// The properties of a request that determine its price.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    /// Its time, in milliseconds since 1970.
    pub at: Option<i64>,
    /// Its usage.
    pub tokens: Tokens,
    /// The size of its prompt. This can differ from the tokens, since a message can consist of several requests.
    pub prompt: u64,
    /// The requested speed.
    pub speed: Speed,
    /// Whether it ran in a batch.
    pub batch: bool,
    /// Whether it was restricted to the United States.
    pub us_only: bool,
}

/// $10 for a thousand.
const WEB_SEARCH: i128 = 10_000_000_000;

const PICO_PER_NANO: i128 = 1000;

/// Thousandths, for factors.
const WHOLE: i128 = 1000;

impl Prices {
    /// The cost of a request to a model with these prices.
    pub fn cost(&self, model: Option<ModelPrices<'_>>, request: &Request) -> Cost {
        let Some((model, price)) = model.and_then(|model| Some((model, model.at(request.at)?))) else {
            return Cost { amount: Money::ZERO, quality: Quality::Unknown };
        };
        let (fast, quality) = match (request.speed, price.fast) {
            (Speed::Standard, _) => (WHOLE, Quality::Computed),
            (Speed::Fast, Some(thousandths)) => (i128::from(thousandths), Quality::Computed),
            (Speed::Fast, None) => (WHOLE, Quality::Low),
        };
        let is_regional = (request.us_only || model.regional) && self.regions_cost_more;
        let region = if is_regional { 1100 } else { WHOLE };
        let batch = if request.batch { 500 } else { WHOLE };
        let tokens = price_of(&request.tokens, rates(price, request.prompt));
        let amount = [fast, region, batch]
            .iter()
            .fold(tokens.saturating_mul(PICO_PER_NANO), |amount, factor| amount.saturating_mul(*factor) / WHOLE);
        let searches = i128::from(request.tokens.web_searches) * WEB_SEARCH;
        Cost { amount: Money::from_picodollars(amount.saturating_add(searches)), quality }
    }
}

/// The tier applies to all tokens of the request, not only to those above it.
fn rates(price: &Price, prompt: u64) -> &Rates {
    match &price.long {
        Some((above, rates)) if prompt > u64::from(*above) => rates,
        _ => &price.rates,
    }
}

fn price_of(tokens: &Tokens, rates: &Rates) -> i128 {
    let parts = [
        (tokens.input, rates.input),
        (tokens.output, rates.output),
        (tokens.cache_read, rates.cache_read),
        (tokens.cache_write_5m(), rates.cache_write_5m),
        (tokens.cache_write_1h, rates.cache_write_1h),
    ];
    parts.iter().map(|(count, rate)| i128::from(*count) * i128::from(*rate)).sum()
}
