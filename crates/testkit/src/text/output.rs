//! Output of commands.

use super::words::{file_name, fill};
use crate::rng::Rng;

fn repeat(rng: &mut Rng, length: usize, templates: &[&str]) -> String {
    let mut text = String::with_capacity(length + 160);
    while text.len() < length {
        fill(rng.pick::<str>(templates), rng, &mut text);
    }
    text.truncate(text.trim_end().len());
    text
}

/// A test run with some failures.
pub(crate) fn test_output(rng: &mut Rng, length: usize) -> String {
    let mut text = repeat(
        rng,
        length,
        &[
            "test $w::$w::$v_$i ... ok\n",
            "test $w::$i ... ok\n",
            "tests/test_$w.py::test_$v_$i PASSED                     [ 4%]\n",
            "tests/test_$w.py::Test$t::test_$i FAILED\n",
            "    \u{2713} should $v the $w when $w is \"$w\" ($n ms)\n",
            "--- FAIL: Test$t (0.$ns)\n\t$i_test.go:$n: got \"$w\", want \"$w\"\n",
            "E       AssertionError: assert '$w' == '$w'\n",
        ],
    );
    fill("\n\n$n passed, $n skipped in 3.21s", rng, &mut text);
    text
}

/// Warnings and errors of a compiler.
pub(crate) fn compiler_output(rng: &mut Rng, length: usize) -> String {
    repeat(
        rng,
        length,
        &[
            "   Compiling $w-$w v0.$n.0 (/home/ana/work/$w)\n",
            "warning: unused variable: `$i`\n  --> src/$w/$i.rs:$n:13\n   |\n   |     let $i = $i.$v();\n   |         ^^^^ help: try: `_$i`\n\n",
            "error[E0308]: mismatched types\n  --> src/$i.rs:$n:9\n   = note: expected enum `$t<\"$w\">`\n\n",
            "src/$i.ts($n,17): error TS2345: Argument of type 'string' is not assignable to '$t'.\n",
            "\tat $i (/home/ana/work/$w/dist/$i.js:$n:11)\n",
        ],
    )
}

/// A log with times, levels and JSON fields.
pub(crate) fn log_output(rng: &mut Rng, length: usize) -> String {
    repeat(
        rng,
        length,
        &[
            "2026-08-08T09:15:22Z INFO  $w::$w $v $w id=$x\n",
            "{\"level\":\"warn\",\"msg\":\"$v $w\",\"$w\":$n,\"path\":\"C:\\\\$w\\\\$w\"}\n",
            "commit $x$x\nAuthor: $t <$w@example.com>\n\n    $v $w $w\n\n",
            " M src/$w/$i.rs\n?? $w/$i.json\n",
            "\u{1b}[32m+\u{1b}[0m $i \u{1b}[2m$n ms\u{1b}[0m\n",
            "$w: $v $w $f\n",
        ],
    )
}

/// Matching lines of files below `root`.
pub(crate) fn grep_output(rng: &mut Rng, root: &str, length: usize) -> String {
    let mut text = String::with_capacity(length + 160);
    while text.len() < length {
        let path = file_name(rng, root, ".go");
        for _ in 0..rng.between(1, 4) {
            text.push_str(&path);
            fill(":$n:\t$w, err := s.$v(ctx, \"$w\")\n", rng, &mut text);
        }
    }
    text.truncate(text.trim_end().len());
    text
}

/// Files below `root`, one per line.
pub(crate) fn listing(rng: &mut Rng, root: &str, count: usize) -> Vec<String> {
    (0..count)
        .map(|_| {
            let ending = rng.pick::<str>(&[".rs", ".py", ".ts", ".go", ".json", ".md"]);
            file_name(rng, root, ending)
        })
        .collect()
}
