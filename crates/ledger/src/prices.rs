//! The price of a model's tokens at a given time.

mod outdated;
mod spelling;
mod table;

pub use outdated::OutdatedList;
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
    prices: &'static [DatedPrice],
}

/// A price of the list, with its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DatedPrice {
    /// Its first day, in milliseconds since 1970; `None` if the model never had another before.
    pub from: Option<i64>,
    /// The price.
    pub price: Price,
    /// Where it is from.
    pub source: PriceSource,
    /// How sure it is, together with its first day.
    pub certainty: Certainty,
    /// What is peculiar about it; usually empty.
    pub note: &'static str,
}

/// The source of a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PriceSource {
    /// The catalogue that Claude Code 2.1.326 brings along.
    Catalogue,
    /// The public list, as `LiteLLM` recorded it over time.
    RecordedList,
    /// An announcement, or the documentation of that time.
    Announcement,
}

/// How sure a price is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// The price itself is right; at most its first day is not.
    Certain,
    /// A good source of the time, and nothing contradicts it.
    High,
    /// In part inferred.
    Medium,
}

impl DatedPrice {
    const fn note(self, note: &'static str) -> Self {
        Self { note, ..self }
    }

    const fn sure(self, certainty: Certainty) -> Self {
        Self { certainty, ..self }
    }
}

/// All listed prices by model, in the order of the list.
pub fn listed() -> impl Iterator<Item = (&'static str, &'static [DatedPrice])> {
    TABLE.iter().map(|listed| (listed.id, listed.prices))
}

/// All prices, and the settings that change them.
#[derive(Debug, Clone)]
pub struct Prices {
    /// The user's own prices; they override the list.
    own: FxHashMap<String, Price>,
    /// Whether requests restricted to a region cost 1.1 times as much.
    ///
    /// Claude Code itself charges it for the tokens of `inference_geo: "us"`, not for web searches.
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
    Listed(&'static [DatedPrice]),
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
                let is_valid = |dated: &&DatedPrice| dated.from.is_none_or(|from| from <= moment);
                let valid = prices.iter().rev().find(is_valid).or_else(|| prices.first());
                valid.map(|dated| &dated.price)
            }
        }
    }
}
