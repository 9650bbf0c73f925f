//! The table of languages for the page's script, whose own lexer reads the same table.

use serde::Serialize;

use super::{Block, LANGUAGES, Quote, Reach, Spec};
use crate::style::Role;

/// All languages as a JSON object, by name. It can be embedded in a `<script>` as it is.
///
/// Empty and false fields are left out, and so are the aliases of a language: pages use only the first name.
pub fn languages_json() -> String {
    let languages = LANGUAGES.iter().copied().flatten();
    let table: serde_json::Map<_, _> = languages
        .filter_map(|spec| Some((spec.name.to_owned(), serde_json::to_value(Exported::from(spec)).ok()?)))
        .collect();
    // `<!--` and `</script` are special to an HTML parser even there.
    serde_json::Value::Object(table).to_string().replace('<', "\\u003c")
}

/// The start and end of a comment, and whether it nests.
type Comment = (&'static str, &'static str, bool);

/// The start and end of a string, its escape character, and its reach.
type Text = (&'static str, &'static str, Option<char>, &'static str);

/// A language as the script reads it. Word lists stay strings, which is the shortest form.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Exported {
    #[serde(skip_serializing_if = "str::is_empty")]
    keywords: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    types: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    ignore_case: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    capital_types: bool,
    #[serde(skip_serializing_if = "str::is_empty")]
    word: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    sigils: &'static str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    line_comments: &'static [&'static str],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    comment_after_blank: bool,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    block_comments: Box<[Comment]>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    strings: Box<[Text]>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    apostrophes: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    heredoc: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<char>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    line_starts: Box<[(&'static str, String)]>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    markup: bool,
}

impl From<&'static Spec> for Exported {
    fn from(spec: &'static Spec) -> Self {
        let block = |&Block { open, close, nested }: &Block| (open, close, nested);
        let string = |&Quote { open, close, escape, reach }: &Quote| (open, close, escape, reach_name(reach));
        Self {
            keywords: spec.keywords,
            types: spec.types,
            ignore_case: spec.ignore_case,
            capital_types: spec.capital_types,
            word: spec.word,
            sigils: spec.sigils,
            line_comments: spec.line_comments,
            comment_after_blank: spec.comment_after_blank,
            block_comments: spec.block_comments.iter().map(block).collect(),
            strings: spec.strings.iter().map(string).collect(),
            apostrophes: spec.apostrophes,
            heredoc: spec.heredoc,
            key: spec.key,
            line_starts: spec.line_starts.iter().map(|&(start, role)| (start, role_name(role))).collect(),
            markup: spec.markup,
        }
    }
}

fn reach_name(reach: Reach) -> &'static str {
    match reach {
        Reach::Character => "character",
        Reach::Line => "line",
        Reach::Lines => "lines",
    }
}

/// The name of a role in the script: the lexer's own roles have the same names there.
fn role_name(role: Role) -> String {
    format!("{role:?}").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn table() -> Value {
        serde_json::from_str(&languages_json()).unwrap()
    }

    #[test]
    fn every_language_is_exported() {
        let table = table();
        for spec in LANGUAGES.iter().copied().flatten() {
            assert!(table.get(spec.name).is_some(), "{}", spec.name);
        }
    }

    #[test]
    fn the_table_is_small_and_cannot_end_its_element() {
        let json = languages_json();
        assert!(json.len() < 25_000, "{} bytes", json.len());
        assert!(!json.contains('<'));
    }

    #[test]
    fn a_language_exports_only_what_is_special() {
        let table = table();
        assert_eq!(
            table["markdown"],
            json!({
                "blockComments": [["<!--", "-->", false]],
                "strings": [["`", "`", null, "line"]],
                "lineStarts": [["#", "heading"], [">", "quiet"], ["```", "quiet"], ["---", "quiet"]],
            })
        );
        assert_eq!(table["rust"]["strings"][7], json!(["'", "'", "\\", "character"]));
    }
}
