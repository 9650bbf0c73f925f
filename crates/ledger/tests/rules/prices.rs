//! The cost of tokens.

use crate::*;

fn cost(model: &str, at: &str, usage: &Value) -> f64 {
    let mut message = json!({"timestamp": at, "message": {"model": model}});
    let mut used = json!({"input_tokens": 0, "output_tokens": 0});
    merge(&mut used, usage);
    message["message"]["usage"] = used;
    dollars(&[line(&message)])
}

const APRIL: &str = "2026-04-01T12:00:00Z";

#[test]
fn cache_writes_cost_by_duration() {
    let write = |flat: u32, five: u32, hour: u32| {
        json!({"cache_creation_input_tokens": flat,
            "cache_creation": {"ephemeral_5m_input_tokens": five, "ephemeral_1h_input_tokens": hour}})
    };
    let cost = |usage| cost("claude-opus-4-5", APRIL, &usage);
    assert_eq!(cost(write(1_000_000, 1_000_000, 0)), 6.25);
    assert_eq!(cost(write(1_000_000, 0, 1_000_000)), 10.0);
    assert_eq!(cost(write(0, 0, 1_000_000)), 10.0, "the flat field may be missing");
    assert_eq!(cost(write(1_000_000, 0, 0)), 6.25, "and so may the parts");
    assert_eq!(cost(write(1_000_000, 0, 400_000)), 4.0 + 0.6 * 6.25, "the unexplained rest lasts five minutes");
}

#[test]
fn cache_writes_with_and_without_parts_are_not_added_up() {
    let write = |parts: Value| {
        usage(&json!({"input_tokens": 0, "output_tokens": 0,
        "cache_creation_input_tokens": 1_000_000, "cache_creation": parts}))
    };
    assert_eq!(dollars(&[write(Value::Null), write(json!({"ephemeral_1h_input_tokens": 1_000_000}))]), 10.0);
}

#[test]
fn a_long_prompt_raises_the_price_of_the_whole_request() {
    let cost = |model, usage| cost(model, "2026-03-01T12:00:00Z", &usage);
    assert_eq!(cost("claude-sonnet-4-5", json!({"input_tokens": 200_000})), 0.6);
    assert_eq!(cost("claude-sonnet-4-5", json!({"input_tokens": 200_001})), 1.200_006);
    let mixed = json!({"input_tokens": 100_000, "cache_read_input_tokens": 100_001, "output_tokens": 1000});
    assert_eq!(cost("claude-sonnet-4-5", mixed), 0.682_500_6);
    assert_eq!(cost("claude-haiku-5-5", json!({"input_tokens": 100_001})), 0.050_000_5);
    assert_eq!(cost("claude-opus-4-5", json!({"input_tokens": 1_000_000})), 5.0);
}

#[test]
fn prices_depend_on_the_day() {
    let long = json!({"input_tokens": 300_000});
    assert_eq!(cost("claude-opus-4-6", "2026-03-26T23:59:59.999Z", &long), 3.0);
    assert_eq!(cost("claude-opus-4-6", "2026-03-27T00:00:00.000Z", &long), 1.5);
    assert_eq!(cost("claude-sonnet-4-6", "2026-03-01T00:00:00Z", &long), 1.8);
    assert_eq!(cost("claude-sonnet-4-6", APRIL, &long), 0.9);
    assert_eq!(cost("claude-sonnet-5", "2026-06-30T12:00:00Z", &long), 0.6, "never 3/15");
    assert_eq!(cost("claude-sonnet-5", "2026-09-01T12:00:00Z", &long), 0.6, "the planned rise was cancelled");
    assert_eq!(cost("claude-opus-5", "2020-01-01T00:00:00Z", &long), 1.5, "before it existed: its first price");
}

#[test]
fn cache_reads_of_sonnet_5_5_were_halved_in_october() {
    let read = json!({"cache_read_input_tokens": 1_000_000});
    let cost = |day: &str| cost("claude-sonnet-5-5", &format!("2026-{day}T12:00:00Z"), &read);
    assert_eq!([cost("09-29"), cost("10-06"), cost("10-07"), cost("11-18")], [0.2, 0.2, 0.1, 0.1]);
}

#[test]
fn fable_and_mythos_5_2_have_prices() {
    for model in ["claude-fable-5-2", "claude-mythos-5-2"] {
        let million = |kind: &str| cost(model, "2026-11-10T12:00:00Z", &json!({kind: 1_000_000}));
        assert_eq!([million("input_tokens"), million("output_tokens")], [8.0, 40.0]);
        assert_eq!([million("cache_creation_input_tokens"), million("cache_read_input_tokens")], [10.0, 0.2]);
        let hour = json!({"cache_creation": {"ephemeral_1h_input_tokens": 1_000_000}});
        assert_eq!(cost(model, "2026-11-10T12:00:00Z", &hour), 16.0);
        let fast = json!({"cache_read_input_tokens": 1_000_000, "speed": "fast"});
        assert_eq!(cost(model, "2026-11-10T12:00:00Z", &fast), 0.4);
    }
}

#[test]
fn fast_mode_that_ended_keeps_its_price() {
    let fast = json!({"input_tokens": 100_000, "speed": "fast"});
    assert_eq!(cost("claude-opus-4-6", "2026-11-10T12:00:00Z", &fast), 3.0);
    assert_eq!(cost("claude-opus-4-7", "2026-11-10T12:00:00Z", &fast), 3.0);
}

#[test]
fn the_list_is_older_than_a_claude_model_without_a_price() {
    let mut prices = Prices::default();
    let seen = ["claude-opus-9-20291231", "us.anthropic.claude-opus-9-v1:0", "claude-saga-6-1", "claude-fable-5-2"];
    let outdated = prices.outdated_by(seen).unwrap();
    assert_eq!(outdated.models.iter().collect::<Vec<_>>(), ["claude-opus-9", "claude-saga-6-1"]);
    // No newer list has these.
    let others = ["", "opus", "glm-5.1", "claude-opus-4-5-thinking", "<synthetic>", "claude-\u{1b}-9"];
    assert_eq!(prices.outdated_by(others), None);
    prices.set("claude-opus-9", ledger::Price::flat(ledger::Rates::usual(1, 1)));
    assert_eq!(prices.outdated_by(["claude-opus-9"]), None, "the user knows better");
}

#[test]
fn speed_region_batch_and_searches() {
    let cost = |model, more: Value| {
        let mut usage = json!({"input_tokens": 100_000});
        merge(&mut usage, &more);
        cost(model, APRIL, &usage)
    };
    assert_eq!(cost("claude-opus-4-6", json!({"speed": "fast"})), 3.0);
    assert_eq!(cost("claude-opus-4-7", json!({"speed": "fast"})), 3.0);
    assert_eq!(cost("claude-opus-4-8", json!({"speed": "fast"})), 1.0);
    assert_eq!(cost("claude-opus-5", json!({"speed": "fast"})), 1.0);
    assert_eq!(cost("claude-opus-5", json!({"speed": "turbo"})), 0.5);
    assert_eq!(cost("claude-opus-5", json!({"inference_geo": "us"})), 0.55);
    assert_eq!(cost("claude-opus-5", json!({"inference_geo": "global"})), 0.5);
    assert_eq!(cost("claude-opus-5", json!({"service_tier": "batch"})), 0.25);
    assert_eq!(cost("claude-opus-5", json!({"service_tier": "batch", "inference_geo": "us", "speed": "fast"})), 0.55);
    assert_eq!(cost("claude-opus-5", json!({"service_tier": "priority"})), 0.5);
    assert_eq!(cost("claude-opus-5", json!({"server_tool_use": {"web_search_requests": 10}})), 0.6);
    assert_eq!(cost("us.anthropic.claude-opus-5-v1:0", json!({})), 0.55, "a regional endpoint");
    assert_eq!(cost("us.anthropic.claude-opus-4-1-20250805-v1:0", json!({})), 1.5, "not for old models");
}

#[test]
fn the_regional_surcharge_is_a_setting() {
    let mut ledger = Ledger::default();
    let message = json!({"input_tokens": 100_000, "output_tokens": 0, "inference_geo": "us"});
    push(&mut ledger, "s", None, &[usage(&message)]);
    let mut prices = Prices::default();
    prices.regions_cost_more = false;
    assert_eq!(ledger.totals(&prices).cost.dollars(), 0.5);
}

#[test]
fn the_users_price_overrides_the_list() {
    let mut ledger = Ledger::default();
    let glm = json!({"requestId": "r2", "message": {"model": "glm-5.1"}});
    push(&mut ledger, "s", None, &[line(&glm), line(&json!({"message": {"model": "claude-opus-4-5-20251101"}}))]);
    let mut prices = Prices::default();
    let flat = |input, output| ledger::Price::flat(ledger::Rates::usual(input, output));
    prices.set("glm-5.1", flat(1_000, 2_000));
    prices.set("claude-opus-4-5", flat(100_000, 0));
    let totals = ledger.totals(&prices);
    assert_eq!(totals.cost.dollars(), 0.000_05 + 0.001);
    assert_eq!(totals.quality(), Quality::Computed);
}

#[test]
fn an_unknown_model_has_no_price_and_is_listed() {
    let totals = count(&[
        line(&json!({})),
        line(&json!({"requestId": "2", "message": {"model": "claude-zzz-9"}})),
        line(&json!({"requestId": "3", "message": {"model": "opus"}})),
        line(&json!({"requestId": "4", "message": {"model": null}})),
    ]);
    assert_eq!((totals.cost.dollars(), totals.tokens.total()), (0.000_55, 120));
    assert_eq!((totals.unknown.messages, totals.unknown.tokens), (3, 90));
    let listed: Vec<_> = totals.unknown_models.iter().map(|(name, share)| (&**name, share.tokens)).collect();
    assert_eq!(listed, [("", 30), ("claude-zzz-9", 30), ("opus", 30)]);
    assert_eq!(totals.quality(), Quality::Unknown);
}
