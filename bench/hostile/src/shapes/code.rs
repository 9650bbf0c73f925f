//! Code of several languages, as the lexers see it, and the differences between files.

use serde_json::{Value, json};

use super::Shape;
use crate::writer::{Writer, pieces};

/// A file that is written with content in the language of its name.
macro_rules! file {
    ($name:literal, $path:literal, $base:literal, $text:expr) => {
        Shape { name: $name, base: $base, write: |w, n| written(w, $path, $text, n) }
    };
}

/// An edit from one text to another.
macro_rules! edit {
    ($name:literal, $base:literal, $old:expr, $new:expr) => {
        Shape { name: $name, base: $base, write: |w, n| edited(w, $old, $new, n) }
    };
}

pub(crate) const SHAPES: &[Shape] = &[
    file!("rust-comments", "/w/a.rs", 20_000, |n| "/*".repeat(n)),
    file!("rust-raw-strings", "/w/a.rs", 10_000, |n| "r#\"".repeat(n)),
    file!("rust-hashes", "/w/a.rs", 50_000, |n| format!("r{}", "#".repeat(n))),
    file!("rust-lifetimes", "/w/a.rs", 20_000, |n| "'a".repeat(n)),
    file!("script-templates", "/w/a.js", 20_000, |n| "`${".repeat(n)),
    file!("script-slashes", "/w/a.js", 20_000, |n| "a/b ".repeat(n)),
    file!("python-quotes", "/w/a.py", 20_000, |n| "'''\"\"\"".repeat(n)),
    file!("python-f-strings", "/w/a.py", 20_000, |n| "f\"{".repeat(n)),
    file!("shell-heredocs", "/w/a.sh", 10_000, |n| "cat <<EOF\n".repeat(n)),
    file!("shell-many-heredocs", "/w/a.sh", 10_000, |n| format!("cat {}\n", pieces(n, |k| format!("<<E{k} ")))),
    file!("shell-substitutions", "/w/a.sh", 20_000, |n| "$(".repeat(n)),
    file!("shell-quotes", "/w/a.sh", 20_000, |n| "'\"".repeat(n)),
    file!("html-scripts", "/w/a.html", 10_000, |n| "<script>".repeat(n)),
    file!("markdown-fences", "/w/a.md", 10_000, |n| "```\n~~~\n".repeat(n)),
    file!("yaml", "/w/a.yaml", 10_000, |n| "a: |\n  b\n".repeat(n)),
    file!("json-file", "/w/a.json", 10_000, |n| format!("[{}1]", "{\"a\":1},".repeat(n))),
    file!("numbers", "/w/a.c", 20_000, |n| "1.".repeat(n)),
    file!("one-long-line-of-code", "/w/a.ts", 20_000, |n| "let x = f(1); ".repeat(n)),
    file!("lines-of-code", "/w/a.go", 5000, |n| "x := f(1) // c\n".repeat(n)),
    edit!("all-lines-differ", 2000, |n| pieces(n, |k| format!("a{k}\n")), |n| pieces(n, |k| format!("b{k}\n"))),
    edit!("no-line-differs", 5000, |n| "same\n".repeat(n), |n| "same\n".repeat(n) + "x\n"),
    edit!("every-second-line-differs", 2000, |n| pieces(n, |k| format!("a{k}\n")), |n| pieces(n, |k| {
        if k % 2 == 0 { format!("a{k}\n") } else { format!("b{k}\n") }
    })),
    edit!("lines-reversed", 2000, |n| pieces(n, |k| format!("a{k}\n")), |n| pieces(n, |k| format!("a{}\n", n - k))),
    edit!("lines-repeat", 2000, |n| pieces(n, |k| format!("{}\n", k % 3)), |n| pieces(n, |k| format!(
        "{}\n",
        k * 7 % 4
    ))),
    edit!("lines-shuffled", 2000, |n| pieces(n, |k| format!("{}\n", k * 7919 % 1009)), |n| pieces(n, |k| format!(
        "{}\n",
        k * 104_729 % 1013
    ))),
    edit!("words-differ", 2000, |n| pieces(n, |k| format!("a{k} ")), |n| pieces(n, |k| format!("b{k} "))),
    edit!("words-shuffled", 2000, |n| pieces(n, |k| format!("{} ", k * 7919 % 1009)), |n| pieces(n, |k| format!(
        "{} ",
        k * 104_729 % 1013
    ))),
    edit!("characters-differ", 50_000, |n| "a".repeat(n), |n| "b".repeat(n)),
    edit!("characters-alternate", 50_000, |n| "ab".repeat(n), |n| "ba".repeat(n)),
    edit!("similar-lines", 500, |n| pieces(n, |k| format!("let a{k} = f(1, 2, 3, {k});\n")), |n| pieces(
        n,
        |k| format!("let b{k} = f(1, 2, 3, {k});\n")
    )),
];

fn written(w: &mut Writer, path: &str, text: fn(usize) -> String, n: usize) {
    let text = text(n);
    let structured = json!({"type": "create", "filePath": path, "content": text, "structuredPatch": []});
    w.call("Write", &json!({"file_path": path, "content": text}), "File created", &structured);
    w.reply(&format!("```{}\n{text}\n```\n", path.rsplit('.').next().unwrap_or_default()));
}

fn edited(w: &mut Writer, old: fn(usize) -> String, new: fn(usize) -> String, n: usize) {
    let input = json!({"file_path": "/w/a.txt", "old_string": old(n), "new_string": new(n)});
    w.call("Edit", &input, "The file /w/a.txt has been updated.", &Value::Null);
}
