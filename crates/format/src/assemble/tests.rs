use proptest::prelude::*;

use super::*;
use crate::Scratch;
use crate::json::{Notes, read_value};

/// Feeds events to an assembler and returns the step of each.
fn feed(assembler: &mut Assembler, events: &[String], parent: Option<&str>) -> Vec<Step> {
    let scratch = Scratch::default();
    let step = |event: &String| {
        let event = read_value::<StreamEvent<'_>>(event, &mut Notes::new(&scratch)).expect("an event");
        assembler.push(&event, parent)
    };
    events.iter().map(step).collect()
}

fn assembled(events: &[String]) -> Assembled {
    let mut assembler = Assembler::default();
    feed(&mut assembler, events, None);
    assembler.message(None).expect("a message").clone()
}

fn message_start(id: &str) -> String {
    format!(
        r#"{{"type":"message_start","message":{{"id":"{id}","model":"claude-opus-5","content":[],"usage":{{"input_tokens":3,"output_tokens":1,"cache_read_input_tokens":900}}}}}}"#
    )
}

fn block_start(index: i64, block: &str) -> String {
    format!(r#"{{"type":"content_block_start","index":{index},"content_block":{block}}}"#)
}

fn delta(index: i64, kind: &str, field: &str, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!(r#"{{"type":"content_block_delta","index":{index},"delta":{{"type":"{kind}","{field}":"{value}"}}}}"#)
}

fn block_stop(index: i64) -> String {
    format!(r#"{{"type":"content_block_stop","index":{index}}}"#)
}

fn message_delta() -> String {
    r#"{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":87,"input_tokens":0,"output_tokens_details":{"thinking_tokens":40}}}"#.to_owned()
}

fn message_stop() -> String {
    r#"{"type":"message_stop"}"#.to_owned()
}

/// A message with thinking, text and a call, cut into pieces by `cut`.
fn message(cut: impl Fn(&str) -> Vec<String>) -> Vec<String> {
    let mut events = vec![message_start("msg_01")];
    for (index, block, kind, field, value) in [
        (0, r#"{"type":"thinking","thinking":"","signature":""}"#, "thinking_delta", "thinking", "Which file? — up.py"),
        (1, r#"{"type":"text","text":""}"#, "text_delta", "text", "I'll read the “uploader”."),
        (
            2,
            r#"{"type":"tool_use","id":"toolu_01","name":"Read","input":{}}"#,
            "input_json_delta",
            "partial_json",
            r#"{"file_path":"/w/up.py"}"#,
        ),
    ] {
        events.push(block_start(index, block));
        events.extend(cut(value).iter().map(|piece| delta(index, kind, field, piece)));
        if index == 0 {
            events.push(delta(0, "signature_delta", "signature", "EqQB"));
        }
        events.push(block_stop(index));
    }
    events.extend([message_delta(), message_stop()]);
    events
}

fn whole(text: &str) -> Vec<String> {
    vec![text.to_owned()]
}

#[test]
fn a_message_is_put_together() {
    let message = assembled(&message(whole));
    assert_eq!(message.id.as_deref(), Some("msg_01"));
    assert_eq!(message.model.as_deref(), Some("claude-opus-5"));
    assert_eq!(message.stop_reason.as_deref(), Some("tool_use"));
    assert!(message.complete);
    let usage = message.usage;
    assert_eq!((usage.input_tokens, usage.output_tokens, usage.thinking_tokens), (3, 87, 40));
    let blocks: Vec<_> = message.blocks().collect();
    assert_eq!(blocks[0].kind, AssembledKind::Thinking);
    assert_eq!(blocks[0].signature, "EqQB");
    assert_eq!(blocks[1].text, "I'll read the “uploader”.");
    assert_eq!(blocks[2].name.as_deref(), Some("Read"));
    assert_eq!(blocks[2].input(), Some(r#"{"file_path":"/w/up.py"}"#));
    assert!(blocks.iter().all(|block| block.complete));
}

#[test]
fn input_is_none_until_it_is_json() {
    let start = block_start(0, r#"{"type":"tool_use","id":"toolu_01","name":"Bash","input":{}}"#);
    let half = delta(0, "input_json_delta", "partial_json", r#"{"command":"ls"#);
    let message = assembled(&[start, half]);
    let call = message.blocks().next().expect("a block");
    assert_eq!(call.partial_json, r#"{"command":"ls"#);
    assert_eq!(call.input(), None);

    let deep = delta(0, "input_json_delta", "partial_json", &"[".repeat(100_000));
    assert_eq!(assembled(&[deep]).blocks().next().expect("a block").input(), None);
}

#[test]
fn threads_do_not_mix() {
    let mut assembler = Assembler::default();
    feed(&mut assembler, &[delta(0, "text_delta", "text", "main")], None);
    feed(&mut assembler, &[delta(0, "text_delta", "text", "agent")], Some("toolu_01"));
    let text =
        |parent| assembler.message(parent).and_then(|message| message.blocks().next()).map(|block| block.text.as_str());
    assert_eq!(text(None), Some("main"));
    assert_eq!(text(Some("toolu_01")), Some("agent"));
    assert_eq!(text(Some("toolu_02")), None);
    assembler.forget(Some("toolu_01"));
    assert_eq!(assembler.message(Some("toolu_01")), None);
}

#[test]
fn a_new_message_hands_over_an_unfinished_one() {
    let mut assembler = Assembler::default();
    let events = [message_start("msg_01"), message_start("msg_02"), message_stop(), message_start("msg_03")];
    let steps = feed(&mut assembler, &events, None);
    let [Step::Started(None), Step::Started(Some(lost)), Step::Completed, Step::Started(None)] = steps.as_slice()
    else {
        panic!("{steps:?}");
    };
    assert_eq!(lost.id.as_deref(), Some("msg_01"));
}

#[test]
fn a_start_may_be_late_missing_or_doubled() {
    let text =
        |events: &[String]| assembled(events).blocks().next().map(|block| (block.kind.clone(), block.text.clone()));
    let start = || block_start(0, r#"{"type":"text","text":"A"}"#);
    let piece = || delta(0, "text_delta", "text", "B");
    let expected = Some((AssembledKind::Text, "AB".to_owned()));
    assert_eq!(text(&[start(), piece()]), expected);
    assert_eq!(text(&[piece(), start()]), expected);
    assert_eq!(text(&[start(), piece(), start(), piece()]), expected);
    assert_eq!(text(&[piece()]), Some((AssembledKind::Text, "B".to_owned())));
}

#[test]
fn blocks_that_come_whole_keep_their_type() {
    let start = block_start(3, r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}"#);
    let message = assembled(&[start]);
    let kind = &message.blocks().next().expect("a block").kind;
    assert_eq!(kind, &AssembledKind::Whole("web_search_tool_result".to_owned()));
}

#[test]
fn an_error_is_kept() {
    let error = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#.to_owned();
    let mut assembler = Assembler::default();
    assert_eq!(feed(&mut assembler, &[message_start("msg_01"), error], None).last(), Some(&Step::Failed));
    assert_eq!(assembler.message(None).and_then(|message| message.error.as_deref()), Some("Overloaded"));
}

/// Any event, valid or not.
fn any_event() -> impl Strategy<Value = String> {
    let index = prop_oneof![0..4_i64, Just(-1), Just(i64::MAX), Just(i64::MIN), any::<i64>()];
    let piece = prop_oneof!["[a-z ]{0,6}", Just("{\"a\":".to_owned()), Just("\u{1F980}é".to_owned())];
    let kind = prop_oneof![
        Just(("text_delta", "text")),
        Just(("thinking_delta", "thinking")),
        Just(("signature_delta", "signature")),
        Just(("input_json_delta", "partial_json")),
        Just(("compaction_delta", "content")),
        Just(("citations_delta", "citation")),
        Just(("hologram_delta", "light")),
    ];
    let block = prop_oneof![
        Just(r#"{"type":"text","text":"T"}"#),
        Just(r#"{"type":"tool_use","id":"toolu_9","name":"Bash","input":{}}"#),
        Just(r#"{"type":"compaction","content":null}"#),
        Just(r#"{"type":"hologram"}"#),
        Just("null"),
    ];
    prop_oneof![
        "[a-z]{3}".prop_map(|id| message_start(&id)),
        (index.clone(), block).prop_map(|(index, block)| block_start(index, block)),
        (index.clone(), kind, piece).prop_map(|(index, (kind, field), piece)| delta(index, kind, field, &piece)),
        index.prop_map(block_stop),
        Just(message_delta()),
        Just(message_stop()),
        Just(r#"{"type":"ping"}"#.to_owned()),
        Just(r#"{"type":"error"}"#.to_owned()),
        Just(r#"{"type":"content_block_delta"}"#.to_owned()),
        Just(r#"{"type":"content_block_stop","index":"two"}"#.to_owned()),
        Just(r#"{"type":"message_start","message":{"usage":{"output_tokens":-9e300}}}"#.to_owned()),
    ]
}

proptest! {
    #[test]
    fn no_order_of_events_panics(events in prop::collection::vec(any_event(), 0..60)) {
        let mut assembler = Assembler::default();
        feed(&mut assembler, &events, None);
        if let Some(message) = assembler.message(None) {
            prop_assert!(message.blocks().count() <= events.len());
            prop_assert!(message.blocks().all(|block| block.input().is_none_or(|input| input == block.partial_json)));
        }
    }

    #[test]
    fn cutting_the_pieces_elsewhere_changes_nothing(cuts in prop::collection::vec(0..30_usize, 0..8)) {
        let cut = |text: &str| {
            let mut pieces = vec![String::new()];
            for (at, letter) in text.chars().enumerate() {
                if cuts.contains(&at) {
                    pieces.push(String::new());
                }
                pieces.last_mut().expect("a piece").push(letter);
            }
            pieces
        };
        prop_assert_eq!(assembled(&message(cut)), assembled(&message(whole)));
    }
}
