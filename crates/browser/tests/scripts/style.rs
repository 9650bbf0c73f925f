//! Checks that all scripts have one style, as far as that is possible without a parser.

use crate::modules;

/// Forbidden patterns, and their replacements.
const NEVER: [(&str, &str); 5] = [
    ("var ", "const or let"),
    (" == ", "==="),
    (" != ", "!=="),
    ("\t", "two spaces"),
    ("@type {any}", "a type, or `unknown`"),
];

#[test]
fn scripts_hold_one_style() {
    let mut problems = Vec::new();
    for module in modules::all() {
        for (number, line) in (1..).zip(module.source.lines()) {
            let mut complain = |what: &str| problems.push(format!("{}:{number}: {what}: {line}", module.name));
            let code = line.trim_start();
            for (never, instead) in NEVER {
                if line.contains(never) && !code.starts_with("//") {
                    complain(instead);
                }
            }
            if line.chars().count() > 120 {
                complain("at most 120 columns");
            }
            let is_comment = code.starts_with("//") || code.starts_with('*') || code.starts_with("/*");
            if !is_comment && is_single_quoted(code) {
                complain("double quotes, unless there are some within");
            }
            if !is_comment && code.contains(" => {") && line.starts_with("export const ") {
                complain("a function with a body is declared as one");
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Whether there is a string in single quotes that could be in double quotes.
fn is_single_quoted(line: &str) -> bool {
    // Between double quotes, backticks and slashes, a single quote is an ordinary character.
    if line.contains(['"', '`', '/']) {
        return false;
    }
    line.contains('\'')
}
