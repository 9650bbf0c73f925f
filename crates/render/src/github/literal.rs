//! Plain text, escaped so that Markdown shows it as it is.
//!
//! A backslash is only written where a character could have a meaning, so that the source stays readable. Two things
//! differ from the original and read the same: URLs are links to themselves, because GitHub would link them anyway and
//! include the backslashes; and names after an `@` are code, because GitHub would notify their owners.

use styled::clean::{clean_line, clean_text};

use super::code;

/// The marker of a code block.
const FENCE: &str = "```";

/// Maximum length of a URL, so that text full of invalid ones stays fast.
const LONGEST_ADDRESS: usize = 2000;

/// Replaces a space where indentation must be visible.
const SPACE: char = '\u{a0}';

/// Text that is a line, or the start of one.
pub(super) fn line(text: &str) -> String {
    let mut escaped = String::new();
    write_line(clean_line(text).trim(), &mut escaped);
    escaped
}

/// Text in the middle of a line.
pub(super) fn words(text: &str) -> String {
    let mut escaped = String::new();
    write_words(clean_line(text).trim(), &mut escaped);
    escaped
}

/// Text on any number of lines, as paragraphs. Code between fences stays code.
pub(super) fn lines(text: &str) -> String {
    let text = clean_text(text);
    let mut rest: Vec<&str> = text.lines().map(str::trim_end).collect();
    rest.reverse();
    let mut written = String::with_capacity(text.len() + text.len() / 8);
    let last_end = rest.iter().position(|line| *line == FENCE);
    // Whether the previous line continues in the next one.
    let mut in_paragraph = false;
    while let Some(line) = rest.pop() {
        // Fences without an end are not searched for one: there may be very many of them.
        let can_end = last_end.is_some_and(|end| end < rest.len());
        if let Some((language, end)) = Some(line).filter(|_| can_end).and_then(|line| fence_at(line, &rest)) {
            part(&mut written);
            let mut code = String::new();
            for line in rest.drain(end..).skip(1).rev() {
                code.push_str(line);
                code.push('\n');
            }
            written.push_str(&code::fence(language, &code));
            in_paragraph = false;
        } else if line.is_empty() {
            in_paragraph = false;
        } else {
            if in_paragraph {
                written.push_str("\\\n");
            } else {
                part(&mut written);
            }
            write_line(&line.replace('\t', "    "), &mut written);
            in_paragraph = true;
        }
    }
    written
}

fn part(written: &mut String) {
    if !written.is_empty() {
        written.push_str("\n\n");
    }
}

/// The language of the code block that begins with this line, and the position of its end in `rest`, which is reversed;
/// `None` if no block begins, or it does not end.
fn fence_at<'t>(opening: &'t str, rest: &[&str]) -> Option<(&'t str, usize)> {
    let language = opening.strip_prefix(FENCE).filter(|language| !language.contains('`'))?;
    let end = rest.iter().rposition(|line| *line == FENCE)?;
    Some((language.trim(), end))
}

/// Escapes a line that is clean and does not end with a space.
fn write_line(line: &str, escaped: &mut String) {
    let text = line.trim_start_matches(' ');
    (0..line.len() - text.len()).for_each(|_| escaped.push(SPACE));
    write_words(write_start(text, escaped), escaped);
}

/// Escapes characters that may have a meaning anywhere.
fn write_words(text: &str, escaped: &mut String) {
    let mut rest = text;
    let mut before = ' ';
    while let Some(character) = rest.chars().next() {
        if let Some(address) = address_at(rest, before) {
            escaped.push('<');
            escaped.push_str(address);
            escaped.push('>');
            rest = rest.get(address.len()..).unwrap_or_default();
            before = '>';
            continue;
        }
        if let Some(name) = mention_at(rest, before) {
            escaped.push_str(&code::span(name));
            rest = rest.get(name.len()..).unwrap_or_default();
            before = '`';
            continue;
        }
        rest = rest.get(character.len_utf8()..).unwrap_or_default();
        let after = rest.chars().next().unwrap_or(' ');
        match character {
            // Markdown collapses spaces unless they are non-breaking.
            ' ' if after == ' ' => escaped.push(SPACE),
            _ => {
                if is_mark(character, before, after, rest) || (character == '.' && escaped.ends_with("www")) {
                    escaped.push('\\');
                }
                escaped.push(character);
            }
        }
        before = character;
    }
}

/// Escapes characters that only have a meaning at the start of a line; returns the rest.
fn write_start<'t>(text: &'t str, escaped: &mut String) -> &'t str {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = text.split_at_checked(digits).unwrap_or(("", text));
    let marks: &[char] = if digits == 0 { &['-', '+', '>', '=', ':'] } else { &['.', ')'] };
    escaped.push_str(number);
    match rest.chars().next() {
        Some(mark) if marks.contains(&mark) && !is_address(rest) => {
            escaped.push('\\');
            escaped.push(mark);
            rest.get(mark.len_utf8()..).unwrap_or_default()
        }
        _ => rest,
    }
}

/// Whether a character could have a meaning between these two. `rest` begins with the second of them.
fn is_mark(character: char, before: char, after: char, rest: &str) -> bool {
    match character {
        '\\' | '`' | '*' | '[' | ']' | '<' | '|' | '~' | '$' => true,
        // Within a word it is a letter.
        '_' => !(before.is_alphanumeric() && after.is_alphanumeric()),
        '&' => after == '#' || after.is_ascii_alphabetic(),
        '#' => !before.is_alphanumeric(),
        ':' => rest.starts_with("//"),
        _ => false,
    }
}

fn is_address(text: &str) -> bool {
    text.starts_with("https://") || text.starts_with("http://")
}

/// The URL that a text begins with.
fn address_at(text: &str, before: char) -> Option<&str> {
    if before.is_alphanumeric() || !is_address(text) {
        return None;
    }
    let end = text.chars().take(LONGEST_ADDRESS).take_while(|c| is_of_address(*c)).count();
    let address = text.get(..end)?;
    // Text that looks like an entity would be read as one.
    let end = address.find('&').filter(|_| address.contains(';')).unwrap_or(end);
    let address = address.get(..end)?.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '"', ')', ']', '*', '_']);
    let (_, name) = address.split_once("//")?;
    (!name.is_empty()).then_some(address)
}

fn is_of_address(c: char) -> bool {
    c.is_ascii_graphic() && !matches!(c, '<' | '>' | '`' | '\\' | '|' | '"')
}

/// The name with its `@` that a text begins with, if GitHub could read it as a mention.
pub(super) fn mention_at(text: &str, before: char) -> Option<&str> {
    if !(before.is_whitespace() || matches!(before, '(' | '[' | '{' | '"' | '\'' | '*' | ',' | ';' | ':' | SPACE)) {
        return None;
    }
    let name = text.strip_prefix('@').filter(|name| name.starts_with(|c: char| c.is_ascii_alphanumeric()))?;
    let end =
        name.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/' | '.'))).unwrap_or(name.len());
    let name = name.get(..end)?.trim_end_matches(['.', '/', '-', '_']);
    text.get(..=name.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

    use super::*;
    use testkit::hostile::hostile;

    #[test]
    fn what_could_mean_something_is_escaped() {
        let cases = [
            ("plain words, (really)!", "plain words, (really)!"),
            ("snake_case and __init__", "snake_case and \\_\\_init\\_\\_"),
            ("# no *heading* `code` <b>", "\\# no \\*heading\\* \\`code\\` \\<b>"),
            ("- item", "\\- item"),
            ("1. item", "1\\. item"),
            ("2026) x", "2026\\) x"),
            ("> quote", "\\> quote"),
            ("===", "\\==="),
            (":--", "\\:--"),
            ("a|b ~c~ $x$ &amp; R&D & co", "a\\|b \\~c\\~ \\$x\\$ \\&amp; R\\&D & co"),
            ("![x](y)", "!\\[x\\](y)"),
            ("C# fixes #12 #", "C# fixes \\#12 \\#"),
            ("see https://a.b/c_d_(e)?f=*.", "see <https://a.b/c_d_(e)?f=>\\*."),
            ("www.a_b.c ftp://x", "www\\.a_b.c ftp\\://x"),
            ("@ana look at @src/main.rs, not a@b.c", "`@ana` look at `@src/main.rs`, not a@b.c"),
            ("two  blanks", "two\u{a0} blanks"),
        ];
        for (text, wanted) in cases {
            assert_eq!(line(text), wanted);
        }
    }

    #[test]
    fn time_follows_length() {
        for piece in ["https://&a;", "```x\n", "@a", "\n```\n", "http://"] {
            let text = piece.repeat(200_000);
            assert!(lines(&text).len() > piece.len());
        }
    }

    #[test]
    fn lines_stay_lines_and_fences_stay_code() {
        assert_eq!(lines("one\n  two\n\n\nthree\n"), "one\\\n\u{a0}\u{a0}two\n\nthree");
        assert_eq!(lines("fix:\n```rust\nlet *x;\n```\nthanks"), "fix:\n\n```rust\nlet *x;\n```\n\nthanks");
        assert_eq!(lines("```\nnever *closed*"), "\\`\\`\\`\\\nnever \\*closed\\*");
    }

    /// The text that a reader sees, if it contains no markup but our own.
    fn seen(markdown: &str) -> String {
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_MATH
            | Options::ENABLE_GFM;
        let mut seen = String::new();
        for event in Parser::new_ext(markdown, options) {
            match event {
                Event::Text(text) => seen.push_str(&text),
                Event::Code(code) => {
                    assert!(code.starts_with('@'), "{markdown:?}");
                    seen.push_str(&code);
                }
                Event::HardBreak => seen.push('\n'),
                Event::Start(Tag::Paragraph) if !seen.is_empty() => seen.push_str("\n\n"),
                Event::Start(Tag::Paragraph | Tag::Link { link_type: LinkType::Autolink, .. })
                | Event::End(TagEnd::Paragraph | TagEnd::Link) => {}
                other => panic!("{other:?} in {markdown:?}"),
            }
        }
        seen.replace(SPACE, " ")
    }

    fn markup() -> impl Strategy<Value = String> {
        let pieces = prop::sample::select(vec![
            "*",
            "**",
            "_",
            "__",
            "`",
            "``",
            "~",
            "~~",
            "[",
            "]",
            "(",
            ")",
            "!",
            "<",
            ">",
            "<b>",
            "</details>",
            "<!--",
            "&",
            "&amp;",
            "&#60;",
            "#",
            "# ",
            "- ",
            "+ ",
            "1. ",
            "2) ",
            "> ",
            "===",
            "---",
            ":--",
            "|",
            "\\",
            "$",
            "$$",
            ":",
            "@ana",
            "@",
            "https://a.b/c",
            "http://",
            "www.x.y",
            "ftp://a",
            "[^1]: ",
            "[a]: b",
            "[!NOTE]",
            "\n",
            "\n\n",
            "  ",
            "    ",
            "\t",
            " ",
            "a",
            "word",
            "é",
            "1",
            "\\\n",
            "```",
            "~~~",
            "=",
            "[x] ",
            ".",
            "'",
            "\"",
        ]);
        prop::collection::vec(pieces, 0..24).prop_map(|pieces| pieces.concat())
    }

    fn expected(text: &str) -> String {
        let text = clean_text(text).replace('\t', "    ").replace(SPACE, " ");
        let mut paragraphs = vec![Vec::new()];
        for line in text.lines().map(str::trim_end) {
            if line.is_empty() {
                paragraphs.push(Vec::new());
            } else if let Some(paragraph) = paragraphs.last_mut() {
                paragraph.push(line);
            }
        }
        let paragraphs: Vec<String> =
            paragraphs.iter().filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n")).collect();
        paragraphs.join("\n\n")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]

        #[test]
        fn any_text_is_shown_as_it_is(text in prop_oneof![hostile(), markup()]) {
            // Fences are code on purpose.
            let text = text.replace("```", "``");
            prop_assert_eq!(seen(&lines(&text)), expected(&text));
        }

        #[test]
        fn any_text_fits_in_a_line(text in prop_oneof![hostile(), markup()]) {
            let wanted = clean_line(&text).trim().replace(SPACE, " ");
            prop_assert_eq!(seen(&line(&text)), wanted.clone());
            let heading = format!("## 1 · {}\n", words(&text));
            let inside: String = Parser::new(&heading).filter_map(|event| match event {
                Event::Text(text) | Event::Code(text) => Some(text.to_string()),
                _ => None,
            }).collect();
            prop_assert_eq!(inside.replace(SPACE, " "), format!("1 · {wanted}").trim_end().to_owned());
        }

        #[test]
        fn any_text_stays_in_its_quote(text in prop_oneof![hostile(), markup()]) {
            let quoted = super::super::sheet::quote(&lines(&text)) + "\n\nafter";
            let top: Vec<_> = pulldown_cmark::TextMergeStream::new(Parser::new(&quoted)).collect();
            prop_assert!(matches!(&top[top.len() - 2], Event::Text(text) if &**text == "after"), "{quoted}");
        }
    }
}
