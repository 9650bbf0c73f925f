//! Ownership of messages.

use crate::*;

#[test]
fn the_earliest_session_owns_a_copy_and_the_first_line_its_day() {
    let mut ledger = Ledger::default();
    push(&mut ledger, "late", None, &[line(&json!({"timestamp": "2026-04-05T12:00:00Z"}))]);
    push(&mut ledger, "early", None, &[line(&json!({}))]);
    assert_eq!(by_session(&ledger), [("early".to_owned(), 30)]);
    ledger.each(&Prices::default(), |post| assert_eq!(post.at, Some(1_775_044_800_000)));
}

#[test]
fn copied_history_belongs_to_the_session_that_continued_first() {
    let at = |hour: u32, id: &str| {
        line(&json!({"timestamp": format!("2026-04-01T{hour}:00:00Z"), "requestId": id, "message": {"id": id}}))
    };
    let mut ledger = Ledger::default();
    // Resumed in a new file: the copies have their old times.
    push(&mut ledger, "a-resumed", None, &[at(10, "1"), at(11, "2"), at(15, "4")]);
    push(&mut ledger, "b-original", None, &[at(10, "1"), at(11, "2"), at(12, "3")]);
    assert_eq!(by_session(&ledger), [("a-resumed".to_owned(), 30), ("b-original".to_owned(), 90)]);
}

#[test]
fn an_ended_original_owns_repeated_copies() {
    let at =
        |hour: u32| line(&json!({"timestamp": format!("2026-04-01T{hour}:00:00Z"), "requestId": hour.to_string()}));
    let mut ledger = Ledger::default();
    push(&mut ledger, "a", None, &[at(10), at(11), at(12)]);
    push(&mut ledger, "b", None, &[at(10), at(11)]);
    push(&mut ledger, "c", None, &[at(10)]);
    assert_eq!(by_session(&ledger), [("a".to_owned(), 30), ("b".to_owned(), 30), ("c".to_owned(), 30)]);
}

#[test]
fn a_marked_copy_owns_nothing() {
    let mut ledger = Ledger::default();
    push(&mut ledger, "a-fork", None, &[line(&json!({"forkedFrom": {"sessionId": "b", "messageUuid": "u"}}))]);
    push(&mut ledger, "b", None, &[line(&json!({}))]);
    assert_eq!(by_session(&ledger), [("b".to_owned(), 30)]);
}

#[test]
fn agents_belong_to_their_session_and_stay_distinct() {
    let mut ledger = Ledger::default();
    push(&mut ledger, "s", None, &[line(&json!({}))]);
    push(&mut ledger, "s", Some("a1"), &[line(&json!({"isSidechain": true, "message": {"id": "m2"}}))]);
    assert_eq!(by_session(&ledger), [("s".to_owned(), 60)]);
    let prices = Prices::default();
    let agents = ledger.by(&prices, |post| post.agent.map(|agent| ledger.agent_name(agent).to_owned()));
    assert_eq!(agents.keys().collect::<Vec<_>>(), ["a1"]);
}

#[test]
fn branches_come_from_the_lines() {
    let mut ledger = Ledger::default();
    let on = |id: &str, branch: Value| line(&json!({"gitBranch": branch, "requestId": id, "message": {"id": id}}));
    push(&mut ledger, "s", None, &[on("1", json!("main")), on("2", json!("fix/seeds")), on("3", json!(null))]);
    // A copy does not change the branch.
    push(&mut ledger, "t", None, &[on("1", json!("main"))]);
    let sums = ledger.by(&Prices::default(), |post| Some(post.branch.map(|it| ledger.branch_name(it).to_owned())));
    let sums: Vec<_> = sums.iter().map(|(branch, sum)| (branch.as_deref(), sum.messages)).collect();
    assert_eq!(sums, [(None, 1), (Some("fix/seeds"), 1), (Some("main"), 1)]);
}

#[test]
fn dropped_messages_stay_out_of_totals() {
    let mut ledger = Ledger::default();
    let at = |id: &str, time: &str| line(&json!({"timestamp": time, "requestId": id, "message": {"id": id}}));
    let state =
        json!({"type": "cost-state", "sessionId": "s", "totalCostUSD": 9.0, "startTime": 1, "totalDuration": 2});
    push(&mut ledger, "s", None, &[at("1", "2026-04-01T12:00:00Z"), at("2", "2026-04-02T12:00:00Z"), state]);
    push(&mut ledger, "t", Some("a"), &[at("3", "2026-04-03T12:00:00Z")]);
    ledger.forget_before("2026-04-02T00:00:00Z".parse::<jiff::Timestamp>().unwrap().as_millisecond());
    assert_eq!(by_session(&ledger), [("s".to_owned(), 30), ("t".to_owned(), 30)]);
    assert_eq!(ledger.totals(&Prices::default()).cost.dollars(), 0.0011);
    // Adding continues as before.
    push(&mut ledger, "t", None, &[at("2", "2026-04-02T12:00:00Z"), at("4", "2026-04-04T12:00:00Z")]);
    assert_eq!(by_session(&ledger), [("s".to_owned(), 30), ("t".to_owned(), 60)]);
}
