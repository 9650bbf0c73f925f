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

/// One decision for all doors: the head of a session, its result and the usage report show the stated cost.
#[test]
fn a_streams_cost_is_what_its_result_states_even_below_its_lines() {
    let fewer = result("x", 0.5, 0);
    let no_tokens = json!({"type": "result", "session_id": "s", "total_cost_usd": 0.5,
        "modelUsage": {"claude-opus-4-5": {"contextWindow": 200_000}}});
    let other_name = json!({"type": "result", "session_id": "s", "total_cost_usd": 0.5, "modelUsage":
        {"gateway-opus": {"inputTokens": 12, "outputTokens": 1, "costUSD": 0.5}}});
    for (result, tokens) in [(fewer, 11), (no_tokens, 11), (other_name, 13)] {
        let lines = [stream("1"), result];
        let totals = count(&lines);
        assert_eq!((totals.cost.dollars(), totals.quality()), (0.5, Quality::Exact), "{lines:?}");
        assert_eq!((totals.tokens.total(), totals.messages), (tokens, 1), "no token counts twice: {lines:?}");
        let mut session = SessionLedger::default();
        let mut feed = session.feed(SessionPart::Main);
        for line in &lines {
            let (bytes, scratch) = (line.to_string(), Scratch::default());
            for entry in &format::read(bytes.as_bytes(), &scratch).entries {
                session.push(&mut feed, entry);
            }
        }
        assert_eq!(session.summary(&Prices::default()).totals, totals);
    }
}

#[test]
fn a_stated_zero_beside_usage_is_no_cost() {
    let zero = json!({"type": "result", "session_id": "s", "total_cost_usd": 0, "modelUsage": {}});
    let totals = count(&[stream("1"), zero.clone()]);
    assert_eq!((totals.cost.dollars(), totals.quality()), (0.000_075, Quality::Low));
    assert_eq!((count(&[zero]).cost.dollars(), count(&[]).quality()), (0.0, Quality::Exact));
}

#[test]
fn a_result_below_the_lines_of_a_transcript_is_ignored() {
    let mut ledger = Ledger::default();
    push(&mut ledger, "s", None, &[line(&json!({"message": {"usage": {"output_tokens": 500}}}))]);
    push(&mut ledger, "s", None, &[stream("1"), result("x", 0.001, 1)]);
    // The transcript has processes without a result.
    assert_eq!(ledger.totals(&Prices::default()).cost.dollars(), (20.0 * 5.0 + 501.0 * 25.0) / 1e6);
}

#[test]
fn a_cost_at_prices_of_the_organisation_is_marked() {
    let mut managed = result("x", 0.5, 200);
    managed["modelUsage"]["claude-opus-4-5"]["costBasis"] = json!("managed");
    managed["modelUsage"]["claude-haiku-4-5"] = json!({"inputTokens": 3, "costUSD": 0.1, "costBasis": "list"});
    managed["total_cost_usd"] = json!(0.6);
    let totals = count(&[stream("1"), managed]);
    assert_eq!((totals.cost.dollars(), totals.quality()), (0.6, Quality::Managed));
    assert_eq!((totals.managed.cost.dollars(), totals.managed.messages), (0.5, 1));
    assert_eq!((totals.exact.cost.dollars(), totals.exact.tokens), (0.1, 3));
}

#[test]
fn the_part_without_lines_is_known() {
    let totals = count(&[line(&json!({})), cost_state(0.5, 20, NOON)]);
    assert_eq!((totals.without_lines.messages, totals.without_lines.tokens), (0, 505));
    assert_eq!(totals.without_lines.cost.dollars(), 0.5 - 0.000_55);
}

#[test]
fn stated_cache_writes_have_parts() {
    let mut whole = result("x", 0.5, 20);
    whole["modelUsage"]["claude-opus-4-5"]["cacheCreationEphemeral1hInputTokens"] = json!(70);
    whole["modelUsage"]["claude-opus-4-5"]["cacheCreationEphemeral5mInputTokens"] = json!(30);
    let tokens = count(&[stream("1"), whole]).tokens;
    assert_eq!((tokens.cache_write, tokens.cache_write_1h), (100, 70));
}

#[test]
fn a_resumed_process_continues_its_total_since_2_1_326() {
    let start = |at: &str| json!({"conversationId": "c", "timestamp": at, "event": {"type": "start", "version": 1}});
    let init =
        |version: &str| json!({"type": "system", "subtype": "init", "session_id": "s", "claude_code_version": version});
    let cost = |version: &str| {
        let first = [start("2026-11-18T09:00:00Z"), init(version), stream("1"), result("1", 0.5, 100)];
        let second = [start("2026-11-18T10:00:00Z"), init(version), stream("2"), result("2", 0.7, 200)];
        dollars(&[first, second].concat())
    };
    assert_eq!((cost("2.1.325"), cost("2.1.326")), (1.2, 0.7));
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
