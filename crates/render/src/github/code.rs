//! Code in Markdown: inline and in blocks. No content can break out of it.

use styled::clean::{clean_line, clean_text};
use styled::highlight::Language;

/// Inline code; empty if there is none.
pub(super) fn span(code: &str) -> String {
    let code = clean_line(code);
    if code.trim().is_empty() {
        return String::new();
    }
    let marks = "`".repeat(longest_run(&code) + 1);
    // Markdown strips one space from each end if there is one at both.
    let is_padded = code.starts_with('`') || code.ends_with('`') || (code.starts_with(' ') && code.ends_with(' '));
    let pad = if is_padded { " " } else { "" };
    format!("{marks}{pad}{code}{pad}{marks}")
}

/// A block of code.
pub(super) fn fence(language: &str, code: &str) -> String {
    let code = clean_text(code);
    let code = code.trim_end_matches('\n');
    let marks = "`".repeat((longest_run(code) + 1).max(3));
    let language = if is_name(language) { language } else { "" };
    let end = if code.is_empty() { "" } else { "\n" };
    format!("{marks}{language}\n{code}{end}{marks}")
}

/// GitHub's name for the language of a file.
pub(super) fn language_of(path: &str) -> &str {
    Language::of_path(path).map(Language::name).or_else(|| ending(path)).unwrap_or_default()
}

/// GitHub knows more languages than our table, most of them by file extension.
fn ending(path: &str) -> Option<&str> {
    let (_, ending) = path.rsplit(['/', '\\']).next()?.rsplit_once('.')?;
    (ending.len() <= 8).then_some(ending)
}

/// Whether a name is valid after the opening of a fence.
fn is_name(language: &str) -> bool {
    language.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '#' | '_' | '.'))
}

/// The length of the longest run of backticks.
fn longest_run(code: &str) -> usize {
    let (mut longest, mut run) = (0, 0);
    for byte in code.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Parser};

    use super::*;
    use crate::github::sheet::quote;
    use testkit::hostile::hostile;

    #[test]
    fn marks_are_longer_than_those_inside() {
        assert_eq!(span("a"), "`a`");
        assert_eq!(span("a `b` ``c"), "```a `b` ``c```");
        assert_eq!(span("`a`"), "`` `a` ``");
        assert_eq!(span(" a "), "`  a  `");
        assert_eq!(span(" \n"), "");
        assert_eq!(fence("rust", "fn x() {}\n"), "```rust\nfn x() {}\n```");
        assert_eq!(fence("", "````\n~~~~~\n"), "`````\n````\n~~~~~\n`````");
        assert_eq!(fence("a`b", ""), "```\n```");
    }

    #[test]
    fn languages_go_by_path() {
        assert_eq!(language_of("/a/b.rs"), "rust");
        assert_eq!(language_of("x.zig"), "zig");
        assert_eq!(language_of("LICENSE"), "");
    }

    fn code_in(markdown: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut code = None;
        for event in Parser::new(markdown) {
            match event {
                Event::Start(pulldown_cmark::Tag::CodeBlock(_)) => code = Some(String::new()),
                Event::End(pulldown_cmark::TagEnd::CodeBlock) => found.extend(code.take()),
                Event::Code(code) => found.push(code.to_string()),
                Event::Text(text) => code.as_mut().unwrap_or_else(|| panic!("{text}")).push_str(&text),
                Event::Html(html) | Event::InlineHtml(html) => panic!("{html}"),
                _ => {}
            }
        }
        found
    }

    proptest! {
        #[test]
        fn nothing_gets_out_of_code(text in hostile()) {
            let cleaned = clean_line(&text).into_owned();
            let wanted: Vec<String> = Some(cleaned).filter(|text| !text.trim().is_empty()).into_iter().collect();
            prop_assert_eq!(code_in(&span(&text)), wanted);
        }

        #[test]
        fn nothing_gets_out_of_a_fence(text in hostile()) {
            let cleaned = clean_text(&text).into_owned();
            let mut wanted = cleaned.trim_end_matches('\n').to_owned();
            if !wanted.is_empty() {
                wanted.push('\n');
            }
            let fence = fence("", &text);
            prop_assert_eq!(code_in(&fence), [wanted.clone()]);
            prop_assert_eq!(code_in(&quote(&fence)), [wanted.clone()]);
            let item = format!("- {}", fence.replace('\n', "\n  "));
            prop_assert_eq!(code_in(&item), [wanted]);
        }
    }
}
