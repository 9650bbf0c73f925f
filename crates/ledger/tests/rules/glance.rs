//! Totals of all kinds.

use crate::*;

#[test]
fn a_session_at_a_glance() {
    let mut ledger = SessionLedger::default();
    let at = |hour: u32, cached: u32| {
        line(&json!({"requestId": hour.to_string(), "timestamp": format!("2026-04-01T{hour}:00:00Z"),
            "message": {"usage": {"cache_read_input_tokens": cached, "cache_creation_input_tokens": 5}}}))
    };
    let parts = [
        (SessionPart::Elsewhere("before"), vec![at(10, 100)]),
        (SessionPart::Main, vec![at(10, 100), at(12, 300), at(12, 300), at(11, 200)]),
        (
            SessionPart::Agent("a1"),
            vec![line(&json!({"requestId": "a", "message": {"id": "a", "model": "claude-haiku-4-5-20251001"}}))],
        ),
    ];
    for (part, lines) in parts {
        let mut feed = ledger.feed(part);
        for line in lines {
            let (bytes, scratch) = (line.to_string(), Scratch::default());
            for entry in &format::read(bytes.as_bytes(), &scratch).entries {
                ledger.push(&mut feed, entry);
            }
        }
    }
    let summary = ledger.summary(&Prices::default());
    assert_eq!((summary.totals.messages, summary.agents.messages), (3, 1));
    let models: Vec<_> = summary.models.iter().map(|(name, totals)| (name.as_str(), totals.messages)).collect();
    assert_eq!(models, [("claude-opus-4-5", 2), ("claude-haiku-4-5", 1)]);
    let hour = 3_600_000;
    assert_eq!(summary.context, [(1_775_044_800_000 - hour, 215), (1_775_044_800_000, 315)]);
}

#[test]
fn sums_by_day_and_model_add_up_to_the_whole() {
    let mut ledger = Ledger::default();
    let lines: Vec<_> = (1..=9)
        .map(|day| {
            let model = if day % 2 == 0 { "claude-opus-5" } else { "unheard-of" };
            line(&json!({"requestId": day.to_string(), "timestamp": format!("2026-04-0{day}T12:00:00Z"), "message": {"model": model}}))
        })
        .collect();
    push(&mut ledger, "s", None, &lines);
    let prices = Prices::default();
    let whole = ledger.totals(&prices);
    let days = ledger.by(&prices, |post| Some(post.at? / 86_400_000));
    let models = ledger.by(&prices, |post| Some(post.model));
    assert_eq!((days.len(), models.len()), (9, 2));
    for sums in [days.into_values().collect::<Vec<_>>(), models.into_values().collect()] {
        let mut sum = Totals::default();
        for totals in &sums {
            sum += totals;
        }
        assert_eq!(sum, whole);
    }
    ledger.each(&prices, |post| assert_eq!(post.kind, PostKind::Message));
}
