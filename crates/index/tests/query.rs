//! Tests the meaning of queries, and that any typed text becomes a valid full-text expression.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "these are tests")]

use index::query::{Check, Condition, Query};
use index::texts::{Column, Role};
use index::words::{Term, prepare};
use proptest::prelude::*;
use rusqlite::Connection;

/// A full-text table like that of the index, with one entry.
fn table(texts: &[(Column, &str)]) -> Connection {
    let table = Connection::open_in_memory().unwrap();
    let names = Column::ALL.map(Column::as_str).join(", ");
    table
        .execute(&format!("CREATE VIRTUAL TABLE words USING fts5({names}, content = '', tokenize = 'ascii')"), [])
        .unwrap();
    let mut row = vec![String::new(); Column::ALL.len()];
    for (column, text) in texts {
        prepare(text, &mut row[Column::ALL.iter().position(|other| other == column).unwrap()]);
    }
    let insert = format!("INSERT INTO words (rowid, {names}) VALUES (1, ?1, ?2, ?3, ?4, ?5)");
    table.execute(&insert, rusqlite::params_from_iter(row)).unwrap();
    table
}

/// Queries the table. An error means an invalid expression.
fn is_matched(table: &Connection, expression: &str) -> bool {
    let count = "SELECT count(*) FROM words WHERE words MATCH ?1";
    table
        .query_row(count, [expression], |row| row.get::<_, u32>(0))
        .unwrap_or_else(|error| panic!("{expression}: {error}"))
        == 1
}

fn query(text: &str) -> Query {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// An expression without the alternatives for wholes of names.
fn plain(expression: &str) -> String {
    const WHOLE: &str = r#" OR ""#;
    let mut plain = expression.to_owned();
    while let Some(mark) = plain.find(|letter| ('\u{e001}'..='\u{e008}').contains(&letter)) {
        let end = mark + plain[mark..].find('"').unwrap() + 1;
        let end = if plain[end..].starts_with(" *") { end + 2 } else { end };
        plain.replace_range(mark - WHOLE.len()..end, "");
        // A single alternative needs no parentheses.
        let (open, close) = (plain[..mark - WHOLE.len()].rfind('(').unwrap(), mark - WHOLE.len());
        if plain[close..].starts_with(')') && !plain[open..close].contains(" OR ") {
            plain.remove(close);
            plain.remove(open);
        }
    }
    plain
}

/// A query in readable form: groups, excluded terms, filters.
fn readable(text: &str) -> String {
    let query = query(text);
    let term = |term: &Term| plain(&term.expression());
    let group = |group: &Vec<index::query::QueryTerm>| {
        let words: Vec<_> = group.iter().map(|wanted| term(&wanted.term)).collect();
        words.join(" or ")
    };
    let groups = query.groups.iter().map(group);
    let not = query.not.iter().map(|wanted| format!("not {}", term(&wanted.term)));
    let filters = query.filters.iter().map(|filter| {
        let any: Vec<_> = filter.any.iter().map(|(condition, _)| format!("{condition:?}")).collect();
        format!("{}{}", if filter.is_not { "not " } else { "" }, any.join(" or "))
    });
    groups.chain(not).chain(filters).collect::<Vec<_>>().join("; ")
}

#[test]
fn queries_are_read_as_people_type_them() {
    let cases = [
        ("retry limit", r#""retry"; "limit""#),
        ("retryPolicy", r#"("retry policy" OR "retrypolicy")"#),
        (r#""rate limit" -test"#, r#""rate limit"; not "test""#),
        (r#""rate limit"#, r#""rate limit""#),
        (r#"-"unit test" a"#, r#""a"; not "unit test""#),
        ("“rate limit” „x“", r#""rate limit"; "x""#),
        (r#"retr* "rate lim"*"#, r#""retr" *; "rate lim" *"#),
        ("slow OR lazy cache", r#""slow" or "lazy"; "cache""#),
        ("a OR b OR c", r#""a" or "b" or "c""#),
        ("a AND b or c", r#""a"; "b"; "or"; "c""#),
        ("AND a", r#""and"; "a""#),
        ("a -OR", r#""a"; not "or""#),
        ("a => b", r#""a"; "b""#),
        ("a OR => b", r#""a" or "b""#),
        ("(a OR b) c", r#""a" or "b"; "c""#),
        ("--no-index", r#"("no index" OR "noindex")"#),
        ("http://example.org file:///tmp", r#""http example org"; "file tmp""#),
        ("std::fs model::User 12:30 error: key:value*", r#""std fs"; "model user"; "12 30"; "error"; "key value" *"#),
        ("Type: x File:y", r#""type"; "x"; "file y""#),
        ("a project:api", r#""a"; Project("api")"#),
        (r#"project:"my api" -tool:Bash"#, r#"Project("my api"); not Tool("Bash")"#),
        ("tool:Bash tool:Edit", r#"Tool("Bash") or Tool("Edit")"#),
        ("tool:Bash OR tool:Edit x", r#""x"; Tool("Bash") or Tool("Edit")"#),
        ("after:3d after:2026-08-01T10:00 before:1h", r#"After("3d"); After("2026-08-01T10:00"); Before("1h")"#),
        ("file:/home/ana/up.py is:error role:User", r#"File("/home/ana/up.py"); Error; Role(User)"#),
        (
            "type:attachment model:opus branch:main session:last",
            r#"Type("attachment"); Model("opus"); Branch("main"); Session("last")"#,
        ),
        ("日本語", r#""日本 本語""#),
    ];
    for (text, expected) in cases {
        assert_eq!(readable(text), expected, "{text}");
    }
    assert_eq!(query("role:assistant").filters[0].any, [(Condition::Role(Role::Assistant), 0..14)]);
    assert_eq!(query("a => b ->").ignored, [2..4, 7..9]);
}

#[test]
fn errors_point_at_the_word() {
    let cases = [
        ("", "", "nothing to search for", "type a word"),
        ("-test", "-test", "this only excludes words", "add a word that must occur, such as retry -test, or a filter"),
        ("=>", "=>", "no letter or digit to search for", "--regex also finds punctuation"),
        (
            "a projct:api",
            "projct",
            "unknown filter projct:",
            "did you mean project:? In quotes, \"projct:api\" is words",
        ),
        ("since:3d", "since", "unknown filter since:", "did you mean after:? In quotes, \"since:3d\" is words"),
        ("a -is:eror", "is:eror", "is: knows no eror", "is:error finds failures"),
        ("role:me", "role:me", "role: knows no me", "one of user, assistant, system"),
        (
            "tool: Bash",
            "tool:",
            "tool: needs a value right behind it",
            "for example tool:Bash; in quotes, \"tool:\" is a word",
        ),
        (
            "OR a",
            "OR",
            "OR needs something on both sides",
            "in quotes or small letters, \"or\" is a word like any other",
        ),
        (
            "a OR",
            "OR",
            "OR needs something on both sides",
            "in quotes or small letters, \"or\" is a word like any other",
        ),
        (
            "a OR OR b",
            "OR",
            "OR needs something on both sides",
            "in quotes or small letters, \"or\" is a word like any other",
        ),
        ("a OR -b", "OR", "OR cannot be combined with -", "use OR only between words that must occur"),
        ("a OR tool:b", "OR", "OR cannot join these", "OR joins words with words, and a filter with the same filter"),
        ("tool:a OR b", "OR", "OR cannot join these", "OR joins words with words, and a filter with the same filter"),
        (
            "tool:a OR file:b",
            "OR",
            "OR cannot join these",
            "OR joins words with words, and a filter with the same filter",
        ),
    ];
    for (text, at, message, hint) in cases {
        let error = text.parse::<Query>().unwrap_err();
        assert_eq!((&text[error.range], &*error.message, &*error.hint), (at, message, hint), "{text}");
    }
    let error = "x ".repeat(1000).parse::<Query>().unwrap_err();
    assert_eq!(error.message, "the query is too long");
}

#[test]
fn entries_are_matched() {
    let texts =
        [(Column::Said, "Please fix the retryPolicy."), (Column::Done, "cargo test --lib"), (Column::Seen, "2 failed")];
    let table = table(&texts);
    let cases = [
        ("retry cargo failed", true),
        ("retry cargo passed", false),
        ("retry OR passed", true),
        ("retry -failed", false),
        ("retry -passed", true),
        ("\"fix the retry policy\"", true),
        ("\"the fix\"", false),
        ("carg* fail*", true),
        ("policy the", true),
        ("\"policy cargo\"", false),
        ("fix NOT NEAR(", false),
    ];
    for (text, is_expected) in cases {
        let query = query(text);
        assert_eq!(is_matched(&table, &query.match_expression(&[]).unwrap()), is_expected, "{text}");
        let mut check = Check::new(&query);
        for (_, text) in texts {
            check.read(text);
        }
        assert_eq!(check.holds(), is_expected, "{text}");
    }
    let within = |text: &str, columns: &[Column]| is_matched(&table, &query(text).match_expression(columns).unwrap());
    assert!(within("retry", &[Column::Said]) && within("retry cargo", &[Column::Said, Column::Done]));
    assert!(!within("retry", &[Column::Done]) && !within("retry cargo", &[Column::Said]));
    assert!(within("retry -cargo", &[Column::Said, Column::Said]), "excluded words are searched in the same columns");
}

#[test]
fn questions_find_something() {
    let table = table(&[(Column::Replied, "The uploader retries.")]);
    let question = query("how did we fix the uploader bug?");
    assert!(!is_matched(&table, &question.match_expression(&[]).unwrap()));
    assert_eq!(plain(&question.any_expression(&[]).unwrap()), r#""fix" OR "uploader" OR "bug""#);
    assert!(is_matched(&table, &question.any_expression(&[]).unwrap()));
    let mut check = Check::new(&question);
    check.read("The uploader retries.");
    assert_eq!(check.count(), 2);
    assert_eq!(plain(&query("the who").any_expression(&[]).unwrap()), r#""the" OR "who""#);
}

#[test]
fn filters_alone_match_by_themselves() {
    let query = query("project:api -test");
    assert_eq!(query.match_expression(&[]), None);
    assert_eq!(plain(&query.not_expression(&[Column::Said]).unwrap()), r#"{said} : ("test")"#);
}

#[test]
fn long_queries_are_still_understood() {
    let table = table(&[(Column::Said, "x1")]);
    let words = |separator: &str| (0..99).map(|index| format!("x{index}")).take(66).collect::<Vec<_>>().join(separator);
    for text in [words(" "), words(" OR "), format!("a -{}", words(" -")), format!("\"{}\"", words(".")), words("*.")] {
        let query = query(&text);
        is_matched(&table, &query.match_expression(&[Column::Said]).unwrap());
        is_matched(&table, &query.any_expression(&[]).unwrap());
    }
    is_matched(&table, &query(&"w ".repeat(200)).match_expression(&[]).unwrap());
    is_matched(&table, &query("w OR ".repeat(199).trim_end_matches(" OR ")).match_expression(&[]).unwrap());
}

/// Text that could be mistaken for syntax, by our parser or by FTS5.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\"".to_owned()),
        Just("'".to_owned()),
        Just("*".to_owned()),
        Just("-".to_owned()),
        Just("(".to_owned()),
        Just(")".to_owned()),
        Just(":".to_owned()),
        Just("^".to_owned()),
        Just("+".to_owned()),
        Just("{".to_owned()),
        Just("}".to_owned()),
        Just(" ".to_owned()),
        Just(" OR ".to_owned()),
        Just(" AND ".to_owned()),
        Just(" NOT ".to_owned()),
        Just("NEAR(".to_owned()),
        Just("tool:".to_owned()),
        Just("is:error".to_owned()),
        Just("said:".to_owned()),
        Just("\0".to_owned()),
        Just("“".to_owned()),
        Just("\u{e000}".to_owned()),
        Just("日本".to_owned()),
        "[a-zA-Z0-9_]{1,6}",
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_typed_text_is_understood(text in hostile(), said in hostile()) {
        match text.parse::<Query>() {
            Ok(query) => {
                let table = table(&[(Column::Said, &said)]);
                let columns = [Column::Said, Column::Thought];
                let expressions = [
                    query.match_expression(&[]), query.match_expression(&columns), query.any_expression(&[]),
                    query.any_expression(&columns), query.not_expression(&[]), query.not_expression(&columns),
                ];
                let matched: Vec<_> = expressions.iter().flatten().map(|expression| is_matched(&table, expression)).collect();
                let mut check = Check::new(&query);
                check.read(&said);
                // Every text that matches the query is found; the check drops false matches.
                prop_assert!(!check.holds() || query.groups.is_empty() || matched[0], "{:?}", query);
                let wanted = query.groups.iter().flatten().chain(&query.not);
                prop_assert!(wanted.map(|wanted| &wanted.range).chain(&query.ignored).all(|range| text.get(range.clone()).is_some()));
            }
            Err(error) => prop_assert!(text.get(error.range.clone()).is_some(), "{:?}", error),
        }
    }

    #[test]
    fn entries_with_all_words_are_found(words in prop::collection::vec("[a-zA-Zäöé0-9_]{1,10}|[日本語東]{1,4}", 1..6), seed in any::<u64>()) {
        let words: Vec<_> = words.into_iter().filter(|word| word.chars().any(char::is_alphanumeric)).collect();
        prop_assume!(!words.is_empty());
        let text: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
        let query = query(&text.join(" "));
        // In another order, in several columns, among other words.
        let (mut said, mut seen) = (String::from("some"), String::new());
        for (index, word) in words.iter().enumerate().rev() {
            let to = if seed >> (index % 64) & 1 == 0 { &mut said } else { &mut seen };
            to.extend([" (", word, "), other"]);
        }
        let table = table(&[(Column::Said, &said), (Column::Seen, &seen)]);
        prop_assert!(is_matched(&table, &query.match_expression(&[]).unwrap()));
        prop_assert!(is_matched(&table, &query.any_expression(&[Column::Said, Column::Seen]).unwrap()));
        let mut check = Check::new(&query);
        check.read(&said);
        check.read(&seen);
        prop_assert!(check.holds());
    }
}
