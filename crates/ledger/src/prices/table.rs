//! The price list.
//!
//! The figures are those of Anthropic's public price list as recorded over time in `LiteLLM`'s
//! `model_prices_and_context_window.json`, up to 2026-11-09. Its prices for one-hour cache writes are wrong for the
//! models of 2024 (twice the input is right), and days on which an entry was missing or reverted at once are left out.

use super::{Listed, Price, Rates};

const fn listed(id: &'static str, prices: &'static [(i64, Price)]) -> Listed {
    Listed { id, regional: false, prices }
}

/// From Sonnet 4.5 on, clouds charge a tenth more for regional endpoints.
const fn regional(id: &'static str, prices: &'static [(i64, Price)]) -> Listed {
    Listed { id, regional: true, prices }
}

/// For as long as the model exists.
const ALWAYS: i64 = i64::MIN;

const fn flat(input: u32, output: u32) -> Price {
    Price::flat(Rates::usual(input, output))
}

const SONNET: Price = flat(3_000, 15_000);
const SONNET_LONG: Price = SONNET.long(200_000, Rates::usual(6_000, 22_500));
const OPUS: Price = flat(5_000, 25_000);
const OPUS_LONG: Price = OPUS.long(200_000, Rates::usual(10_000, 37_500));
const FIRST_OPUS: Price = flat(15_000, 75_000);
const FABLE: Price = flat(10_000, 50_000);

/// The date of the newest list. What it no longer contains ended some time in the three months before.
const NEWEST: i64 = day(2026, 11, 9);

pub(super) static TABLE: &[Listed] = &[
    listed("claude-instant-1", &[(ALWAYS, flat(1_630, 5_510))]),
    listed("claude-instant-1-2", &[(ALWAYS, flat(163, 551))]),
    listed("claude-2", &[(ALWAYS, flat(8_000, 24_000))]),
    listed("claude-2-1", &[(ALWAYS, flat(8_000, 24_000))]),
    listed(
        "claude-3-haiku",
        &[(
            ALWAYS,
            Price::flat(Rates { input: 250, output: 1_250, cache_write_5m: 300, cache_write_1h: 500, cache_read: 30 }),
        )],
    ),
    listed("claude-3-sonnet", &[(ALWAYS, SONNET)]),
    listed("claude-3-opus", &[(ALWAYS, FIRST_OPUS)]),
    listed("claude-3-5-haiku", &[(ALWAYS, flat(800, 4_000))]),
    listed("claude-3-5-sonnet", &[(ALWAYS, SONNET)]),
    listed("claude-3-7-sonnet", &[(ALWAYS, SONNET)]),
    listed("claude-opus-4", &[(ALWAYS, FIRST_OPUS)]),
    listed("claude-opus-4-1", &[(ALWAYS, FIRST_OPUS)]),
    // Longer prompts were not possible before.
    listed("claude-sonnet-4", &[(ALWAYS, SONNET), (day(2025, 8, 12), SONNET_LONG)]),
    regional("claude-sonnet-4-5", &[(ALWAYS, SONNET_LONG), (NEWEST, SONNET)]),
    regional("claude-sonnet-4-6", &[(ALWAYS, SONNET_LONG), (day(2026, 3, 27), SONNET)]),
    regional("claude-haiku-4-5", &[(ALWAYS, flat(1_000, 5_000))]),
    regional("claude-opus-4-5", &[(ALWAYS, OPUS)]),
    regional(
        "claude-opus-4-6",
        &[(ALWAYS, OPUS_LONG.fast(6_000)), (day(2026, 3, 27), OPUS.fast(6_000)), (NEWEST, OPUS)],
    ),
    regional("claude-opus-4-7", &[(ALWAYS, OPUS.fast(6_000)), (NEWEST, OPUS)]),
    regional("claude-opus-4-8", &[(ALWAYS, OPUS.fast(2_000))]),
    regional("claude-opus-5", &[(ALWAYS, OPUS.fast(2_000))]),
    regional("claude-opus-5-5", &[(ALWAYS, Price::flat(Rates::usual(4_000, 20_000).reading(200)).fast(2_000))]),
    regional("claude-sonnet-5", &[(ALWAYS, SONNET), (day(2026, 7, 1), flat(2_000, 10_000))]),
    regional("claude-sonnet-5-5", &[(ALWAYS, Price::flat(Rates::usual(2_000, 10_000).reading(100)))]),
    regional("claude-haiku-5-5", &[(ALWAYS, flat(100, 500).long(100_000, Rates::usual(500, 2_500)))]),
    regional("claude-fable-5", &[(ALWAYS, FABLE)]),
    regional("claude-fable-5-1", &[(ALWAYS, Price::flat(Rates::usual(10_000, 50_000).reading(250)))]),
    regional("claude-mythos-preview", &[(ALWAYS, FABLE)]),
    regional("claude-mythos-5", &[(ALWAYS, FABLE)]),
    regional("claude-mythos-5-1", &[(ALWAYS, Price::flat(Rates::usual(10_000, 50_000).reading(250)))]),
];

/// The start of a day in UTC, in milliseconds since 1970.
const fn day(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin in March, so that the leap day is their last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1 - 719_468;
    days * 24 * 60 * 60 * 1000
}
