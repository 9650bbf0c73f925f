use proptest::prelude::*;

use super::*;
use crate::text::tests::{hold, lines, text_of};

/// The rendered text, with one line per block.
fn shown(markdown: &str) -> String {
    let page = prose(markdown).into_string();
    hold(&page);
    let inner = page.strip_prefix("<div class=\"prose\">").and_then(|page| page.strip_suffix("</div>")).unwrap();
    ["<p", "<h", "<ul", "<ol", "<li", "<pre", "<blockquote", "<div", "<table", "<thead", "<tbody", "<tr"]
        .iter()
        .fold(inner.to_owned(), |page, tag| page.replace(&format!(">{tag}"), &format!(">\n{tag}")))
}

#[test]
fn headings_stay_below_those_of_the_page() {
    insta::assert_snapshot!(shown("# One\n## Two *2*\n### Three\n###### Six\nSetext\n===\n\n***"), @"
    <h4>One</h4>
    <h5>Two <em>2</em></h5>
    <h6>Three</h6>
    <h6>Six</h6>
    <h4>Setext</h4>
    <hr>
    ");
}

#[test]
fn marks_within_lines() {
    insta::assert_snapshot!(shown("**bold *both* `a < b`** ~~gone~~ a\\*b &amp; &#27;[31m \"q\"\nnext  \nlast"), @r#"
    <p><strong>bold <em>both</em> <code>a &lt; b</code></strong> <del>gone</del> a*b &amp; [31m "q"<br>next<br>last</p>
    "#);
}

#[test]
fn html_is_shown() {
    let text = "a <b onclick=x>b</b> <!-- c --> d\n\n<div>\n  <script>alert(1)</script>\n</div>\n\n- <img src=x>\n";
    insta::assert_snapshot!(shown(text), @"
    <p>a &lt;b onclick=x&gt;b&lt;/b&gt; &lt;!-- c --&gt; d</p>
    <p class=\"raw\">&lt;div&gt;
      &lt;script&gt;alert(1)&lt;/script&gt;
    &lt;/div&gt;</p>
    <ul>
    <li>
    <p class=\"raw\">&lt;img src=x&gt;</p></li></ul>
    ");
}

#[test]
fn links_lead_to_the_web_or_to_mail() {
    let text = "[text *x*](https://a.b/?c=1&d=\"2\") <https://a.b> <me@a.b> [mail](mailto:me@a.b) [](https://a.b)\n\
        [ref] [**x**](src/a.rs) [y](javascript:alert(1)) [z](//host) [src/a.rs](src/a.rs) [empty]()\n\n\
        [ref]: http://r.s \"t\"";
    insta::assert_snapshot!(shown(text), @r#"
    <p><a href="https://a.b/?c=1&amp;d=&quot;2&quot;" rel="noopener noreferrer nofollow">text <em>x</em></a> <a href="https://a.b" rel="noopener noreferrer nofollow">https://a.b</a> <a href="mailto:me@a.b" rel="noopener noreferrer nofollow">me@a.b</a> <a href="mailto:me@a.b" rel="noopener noreferrer nofollow">mail</a> <a href="https://a.b" rel="noopener noreferrer nofollow">https://a.b</a><br><a href="http://r.s" rel="noopener noreferrer nofollow">ref</a> <strong>x</strong><span class="target"> (src/a.rs)</span> y<span class="target"> (javascript:alert(1))</span> z<span class="target"> (//host)</span> src/a.rs empty</p>
    "#);
}

#[test]
fn bare_addresses_are_links() {
    insta::assert_snapshot!(shown("See http://a.b/c_d_e?f=1&amp;g (or *https://h.i*), not `http://j` nor [http://k](l)."), @r#"
    <p>See <a href="http://a.b/c_d_e?f=1&amp;g" rel="noopener noreferrer nofollow">http://a.b/c_d_e?f=1&amp;g</a> (or <em><a href="https://h.i" rel="noopener noreferrer nofollow">https://h.i</a></em>), not <code>http://j</code> nor http://k<span class="target"> (l)</span>.</p>
    "#);
}

#[test]
fn images_are_not_loaded() {
    let text = "![alt](https://a.b/i.png) ![](https://a.b/i.png) ![x](i.png) [![in](https://c.d/e.svg)](https://f.g)\n\
        [![in](i.png)](file:///x) ![a [b](https://c.d) e](https://f.g)";
    insta::assert_snapshot!(shown(text), @r#"
    <p><a href="https://a.b/i.png" rel="noopener noreferrer nofollow">alt</a> <a href="https://a.b/i.png" rel="noopener noreferrer nofollow">https://a.b/i.png</a> x<span class="target"> (i.png)</span> <a href="https://f.g" rel="noopener noreferrer nofollow">in</a><br>in<span class="target"> (i.png)</span><span class="target"> (file:///x)</span> <a href="https://f.g" rel="noopener noreferrer nofollow">a b e</a></p>
    "#);
    let data = format!("![x](data:image/png;base64,{})", "A".repeat(5000));
    assert!(text_of(&shown(&data)).chars().count() < 220);
}

#[test]
fn lists_are_tight_or_loose_as_they_were_written() {
    let text = "Steps:\n- one\n  goes on\n  - nested\n    1. deep\n-\n\n9. nine\n10. ten\n\n    more\n\n    ```sh\n    ls\n    ```\n";
    insta::assert_snapshot!(shown(text), @r#"
    <p>Steps:</p>
    <ul>
    <li>one<br>goes on<ul>
    <li>nested<ol>
    <li>deep</li></ol></li></ul></li>
    <li></li></ul>
    <ol start="9">
    <li>
    <p>nine</p></li>
    <li>
    <p>ten</p>
    <p>more</p>
    <pre class="code" data-language="bash" tabindex="0"><code>ls
    </code></pre></li></ol>
    "#);
}

#[test]
fn tasks_are_done_or_not() {
    insta::assert_snapshot!(shown("- [x] done\n- [ ] open\n\n1. [ ] loose\n\n2. plain\n"), @r#"
    <ul>
    <li class="task" data-done="true"><span class="unseen">done: </span>done</li>
    <li class="task" data-done="false"><span class="unseen">to do: </span>open</li></ul>
    <ol>
    <li class="task" data-done="false">
    <p><span class="unseen">to do: </span>loose</p></li>
    <li>
    <p>plain</p></li></ol>
    "#);
}

#[test]
fn tables_keep_their_alignment() {
    insta::assert_snapshot!(shown("a | b | c | d\n-|:-|:-:|-:\n1 | **2** | `3|` | 4 | 5\n6\n\nonly | head\n-|-\n"), @r#"
    <div class="table" tabindex="0">
    <table>
    <thead>
    <tr><th>a</th><th data-align="left">b</th><th data-align="center">c</th><th data-align="right">d</th></tr></thead>
    <tbody>
    <tr><td>1</td><td data-align="left"><strong>2</strong></td><td data-align="center">`3</td><td data-align="right">`</td></tr>
    <tr><td>6</td><td data-align="left"></td><td data-align="center"></td><td data-align="right"></td></tr></tbody></table></div>
    <div class="table" tabindex="0">
    <table>
    <thead>
    <tr><th>only</th><th>head</th></tr></thead></table></div>
    "#);
}

#[test]
fn notes_stand_at_the_end_in_the_order_in_which_they_are_mentioned() {
    let text =
        "[^b]: Second.\n[^unused]: Last.\n\nOne[^a], two[^b], one[^a], none[^none].\n\n[^a]: First:\n\n    - more";
    insta::assert_snapshot!(shown(text), @r#"
    <p>One<sup class="note">1</sup>, two<sup class="note">2</sup>, one<sup class="note">1</sup>, none[^none].</p>
    <ol class="notes">
    <li>
    <p>First:</p>
    <ul>
    <li>more</li></ul></li>
    <li>
    <p>Second.</p></li>
    <li>
    <p>Last.</p></li></ol>
    "#);
}

#[test]
fn quotations_and_alerts() {
    insta::assert_snapshot!(shown("> a\n> > b\n\n> [!WARNING]\n> Hot."), @r#"
    <blockquote>
    <p>a</p>
    <blockquote>
    <p>b</p></blockquote></blockquote>
    <blockquote class="alert" data-kind="warning">
    <p class="kind">Warning</p>
    <p>Hot.</p></blockquote>
    "#);
}

#[test]
fn code_knows_its_language_and_is_folded_if_it_is_long() {
    insta::assert_snapshot!(shown("```rust,ignore\nlet a = \"<\";\n\n```\n\n    indented\n\n~~~nothing\nopen &amp; end"), @r#"
    <pre class="code" data-language="rust" tabindex="0"><code>let a = "&lt;";

    </code></pre>
    <pre class="code" tabindex="0"><code>indented
    </code></pre>
    <pre class="code" tabindex="0"><code>open &amp;amp; end</code></pre>
    "#);
    assert!(shown(&format!("```\n{}", lines(100))).contains("<summary>50 more lines</summary>"));
}

#[test]
fn nothing_is_nested_without_end() {
    for text in [
        ">".repeat(100_000) + "end",
        ">".repeat(50_000) + "a\n" + &"b\n".repeat(50_000) + "end",
        "- ".repeat(50_000) + "end",
        "- ".repeat(50_000) + "a\n" + &"b\n".repeat(50_000) + "end",
        "[^a]: ".to_owned() + &"> ".repeat(50_000) + "a\n" + &"b\n".repeat(50_000) + "end",
        "> 1. ".repeat(99) + "a\n" + &"b\n".repeat(50_000) + "end",
        "> * ".repeat(49) + "end",
        (0..1000).map(|depth| "  ".repeat(depth) + "- a\n").collect::<String>() + "end",
        (0..99).map(|depth| "  ".repeat(depth) + "- a\n").collect::<String>() + "end",
        "*a **b ".repeat(20_000) + "end" + &" b** a*".repeat(20_000),
        "[![".repeat(20_000) + "end" + &"](a)](https://b)".repeat(20_000),
        "![".repeat(20_000) + "end" + &"](a)".repeat(20_000),
        "|a".repeat(3000) + "\n" + &"|-".repeat(3000) + "\n" + &"|b\n".repeat(3000) + "end",
        "http://a".repeat(20_000) + "end",
        "http://a)))".repeat(20_000) + "end",
        "http://a/ ".to_owned() + &"(((".repeat(20_000) + &")))".repeat(20_000) + "end",
    ] {
        let page = prose(&text).into_string();
        hold(&page);
        assert!(text_of(&page).contains("end"));
    }
}

#[test]
fn what_is_nested_too_deep_keeps_its_text() {
    let text: Vec<String> = (0..80).map(|depth| format!("{}- item {depth}", "  ".repeat(depth))).collect();
    let page = shown(&text.join("\n"));
    assert_eq!((page.matches("<li>").count(), page.matches("</li>").count()), (30, 30));
    assert!((0..80).all(|depth| page.contains(&format!("item {depth}"))));
    assert_eq!(text_of(&prose(&">".repeat(200)).into_string()), ">".repeat(200));
}

proptest! {
    #[test]
    fn words_are_not_lost(words in "[a-z]{1,8}( [a-z]{1,8}){0,8}", before in "(> |- |1\\. |# ){0,4}", mark in "(\\*|\\*\\*|_|~~|`|)") {
        let page = prose(&format!("{before}{mark}{words}{mark}")).into_string();
        hold(&page);
        prop_assert!(text_of(&page).contains(&words), "{}", page);
    }
}
