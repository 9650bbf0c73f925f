//! Messages that take several steps.

use crate::*;

fn with_steps(top: &Value, steps: &Value) -> Totals {
    let mut usage = top.clone();
    usage["iterations"] = steps.clone();
    count(&[line(&json!({"message": {"model": "claude-sonnet-4-6", "usage": usage}}))])
}

#[test]
fn an_adviser_counts_at_its_own_price() {
    let top = json!({"input_tokens": 2, "output_tokens": 100});
    let own = json!({"type": "message", "input_tokens": 2, "output_tokens": 100});
    let adviser =
        json!({"type": "advisor_message", "model": "claude-opus-4-7", "input_tokens": 1000, "output_tokens": 10});
    let totals = with_steps(&top, &json!([own, adviser]));
    assert_eq!((totals.messages, totals.tokens.total()), (1, 1112));
    assert_eq!(totals.cost.dollars(), (2.0 * 3.0 + 100.0 * 15.0 + 1000.0 * 5.0 + 10.0 * 25.0) / 1e6);
}

#[test]
fn steps_included_in_the_total_are_not_added() {
    let own = json!({"type": "message", "model": null, "input_tokens": 2, "output_tokens": 100});
    let adviser =
        json!({"type": "advisor_message", "model": "claude-opus-4-7", "input_tokens": 1000, "output_tokens": 10});
    let totals = with_steps(&json!({"input_tokens": 1002, "output_tokens": 110}), &json!([own, adviser]));
    assert_eq!(totals.tokens.total(), 1112);
    assert_eq!(totals.cost.dollars(), (2.0 * 3.0 + 100.0 * 15.0 + 1000.0 * 5.0 + 10.0 * 25.0) / 1e6);
}

#[test]
fn a_compaction_counts_beside_the_message() {
    let own = json!({"type": "message", "input_tokens": 2, "output_tokens": 100});
    let compaction = json!({"type": "compaction", "input_tokens": 1000, "output_tokens": 10});
    assert_eq!(
        with_steps(&json!({"input_tokens": 2, "output_tokens": 100}), &json!([own, compaction])).tokens.total(),
        1112
    );
}

#[test]
fn after_a_fallback_both_models_count_what_they_did() {
    let refused = json!({"type": "message", "model": "claude-fable-5", "input_tokens": 2, "output_tokens": 2});
    let fallback =
        json!({"type": "fallback_message", "model": "claude-sonnet-4-6", "input_tokens": 2, "output_tokens": 136});
    let totals = with_steps(&json!({"input_tokens": 2, "output_tokens": 136}), &json!([refused, fallback]));
    assert_eq!(totals.tokens.total(), 142);
    assert_eq!(totals.cost.dollars(), (2.0 * 3.0 + 136.0 * 15.0 + 2.0 * 10.0 + 2.0 * 50.0) / 1e6);
}

#[test]
fn the_tier_depends_on_a_single_request() {
    let step = json!({"type": "message", "input_tokens": 150_000});
    let totals = count(&[line(&json!({"message": {"model": "claude-sonnet-4-5", "usage":
        {"input_tokens": 300_000, "output_tokens": 0, "iterations": [step, step]}}}))]);
    assert_eq!(totals.cost.dollars(), 0.9);
}
