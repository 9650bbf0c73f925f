//! A growing context, and the split of each message.

use super::shares::{Share, Split, Use, WHOLE};
use crate::cost::{Quality, Request};
use crate::prices::{ModelPrices, Prices, Rates};
use crate::record::Record;
use crate::tokens::{Tokens, Usage};

/// A cause of growth: a tool by its number, or the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cause(pub(super) u16);

impl Cause {
    pub(super) const CONVERSATION: Self = Self(0);
}

/// Bytes, tokens or calls by cause.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Amounts(Vec<u64>);

impl Amounts {
    fn add(&mut self, cause: Cause, amount: u64) {
        let place = usize::from(cause.0);
        if self.0.len() <= place {
            self.0.resize(place + 1, 0);
        }
        if let Some(known) = self.0.get_mut(place) {
            *known = known.saturating_add(amount);
        }
    }

    fn of(&self, cause: Cause) -> u64 {
        self.0.get(usize::from(cause.0)).copied().unwrap_or_default()
    }

    fn total(&self) -> u64 {
        self.0.iter().fold(0, |sum, amount| sum.saturating_add(*amount))
    }

    fn add_all(&mut self, other: &Self) {
        for (cause, amount) in (0..).map(Cause).zip(&other.0) {
            self.add(cause, *amount);
        }
    }

    /// The number of causes, including the conversation.
    fn causes(&self) -> u16 {
        u16::try_from(self.0.len()).unwrap_or(u16::MAX)
    }

    fn each(&mut self, change: impl Fn(u64) -> u64) {
        self.0.iter_mut().for_each(|amount| *amount = change(*amount));
    }
}

/// The bytes that the next prompt has and the last one did not.
#[derive(Debug, Clone, Default)]
struct News {
    all: Amounts,
    /// The part from tool results.
    results: Amounts,
}

impl News {
    fn add(&mut self, other: &Self) {
        self.all.add_all(&other.all);
        self.results.add_all(&other.results);
    }
}

/// A sequence of requests that build on each other.
#[derive(Debug, Default)]
pub(super) struct Thread<'p> {
    /// The size of the last prompt.
    prompt: u64,
    /// Its tokens by tool. The remainder belongs to the conversation.
    context: Amounts,
    news: News,
    open: Option<Open<'p>>,
}

/// A message whose lines are still arriving.
#[derive(Debug)]
struct Open<'p> {
    key: Option<u64>,
    message: Option<u64>,
    usage: Usage,
    prompt: u32,
    request: Request,
    model: Option<ModelPrices<'p>>,
    news: News,
    /// Bytes of its own blocks.
    written: Amounts,
    calls: Amounts,
}

/// The average for English text and code.
const BYTES_OF_TOKEN: u64 = 4;

/// The minimum number of bytes per token in any file.
const LEAST_BYTES_OF_TOKEN: u64 = 2;

impl<'p> Thread<'p> {
    /// Adds input for the model.
    pub(super) fn hear(&mut self, cause: Cause, bytes: u64) {
        self.news.all.add(cause, bytes);
    }

    /// Adds a tool result.
    pub(super) fn hear_result(&mut self, cause: Cause, bytes: u64) {
        self.news.results.add(cause, bytes);
        self.hear(cause, bytes);
    }

    /// Adds output of the model. It is also part of the next prompt.
    pub(super) fn write(&mut self, cause: Cause, bytes: u64) {
        if let Some(open) = &mut self.open {
            open.written.add(cause, bytes);
        }
        self.hear(cause, bytes);
    }

    /// Adds a call.
    pub(super) fn call(&mut self, cause: Cause, bytes: u64) {
        if let Some(open) = &mut self.open {
            open.calls.add(cause, 1);
        }
        self.write(cause, bytes);
    }

    /// Whether a line belongs to the open message.
    pub(super) fn goes_on_with(&self, record: &Record<'_>) -> bool {
        self.open.as_ref().is_some_and(|open| open.key.is_some() && open.key == key(record))
    }

    /// Adds the usage of a line to its message, and opens the message if needed.
    pub(super) fn open(&mut self, record: &Record<'_>, model: Option<ModelPrices<'p>>) {
        let news = &mut self.news;
        let open = self.open.get_or_insert_with(|| Open {
            key: key(record),
            message: record.message,
            usage: Usage::default(),
            prompt: 0,
            request: Request {
                at: record.at,
                tokens: Tokens::default(),
                prompt: 0,
                speed: record.speed,
                batch: record.batch,
                us_only: record.us_only,
            },
            model,
            news: std::mem::take(news),
            written: Amounts::default(),
            calls: Amounts::default(),
        });
        open.usage = open.usage.max(record.usage);
        open.prompt = open.prompt.max(record.context);
    }

    /// Whether the open message paid for searches at the API.
    pub(super) fn has_searched(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.usage.web_searches > 0)
    }

    /// Closes the open message, and returns its split; `searcher` is the tool that searches at the API.
    pub(super) fn settle(&mut self, prices: &Prices, searcher: Option<Cause>) -> Option<(u64, Split)> {
        let open = self.open.take()?;
        let prompt = u64::from(open.prompt);
        let seen = open.news.all.total();
        let has_grown = self.prompt > 0 && prompt >= self.prompt;
        let new = if has_grown { prompt - self.prompt } else { prompt.min(seen / BYTES_OF_TOKEN) };
        let old = prompt - new;
        let seen = seen.max(new.saturating_mul(LEAST_BYTES_OF_TOKEN));
        if prompt > 0 && prompt < self.prompt {
            let (before, kept) = (self.prompt, if prompt < self.prompt / 2 { 0 } else { old });
            self.context.each(|tokens| tokens_of(tokens, kept, before));
        }

        let weights = Weights::new(&open, prices);
        let (new_weight, old_weight) = weights.of_prompt(&open.usage, new);
        let written = open.written.total();
        let (mut shares, mut uses) = (Vec::new(), Vec::new());
        let searching = searcher.map_or(0, |cause| cause.0 + 1);
        for cause in (1..open.causes().max(self.context.causes()).max(searching)).map(Cause) {
            let arrived = tokens_of(new, open.news.all.of(cause), seen);
            let weight = part(weights.output, open.written.of(cause), written)
                + part(new_weight, arrived, new)
                + part(old_weight, self.context.of(cause), old)
                + if searcher == Some(cause) { weights.searches } else { 0 };
            self.context.add(cause, arrived);
            let own = Use {
                tool: cause.0,
                calls: u16::try_from(open.calls.of(cause)).unwrap_or(u16::MAX),
                input_tokens: small(tokens_of(open.usage.output.into(), open.written.of(cause), written)),
                result_tokens: small(tokens_of(new, open.news.results.of(cause), seen)),
            };
            let share = weight.saturating_mul(WHOLE.into()).checked_div(weights.total()).unwrap_or_default();
            let share = Share { tool: cause.0, share: u16::try_from(share).unwrap_or(u16::MAX) };
            if own.is_any() {
                uses.push(own);
            }
            if share.share > 0 || own.is_any() {
                shares.push(share);
            }
        }
        if prompt > 0 {
            self.prompt = prompt;
        } else {
            // Without a stated prompt, the growth counts with the next message.
            self.news.add(&open.news);
        }
        open.message.map(|message| (message, Split::new(shares, uses)))
    }
}

impl Open<'_> {
    fn causes(&self) -> u16 {
        self.news.all.causes().max(self.written.causes()).max(self.calls.causes())
    }
}

fn key(record: &Record<'_>) -> Option<u64> {
    record.message.or(record.request).or(record.entry)
}

/// The cost of the parts of a message: in picodollars, or in relative weights if its price is unknown.
struct Weights {
    output: u128,
    /// Tokens of the prompt that were not in the cache.
    fresh: u128,
    /// Tokens of the prompt that were.
    cached: u128,
    searches: u128,
}

impl Weights {
    fn new(open: &Open<'_>, prices: &Prices) -> Self {
        let used = Tokens::from(open.usage);
        let nothing = Tokens::default();
        let price = |tokens: Tokens| {
            let request = Request { tokens, prompt: open.prompt.into(), ..open.request };
            let cost = prices.cost(open.model, &request);
            match cost.quality {
                Quality::Unknown => usual(&tokens),
                Quality::Exact | Quality::Managed | Quality::Computed | Quality::Low => {
                    u128::try_from(cost.amount.picodollars()).unwrap_or_default()
                }
            }
        };
        Self {
            output: price(Tokens { output: used.output, ..nothing }),
            fresh: price(Tokens {
                input: used.input,
                cache_write: used.cache_write,
                cache_write_1h: used.cache_write_1h,
                ..nothing
            }),
            cached: price(Tokens { cache_read: used.cache_read, ..nothing }),
            searches: price(Tokens { web_searches: used.web_searches, ..nothing }),
        }
    }

    fn total(&self) -> u128 {
        self.output + self.fresh + self.cached + self.searches
    }

    /// The cost of the new and of the old tokens of a prompt: new ones are those not in the cache.
    fn of_prompt(&self, usage: &Usage, new: u64) -> (u128, u128) {
        let fresh = u64::from(usage.input) + u64::from(usage.cache_write);
        let cached = u64::from(usage.cache_read);
        let new_and_fresh = new.min(fresh);
        let new_and_cached = (new - new_and_fresh).min(cached);
        let new = part(self.fresh, new_and_fresh, fresh) + part(self.cached, new_and_cached, cached);
        (new, self.fresh + self.cached - new)
    }
}

/// The weight of tokens without a known price.
fn usual(tokens: &Tokens) -> u128 {
    const RATES: Rates = Rates::usual(100, 500);
    let parts = [
        (tokens.input, RATES.input),
        (tokens.output, RATES.output),
        (tokens.cache_read, RATES.cache_read),
        (tokens.cache_write_5m(), RATES.cache_write_5m),
        (tokens.cache_write_1h, RATES.cache_write_1h),
    ];
    parts.iter().map(|(count, rate)| u128::from(*count) * u128::from(*rate)).sum()
}

/// The fraction `part` by `whole` of an amount, rounded down; zero if `whole` is.
fn part(amount: u128, part: u64, whole: u64) -> u128 {
    amount.saturating_mul(part.into()).checked_div(whole.into()).unwrap_or_default()
}

fn tokens_of(amount: u64, of: u64, whole: u64) -> u64 {
    u64::try_from(part(amount.into(), of, whole)).unwrap_or(u64::MAX)
}

fn small(tokens: u64) -> u32 {
    u32::try_from(tokens).unwrap_or(u32::MAX)
}
