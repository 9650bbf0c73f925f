//! The order of lines and files, how they are split, and duplicates change nothing.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

use format::Scratch;
use ledger::{Ledger, Prices};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A line, and its file.
#[derive(Debug, Clone)]
struct Placed {
    session: String,
    agent: Option<String>,
    line: String,
}

/// Lines with so few different ids that all kinds of copies, replays and collisions occur.
fn placed() -> impl Strategy<Value = Placed> {
    let ids = (0..4_u8, 0..5_u8, 0..5_u8, prop::option::of(0..5_u8));
    let place = (0..3_u8, prop::option::weighted(0.3, 0..2_u8), any::<bool>(), prop::bool::weighted(0.2));
    let used = (0..50_u32, 0..50_u32, 0..3_u32, 0..3_u32, prop::bool::weighted(0.2), prop::bool::weighted(0.3));
    (ids, place, used, 0..4_u8).prop_map(|(ids, place, used, hour)| {
        let (message, request, uuid, copy_of) = ids;
        let (session, agent, side, is_progress) = place;
        let (input, output, write, hours, is_stated, finished) = used;
        let id = |kind: &str, number: u8| if number == 0 { Value::Null } else { json!(format!("{kind}{number}")) };
        let iterations = if write == 2 {
            json!([{"type": "advisor_message", "model": "claude-opus-5", "input_tokens": input}])
        } else {
            Value::Null
        };
        let message = json!({
            "id": id("m", message), "model": if hours == 2 { "claude-opus-4-6" } else { "claude-sonnet-4-5" },
            "stop_reason": if finished { json!("end_turn") } else { Value::Null },
            "usage": {"input_tokens": input, "output_tokens": output, "cache_creation_input_tokens": write,
                "cache_creation": {"ephemeral_1h_input_tokens": hours}, "iterations": iterations},
        });
        let at = format!("2026-03-01T1{hour}:00:00.000Z");
        let (session, agent) = (format!("s{session}"), agent.map(|agent| format!("a{agent}")));
        let line = if is_progress {
            json!({"type": "progress", "sessionId": session, "timestamp": at, "data": {"type": "agent_progress",
                "agentId": agent, "message": {"type": "assistant", "timestamp": at, "uuid": id("u", uuid),
                "requestId": id("r", request), "message": message}}})
        } else {
            json!({"type": "assistant", "sessionId": session, "timestamp": at, "uuid": id("u", uuid), "version": "2.1.40",
                "requestId": id("r", request), "isSidechain": side, "message": message,
                "costUSD": if is_stated { json!(0.5) } else { Value::Null },
                "forkedFrom": copy_of.filter(|_| !is_stated).map(|copy| json!({"messageUuid": format!("u{copy}")}))})
        };
        let agent = agent.filter(|_| !is_progress);
        Placed { session, agent, line: line.to_string() }
    })
}

fn ledger(lines: &[Placed]) -> Ledger {
    let mut ledger = Ledger::default();
    for Placed { session, agent, line } in lines {
        let mut feed = ledger.feed(session, agent.as_deref());
        let scratch = Scratch::default();
        for entry in &format::read(line.as_bytes(), &scratch).entries {
            ledger.push(&mut feed, entry);
        }
    }
    ledger
}

/// Every row of a ledger, sorted.
fn books(ledger: &Ledger) -> Vec<String> {
    let mut books = Vec::new();
    ledger.each(&Prices::default(), |post| {
        let session = ledger.session_name(post.session);
        let agent = post.agent.map(|agent| ledger.agent_name(agent));
        let (tokens, cost) = (post.tokens, post.cost);
        let place = (post.kind, session, agent, post.is_side, post.model_name, post.at, post.context);
        books.push(format!("{place:?} {tokens:?} {cost:?}"));
    });
    books.sort();
    books
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn order_changes_nothing((lines, shuffled) in prop::collection::vec(placed(), 1..14)
        .prop_flat_map(|lines| (Just(lines.clone()), Just(lines).prop_shuffle()))) {
        prop_assert_eq!(books(&ledger(&lines)), books(&ledger(&shuffled)));
    }

    #[test]
    fn duplicates_change_nothing(lines in prop::collection::vec(placed(), 1..14), doubles in any::<u16>()) {
        let again = lines.iter().enumerate().filter(|(at, _)| doubles >> at & 1 == 1).map(|(_, line)| line.clone());
        let doubled: Vec<_> = lines.iter().cloned().chain(again).collect();
        prop_assert_eq!(books(&ledger(&lines)), books(&ledger(&doubled)));
    }

    #[test]
    fn merged_ledgers_equal_the_ledger_of_the_whole(lines in prop::collection::vec(placed(), 1..14), at in 0..14_usize) {
        let (one, other) = lines.split_at(at.min(lines.len()));
        let mut merged = ledger(other);
        merged.merge(ledger(one));
        prop_assert_eq!(books(&ledger(&lines)), books(&merged));
    }

    #[test]
    fn a_ledger_survives_storing(lines in prop::collection::vec(placed(), 1..14)) {
        let kept = serde_json::to_string(&ledger(&lines)).unwrap();
        let again: Ledger = serde_json::from_str(&kept).unwrap();
        prop_assert_eq!(books(&ledger(&lines)), books(&again));
    }

    #[test]
    fn extreme_numbers_do_no_harm(input in any::<i64>(), output in any::<f64>(), cost in any::<f64>(), model in ".*") {
        let line = json!({"type": "assistant", "costUSD": cost, "message": {"model": model,
            "usage": {"input_tokens": input, "output_tokens": output, "iterations": [{"input_tokens": input}]}}});
        let placed = Placed { session: "s".to_owned(), agent: None, line: line.to_string() };
        books(&ledger(&[placed]));
        ledger::prices::canonical(&model);
    }
}
