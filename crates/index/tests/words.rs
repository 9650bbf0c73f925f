//! Tests that words are found in any spelling and language, both by the full-text table and in the text itself.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "these are tests")]

use index::words::{BREAK, TOKEN, Term, find, prepare};
use proptest::prelude::*;
use rusqlite::Connection;

fn prepared(text: &str) -> String {
    let mut out = String::new();
    prepare(text, &mut out);
    out
}

/// A full-text table with one text.
fn table(text: &str) -> Connection {
    let table = Connection::open_in_memory().unwrap();
    table.execute("CREATE VIRTUAL TABLE words USING fts5(text, content = '', tokenize = 'ascii')", []).unwrap();
    table.execute("INSERT INTO words (rowid, text) VALUES (1, ?1)", [prepared(text)]).unwrap();
    table
}

fn is_found(table: &Connection, term: &Term) -> bool {
    let count = "SELECT count(*) FROM words WHERE words MATCH ?1";
    table.query_row(count, [term.expression()], |row| row.get::<_, u32>(0)).unwrap() == 1
}

/// The matches in a text, which the table must also find.
fn found<'t>(text: &'t str, term: &Term) -> Vec<&'t str> {
    let found = find(text, std::slice::from_ref(term));
    assert_eq!(is_found(&table(text), term), !found.is_empty(), "{text:?} {term:?}");
    found.into_iter().map(|found| &text[found.range]).collect()
}

#[test]
fn texts_become_words() {
    let cases = [
        ("Hello, world!", "hello world "),
        ("retryPolicy", "retry policy | retrypolicy "),
        ("let retry_policy = RetryPolicy(limit)", "let retry policy retry policy limit | retrypolicy "),
        ("HTTPServer2 URLs", "http server 2 urls | httpserver2 "),
        ("__init__ a--b foo__bar -x", "init a b foo bar x | foobar "),
        ("/home/ana/src/up.py:12", "home ana src up py 12 "),
        ("https://example.org/a?b=c#d", "https example org a b c d "),
        ("sha256 utf-8 base64Encode", "sha 256 utf 8 base 64 encode | sha256 utf8 base64encode "),
        ("550e8400-e29b-41d4 3d 10ms", "550e8400 e29b 41d4 3d 10ms "),
        ("2026-08-12T10:30:00Z", "2026 08 12 10 30 00z "),
        ("\u{1b}[31mError\u{1b}[0m: \u{1b}]0;title\u{7}done", "error 0 title done "),
        ("a\0b\u{9f}c\td", "a b c d "),
        ("naïve Ångström cafe\u{301}s", "naive angstrom cafes "),
        ("übergrößeÄnderung", "ubergrosse anderung | ubergrosseanderung "),
        ("日本語です", "日本 本語 語で です す "),
        ("서버를 켜", "서버 버를 를 켜 "),
        ("日本のrecount版", "日本 本の の recount 版 "),
        ("ภาษาไทย", "ภา าษ ษา าไ ไท ทย ย "),
        ("हिन्दी में", "हिनदी में "),
        ("→ ─── …", ""),
    ];
    for (text, words) in cases {
        let plain =
            prepared(text).replace(BREAK.trim(), "|").replace(|letter| ('\u{e001}'..='\u{e008}').contains(&letter), "");
        assert_eq!(plain, words, "{text}");
    }
}

#[test]
fn long_runs_are_one_word_and_cut() {
    let hash = "0123456789abcdef".repeat(8);
    assert_eq!(prepared(&hash), format!("{} ", &hash[..TOKEN]));
    let key = "aB3xK9".repeat(4);
    assert_eq!(prepared(&key), format!("{} ", key.to_lowercase()));
    let name = "shouldRetryWhenTheServerSaysSoAndNotBeforeThatBecauseOfThePolicyOfRetries";
    assert!(prepared(name).contains("policy of retries "));
    for text in ["ab".repeat(500_000), "aB_".repeat(300_000), "ä".repeat(500_000), "日".repeat(300_000)] {
        assert!(prepared(&text).split(' ').all(|word| word.len() <= TOKEN + '\u{e001}'.len_utf8()));
    }
}

#[test]
fn texts_are_set_apart() {
    let mut out = prepared("one two");
    prepare("three", &mut out);
    assert_eq!(out, format!("one two {BREAK}three "));
}

#[test]
fn words_are_found_at_their_positions() {
    let cases: [(&str, &str, &[&str]); 25] = [
        ("a RetryPolicy, the retry policy", "retry_policy", &["RetryPolicy", "retry policy"]),
        ("a RetryPolicy, the retry policy", "retrypolicy", &["RetryPolicy"]),
        ("a retrypolicy", "RetryPolicy", &["retrypolicy"]),
        ("a RetryPolicy, the retry policy", "policy", &["Policy", "policy"]),
        ("retryPolicy limit", "retry policy limit", &["retryPolicy limit"]),
        ("retry-policy limit", "retryPolicy Limit", &["retry-policy limit"]),
        ("in /home/ana/src/up.py there", "up.py", &["up.py"]),
        ("in /home/ana/src/up.py there", "ana/src", &["ana/src"]),
        ("Über den Ärger", "arger", &["Ärger"]),
        ("cafe\u{301} open", "café", &["cafe\u{301}"]),
        ("これは日本語です", "日本語", &["日本語"]),
        ("これは日本語です", "本", &["本"]),
        ("これは日本語", "語", &["語"]),
        ("これは日本人", "日本語", &[]),
        ("か\u{3099}そ", "が", &["か\u{3099}"]),
        ("\u{1109}\u{1165}\u{1107}\u{1165}를", "서버", &["\u{1109}\u{1165}\u{1107}\u{1165}"]),
        ("utf-8", "UTF8", &["utf-8"]),
        ("don't", "don't", &["don't"]),
        ("a\u{1b}[1mbold\u{1b}[0mb", "bold", &["bold"]),
        ("at 2026-08-12T10:30", "2026-08-12", &["2026-08-12"]),
        ("12ť10", "10", &["10"]),
        ("one two", "two one", &[]),
        ("a a b a a a b", "a a b", &["a a b", "a a b"]),
        ("retryPolicy httpServer", "retrypolicy", &["retryPolicy"]),
        ("the end retryPolicy", "policy the", &[]),
    ];
    for (text, word, places) in cases {
        assert_eq!(found(text, &Term::new(word).unwrap()), places, "{word} in {text}");
    }
}

#[test]
fn beginnings_are_found() {
    let cases: [(&str, &str, &[&str]); 8] = [
        ("retrying", "retr", &["retrying"]),
        ("a retry_policy", "retryPol", &["retry_policy"]),
        ("HTTPServer", "https", &["HTTPServer"]),
        ("sha256sum", "sha2", &["sha256sum"]),
        ("e29b41d4", "e29b", &["e29b41d4"]),
        ("東京都", "東京", &["東京"]),
        ("foo.bar food", "foo.", &["foo"]),
        ("retry later", "retry pol", &[]),
    ];
    for (text, word, places) in cases {
        assert_eq!(found(text, &Term::beginning(word).unwrap()), places, "{word} in {text}");
    }
}

/// Texts made of the parts that transcripts contain.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{1,8}",
        "[A-Z]{0,3}[a-z]{1,5}[A-Z][a-z]{0,4}[0-9]{0,2}",
        "[a-zA-Z0-9]{1,30}",
        "[a-f0-9]{1,70}",
        "[a-z]{1,4}[_-]{1,2}[a-z0-9]{1,4}",
        "(/[a-z]{1,4}){1,3}\\.[a-z]{2}",
        "[äöÜéÉñßœŁ]{1,3}[a-z]{0,3}",
        "[а-яА-ЯёЙ]{1,6}",
        "[日本語東京都のです서버를กขา]{1,5}",
        "\u{1b}\\[[0-9;]{0,4}m",
        "\\PC{1,3}",
        any::<String>(),
    ];
    let space = prop_oneof![Just(" "), Just("\n"), Just(""), Just("."), Just(", "), Just("_"), Just("-")];
    prop::collection::vec((piece, space), 0..12)
        .prop_map(|pieces| pieces.into_iter().fold(String::new(), |text, (piece, space)| text + &piece + space))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Both ways of searching agree, and every text between spaces is found.
    #[test]
    fn every_word_is_found(text in texts()) {
        let table = table(&text);
        for word in text.split_ascii_whitespace() {
            let Some(term) = Term::new(word) else { continue };
            prop_assert!(is_found(&table, &term), "{:?} {:?}", word, term);
            let found = find(&text, std::slice::from_ref(&term));
            prop_assert!(!found.is_empty(), "{:?} {:?}", word, term);
            prop_assert!(found.iter().all(|found| text.get(found.range.clone()).is_some()));
        }
    }

    /// A whole text is a phrase of itself.
    #[test]
    fn every_text_is_found(text in texts()) {
        if let Some(term) = Term::new(&text) {
            prop_assert!(is_found(&table(&text), &term), "{:?}", term);
            prop_assert!(!find(&text, &[term]).is_empty());
        }
    }

    #[test]
    fn case_does_not_matter(text in texts(), upper in any::<bool>()) {
        let text = text.replace('\u{1b}', "");
        let table = table(&text);
        for word in text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
            // Only runs that are not part of a longer one.
            if !text.split(|c: char| !c.is_alphanumeric() && c.is_ascii()).any(|run| run == word) {
                continue;
            }
            let spelled = if upper { word.to_uppercase() } else { word.to_lowercase() };
            let term = Term::new(&spelled).unwrap();
            prop_assert!(is_found(&table, &term), "{:?} {:?}", word, term);
            prop_assert!(!find(&text, &[term]).is_empty());
        }
    }

    /// For any text and query, the table and the text agree, except for names that are adjacent by chance.
    #[test]
    fn the_table_finds_no_less_than_the_text(text in texts(), word in texts(), is_open in any::<bool>()) {
        let term = if is_open { Term::beginning(&word) } else { Term::new(&word) };
        let Some(term) = term else { return Ok(()) };
        let is_in_text = !find(&text, std::slice::from_ref(&term)).is_empty();
        let is_in_table = is_found(&table(&text), &term);
        prop_assert!(is_in_table || !is_in_text, "{:?}", term);
        prop_assert!(is_in_text || !is_in_table || term.parts().count() > 1, "{:?}", term);
    }
}
