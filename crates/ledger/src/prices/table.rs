//! The price list: prices of the day, each with its source and how sure it is.
//!
//! The figures are those of Anthropic's public price list as recorded over time in `LiteLLM`'s
//! `model_prices_and_context_window.json` up to 2026-11-09, corrected by the catalogue that Claude Code 2.1.326 brings
//! along for its own `cost-state` and `result`. `LiteLLM`'s prices for one-hour cache writes are wrong for the models of
//! 2024 (twice the input is right), and days on which an entry was missing or reverted at once are left out.
//!
//! To update it, compare the catalogue of the newest Claude Code, change [`CHECKED`], and run the test that writes
//! docs/prices.md.

use super::{Certainty, DatedPrice, Listed, Price, PriceSource, Rates};

/// The day on which the list was last compared with its sources.
pub(super) const CHECKED: &str = "18 Nov 2026";

const fn listed(id: &'static str, prices: &'static [DatedPrice]) -> Listed {
    Listed { id, regional: false, prices }
}

/// From Sonnet 4.5 on, clouds charge a tenth more for regional endpoints.
const fn regional(id: &'static str, prices: &'static [DatedPrice]) -> Listed {
    Listed { id, regional: true, prices }
}

/// For as long as the model exists.
const ALWAYS: Option<i64> = None;

/// The catalogue of Claude Code has this price today.
const fn catalogued(from: Option<i64>, price: Price) -> DatedPrice {
    DatedPrice { from, price, source: PriceSource::Catalogue, certainty: Certainty::Certain, note: "" }
}

/// The recorded list had this price at that time, and nothing contradicts it.
const fn recorded(from: Option<i64>, price: Price) -> DatedPrice {
    DatedPrice { from, price, source: PriceSource::RecordedList, certainty: Certainty::High, note: "" }
}

/// Announced or documented at that time.
const fn announced(from: Option<i64>, price: Price) -> DatedPrice {
    DatedPrice { from, price, source: PriceSource::Announcement, certainty: Certainty::High, note: "" }
}

const fn flat(input: u32, output: u32) -> Price {
    Price::flat(Rates::usual(input, output))
}

const SONNET: Price = flat(3_000, 15_000);
const SONNET_LONG: Price = SONNET.long(200_000, Rates::usual(6_000, 22_500));
const OPUS: Price = flat(5_000, 25_000);
const OPUS_LONG: Price = OPUS.long(200_000, Rates::usual(10_000, 37_500));
const FIRST_OPUS: Price = flat(15_000, 75_000);
const FABLE: Price = flat(10_000, 50_000);
const FABLE_5_1: Price = Price::flat(Rates::usual(10_000, 50_000).reading(250));
const FABLE_5_2: Price = Price::flat(Rates::usual(8_000, 40_000).reading(200)).fast(2_000);

/// What the recorded list of this day no longer has ended some time in the three months before.
const NEWEST_RECORD: Option<i64> = day(2026, 11, 9);

const FAST_ENDED: &str = "fast mode ended on 2026-07-24; lines from before keep its price";

pub(super) static TABLE: &[Listed] = &[
    listed("claude-instant-1", &[recorded(ALWAYS, flat(1_630, 5_510))]),
    listed("claude-instant-1-2", &[recorded(ALWAYS, flat(163, 551))]),
    listed("claude-2", &[recorded(ALWAYS, flat(8_000, 24_000))]),
    listed("claude-2-1", &[recorded(ALWAYS, flat(8_000, 24_000))]),
    listed(
        "claude-3-haiku",
        &[recorded(
            ALWAYS,
            Price::flat(Rates { input: 250, output: 1_250, cache_write_5m: 300, cache_write_1h: 500, cache_read: 30 }),
        )
        .note("the recorded hour write of 6 is an error: twice the input")],
    ),
    listed("claude-3-sonnet", &[recorded(ALWAYS, SONNET)]),
    listed(
        "claude-3-opus",
        &[recorded(ALWAYS, FIRST_OPUS).note("the recorded hour write of 6 is an error: twice the input")],
    ),
    listed(
        "claude-3-5-haiku",
        &[catalogued(ALWAYS, flat(800, 4_000)).note("the recorded hour write of 6 is an error")],
    ),
    listed("claude-3-5-sonnet", &[recorded(ALWAYS, SONNET)]),
    listed("claude-3-7-sonnet", &[recorded(ALWAYS, SONNET)]),
    listed("claude-opus-4", &[catalogued(ALWAYS, FIRST_OPUS)]),
    listed("claude-opus-4-1", &[catalogued(ALWAYS, FIRST_OPUS)]),
    listed(
        "claude-sonnet-4",
        &[
            catalogued(ALWAYS, SONNET).note("longer prompts were not possible before"),
            recorded(day(2025, 8, 12), SONNET_LONG).note("Claude Code itself leaves out the tier"),
        ],
    ),
    regional(
        "claude-sonnet-4-5",
        &[
            recorded(ALWAYS, SONNET_LONG).note("Claude Code itself leaves out the tier"),
            recorded(NEWEST_RECORD, SONNET).sure(Certainty::Medium).note("the tier ended between August and this day"),
        ],
    ),
    regional("claude-sonnet-4-6", &[recorded(ALWAYS, SONNET_LONG), catalogued(day(2026, 3, 27), SONNET)]),
    regional("claude-haiku-4-5", &[catalogued(ALWAYS, flat(1_000, 5_000))]),
    regional("claude-opus-4-5", &[catalogued(ALWAYS, OPUS)]),
    regional(
        "claude-opus-4-6",
        &[recorded(ALWAYS, OPUS_LONG.fast(6_000)), catalogued(day(2026, 3, 27), OPUS.fast(6_000)).note(FAST_ENDED)],
    ),
    regional("claude-opus-4-7", &[catalogued(ALWAYS, OPUS.fast(6_000)).note(FAST_ENDED)]),
    regional("claude-opus-4-8", &[catalogued(ALWAYS, OPUS.fast(2_000))]),
    regional("claude-opus-5", &[catalogued(ALWAYS, OPUS.fast(2_000))]),
    regional(
        "claude-opus-5-5",
        &[catalogued(day(2026, 9, 24), Price::flat(Rates::usual(4_000, 20_000).reading(200)).fast(2_000))
            .note("first seen on this day; the launch may be earlier")],
    ),
    regional(
        "claude-sonnet-5",
        &[catalogued(day(2026, 6, 30), flat(2_000, 10_000))
            .sure(Certainty::High)
            .note("3/15 was recorded for one day by mistake; the rise planned for 2026-09-01 was cancelled")],
    ),
    regional(
        "claude-sonnet-5-5",
        &[
            announced(day(2026, 9, 28), flat(2_000, 10_000)).note("the day of the launch is approximate"),
            catalogued(day(2026, 10, 7), Price::flat(Rates::usual(2_000, 10_000).reading(100)))
                .sure(Certainty::High)
                .note("cache reads were halved; the day is from release notes of a third party"),
        ],
    ),
    regional(
        "claude-haiku-5-5",
        &[catalogued(day(2026, 10, 7), flat(100, 500).long(100_000, Rates::usual(500, 2_500)))],
    ),
    regional("claude-fable-5", &[catalogued(ALWAYS, FABLE)]),
    regional("claude-fable-5-1", &[catalogued(day(2026, 9, 1), FABLE_5_1)]),
    regional("claude-fable-5-2", &[catalogued(day(2026, 11, 9), FABLE_5_2)]),
    regional(
        "claude-mythos-preview",
        &[announced(ALWAYS, flat(25_000, 125_000))
            .note("the recorded 10/50 is an error; caching by the usual ratios, which is assumed")],
    ),
    regional("claude-mythos-5", &[recorded(ALWAYS, FABLE)]),
    regional("claude-mythos-5-1", &[recorded(day(2026, 9, 1), FABLE_5_1)]),
    regional(
        "claude-mythos-5-2",
        &[catalogued(day(2026, 11, 9), FABLE_5_2).note("the day is that of claude-fable-5-2, which is assumed")],
    ),
];

/// The start of a day in UTC, in milliseconds since 1970.
#[expect(clippy::unnecessary_wraps, reason = "the form of a start in the table")]
const fn day(year: i64, month: i64, day: i64) -> Option<i64> {
    // Years that begin in March, so that the leap day is their last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1 - 719_468;
    Some(days * 24 * 60 * 60 * 1000)
}
