//! The quality of figures.

use crate::*;

fn quality(change: &Value) -> Quality {
    count(&[line(change)]).quality()
}

#[test]
fn a_stated_cost_is_exact_and_zero_is_not_stated() {
    assert_eq!(quality(&json!({"costUSD": 9.5})), Quality::Exact);
    assert_eq!(dollars(&[line(&json!({"costUSD": 9.5}))]), 9.5);
    assert_eq!(dollars(&[line(&json!({"costUSD": 1})), line(&json!({"costUSD": 2}))]), 2.0);
    assert_eq!(quality(&json!({"costUSD": 0})), Quality::Computed);
    assert_eq!(dollars(&[line(&json!({"costUSD": 0}))]), 0.000_55);
}

#[test]
fn placeholders_are_a_lower_bound() {
    let version = |version: &str, stop: Value| quality(&json!({"version": version, "message": {"stop_reason": stop}}));
    assert_eq!(version("2.1.7", Value::Null), Quality::Computed, "the last line had the final usage then");
    assert_eq!(version("2.1.12", Value::Null), Quality::Low);
    assert_eq!(version("2.1.29-beta", Value::Null), Quality::Low);
    assert_eq!(version("2.1.52", Value::Null), Quality::Low);
    assert_eq!(version("2.1.52", json!("tool_use")), Quality::Computed);
    assert_eq!(version("2.1.220", json!("end_turn")), Quality::Computed);
    assert_eq!(version("dev", Value::Null), Quality::Computed);
}

#[test]
fn an_unfinished_subagent_is_a_lower_bound_until_finished() {
    let side =
        |stop: Value| line(&json!({"isSidechain": true, "version": "2.1.220", "message": {"stop_reason": stop}}));
    assert_eq!(count(&[side(Value::Null)]).quality(), Quality::Low);
    assert_eq!(count(&[side(Value::Null), side(json!("end_turn"))]).quality(), Quality::Computed);
    assert_eq!(count(&[side(Value::Null)]).low.messages, 1);
}

#[test]
fn fast_mode_without_a_price_is_a_lower_bound() {
    assert_eq!(quality(&json!({"message": {"usage": {"speed": "fast"}}})), Quality::Low);
}
