//! Words, sentences, names, paths and Markdown.

use std::sync::LazyLock;

use crate::rng::{Rng, Words};

const NOUNS: &[&str] = &[
    "account",
    "adapter",
    "batch",
    "branch",
    "buffer",
    "bucket",
    "cache",
    "cart",
    "channel",
    "checksum",
    "client",
    "clock",
    "column",
    "config",
    "context",
    "counter",
    "cursor",
    "deadline",
    "digest",
    "entry",
    "event",
    "export",
    "field",
    "filter",
    "flag",
    "folder",
    "frame",
    "gateway",
    "handler",
    "header",
    "index",
    "invoice",
    "item",
    "job",
    "key",
    "label",
    "layout",
    "ledger",
    "limit",
    "line",
    "loader",
    "lock",
    "logger",
    "message",
    "metric",
    "migration",
    "module",
    "monitor",
    "node",
    "order",
    "owner",
    "packet",
    "page",
    "parser",
    "patch",
    "payload",
    "payment",
    "plan",
    "policy",
    "pool",
    "port",
    "prefix",
    "price",
    "profile",
    "query",
    "queue",
    "quota",
    "record",
    "region",
    "report",
    "request",
    "response",
    "result",
    "retry",
    "route",
    "row",
    "rule",
    "schema",
    "scope",
    "segment",
    "session",
    "shard",
    "signal",
    "snapshot",
    "socket",
    "source",
    "span",
    "state",
    "status",
    "stock",
    "storage",
    "stream",
    "suite",
    "table",
    "target",
    "task",
    "template",
    "tenant",
    "ticket",
    "timeout",
    "token",
    "total",
    "trace",
    "upload",
    "user",
    "value",
    "vendor",
    "version",
    "view",
    "window",
    "worker",
];

const VERBS: &[&str] = &[
    "add",
    "apply",
    "build",
    "check",
    "clear",
    "close",
    "collect",
    "commit",
    "compare",
    "copy",
    "count",
    "create",
    "delete",
    "drop",
    "emit",
    "encode",
    "expand",
    "fetch",
    "find",
    "flush",
    "format",
    "handle",
    "insert",
    "join",
    "keep",
    "load",
    "log",
    "map",
    "mark",
    "match",
    "merge",
    "move",
    "normalise",
    "open",
    "parse",
    "poll",
    "print",
    "publish",
    "push",
    "read",
    "refresh",
    "release",
    "remove",
    "render",
    "replace",
    "reset",
    "resolve",
    "resume",
    "return",
    "run",
    "save",
    "scan",
    "schedule",
    "send",
    "skip",
    "sort",
    "split",
    "start",
    "stop",
    "store",
    "trim",
    "update",
    "validate",
    "verify",
    "wait",
    "wrap",
    "write",
];

const GLUE: &[&str] = &[
    "the",
    "the",
    "the",
    "a",
    "this",
    "that",
    "each",
    "and",
    "but",
    "so",
    "because",
    "when",
    "if",
    "only",
    "after",
    "before",
    "with",
    "without",
    "for",
    "from",
    "into",
    "of",
    "to",
    "in",
    "on",
    "is",
    "was",
    "should",
    "must",
    "now",
    "still",
    "already",
    "not",
    "no longer",
    "instead of",
    "as well as",
];

/// Non-ASCII words, as in comments, names and answers.
const FOREIGN: &[&str] = &[
    "→",
    "—",
    "…",
    "✓",
    "✗",
    "naïve",
    "café",
    "Größe",
    "größer",
    "número",
    "déjà vu",
    "日本語",
    "の値を確認",
    "проверка",
    "测试数据",
    "🚀",
    "“quoted”",
    "≥",
    "×",
    "µs",
];

/// First names for branches and users.
pub(crate) const NAMES: &[&str] = &["ana", "ben", "chloe", "dmitri", "emi", "farid", "greta", "hugo"];

const ADJECTIVES: &[&str] =
    &["amber", "brisk", "calm", "dapper", "eager", "foamy", "gentle", "humming", "jolly", "keen"];
const ACTIONS: &[&str] =
    &["baking", "conjuring", "drifting", "floating", "gliding", "humming", "knitting", "wandering"];
const CREATURES: &[&str] = &["crane", "dolphin", "falcon", "heron", "lynx", "marmot", "otter", "puffin", "wren"];

const AREAS: &[&str] =
    &["src", "src/api", "src/core", "src/store", "lib", "tests", "app/models", "internal/queue", "web"];

/// Invented words, for texts with natural words.
static RARE: LazyLock<Vec<String>> = LazyLock::new(|| {
    const STARTS: [&str; 16] = ["b", "br", "c", "d", "f", "g", "gr", "h", "k", "l", "m", "n", "p", "s", "tr", "v"];
    const MIDDLES: [&str; 16] =
        ["ab", "ad", "al", "an", "ar", "el", "en", "er", "il", "in", "ol", "on", "or", "ul", "un", "ur"];
    const ENDS: [&str; 20] = [
        "ade", "age", "ane", "ant", "are", "ate", "el", "ent", "er", "et", "ic", "ier", "ine", "ion", "ist", "ite",
        "or", "ose", "ule", "us",
    ];
    let words = STARTS.iter().flat_map(|start| MIDDLES.iter().map(move |middle| format!("{start}{middle}")));
    words.flat_map(|word| ENDS.iter().map(move |end| format!("{word}{end}"))).collect()
});

/// This many words of a kind are about as common as the most common one: people have more than one topic.
const HEAD: usize = 32;

/// A number below `count`, smaller ones more often, but flat below about `head`.
fn rank(head: usize, count: usize, rng: &mut Rng) -> usize {
    let end = (count + head).next_power_of_two() - 1;
    (rng.log_between(head, end) - head) % count
}

/// A word of a list. With natural words, the first ones occur more often.
fn common(list: &[&'static str], rng: &mut Rng) -> &'static str {
    match rng.words() {
        Words::Few => rng.pick::<str>(list),
        Words::Natural => list.get(rank(HEAD, list.len(), rng)).copied().unwrap_or_default(),
    }
}

/// The same, or a rare word with natural words.
fn any(list: &[&'static str], rng: &mut Rng) -> &'static str {
    if rng.words() == Words::Few {
        return common(list, rng);
    }
    let rank = rank(HEAD, list.len() + RARE.len(), rng);
    let rare = rank.checked_sub(list.len()).and_then(|rank| RARE.get(rank)).map(String::as_str);
    list.get(rank).copied().or(rare).unwrap_or_default()
}

/// A function word. A few of them are everywhere.
fn glue(rng: &mut Rng) -> &'static str {
    match rng.words() {
        Words::Few => rng.pick::<str>(GLUE),
        Words::Natural => GLUE.get(rank(1, GLUE.len(), rng)).copied().unwrap_or_default(),
    }
}

/// A technical noun.
pub(crate) fn noun(rng: &mut Rng) -> &'static str {
    any(NOUNS, rng)
}

/// A noun for names.
fn part(rng: &mut Rng) -> &'static str {
    common(NOUNS, rng)
}

/// `retry_queue`.
pub(crate) fn identifier(rng: &mut Rng, out: &mut String) {
    match rng.below(4) {
        0 => out.push_str(part(rng)),
        1 => {
            out.push_str(common(VERBS, rng));
            out.push('_');
            out.push_str(part(rng));
        }
        _ => {
            out.push_str(part(rng));
            out.push('_');
            out.push_str(part(rng));
        }
    }
}

/// `RetryQueue`.
pub(crate) fn type_name(rng: &mut Rng, out: &mut String) {
    for _ in 0..2 {
        out.push_str(&capitalised(part(rng)));
    }
}

/// The word with a capital letter.
pub(crate) fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

/// Fills a template: `$i` identifier, `$t` type, `$n` number, `$w` word, `$v` verb, `$x` hexadecimal, `$f` a non-ASCII
/// word.
pub(crate) fn fill(template: &str, rng: &mut Rng, out: &mut String) {
    let mut parts = template.split('$');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let mut letters = part.chars();
        match letters.next() {
            Some('i') => identifier(rng, out),
            Some('t') => type_name(rng, out),
            Some('n') => out.push_str(&rng.log_between(1, 9000).to_string()),
            Some('w') => out.push_str(noun(rng)),
            Some('v') => out.push_str(any(VERBS, rng)),
            Some('x') => out.push_str(&rng.hex(7)),
            Some('f') => out.push_str(rng.pick::<str>(FOREIGN)),
            Some(other) => out.push(other),
            None => {}
        }
        out.push_str(letters.as_str());
    }
}

/// `update the retry queue`: a short description.
pub(crate) fn phrase(rng: &mut Rng) -> String {
    let mut text = String::new();
    fill(
        rng.pick::<str>(&["$v the $w $w", "$v $w and $v $w", "$v $w for each $w", "$v missing $w $w"]),
        rng,
        &mut text,
    );
    text
}

/// One sentence with a full stop.
pub(crate) fn sentence(rng: &mut Rng, out: &mut String) {
    let length = rng.between(5, 16);
    let mut word = capitalised(glue(rng));
    for position in 0..length {
        out.push_str(&word);
        if position + 1 == length {
            break;
        }
        out.push_str(if rng.chance(6) { ", " } else { " " });
        word.clear();
        match rng.below(40) {
            0 => word.push_str(rng.pick::<str>(FOREIGN)),
            1 => fill("\"$w $w\"", rng, &mut word),
            2 | 3 => fill("`$i`", rng, &mut word),
            4..=20 => word.push_str(glue(rng)),
            21..=28 => word.push_str(any(VERBS, rng)),
            _ => word.push_str(noun(rng)),
        }
    }
    out.push('.');
}

/// Sentences in paragraphs, about `length` bytes.
pub(crate) fn prose(rng: &mut Rng, length: usize) -> String {
    let mut text = String::with_capacity(length + 120);
    while text.len() < length {
        sentence(rng, &mut text);
        text.push_str(if rng.chance(18) { "\n\n" } else { " " });
    }
    text.truncate(text.trim_end().len());
    text
}

/// Headings, lists, tables and fenced code, about `length` bytes.
pub(crate) fn markdown(rng: &mut Rng, length: usize) -> String {
    let mut text = String::with_capacity(length + 400);
    while text.len() < length {
        match rng.below(7) {
            0 => {
                text.push_str("## ");
                text.push_str(&capitalised(&phrase(rng)));
            }
            1 | 2 => {
                for _ in 0..rng.between(2, 5) {
                    fill("- **$w $w**: ", rng, &mut text);
                    sentence(rng, &mut text);
                    text.push('\n');
                }
            }
            3 => {
                text.push_str("| file | change |\n|---|---|\n");
                for _ in 0..rng.between(2, 4) {
                    fill("| `src/$i.rs` | $v $w ($n lines) |\n", rng, &mut text);
                }
            }
            4 => {
                text.push_str("```rust\n");
                let wanted = rng.between(80, 500);
                text.push_str(&super::code(rng, super::Language::Rust, wanted));
                text.push_str("```");
            }
            _ => {
                for _ in 0..rng.between(1, 4) {
                    sentence(rng, &mut text);
                    text.push(' ');
                }
            }
        }
        text.push_str("\n\n");
    }
    text.truncate(text.trim_end().len());
    text
}

/// A three-word nickname like `foamy-conjuring-crane`.
pub(crate) fn nickname(rng: &mut Rng) -> String {
    format!("{}-{}-{}", rng.pick::<str>(ADJECTIVES), rng.pick::<str>(ACTIONS), rng.pick::<str>(CREATURES))
}

/// A project directory like `/home/ana/work/order-gateway`.
pub(crate) fn directory(rng: &mut Rng) -> String {
    let name = rng.pick::<str>(NAMES);
    let project = format!("{}{}{}", noun(rng), rng.pick::<str>(&["-", "_", "."]), noun(rng));
    match rng.below(4) {
        0 => format!("/Users/{name}/code/{project}"),
        1 => format!("/home/{name}/{project}"),
        _ => format!("/home/{name}/work/{project}"),
    }
}

/// A project directory on Windows, like `C:\Users\ana\work\order-gateway`.
pub(crate) fn windows_directory(rng: &mut Rng) -> String {
    let name = rng.pick::<str>(NAMES);
    format!("C:\\Users\\{name}\\work\\{}-{}", noun(rng), noun(rng))
}

/// A path below `root`, with the separators of `root`.
pub(crate) fn join(root: &str, below: &str) -> String {
    if root.contains('\\') { format!("{root}\\{}", below.replace('/', "\\")) } else { format!("{root}/{below}") }
}

/// A file below `root` with this extension.
pub(crate) fn file_name(rng: &mut Rng, root: &str, ending: &str) -> String {
    let mut below = format!("{}/", rng.pick::<str>(AREAS));
    identifier(rng, &mut below);
    below.push_str(ending);
    join(root, &below)
}
