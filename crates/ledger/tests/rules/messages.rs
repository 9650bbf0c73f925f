//! Which lines form one message, and which none.

use crate::*;

#[test]
fn lines_of_one_message_count_once_with_the_largest_of_each_field() {
    let totals = count(&[
        usage(&json!({"input_tokens": 3, "output_tokens": 9, "cache_read_input_tokens": 200})),
        usage(&json!({"input_tokens": 3, "output_tokens": 159})),
        usage(&json!({"input_tokens": 2, "output_tokens": 1})),
    ]);
    assert_eq!((totals.messages, totals.tokens.input, totals.tokens.output), (1, 3, 159));
    assert_eq!(totals.tokens.cache_read, 200);
}

#[test]
fn another_request_for_the_same_id_is_another_message() {
    assert_eq!(count(&[line(&json!({})), line(&json!({"requestId": "r2"}))]).messages, 2);
}

#[test]
fn without_a_request_the_id_is_unique_in_its_session() {
    let one = |uuid: &str| line(&json!({"requestId": null, "uuid": uuid}));
    assert_eq!(count(&[one("u1"), one("u2")]).messages, 1);
    // Gateways assign the same id to different messages of different sessions.
    let mut ledger = Ledger::default();
    push(&mut ledger, "a", None, &[one("u1")]);
    push(&mut ledger, "b", None, &[one("u2")]);
    assert_eq!(ledger.totals(&Prices::default()).messages, 2);
}

#[test]
fn without_a_request_copies_are_found_by_their_entries() {
    let mut ledger = Ledger::default();
    let one = |uuid: &str| line(&json!({"requestId": null, "uuid": uuid}));
    push(&mut ledger, "a", None, &[one("u1"), one("u2")]);
    push(&mut ledger, "b", None, &[one("u2"), one("u3")]);
    let fork = line(&json!({"requestId": null, "uuid": "u9", "forkedFrom": {"sessionId": "b", "messageUuid": "u3"}}));
    push(&mut ledger, "c", None, &[fork]);
    assert_eq!(ledger.totals(&Prices::default()).messages, 1);
}

#[test]
fn a_line_without_its_request_joins_its_session() {
    assert_eq!(count(&[line(&json!({})), line(&json!({"requestId": null, "uuid": "u2"}))]).messages, 1);
}

#[test]
fn without_a_message_id_the_entry_counts() {
    let one = |uuid: Value| line(&json!({"uuid": uuid, "message": {"id": null}}));
    assert_eq!(count(&[one(json!("u1")), one(json!("u1")), one(json!("u2"))]).messages, 2);
    // Without either, the request counts; and empty ids count as missing.
    let empty = line(&json!({"uuid": "", "message": {"id": ""}}));
    assert_eq!(count(&[one(Value::Null), empty]).messages, 1);
    let bare = |at: &str| line(&json!({"uuid": null, "requestId": null, "message": {"id": null}, "timestamp": at}));
    assert_eq!(
        count(&[bare("2026-04-01T12:00:00Z"), bare("2026-04-01T12:00:00Z"), bare("2026-04-01T12:00:01Z")]).messages,
        2
    );
}

/// 2.1.270 and later: lines of non-final blocks have placeholders again, without `iterations` and `stop_reason`.
#[test]
fn placeholders_beside_the_final_usage_change_nothing() {
    let placeholder = line(&json!({"version": "2.1.270", "uuid": "u1", "message": {"stop_reason": null,
        "usage": {"input_tokens": 10, "output_tokens": 2}}}));
    let last = line(&json!({"version": "2.1.270", "uuid": "u2", "message": {"usage": {"input_tokens": 10,
        "output_tokens": 400, "iterations": [{"type": "message", "input_tokens": 10, "output_tokens": 400}]}}}));
    for lines in [[placeholder.clone(), last.clone()], [last, placeholder]] {
        let totals = count(&lines);
        assert_eq!((totals.messages, totals.tokens.total(), totals.quality()), (1, 410, Quality::Computed));
    }
}

#[test]
fn copies_for_display_do_not_count() {
    assert_eq!(count(&[line(&json!({"isVirtual": true}))]), Totals::default());
    assert_eq!(count(&[line(&json!({"is_virtual": true}))]), Totals::default());
}

#[test]
fn synthetic_messages_do_not_count() {
    let synthetic = line(&json!({"message": {"id": "m2", "model": "<synthetic>"}}));
    assert_eq!(count(&[synthetic]), Totals::default());
}

#[test]
fn results_and_prompts_do_not_count() {
    let user = json!({"type": "user", "sessionId": "s", "message": {"role": "user", "content": "x"},
        "toolUseResult": {"totalTokens": 5000, "usage": {"input_tokens": 1000}}});
    assert_eq!(count(&[user]), Totals::default());
}

#[test]
fn uncountable_values_are_reported_and_the_rest_counts() {
    let mut ledger = Ledger::default();
    let doubts = push(
        &mut ledger,
        "s",
        None,
        &[
            line(&json!({"requestId": "1", "timestamp": "garbage"})),
            line(&json!({"requestId": "2", "message": {"usage": {"input_tokens": -5}}})),
            line(&json!({"requestId": "3", "message": {"usage": {"input_tokens": 1e20}}})),
            line(&json!({"requestId": "4", "message": {"usage": {"input_tokens": "7", "output_tokens": 1.5}}})),
        ],
    );
    assert!(doubts[0].no_time && doubts[1].negative && doubts[2].too_many && !doubts[3].any());
    let tokens = ledger.totals(&Prices::default()).tokens;
    assert_eq!((tokens.input, tokens.output), (10 + 7, 20 * 3 + 2));
}
