use proptest::prelude::*;

use super::*;
use crate::text::tests::{hold, lines, text_of};
use styled::diff::hunks;
use testkit::hostile::hostile;

/// A piece of a page with one line per element.
fn spread(page: &str) -> String {
    page.replace("><p", ">\n<p").replace("><div", ">\n<div").replace("><details", ">\n<details")
}

fn shown(old: &str, new: &str, context: usize) -> String {
    spread(&diff(&hunks(old, new, context), None).into_string())
}

#[test]
fn lines_have_numbers_and_words_that_differ_are_marked() {
    let hunk = Hunk::from_patch(7, 8, [" fn wait() {", "-\tsleep(1 < x);", "+\tsleep(2 < x);", "+\tlog();", " }"]);
    insta::assert_snapshot!(spread(&diff(&[hunk], Language::named("rust")).into_string()), @r#"
    <div class="diff" data-language="rust" tabindex="0">
    <div class="hunk">
    <p class="same" data-old="7" data-new="8">fn wait() {</p>
    <div class="change">
    <p class="removed" data-old="8">	sleep(<mark>1</mark> &lt; x);</p>
    <p class="added" data-new="9">	sleep(<mark>2</mark> &lt; x);</p>
    <p class="added" data-new="10"><mark>	log();</mark></p></div>
    <p class="same" data-old="9" data-new="11">}</p></div></div>
    "#);
}

#[test]
fn hunks_are_set_apart() {
    let old = lines(30);
    let new = old.replace("line 9\n", "").replace("line 28\n", "line 28!\n");
    insta::assert_snapshot!(shown(&old, &new, 1), @r#"
    <div class="diff" tabindex="0">
    <div class="hunk">
    <p class="same" data-old="8" data-new="8">line 8</p>
    <div class="change">
    <p class="removed" data-old="9">line 9</p></div>
    <p class="same" data-old="10" data-new="9">line 10</p></div>
    <p class="gap">16 unchanged lines</p>
    <div class="hunk">
    <p class="same" data-old="27" data-new="26">line 27</p>
    <div class="change">
    <p class="removed" data-old="28">line 28</p>
    <p class="added" data-new="27">line 28<mark>!</mark></p></div>
    <p class="same" data-old="29" data-new="28">line 29</p></div></div>
    "#);
}

#[test]
fn what_was_changed_in_one_place_stays_together() {
    let patch = ["-a", "\\ No newline at end of file", "+b", "-c", "+d", "\\ No newline at end of file"];
    let changes = [Hunk::from_patch(1, 1, patch), Hunk::from_patch(0, 0, ["+\x1b[31mx\r", "", "\\ odd", "+y"])];
    insta::assert_snapshot!(spread(&diff(&changes, None).into_string()), @r#"
    <div class="diff" tabindex="0">
    <div class="hunk">
    <div class="change">
    <p class="removed" data-old="1">a</p>
    <p class="note">No newline at end of file</p>
    <p class="added" data-new="1">b</p></div>
    <div class="change">
    <p class="removed" data-old="2">c</p>
    <p class="added" data-new="2">d</p>
    <p class="note">No newline at end of file</p></div></div>
    <p class="gap">⋮</p>
    <div class="hunk">
    <div class="change">
    <p class="added" data-new="0">x</p></div>
    <p class="same" data-old="0" data-new="1"></p>
    <p class="note">odd</p>
    <div class="change">
    <p class="added" data-new="2">y</p></div></div></div>
    "#);
}

#[test]
fn long_diffs_are_folded() {
    let page = shown("", &lines(300), 3);
    assert_eq!(page.matches("<details class=\"more\"><summary>250 more lines</summary>").count(), 1);
    assert_eq!(page.matches("<p class=\"added\"").count(), 300);
    assert_eq!(page.matches("class=\"gap\"").count(), 0);
    assert_eq!(page.matches("class=\"hunk\"").count(), 3);
    assert!(!shown("", &lines(60), 3).contains("<details"));
}

#[test]
fn changes_are_not_cut_by_a_fold_unless_they_are_long() {
    let old = lines(200);
    let new = (38..45)
        .chain(185..195)
        .fold(old.clone(), |new, line| new.replace(&format!("line {line}\n"), &format!("line {line} is new\n")));
    let page = shown(&old, &new, 200);
    let (first, rest) = page.split_once("<details").unwrap();
    let (_, last) = rest.split_once("</details>").unwrap();
    assert_eq!((first.matches("\"removed\"").count(), first.matches("\"added\"").count()), (7, 7));
    assert_eq!((last.matches("\"removed\"").count(), last.matches("\"added\"").count()), (10, 10));
    // Every line is rewritten.
    let page = shown(&lines(100), &lines(100).replace("line", "other"), 3);
    assert!(page.contains("<summary>150 more lines</summary>"), "{page}");
}

proptest! {
    #[test]
    fn any_diff_is_a_good_page(old in hostile(), new in hostile(), context in 0_usize..5) {
        hold(&diff(&hunks(&old, &new, context), None).into_string());
        let all = diff(&hunks("", &new, 0), None).into_string();
        let lines: Vec<_> = new.split_terminator('\n').map(|line| clean_piece(line.strip_suffix('\r').unwrap_or(line))).collect();
        prop_assert_eq!(text_of(&all), lines.concat());
    }
}
