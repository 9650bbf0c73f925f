//! Points at what is wrong with a query.

use std::fmt::Write as _;
use std::io::Write as _;

use anstyle::{AnsiColor, Style};
use index::query::QueryError;
use styled::width::width;

use crate::failure;
use crate::terminal::clean;

const NAME: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default();

/// Says what is wrong, and shows where. A closed standard error is nothing to fail for.
pub(super) fn say(query: &str, error: &QueryError) {
    let _ = anstream::stderr().lock().write_all(told(query, error).as_bytes());
}

/// Says what is wrong with a pattern.
pub(super) fn say_pattern(pattern: &str, error: &regex::Error) {
    // It comes with a drawing of several lines, of which the last says it.
    let error = error.to_string();
    let why = error.lines().last().unwrap_or_default();
    let what = format!("this is no regular expression: {pattern}: {}", why.strip_prefix("error: ").unwrap_or(why));
    failure::say(&what, Some("in a pattern, signs such as ( [ . * mean something; \\ before them takes that away"));
}

fn told(query: &str, error: &QueryError) -> String {
    let mut text = format!("{NAME}recount:{NAME:#} {}\n", clean(&error.message));
    let (before, rest) = query.split_at_checked(error.range.start).unwrap_or((query, ""));
    let wrong = rest.get(..error.range.len()).unwrap_or(rest);
    let carets = "^".repeat(width(&clean(wrong)).max(1));
    let _ = writeln!(text, "  {}", clean(query));
    let _ = writeln!(text, "  {:indent$}{NAME}{carets}{NAME:#}", "", indent = width(&clean(before)));
    let _ = writeln!(text, "{HINT}hint:{HINT:#} {}", clean(&error.hint));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_is_pointed_at() {
        let query = "漢字 projct:api";
        let error = query.parse::<index::query::Query>().unwrap_err();
        let mut plain = Vec::new();
        anstream::StripStream::new(&mut plain).write_all(told(query, &error).as_bytes()).unwrap();
        insta::assert_snapshot!(String::from_utf8(plain).unwrap(), @r#"
        recount: there is no filter projct:
          漢字 projct:api
               ^^^^^^
        hint: did you mean project:? In quotes, "projct:api" is words
        "#);
    }
}
