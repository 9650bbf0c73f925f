//! The costs that sessions state.

use crate::*;

fn cost_state(cost: f64, output: u64, until: i64) -> Value {
    let opus = json!({"inputTokens": 10, "outputTokens": output, "costUSD": cost - 0.01});
    let haiku = json!({"inputTokens": 500, "outputTokens": 5, "costUSD": 0.01});
    json!({"type": "cost-state", "sessionId": "s", "totalCostUSD": cost, "startTime": 1_775_044_000_000_i64,
        "totalDuration": until - 1_775_044_000_000, "modelUsage": {"claude-opus-4-5": opus, "claude-haiku-4-5": haiku}})
}

const NOON: i64 = 1_775_044_800_000;

#[test]
fn a_stated_cost_is_exact_and_includes_helper_models() {
    let totals = count(&[line(&json!({})), cost_state(0.2, 20, NOON), cost_state(0.5, 20, NOON + 9)]);
    assert_eq!(totals.cost.dollars(), 0.5);
    assert_eq!((totals.quality(), totals.messages), (Quality::Exact, 1));
    assert_eq!((totals.tokens.input, totals.tokens.output), (510, 25));
}

#[test]
fn usage_after_a_statement_is_added() {
    let later = line(&json!({"requestId": "r2", "timestamp": "2026-04-01T13:00:00Z"}));
    let totals = count(&[line(&json!({})), cost_state(0.5, 20, NOON), later]);
    assert_eq!(totals.cost.dollars(), 0.500_55);
    assert_eq!((totals.exact.messages, totals.computed.messages), (1, 1));
}

#[test]
fn a_statement_below_the_counted_usage_is_ignored() {
    let totals = count(&[line(&json!({})), cost_state(0.5, 7, NOON)]);
    assert_eq!((totals.cost.dollars(), totals.quality()), (0.000_55, Quality::Computed));
}

fn stream(id: &str) -> Value {
    json!({"type": "assistant", "session_id": "s", "uuid": id, "request_id": id, "parent_tool_use_id": null,
        "message": {"id": id, "model": "claude-opus-4-5", "stop_reason": null,
            "usage": {"input_tokens": 10, "output_tokens": 1}}})
}

fn result(uuid: &str, cost: f64, output: u64) -> Value {
    json!({"type": "result", "session_id": "s", "uuid": uuid, "total_cost_usd": cost, "modelUsage":
        {"claude-opus-4-5": {"inputTokens": 10, "outputTokens": output, "costUSD": cost}}})
}

#[test]
fn a_stream_counts_by_its_messages_and_is_exact_by_its_result() {
    assert_eq!(count(&[stream("1")]).quality(), Quality::Low);
    let totals = count(&[stream("1"), result("x", 0.5, 200)]);
    assert_eq!((totals.cost.dollars(), totals.quality()), (0.5, Quality::Exact));
    assert_eq!((totals.tokens.input, totals.tokens.output), (10, 200));
}

#[test]
fn results_are_running_totals_per_process() {
    let results = [result("1", 0.5, 100), result("2", 0.7, 200), result("2", 0.7, 200), result("3", 0.1, 50)];
    let totals = count(&[&[stream("1")][..], &results].concat());
    assert_eq!((totals.cost.dollars(), totals.tokens.output), (0.8, 250));
}

#[test]
fn an_old_result_states_only_the_total() {
    let result = json!({"type": "result", "session_id": "s", "cost_usd": 0.25});
    let totals = count(&[stream("1"), result]);
    assert_eq!((totals.cost.dollars(), totals.tokens.output), (0.25, 1));
}

#[test]
fn a_result_in_a_transcript_is_ignored() {
    assert_eq!(dollars(&[line(&json!({})), result("x", 1.5, 100)]), 0.000_55);
}

#[test]
fn a_stream_with_its_transcript_counts_once() {
    let mut ledger = Ledger::default();
    push(&mut ledger, "s", None, &[line(&json!({}))]);
    let mut copy = line(&json!({"sessionId": null, "session_id": "s", "requestId": null, "timestamp": null}));
    copy["message"]["usage"]["output_tokens"] = json!(1);
    push(&mut ledger, "s", None, &[copy, result("x", 0.5, 20)]);
    let totals = ledger.totals(&Prices::default());
    assert_eq!((totals.messages, totals.tokens.output, totals.cost.dollars()), (1, 20, 0.5));
}
