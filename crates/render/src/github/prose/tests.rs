//! Markdown of the model in a document, and properties of any result.

use proptest::prelude::*;

use super::*;
use testkit::hostile::hostile;

fn edited(text: &str) -> String {
    prose(text, None).text
}

#[test]
fn headings_nest_below_the_turn() {
    assert_eq!(edited("# One\n\n## Two\n\n### Three"), "### One\n\n#### Two\n\n##### Three");
    assert_eq!(edited("## Two ##\n#\n"), "#### Two ##\n###");
    assert_eq!(edited("### Three\n#### Four"), "### Three\n#### Four");
    assert_eq!(edited("# One\n###### Six"), "### One\n###### Six");
    assert_eq!(edited("> # One\n\n- # Two"), "> ### One\n\n- ### Two");
}

#[test]
fn underlined_headings_get_marks() {
    assert_eq!(edited("Title\n===\n\ntext"), "### Title\n\ntext");
    assert_eq!(edited("Long *title*\nin `two` lines\n---\ntext"), "### Long *title* in `two` lines\ntext");
    assert_eq!(edited("> Title\n> ---\n> text"), "> ### Title\n> text");
}

#[test]
fn code_is_left_alone() {
    let text = "```md\n# One <b>\n@ana\n```\n\n    # Two <i>\n\n`<u> @ana`";
    assert_eq!(edited(text), text);
    let text = "text\n~~~html\n<p>&lt;</p>\n~~~";
    assert_eq!(edited(text), text);
}

#[test]
fn code_over_several_lines_stays_code() {
    assert_eq!(edited("`a <b>\n<div>`"), "`a <b> <div>`");
    assert_eq!(edited("> `a\n> <div>`"), "> `a <div>`");
}

#[test]
fn html_is_text() {
    assert_eq!(edited("a <b>c</b> <!-- d -->"), "a &lt;b>c&lt;/b> &lt;!-- d -->");
    assert_eq!(edited("<details>\n# x\n</details>"), "&lt;details>\n### x\n&lt;/details>");
    assert_eq!(edited("<!--\n```\n<b>\n```\n-->"), "&lt;!--\n```\n<b>\n```\n-->");
    assert_eq!(edited("Vec<u8> is <https://a.b/c>"), "Vec&lt;u8> is <https://a.b/c>");
}

#[test]
fn images_and_bad_links_lead_nowhere() {
    assert_eq!(edited("![chart](https://a.b/c.png)"), "[chart](https://a.b/c.png)");
    assert_eq!(edited("![](https://a.b/c.png)"), "[image](https://a.b/c.png)");
    assert_eq!(edited("!![a](b)"), "!\\![a](b)");
    assert_eq!(edited("[x](javascript:alert(1))"), "\\[x\\](javascript:alert(1))");
    assert_eq!(edited("![x](data:image/png;base64,AAAA)"), "!\\[x\\](data:image/png;base64,AAAA)");
    let fine = "[a](src/main.rs:12) [b](#c) [d](mailto:a@b.c) [e](HTTP://a.b) [f](main.rs:3)";
    assert_eq!(edited(fine), fine);
}

#[test]
fn mentions_are_code() {
    assert_eq!(edited("ask @ana, use *@types/node* or a@b.c"), "ask `@ana`, use *`@types/node`* or a@b.c");
    assert_eq!(edited("https://a.b/@ana [@ana](x)"), "https://a.b/@ana [@ana](x)");
}

#[test]
fn code_that_does_not_end_ends() {
    assert_eq!(edited("```rust\nfn x()"), "```rust\nfn x()\n```");
    assert_eq!(edited("~~~~\na\n~~~"), "~~~~\na\n~~~\n~~~~");
    assert_eq!(edited("```"), "```\n```");
    assert_eq!(edited("- ```\n  a"), "- ```\n  a");
}

#[test]
fn lists_do_not_run_into_each_other() {
    let safe = prose("- a\n  - b\n- c", Some('-'));
    assert_eq!((safe.text.as_str(), safe.last_bullet), ("+ a\n  - b\n+ c", Some('+')));
    let safe = prose("text\n\n* a", Some('-'));
    assert_eq!((safe.text.as_str(), safe.last_bullet), ("text\n\n* a", Some('*')));
    assert_eq!(prose("* a\n\ntext", None).last_bullet, None);
    assert_eq!(prose("* a\n\n---", None).last_bullet, None);
    assert_eq!(prose("1. a", None).last_bullet, None);
}

#[test]
fn what_cannot_be_edited_is_literal() {
    assert_eq!(
        edited("[a]: b\n    &\n===\n    *<b>"),
        "\\[a\\]: b\\\n\u{a0}\u{a0}\u{a0}\u{a0}&\\\n\\===\\\n\u{a0}\u{a0}\u{a0}\u{a0}\\*\\<b>"
    );
}

#[test]
fn time_follows_length() {
    let nested = "![".repeat(20_000) + &"](x:y)".repeat(20_000);
    assert!(edited(&nested).len() > nested.len());
    for piece in ["<", "`<\n", "<https://a ", "[a](x:y)", " @a", "- ", "> ", "a\n=\n", "```\n"] {
        let text = piece.repeat(20_000);
        assert!(!edited(&text).is_empty());
    }
}

fn markup() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "*",
        "**",
        "_",
        "`",
        "``",
        "```",
        "```rust\n",
        "~~~",
        "~~~~\n",
        "[",
        "]",
        "(",
        ")",
        "](",
        "![",
        "!",
        "<",
        ">",
        "<b>",
        "</b>",
        "<div>\n",
        "</details>",
        "<!--",
        "-->",
        "<?",
        "<![CDATA[",
        "<script>",
        "<a href='`'>",
        "&",
        "&lt;",
        "#",
        "# ",
        "## ",
        "###### ",
        "- ",
        "+ ",
        "* ",
        "1. ",
        "> ",
        "\n> ",
        "===",
        "---",
        "\n===\n",
        "\n---\n",
        "|",
        "|-|\n",
        "\\",
        "javascript:x",
        "data:x",
        "https://a.b",
        "<https://a.b>",
        "@ana",
        "[^1]: ",
        "[a]: b\n",
        "[a]",
        "[a]: javascript:x\n",
        "\n",
        "\n\n",
        "  ",
        "    ",
        "\t",
        " ",
        "a",
        "word",
        "é",
        "\\\n",
        "- [x] ",
        "\n  ",
        "\n    ",
        "[!NOTE]",
    ]);
    prop::collection::vec(pieces, 0..24).prop_map(|pieces| pieces.concat())
}

/// Fails if a document contains forbidden markup.
fn inspect(document: &str) {
    let mut depth = 0_usize;
    let mut last = String::new();
    for event in Parser::new_ext(document, github_flavoured()) {
        match event {
            Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::Image { .. }) => panic!("{event:?}"),
            Event::Start(tag) => {
                match &tag {
                    Tag::Heading { level, .. } => assert!(super::depth(*level) >= HIGHEST, "{tag:?}"),
                    Tag::Link { link_type, dest_url, .. } if *link_type != LinkType::Email => {
                        assert!(leads_somewhere_good(dest_url), "{tag:?}");
                    }
                    _ => {}
                }
                depth += 1;
                last.clear();
            }
            Event::End(_) => depth -= 1,
            Event::Text(text) => last.push_str(&text),
            _ => {}
        }
    }
    assert_eq!((depth, last.as_str()), (0, "after"), "it does not end");
}

#[test]
fn what_is_nested_too_deep_is_shown_as_it_is() {
    for text in testkit::hostile::too_deep() {
        assert_eq!(edited(&text), literal::lines(&text));
        assert_eq!(nested(&text), literal::lines(&text));
    }
}

#[test]
fn what_follows_a_table_with_too_many_empty_cells_is_not_lost() {
    let text = "|a".repeat(3000) + "\n" + &"|-".repeat(3000) + "\n" + &"|b\n".repeat(100) + "\nend <b>\n\n- @ana";
    let shown = edited(&text);
    // A Markdown parser takes all of it for the table, so it can only be shown literally.
    assert_eq!(shown, literal::lines(&text));
    assert!(shown.ends_with("\n\nend \\<b>\n\n\\- `@ana`"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn no_text_can_do_harm(text in prop_oneof![hostile(), markup()]) {
        inspect(&(edited(&text) + "\n\nafter"));
    }

    #[test]
    fn no_text_can_do_harm_in_a_list(text in prop_oneof![hostile(), markup()]) {
        let item = format!("- {}\n\nafter", format!("item\n\n{}", nested(&text)).replace('\n', "\n  "));
        inspect(&item);
    }
}
