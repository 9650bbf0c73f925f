//! Glob, Grep, LS, the web, tool search and MCP servers.

use super::{Call, Outcome, Workplace, text_block};
use crate::json::Json;
use crate::text;
use crate::{array, object};

/// Files by pattern.
pub(super) fn glob(place: &mut Workplace) -> Call {
    let count = place.rng.log_between(1, 60);
    let files = text::listing(&mut place.rng, &place.cwd, count);
    let content = files.join("\n");
    let result = object! {
        "filenames" => files, "durationMs" => place.rng.between(4, 300), "numFiles" => count, "truncated" => false,
    };
    let pattern = place.rng.pick::<str>(&["**/*.rs", "src/**/*.ts", "**/test_*.py", "*.md"]);
    Call { name: "Glob".to_owned(), input: object! { "pattern" => pattern }, outcome: Outcome::done(content, result) }
}

/// Lines by pattern.
pub(super) fn grep(place: &mut Workplace) -> Call {
    let mut pattern = String::new();
    text::fill("$t\\(|\"$w\"", &mut place.rng, &mut pattern);
    let input = object! { "pattern" => pattern, "path" => place.cwd.as_str() };
    if place.rng.chance(20) {
        let count = place.rng.between(1, 30);
        let files = text::listing(&mut place.rng, &place.cwd, count);
        let content = format!("Found {count} files\n{}", files.join("\n"));
        let result = object! { "mode" => "files_with_matches", "filenames" => files, "numFiles" => count };
        return Call { name: "Grep".to_owned(), input, outcome: Outcome::done(content, result) };
    }
    let length = place.rng.log_between(60, 6000);
    let content = text::grep_output(&mut place.rng, &place.cwd, length);
    let result = object! {
        "mode" => "content", "numFiles" => 0, "filenames" => array![], "content" => content.as_str(),
        "numLines" => content.lines().count(),
    };
    let input = input.with("output_mode", "content").with("-n", true);
    Call { name: "Grep".to_owned(), input, outcome: Outcome::done(content, result) }
}

/// A directory tree, whose structured result is plain text.
pub(super) fn list_directory(place: &mut Workplace) -> Call {
    let mut tree = format!("- {}/\n", place.cwd);
    for _ in 0..place.rng.between(3, 40) {
        text::fill("  - $w/\n    - $i.py\n", &mut place.rng, &mut tree);
    }
    Call {
        name: "LS".to_owned(),
        input: object! { "path" => place.cwd.as_str() },
        outcome: Outcome::done(tree.as_str(), tree.as_str()),
    }
}

/// A web search; results mix objects and commentary.
pub(super) fn web_search(place: &mut Workplace) -> Call {
    let query = text::phrase(&mut place.rng);
    let mut hits = Vec::new();
    for _ in 0..place.rng.between(3, 9) {
        let (mut title, mut url) = (String::new(), "https://".to_owned());
        text::fill("$t $w – $v $w guide", &mut place.rng, &mut title);
        text::fill("docs.example.com/$w/$i?v=$n", &mut place.rng, &mut url);
        hits.push(object! { "title" => title, "url" => url });
    }
    let commentary = text::markdown(&mut place.rng, 1500);
    let content =
        format!("Web search results for query: \"{query}\"\n\nLinks: {}\n\n{commentary}", Json::from(hits.clone()));
    let id = format!("srvtoolu_01{}", place.rng.base62(22));
    let result = object! {
        "query" => query.as_str(),
        "results" => array![object! { "tool_use_id" => id, "content" => hits }, commentary],
        "durationSeconds" => 4.218_773_541,
    };
    Call { name: "WebSearch".to_owned(), input: object! { "query" => query }, outcome: Outcome::done(content, result) }
}

/// Fetches a page.
pub(super) fn web_fetch(place: &mut Workplace) -> Call {
    let mut url = "https://".to_owned();
    text::fill("docs.example.org/$w/$i.html", &mut place.rng, &mut url);
    let length = place.rng.log_between(300, 3000);
    let answer = text::markdown(&mut place.rng, length);
    let result = object! {
        "bytes" => place.rng.between(2000, 400_000), "code" => 200, "codeText" => "OK", "result" => answer.as_str(),
        "durationMs" => place.rng.between(300, 9000), "url" => url.as_str(),
    };
    Call {
        name: "WebFetch".to_owned(),
        input: object! { "url" => url, "prompt" => "What are the limits?" },
        outcome: Outcome::done(answer, result),
    }
}

/// Loads deferred tools.
pub(super) fn tool_search(_place: &mut Workplace) -> Call {
    let query = "select:WebFetch,WebSearch";
    let references = array![
        object! { "type" => "tool_reference", "tool_name" => "WebFetch" },
        object! { "type" => "tool_reference", "tool_name" => "WebSearch" },
    ];
    let result =
        object! { "matches" => array!["WebFetch", "WebSearch"], "query" => query, "total_deferred_tools" => 17 };
    Call {
        name: "ToolSearch".to_owned(),
        input: object! { "query" => query, "max_results" => 5 },
        outcome: Outcome::done(references, result),
    }
}

/// A tool of an MCP server, which answers with blocks.
pub(super) fn mcp(place: &mut Workplace) -> Call {
    let name = place.rng.pick::<str>(&[
        "mcp__linear__get_issue",
        "mcp__plugin_context7_context7__query-docs",
        "mcp__browser__get_page_text",
    ]);
    let answer = text::markdown(&mut place.rng, 900);
    let blocks = array![text_block(answer)];
    Call {
        name: name.to_owned(),
        input: object! { "id" => "SHOP-139", "query" => text::phrase(&mut place.rng) },
        outcome: Outcome::done(blocks.clone(), blocks),
    }
}
