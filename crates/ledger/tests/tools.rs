//! The estimated cost of tools.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::float_cmp, reason = "these are tests")]

mod root;
mod shared;

use std::collections::BTreeMap;

use format::Scratch;
use ledger::tools::{ToolFold, ToolShares};
use ledger::{Ledger, Money, Prices};
use proptest::prelude::*;
use serde_json::{Value, json};
use sources::Buffer;
use sources::Lines;

/// The figures of a tool: calls, input tokens, result tokens, and millionths of a dollar.
type ToolCounts = (u64, u64, u64, f64);

/// A reply of Opus 4.5: per million tokens, $5 for input, $25 for output, $6.25 for cache writes, $0.50 for cache
/// reads.
fn reply(id: &str, usage: [u32; 4], content: &[Value]) -> Value {
    let [input, output, written, read] = usage;
    json!({"type": "assistant", "sessionId": "s", "uuid": format!("{id}{content:?}"), "requestId": format!("r-{id}"),
        "timestamp": "2026-04-01T12:00:00.000Z", "version": "2.1.200",
        "message": {"id": id, "model": "claude-opus-4-5", "stop_reason": "end_turn", "content": content,
            "usage": {"input_tokens": input, "output_tokens": output, "cache_creation_input_tokens": written,
                "cache_read_input_tokens": read}}})
}

fn user(content: &Value) -> Value {
    json!({"type": "user", "sessionId": "s", "uuid": format!("{content}"), "timestamp": "2026-04-01T12:00:00.000Z", "message": {"content": content}})
}

fn text(bytes: usize) -> Value {
    json!({"type": "text", "text": "x".repeat(bytes)})
}

/// A call with this many bytes, including its name.
fn call(id: &str, tool: &str, bytes: usize) -> Value {
    let around = tool.len() + r#"{"a":""}"#.len();
    json!({"type": "tool_use", "id": id, "name": tool, "input": {"a": "x".repeat(bytes - around)}})
}

fn result(id: &str, bytes: usize) -> Value {
    user(&json!([{"type": "tool_result", "tool_use_id": id, "content": "x".repeat(bytes)}]))
}

fn compaction() -> Value {
    json!({"type": "system", "subtype": "compact_boundary", "sessionId": "s"})
}

fn with(mut line: Value, change: &Value) -> Value {
    for (key, value) in change.as_object().unwrap() {
        line[key] = value.clone();
    }
    line
}

fn fold(prices: &Prices, lines: &[Value]) -> ToolShares {
    let mut fold = ToolFold::new(prices);
    for line in lines {
        let (line, scratch) = (line.to_string(), Scratch::default());
        format::read(line.as_bytes(), &scratch).entries.iter().for_each(|entry| fold.push(entry));
    }
    fold.finish()
}

fn ledger(lines: &[Value]) -> Ledger {
    let mut ledger = Ledger::default();
    let mut feed = ledger.feed("s", None);
    for line in lines {
        let (line, scratch) = (line.to_string(), Scratch::default());
        for entry in &format::read(line.as_bytes(), &scratch).entries {
            ledger.push(&mut feed, entry);
        }
    }
    ledger
}

fn merged<'a>(files: impl Iterator<Item = &'a ToolShares>) -> ToolShares {
    files.fold(ToolShares::default(), |mut all, file| {
        all.merge(file);
        all
    })
}

/// All tools of a ledger; the conversation has no name.
fn tools(ledger: &Ledger, shares: &ToolShares) -> BTreeMap<String, ToolCounts> {
    let mut all: BTreeMap<String, ToolCounts> = BTreeMap::new();
    ledger.each(&Prices::default(), |post| {
        let mut sum = Money::ZERO;
        for part in shares.split(&post) {
            let figures = all.entry(part.tool.unwrap_or_default().to_owned()).or_default();
            let millionths = part.cost.dollars() * 1e6;
            *figures = (
                figures.0 + part.calls,
                figures.1 + part.input_tokens,
                figures.2 + part.result_tokens,
                figures.3 + millionths,
            );
            assert!(part.tool.is_none() || part.cost >= Money::ZERO);
            sum += part.cost;
        }
        assert_eq!(sum, post.cost.amount, "the parts add up");
    });
    all
}

/// The figures of one file's tools, with costs to a tenth of a millionth of a dollar.
fn figures(lines: &[Value]) -> Vec<(String, ToolCounts)> {
    let shares = fold(&Prices::default(), lines);
    let tools = tools(&ledger(lines), &shares);
    tools
        .into_iter()
        .map(|(tool, figures)| (tool, (figures.0, figures.1, figures.2, (figures.3 * 10.0).round() / 10.0)))
        .collect()
}

fn cost_of(tool: &str, lines: &[Value]) -> f64 {
    figures(lines).into_iter().find(|(name, _)| name == tool).map_or(0.0, |(_, figures)| figures.3)
}

/// A call, its result, and a reply to it.
fn session() -> Vec<Value> {
    vec![
        user(&json!("x".repeat(40))),
        reply("m1", [1000, 100, 0, 0], &[text(30), call("t1", "Bash", 70)]),
        result("t1", 900),
        reply("m2", [0, 50, 400, 1000], &[text(140)]),
        user(&json!("x".repeat(60))),
        reply("m3", [0, 20, 100, 1400], &[text(80)]),
    ]
}

/// Counts are exact, costs nearly so: shares are whole numbers.
fn assert_figures(lines: &[Value], expected: &[(&str, ToolCounts)]) {
    let found = figures(lines);
    let counts = |name: &str, figures: ToolCounts| (name.to_owned(), figures.0, figures.1, figures.2);
    assert_eq!(
        found.iter().map(|(name, figures)| counts(name, *figures)).collect::<Vec<_>>(),
        expected.iter().map(|(name, figures)| counts(name, *figures)).collect::<Vec<_>>()
    );
    for ((name, found), (_, expected)) in found.iter().zip(expected) {
        assert!((found.3 - expected.3).abs() < 1.0, "{name}: {} is not {}", found.3, expected.3);
    }
}

#[test]
fn a_tool_pays_for_writing_reading_and_rereading() {
    let session = session();
    // 70 of the 100 output tokens, at $25.
    let (bash, all) = (70.0 * 25.0, 1000.0 * 5.0 + 100.0 * 25.0);
    assert_figures(&session[..2], &[("", (0, 0, 0, all - bash)), ("Bash", (1, 70, 0, bash))]);
    // 970 of the 1,000 new bytes of the prompt, and so 388 of its 400 new tokens, at $6.25; 360 of them are the result.
    let (bash, all) = (bash + 388.0 * 6.25, all + 400.0 * 6.25 + 1000.0 * 0.5 + 50.0 * 25.0);
    assert_figures(&session[..4], &[("", (0, 0, 0, all - bash)), ("Bash", (1, 70, 360, bash))]);
    // The same 388 from the cache.
    let (bash, all) = (bash + 388.0 * 0.5, all + 100.0 * 6.25 + 1400.0 * 0.5 + 20.0 * 25.0);
    assert_figures(&session, &[("", (0, 0, 0, all - bash)), ("Bash", (1, 70, 360, bash))]);
}

/// Claude Code writes the result of a call before the message has ended.
#[test]
fn lines_of_a_message_may_have_results_between_them() {
    let (one, other) = (call("t1", "Bash", 50), call("t2", "Read", 50));
    let last = reply("m2", [0, 0, 400, 1000], &[]);
    let results = [result("t1", 300), result("t2", 400)];
    let whole = [reply("m1", [1000, 100, 0, 0], &[one.clone(), other.clone()]), results[0].clone(), results[1].clone()];
    let lines = [reply("m1", [1000, 1, 0, 0], &[one]), results[0].clone(), reply("m1", [1000, 100, 0, 0], &[other])];
    let whole = [&whole[..], std::slice::from_ref(&last)].concat();
    let lines = [&lines[..], &[results[1].clone(), last]].concat();
    assert_eq!(figures(&lines), figures(&whole));
    let read = |of: f64| of * 6.25;
    let written = 50.0 * 25.0;
    // 350 and 450 of 800 bytes are 175 and 225 of 400 tokens.
    let (bash, reading) = (written + read(175.0), written + read(225.0));
    assert_figures(&lines, &[("", (0, 0, 0, 5500.0)), ("Bash", (1, 50, 150, bash)), ("Read", (1, 50, 200, reading))]);
}

#[test]
fn after_a_compaction_no_tool_is_left() {
    let mut lines = session();
    let before = cost_of("Bash", &lines);
    lines.extend([compaction(), user(&json!("x".repeat(400))), reply("m4", [0, 10, 1600, 0], &[text(40)])]);
    assert_eq!(cost_of("Bash", &lines), before);
}

/// A file does not record everything that happens to a context.
#[test]
fn a_smaller_prompt_shrinks_every_share() {
    let before = cost_of("Bash", &session());
    let shrunk = |prompt: u32| {
        let lines = [&session()[..], &[reply("m4", [0, 0, 0, prompt], &[])]].concat();
        cost_of("Bash", &lines) - before
    };
    // 80 new bytes are 20 tokens. The tool had 388 of 1,500 tokens, and still has 380 of 1,490.
    assert!((shrunk(1490) - 380.0 * 0.5).abs() < 1.0, "{}", shrunk(1490));
    assert_eq!(shrunk(700), 0.0);
}

#[test]
fn unseen_growth_is_not_the_tools() {
    // A hundred bytes are at most fifty tokens; the others are of unknown origin.
    let lines =
        [reply("m1", [1000, 0, 0, 0], &[call("t", "Bash", 20)]), result("t", 80), reply("m2", [0, 0, 900, 1000], &[])];
    assert_figures(&lines, &[("", (0, 0, 0, 5000.0 + 500.0 + 850.0 * 6.25)), ("Bash", (1, 0, 40, 50.0 * 6.25))]);
}

#[test]
fn images_are_smaller_than_their_data() {
    let image = json!({"type": "image", "source": {"type": "base64", "data": "x".repeat(400_000)}});
    let content = json!([{"type": "tool_result", "tool_use_id": "t", "content": [image]}]);
    let lines = [
        reply("m1", [1000, 0, 0, 0], &[call("t", "Read", 3000), text(3000)]),
        user(&content),
        reply("m2", [0, 0, 3000, 1000], &[]),
    ];
    // 6,000 of 12,000 bytes.
    assert_eq!(figures(&lines)[1].1.2, 1500);
}

#[test]
fn inline_subagents_have_their_own_contexts() {
    let side = |line: Value| with(line, &json!({"isSidechain": true}));
    let agent = [
        side(reply("a1", [500, 100, 0, 0], &[call("t9", "Grep", 100)])),
        side(result("t9", 500)),
        side(reply("a2", [0, 100, 300, 500], &[text(100)])),
    ];
    let mut mixed = session();
    for (at, line) in [(2, &agent[0]), (4, &agent[1]), (6, &agent[2])] {
        mixed.insert(at, line.clone());
    }
    assert_eq!(cost_of("Bash", &mixed), cost_of("Bash", &session()));
    assert_eq!(cost_of("Grep", &mixed), cost_of("Grep", &agent));
}

#[test]
fn searches_at_the_api_belong_to_a_tool() {
    let search = json!({"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}});
    let found = json!({"type": "web_search_tool_result", "tool_use_id": "s1", "content": ["x".repeat(796)]});
    let mut line = reply("m1", [1000, 100, 0, 0], &[search, found]);
    line["message"]["usage"]["server_tool_use"] = json!({"web_search_requests": 2});
    let lines = [line, reply("m2", [0, 0, 410, 1000], &[])];
    // The query is all of the output, and each search costs $0.01; 800 of 823 bytes are search results.
    let cost = 100.0 * 25.0 + 20_000.0 + 410.0 * 6.25;
    assert_figures(&lines, &[("", (0, 0, 0, 5500.0)), ("web_search", (1, 100, 398, cost))]);
}

#[test]
fn without_a_price_the_usual_ratios_apply() {
    let mut line = reply("m1", [1000, 100, 0, 0], &[text(50), call("t", "Bash", 50)]);
    line["message"]["model"] = json!("someone-elses");
    assert_figures(&[line.clone()], &[("", (0, 0, 0, 0.0)), ("Bash", (1, 50, 0, 0.0))]);
    // A stated amount: 50 output tokens are 250 of 1,500.
    line["costUSD"] = json!(0.003);
    assert_figures(&[line], &[("", (0, 0, 0, 2500.0)), ("Bash", (1, 50, 0, 500.0))]);
}

#[test]
fn copies_count_once() {
    let prices = Prices::default();
    let session = session();
    let mut resumed = session.clone();
    resumed.extend([reply("m4", [0, 0, 100, 1500], &[])]);
    // A file that begins in the middle does not know the result's call.
    let torn = &session[2..];
    let ledger = ledger(&[&session[..], &resumed, torn].concat());
    let files = [fold(&prices, &session), fold(&prices, &resumed), fold(&prices, torn)];
    let expected = tools(&self::ledger(&resumed), &files[1]);
    assert_eq!(expected["Bash"].0, 1);
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [2, 0, 1]] {
        assert_eq!(tools(&ledger, &merged(order.iter().map(|file| &files[*file]))), expected);
    }
}

#[test]
fn duplicate_lines_change_nothing() {
    let twice = [session(), session()].concat();
    assert_eq!(figures(&twice), figures(&session()));
}

/// Every amount and count equals that of the posts, in any reading order.
#[test]
fn the_corpus_adds_up() {
    let Some(folder) = shared::folder("corpus") else { return };
    let prices = Prices::default();
    let mut files = Vec::new();
    for source in sources::find_at(std::slice::from_ref(&folder)).sources {
        let mut fold = ToolFold::new(&prices);
        let mut buffer = Buffer::default();
        let mut lines = Lines::new(source.open().unwrap(), &mut buffer);
        while let Some(line) = lines.next_line().unwrap() {
            let scratch = Scratch::default();
            format::read(line.bytes, &scratch).entries.iter().for_each(|entry| fold.push(entry));
        }
        files.push(fold.finish());
    }
    let (forth, back) = (merged(files.iter()), merged(files.iter().rev()));
    let ledger = root::read(&[folder]).ledger;
    let all = tools(&ledger, &forth);
    assert_eq!(all, tools(&ledger, &back));
    let calls: u64 = all.values().map(|figures| figures.0).sum();
    assert!(calls > 1000, "{calls}");
}

/// Lines with a few ids, tools and sizes.
fn any_line() -> impl Strategy<Value = Value> {
    let ids = (0..5_u8, 0..6_u8, 0..4_u8);
    let sizes = (0..2000_u32, 0..200_u32, 0..500_u32, 0..3000_u32, 10..500_usize);
    (0..6_u8, ids, sizes, prop::bool::weighted(0.2)).prop_map(|(kind, ids, sizes, side)| {
        let (message, id, tool) = ids;
        let (input, output, written, read, bytes) = sizes;
        let (id, tool) = (format!("t{id}"), format!("T{tool}"));
        let usage = [input, output, written, read];
        let line = match kind {
            0 => user(&json!("x".repeat(bytes))),
            1 | 2 => result(&id, bytes),
            3 => reply(&format!("m{message}"), usage, &[text(bytes)]),
            4 if tool == "T0" => compaction(),
            _ => reply(&format!("m{message}"), usage, &[call(&id, &tool, bytes)]),
        };
        if side { with(line, &json!({"isSidechain": true})) } else { line }
    })
}

proptest! {
    #[test]
    fn files_can_be_merged_in_any_order(files in prop::collection::vec(prop::collection::vec(any_line(), 0..12), 1..5)) {
        let prices = Prices::default();
        let ledger = ledger(&files.concat());
        let shares: Vec<_> = files.iter().map(|lines| fold(&prices, lines)).collect();
        let (forth, back) = (merged(shares.iter()), merged(shares.iter().rev()));
        prop_assert_eq!(tools(&ledger, &forth), tools(&ledger, &back));
    }
}
