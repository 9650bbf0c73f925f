//! Every rule of counting, as a line or two of a transcript.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::float_cmp,
    clippy::needless_pass_by_value,
    reason = "these are tests"
)]

mod glance;
mod messages;
mod owners;
mod prices;
mod quality;
mod replays;
mod statements;
mod steps;

use format::Scratch;
use ledger::{Doubts, Ledger, PostKind, Prices, Quality, SessionLedger, SessionPart, Totals};
use serde_json::{Value, json};

/// An assistant line of Opus 4.5 with the usual fields; `change` replaces some, null removes.
fn line(change: &Value) -> Value {
    let mut line = json!({
        "type": "assistant", "sessionId": "s", "uuid": "u", "requestId": "r", "version": "2.1.200",
        "timestamp": "2026-04-01T12:00:00.000Z",
        "message": {"id": "m", "model": "claude-opus-4-5", "stop_reason": "end_turn",
            "usage": {"input_tokens": 10, "output_tokens": 20}},
    });
    merge(&mut line, change);
    line
}

fn merge(into: &mut Value, change: &Value) {
    match (into, change) {
        (Value::Object(into), Value::Object(change)) => {
            for (key, value) in change {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into, change) => *into = change.clone(),
    }
}

fn usage(usage: &Value) -> Value {
    line(&json!({"message": {"usage": usage}}))
}

fn push(ledger: &mut Ledger, session: &str, agent: Option<&str>, lines: &[Value]) -> Vec<Doubts> {
    let mut feed = ledger.feed(session, agent);
    let mut doubts = Vec::new();
    for line in lines {
        let (bytes, scratch) = (line.to_string(), Scratch::default());
        for entry in &format::read(bytes.as_bytes(), &scratch).entries {
            doubts.push(ledger.push(&mut feed, entry));
        }
    }
    doubts
}

fn count(lines: &[Value]) -> Totals {
    let mut ledger = Ledger::default();
    push(&mut ledger, "s", None, lines);
    ledger.totals(&Prices::default())
}

fn dollars(lines: &[Value]) -> f64 {
    count(lines).cost.dollars()
}

/// Tokens by session.
fn by_session(ledger: &Ledger) -> Vec<(String, u64)> {
    let sums = ledger.by(&Prices::default(), |post| Some(ledger.session_name(post.session).to_owned()));
    sums.into_iter().map(|(name, sum)| (name, sum.tokens.total())).collect()
}
