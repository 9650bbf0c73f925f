//! The price of a model's tokens at a given time.

mod spelling;
mod table;

pub use spelling::{Spelling, canonical};

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use rustc_hash::FxHashMap;

use table::TABLE;

/// Prices in billionths of a dollar per token: a thousandth of the usual price per million.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rates {
    /// Uncached input.
    pub input: u32,
    /// Output.
    pub output: u32,
    /// Cache writes for five minutes.
    pub cache_write_5m: u32,
    /// Cache writes for an hour.
    pub cache_write_1h: u32,
    /// Cache reads.
    pub cache_read: u32,
}

impl Rates {
    /// The usual ratios: cache writes cost 1.25 or 2 times the input, cache reads a tenth.
    pub const fn usual(input: u32, output: u32) -> Self {
        Self { input, output, cache_write_5m: input * 5 / 4, cache_write_1h: input * 2, cache_read: input / 10 }
    }

    /// The same with another price for cache reads.
    #[must_use]
    pub const fn reading(self, cache_read: u32) -> Self {
        Self { cache_read, ..self }
    }
}

/// The prices of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Price {
    /// For ordinary requests.
    pub rates: Rates,
    /// For all tokens of a request whose prompt is larger than this.
    pub long: Option<(u32, Rates)>,
    /// The factor for fast mode, in thousandths; `None` if there is no such price.
    pub fast: Option<u32>,
}

impl Price {
    /// Without a tier for long prompts and without fast mode.
    pub const fn flat(rates: Rates) -> Self {
        Self { rates, long: None, fast: None }
    }

    /// The same with other rates for prompts of more than `above` tokens.
    #[must_use]
    pub const fn long(self, above: u32, rates: Rates) -> Self {
        Self { long: Some((above, rates)), ..self }
    }

    /// The same with a factor for fast mode, in thousandths.
    #[must_use]
    pub const fn fast(self, thousandths: u32) -> Self {
        Self { fast: Some(thousandths), ..self }
    }
}

/// A model in a price list.
#[derive(Debug, Hash)]
struct Listed {
    /// The canonical name ([`canonical`]).
    id: &'static str,
    /// Whether clouds charge more for regional endpoints.
    regional: bool,
    /// Prices by start time, earliest first; the first also applies to all time before.
    prices: &'static [(i64, Price)],
}

/// All prices, and the settings that change them.
#[derive(Debug, Clone)]
pub struct Prices {
    /// The user's own prices; they override the list.
    own: FxHashMap<String, Price>,
    /// Whether requests restricted to a region cost 1.1 times as much.
    ///
    /// The surcharge for `inference_geo: "us"` is reported, but not confirmed.
    pub regions_cost_more: bool,
}

impl Default for Prices {
    fn default() -> Self {
        Self { own: FxHashMap::default(), regions_cost_more: true }
    }
}

/// The prices of one model.
#[derive(Debug, Clone, Copy)]
pub struct ModelPrices<'a> {
    prices: Known<'a>,
    /// Whether the model's name includes a region, and that costs more.
    pub regional: bool,
}

#[derive(Debug, Clone, Copy)]
enum Known<'a> {
    Own(&'a Price),
    Listed(&'static [(i64, Price)]),
}

impl Prices {
    /// A number that differs for different prices: stored costs are outdated when it changes.
    pub fn fingerprint(&self) -> u64 {
        let mut own: Vec<_> = self.own.iter().collect();
        own.sort_by_key(|(model, _)| *model);
        let mut hasher = DefaultHasher::new();
        (TABLE, own, self.regions_cost_more).hash(&mut hasher);
        hasher.finish()
    }

    /// Sets the user's own price: for a model as written, or for all spellings of it.
    pub fn set(&mut self, model: &str, price: Price) {
        self.own.insert(model.to_owned(), price);
    }

    /// The prices of a model in any spelling; `None` if it is unknown.
    pub fn of(&self, model: &str) -> Option<ModelPrices<'_>> {
        let Spelling { id, in_region } = canonical(model);
        if let Some(own) = self.own.get(model).or_else(|| self.own.get(&*id)) {
            return Some(ModelPrices { prices: Known::Own(own), regional: false });
        }
        let listed = TABLE.iter().find(|listed| listed.id == id)?;
        Some(ModelPrices { prices: Known::Listed(listed.prices), regional: in_region && listed.regional })
    }
}

impl<'a> ModelPrices<'a> {
    /// The price at a given time; the newest if the time is unknown.
    pub fn at(&self, at: Option<i64>) -> Option<&'a Price> {
        match self.prices {
            Known::Own(price) => Some(price),
            Known::Listed(prices) => {
                let moment = at.unwrap_or(i64::MAX);
                let valid = prices.iter().rev().find(|(from, _)| *from <= moment).or_else(|| prices.first());
                valid.map(|(_, price)| price)
            }
        }
    }
}
