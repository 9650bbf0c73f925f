//! What a token of a model costs at a time.

mod spelling;
mod table;

pub use spelling::{Spelling, canonical};

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use rustc_hash::FxHashMap;

use table::TABLE;

/// Prices in billionths of a dollar per token: a thousandth of what is usually said per million.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rates {
    /// Not cached.
    pub input: u32,
    /// Written by the model.
    pub output: u32,
    /// Written to the cache for five minutes.
    pub cache_write_5m: u32,
    /// Written to the cache for an hour.
    pub cache_write_1h: u32,
    /// Read from the cache.
    pub cache_read: u32,
}

impl Rates {
    /// The usual ratios: writing to the cache costs 1.25 or 2 times the input, reading from it a tenth.
    pub const fn usual(input: u32, output: u32) -> Self {
        Self { input, output, cache_write_5m: input * 5 / 4, cache_write_1h: input * 2, cache_read: input / 10 }
    }

    /// The same with another price for reading from the cache.
    #[must_use]
    pub const fn reading(self, cache_read: u32) -> Self {
        Self { cache_read, ..self }
    }
}

/// What a model costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Price {
    /// Of ordinary requests.
    pub rates: Rates,
    /// Of all tokens of a request with a larger prompt than this.
    pub long: Option<(u32, Rates)>,
    /// What fast mode multiplies it with, in thousandths; `None` where there is no such price.
    pub fast: Option<u32>,
}

impl Price {
    /// Without a tier for long prompts, and without a fast mode.
    pub const fn flat(rates: Rates) -> Self {
        Self { rates, long: None, fast: None }
    }

    /// The same with other rates for prompts of more than `above` tokens.
    #[must_use]
    pub const fn long(self, above: u32, rates: Rates) -> Self {
        Self { long: Some((above, rates)), ..self }
    }

    /// The same with a fast mode at a multiple, in thousandths.
    #[must_use]
    pub const fn fast(self, thousandths: u32) -> Self {
        Self { fast: Some(thousandths), ..self }
    }
}

/// A model in a price list.
#[derive(Debug, Hash)]
struct Listed {
    /// In the spelling of [`canonical`].
    id: &'static str,
    /// Whether clouds charge more for keeping it in a region.
    regional: bool,
    /// Prices by the moment they began, the earliest first; it holds for all time before, too.
    prices: &'static [(i64, Price)],
}

/// All prices, and the settings that change them.
#[derive(Debug, Clone)]
pub struct Prices {
    /// What the user says; it goes before all that is listed.
    own: FxHashMap<String, Price>,
    /// Whether requests that must stay in a region cost 1.1 times as much.
    ///
    /// That `inference_geo: "us"` costs more is reported, but not confirmed.
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
    /// Whether the spelling of the model says that it ran in a region, and that costs more.
    pub regional: bool,
}

#[derive(Debug, Clone, Copy)]
enum Known<'a> {
    Own(&'a Price),
    Listed(&'static [(i64, Price)]),
}

impl Prices {
    /// A number that is another one for other prices: who keeps costs knows by it when to work them out again.
    pub fn fingerprint(&self) -> u64 {
        let mut own: Vec<_> = self.own.iter().collect();
        own.sort_by_key(|(model, _)| *model);
        let mut hasher = DefaultHasher::new();
        (TABLE, own, self.regions_cost_more).hash(&mut hasher);
        hasher.finish()
    }

    /// Sets a price of one's own: for a model as it is written, or for all spellings of it.
    pub fn set(&mut self, model: &str, price: Price) {
        self.own.insert(model.to_owned(), price);
    }

    /// The prices of a model in any spelling; `None` if it is not known.
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
    /// The price at a moment; the newest if it is not known when.
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
