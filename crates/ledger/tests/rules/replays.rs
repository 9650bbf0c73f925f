//! Messages that are repeated in other files.

use crate::*;

fn side(change: &Value) -> Value {
    let mut side = line(&json!({"isSidechain": true, "message": {"usage": {"cache_read_input_tokens": 50_000}}}));
    merge(&mut side, change);
    side
}

fn tokens(main: &[Value], agent: &[Value]) -> u64 {
    let mut ledger = Ledger::default();
    push(&mut ledger, "s", Some("a1"), agent);
    push(&mut ledger, "s", None, main);
    ledger.totals(&Prices::default()).tokens.total()
}

#[test]
fn the_parents_message_counts_not_its_replay() {
    assert_eq!(tokens(&[line(&json!({}))], &[side(&json!({}))]), 30);
    assert_eq!(tokens(&[line(&json!({}))], &[side(&json!({"requestId": "r2"}))]), 30);
    assert_eq!(tokens(&[], &[side(&json!({}))]), 50_030);
    assert_eq!(tokens(&[line(&json!({}))], &[side(&json!({"message": {"id": "m2"}}))]), 50_060);
}

fn progress(agent: &str, message: &Value) -> Value {
    let copy = json!({"type": "assistant", "uuid": "u", "timestamp": "2026-04-01T12:00:00Z", "requestId": "r",
        "message": message["message"]});
    json!({"type": "progress", "sessionId": "s", "uuid": "p", "timestamp": "2026-04-01T12:00:01Z",
        "data": {"type": "agent_progress", "agentId": agent, "message": copy}})
}

#[test]
fn copies_of_an_agents_messages_count_only_without_its_own_lines() {
    let copy = progress("a1", &line(&json!({})));
    assert_eq!(tokens(&[copy.clone(), copy.clone()], &[]), 30);
    assert_eq!(tokens(std::slice::from_ref(&copy), &[side(&json!({}))]), 50_030);
    // The agent's file exists, though without this message.
    assert_eq!(tokens(std::slice::from_ref(&copy), &[side(&json!({"message": {"id": "m2"}}))]), 50_030);
    // And when old copies have no request, or the file another name.
    let mut bare = progress("a2", &line(&json!({})));
    bare["data"]["message"]["requestId"] = Value::Null;
    assert_eq!(tokens(&[bare], &[side(&json!({}))]), 50_030);
}
