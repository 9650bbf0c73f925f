use proptest::prelude::*;

use super::*;
use crate::line::tests::{hold, marked};
use crate::write;
use testkit::hostile::hostile;

fn plain(text: &str, width: usize) -> String {
    write(&markdown(text, width), None)
}

#[test]
fn blocks_are_separated_by_blank_lines() {
    let text =
        "# One\nA text that goes on\nand on.\n***\n\n\n> A *quote*,\n> > nested.\n>\n> End.\n\n    code  here\n\n\n";
    insta::assert_snapshot!(marked(&markdown(text, 30)), @"
    ⟨Quiet # ⟩⟨Heading One⟩

    A text that goes on
    and on.

    ⟨Quiet ──────────────────────────────⟩

    ⟨Quiet │ ⟩A ⟨Emphasis quote⟩,
    ⟨Quiet │⟩
    ⟨Quiet │ │ ⟩nested.
    ⟨Quiet │⟩
    ⟨Quiet │ ⟩End.

      code  here
    ");
}

#[test]
fn marks_within_prose() {
    let text = "**bold *both* `code`** ~~gone~~ `a  b` a\\*b &amp; &#27;[31m <b>x</b>  \nnext";
    insta::assert_snapshot!(marked(&markdown(text, 90)), @"
    ⟨Strong bold ⟩⟨Strong+Emphasis both⟩⟨Strong  ⟩⟨Strong+Code code⟩ ⟨Quiet ~~⟩⟨Struck gone⟩⟨Quiet ~~⟩ ⟨Code a  b⟩ a*b & [31m <b>x</b>
    next
    ");
}

#[test]
fn links_show_their_targets() {
    let text = "[text](https://a.b/c) <https://a.b> [https://a.b](https://evil.c) <me@a.b> [**x**](src/a.rs) \
        [y](javascript:alert(1)) ![alt](i.png) [ref] [![in](i.png)](file:///x)\n\n[ref]: http://r.s \"t\"";
    insta::assert_snapshot!(marked(&markdown(text, 40)), @"
    ⟨Link text⟩⟨Quiet  (https://a.b/c)⟩ ⟨Link https://a.b⟩
    ⟨Link https://a.b⟩⟨Quiet  (https://evil.c)⟩ ⟨Link me@a.b⟩ ⟨Strong x⟩
    ⟨Quiet (src/a.rs)⟩ y⟨Quiet  (javascript:alert(1))⟩
    ⟨Quiet image: ⟩alt⟨Quiet  (i.png)⟩ ⟨Link ref⟩⟨Quiet  (http://r.s)⟩
    ⟨Quiet+Link image: ⟩⟨Link in⟩⟨Quiet  (i.png) (file:///x)⟩
    ");
}

#[test]
fn lists_are_tight_or_loose_as_they_were_written() {
    let text = "Steps:\n- one that is long enough to be wrapped\n  - nested\n    1. deep\n- [x] done\n- [ ] open\n-\n\n\
        9. nine\n10. ten\n\n    ten goes on\n\n    ```sh\n    ls  # all\n    ```\n11. end\n\nAfter.";
    insta::assert_snapshot!(plain(text, 30), @"
    Steps:

    • one that is long enough to
      be wrapped
      • nested
        1. deep
    • [x] done
    • [ ] open
    •

    9. nine

    10. ten

        ten goes on

          ls  # all

    11. end

    After.
    ");
}

#[test]
fn code_is_highlighted_and_folded() {
    let text = "Run:\n```rust\nfn main() {\n\n\tlet text = \"a long string in here\";\n}\n```\n- in a list\n  ~~~\n  plain\n  ~~~\n\nend";
    insta::assert_snapshot!(marked(&markdown(text, 24)), @r#"
    Run:

      ⟨Keyword fn⟩ main() {

          ⟨Keyword let⟩ text = ⟨String "a long⟩
    ⟨Quiet ↳ ⟩⟨String  string in here"⟩;
      }

    ⟨Quiet • ⟩in a list
        plain

    end
    "#);
}

#[test]
fn html_is_text() {
    let text = "<details>\n<summary>More</summary>\n\n- in <br> it\n\n</details>\n\n<!-- a\nb -->\nafter";
    insta::assert_snapshot!(plain(text, 40), @"
    <details>
    <summary>More</summary>

    • in <br> it

    </details>

    <!-- a
    b -->

    after
    ");
}

const TABLE: &str = "| name | what it does | n |\n|:--|:-:|--:|\n| `a` | reads | 1 |\n| long name | writes **all** of the lines | 1,000 |";

#[test]
fn tables_have_columns() {
    insta::assert_snapshot!(marked(&markdown(TABLE, 60)), @"
    ⟨Strong name⟩            ⟨Strong what it does⟩            ⟨Strong n⟩
    ⟨Quiet ─────────  ───────────────────────  ─────⟩
    ⟨Code a⟩                   reads               1
    long name  writes ⟨Strong all⟩ of the lines  1,000
    ");
}

#[test]
fn wide_columns_are_wrapped() {
    insta::assert_snapshot!(plain(TABLE, 34), @"
    name         what it does        n
    ─────────  ────────────────  ─────
    a               reads            1
    ┄┄┄┄┄┄┄┄┄  ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄  ┄┄┄┄┄
    long name   writes all of    1,000
                  the lines
    ");
}

#[test]
fn tables_that_do_not_fit_are_lists() {
    insta::assert_snapshot!(plain(TABLE, 24), @"
    name: a
    what it does: reads
    n: 1

    name: long name
    what it does: writes all
      of the lines
    n: 1,000
    ");
}

#[test]
fn nesting_is_bounded() {
    for text in ["> ".repeat(5_000) + "x", "- ".repeat(5_000) + "x", "*a ".repeat(5_000), "[".repeat(5_000)] {
        hold(&markdown(&text, 30), 30);
    }
    let wide = "|a".repeat(2_000) + "\n" + &"|-".repeat(2_000) + "\n" + &"|\n".repeat(2_000);
    hold(&markdown(&wide, 30), 30);
}

#[test]
fn excessive_nesting_is_shown_as_text() {
    for text in testkit::hostile::too_deep() {
        let lines = markdown(&text, 30);
        hold(&lines, 30);
        let shown: String = lines.iter().map(Line::text).collect();
        let words = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(words(&shown), words(&text));
    }
    assert_eq!(plain(&(">".repeat(150) + "a\n\n  b"), 200), ">".repeat(150) + "a\n\n  b\n");
}

#[test]
fn text_after_a_table_with_too_many_empty_cells_follows_it() {
    let text = "|a".repeat(3000) + "\n" + &"|-".repeat(3000) + "\n" + &"|b\n".repeat(100) + "\nend\n\n***\n- item";
    let lines = markdown(&text, 30);
    hold(&lines, 30);
    let shown = write(&lines, None);
    assert!(shown.starts_with("a: b"), "{}", shown.get(..40).unwrap_or_default());
    assert!(shown.ends_with("\n\nend\n\n──────────────────────────────\n\n• item\n"));
}

proptest! {
    #[test]
    fn any_text_is_laid_out(text in hostile(), width in 4_usize..100) {
        let lines = markdown(&text, width);
        hold(&lines, width);
        prop_assert!(lines.last().is_none_or(|line| !line.is_empty()));
    }
}
