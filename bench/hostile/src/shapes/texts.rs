//! Texts: tags, Markdown, terminal sequences, lines that are hard to wrap.

use super::Shape;
use crate::writer::{Writer, pieces};

/// A shape of a reply.
macro_rules! reply {
    ($name:literal, $base:literal, $text:expr) => {
        Shape { name: $name, base: $base, write: |w, n| w.reply(&said($text, n)) }
    };
}

/// A shape of a prompt.
macro_rules! prompt {
    ($name:literal, $base:literal, $text:expr) => {
        Shape { name: $name, base: $base, write: |w, n| w.prompt(&said($text, n)) }
    };
}

/// A shape of the output of a command.
macro_rules! output {
    ($name:literal, $base:literal, $text:expr) => {
        Shape { name: $name, base: $base, write: |w, n| output(w, &said($text, n)) }
    };
}

pub(crate) const SHAPES: &[Shape] = &[
    prompt!("prompt-words", 20_000, |n| "word ".repeat(n)),
    prompt!("prompt-without-spaces", 100_000, |n| "x".repeat(n)),
    prompt!("prompt-lines", 20_000, |n| "x\n".repeat(n)),
    prompt!("prompt-white-space", 100_000, |n| format!("a{}b", " ".repeat(n))),
    prompt!("prompt-of-white-space", 100_000, |n| " \n".repeat(n)),
    prompt!("prompt-tabs", 20_000, |n| "\tx".repeat(n)),
    prompt!("reminders", 2000, |n| "<system-reminder>x</system-reminder>\n".repeat(n)),
    prompt!("reminders-without-end", 5000, |n| "<system-reminder>x ".repeat(n)),
    prompt!("reminder-ends", 5000, |n| "</system-reminder> x ".repeat(n)),
    prompt!("command-names", 5000, |n| "<command-name>x".repeat(n)),
    prompt!("commands", 2000, |n| "<command-name>/x</command-name><command-message>x</command-message>".repeat(n)),
    prompt!("angle-brackets", 50_000, |n| "<".repeat(n)),
    prompt!("opening-tags", 20_000, |n| "<a ".repeat(n)),
    prompt!("nested-tags", 10_000, |n| format!("{}{}", "<a>".repeat(n), "</a>".repeat(n))),
    prompt!("different-tags", 5000, |n| pieces(n, |k| format!("<t{k}>x</t{k}>"))),
    prompt!("stdout-tags", 5000, |n| "<local-command-stdout>x</local-command-stdout>".repeat(n)),
    prompt!("teammates", 2000, |n| "<teammate-message teammate_id=\"a\">x</teammate-message>".repeat(n)),
    prompt!("notifications", 2000, |n| {
        "<task-notification><task-id>a</task-id><status>completed</status><summary>x</summary></task-notification>"
            .repeat(n)
    }),
    prompt!("interruptions", 5000, |n| "[Request interrupted by user]".repeat(n)),
    prompt!("attribute-quotes", 20_000, |n| format!("<teammate-message {}", "a=\"".repeat(n))),
    prompt!("pastes", 5000, |n| pieces(n, |k| format!("[Pasted text #{k} +3 lines] "))),
    prompt!("mentions", 5000, |n| pieces(n, |k| format!("@src/file{k}.rs "))),
    prompt!("links-in-prompts", 5000, |n| pieces(n, |k| format!("https://example.com/{k} "))),
    prompt!("right-to-left", 20_000, |n| "\u{202e}x".repeat(n)),
    prompt!("combining-characters", 20_000, |n| format!("e{}", "\u{301}".repeat(n))),
    prompt!("joined-emoji", 10_000, |n| "👩\u{200d}".repeat(n)),
    prompt!("wide-characters", 20_000, |n| "園".repeat(n)),
    prompt!("invisible-characters", 20_000, |n| "\u{200b}".repeat(n)),
    reply!("nested-lists", 300, |n| pieces(n, |k| format!("{}- x\n", "  ".repeat(k % 60)))),
    reply!("deep-list-on-one-line", 3000, |n| format!("{}x", "- ".repeat(n))),
    reply!("deep-quote", 3000, |n| format!("{}x", "> ".repeat(n))),
    reply!("quote-lines", 5000, |n| pieces(n, |k| format!("{}x\n", "> ".repeat(k % 20 + 1)))),
    reply!("list-items", 5000, |n| "- x\n".repeat(n)),
    reply!("loose-list-items", 5000, |n| "1. x\n\n".repeat(n)),
    reply!("task-list-items", 5000, |n| "- [ ] x\n".repeat(n)),
    reply!("backticks", 20_000, |n| "`".repeat(n)),
    reply!("backtick-runs", 300, |n| pieces(n, |k| format!("{} ", "`".repeat(k % 80 + 1)))),
    reply!("open-code", 10_000, |n| "`a ".repeat(n)),
    reply!("open-brackets", 20_000, |n| "[".repeat(n)),
    reply!("open-links", 10_000, |n| "[a](".repeat(n)),
    reply!("bracket-pairs", 10_000, |n| format!("{}{}", "[".repeat(n), "]".repeat(n))),
    reply!("open-images", 10_000, |n| "![a](".repeat(n)),
    reply!("link-references", 5000, |n| pieces(n, |k| format!("[a{k}]: /u\n"))),
    reply!("links-to-one-reference", 5000, |n| format!("[a]: /u\n\n{}", "[a] ".repeat(n))),
    reply!("emphasis", 10_000, |n| "*a **b ".repeat(n)),
    reply!("underscores", 20_000, |n| "_a__".repeat(n)),
    reply!("tildes", 20_000, |n| "~a~~".repeat(n)),
    reply!("headings", 5000, |n| "# x\n".repeat(n)),
    reply!("setext-headings", 5000, |n| "x\n---\n".repeat(n)),
    reply!("wide-table", 2000, |n| format!("|{}\n|{}\n|{}\n", "a|".repeat(n), "-|".repeat(n), "b|".repeat(n))),
    reply!("wide-table-short-rows", 300, |n| format!(
        "|{}\n|{}\n{}",
        "a|".repeat(n),
        "-|".repeat(n),
        "|b|\n".repeat(n)
    )),
    reply!("long-table", 3000, |n| format!("|a|b|\n|-|-|\n{}", "|x|y|\n".repeat(n))),
    reply!("table-of-wide-cells", 500, |n| format!(
        "|a|b|\n|-|-|\n{}",
        format!("|{}|y|\n", "word ".repeat(20)).repeat(n)
    )),
    reply!("pipes", 20_000, |n| "|".repeat(n)),
    reply!("fences", 3000, |n| "```rust\nlet x = 1;\n```\n".repeat(n)),
    reply!("open-fences", 5000, |n| pieces(n, |k| format!("{}\n", "`".repeat(3 + k % 5)))),
    reply!("html", 10_000, |n| "<b>x".repeat(n)),
    reply!("html-comments", 10_000, |n| "<!-- ".repeat(n)),
    reply!("html-questions", 10_000, |n| "a <?".repeat(n)),
    reply!("html-declarations", 10_000, |n| "a <!A ".repeat(n)),
    reply!("html-cdata", 10_000, |n| "a <![CDATA[".repeat(n)),
    reply!("entities", 10_000, |n| "&amp;&#65;&x".repeat(n)),
    reply!("autolinks", 5000, |n| pieces(n, |k| format!("<https://example.com/{k}> "))),
    reply!("bare-links", 5000, |n| pieces(n, |k| format!("https://example.com/{k}) "))),
    reply!("footnotes", 3000, |n| pieces(n, |k| format!("x[^{k}]\n\n[^{k}]: y\n\n"))),
    reply!("backslashes", 50_000, |n| "\\".repeat(n)),
    reply!("dollars", 20_000, |n| "$a".repeat(n)),
    reply!("rulers", 10_000, |n| "---\n\n".repeat(n)),
    reply!("hard-breaks", 10_000, |n| "x  \n".repeat(n)),
    reply!("reply-without-spaces", 100_000, |n| "x".repeat(n)),
    reply!("files-in-reply", 5000, |n| pieces(n, |k| format!("`src/file{k}.rs:{k}` "))),
    output!("output-lines", 10_000, |n| "x\n".repeat(n)),
    output!("output-without-spaces", 200_000, |n| "x".repeat(n)),
    output!("output-spaces", 200_000, |n| " ".repeat(n) + "x"),
    output!("colours", 5000, |n| "\u{1b}[31mx\u{1b}[0m".repeat(n)),
    output!("colours-without-end", 20_000, |n| "\u{1b}[31".repeat(n)),
    output!("escape-characters", 50_000, |n| "\u{1b}".repeat(n)),
    output!("escape-parameters", 50_000, |n| format!("\u{1b}[{}m", "1;".repeat(n))),
    output!("open-titles", 20_000, |n| "\u{1b}]0;x".repeat(n)),
    output!("open-hyperlinks", 20_000, |n| "\u{1b}]8;;http://x".repeat(n)),
    output!("hyperlinks", 2000, |n| "\u{1b}]8;;http://x\u{1b}\\y\u{1b}]8;;\u{1b}\\".repeat(n)),
    output!("device-strings", 20_000, |n| "\u{1b}Px".repeat(n)),
    output!("eight-bit-sequences", 20_000, |n| "\u{9b}31mx\u{9d}".repeat(n)),
    output!("carriage-returns", 20_000, |n| "50%\r".repeat(n)),
    output!("backspaces", 20_000, |n| format!("{}{}", "x".repeat(n), "\u{8}".repeat(n))),
    output!("cursor-moves", 10_000, |n| "x\u{1b}[1A\u{1b}[2K".repeat(n)),
    output!("cursor-columns", 10_000, |n| "x\u{1b}[500G".repeat(n)),
    output!("json-output", 5000, |n| format!("[{}1]", pieces(n, |k| format!("{{\"a\":{k}}},")))),
    output!("json-lines-output", 5000, |n| pieces(n, |k| format!("{{\"a\":{k}}}\n"))),
    output!("deep-json-output", 50_000, |n| format!("{}{}", "[".repeat(n), "]".repeat(n))),
    output!("diff-output", 3000, |n| format!("--- a/x\n+++ b/x\n@@ -1 +1 @@\n{}", "-a\n+b\n".repeat(n))),
    output!("diff-heads-output", 3000, |n| "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n".repeat(n)),
    output!("stack-trace-output", 5000, |n| "  File \"/w/a.py\", line 3, in f\n    raise X\n".repeat(n)),
    output!("commits-output", 3000, |n| pieces(n, |k| format!("[main {k:07x}] dig\n"))),
    output!("pull-requests-output", 3000, |n| pieces(n, |k| format!("https://github.com/w/shop/pull/{k}\n"))),
];

fn said(text: fn(usize) -> String, n: usize) -> String {
    text(n)
}

fn output(w: &mut Writer, text: &str) {
    let structured = serde_json::json!({"stdout": text, "stderr": "", "interrupted": false});
    w.call("Bash", &serde_json::json!({"command": "git commit -m x && gh pr create"}), text, &structured);
}
