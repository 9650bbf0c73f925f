//! Blocks of code, data and files.

use maud::{Markup, html};

use super::long::long_text;
use super::text::Cleaned;
use styled::clean::clean_text;
use styled::highlight::Language;

/// Code, with the number of its first line if it is a part of a file. Long code is mostly folded.
pub fn code(code: &str, language: Option<Language>, first_line: Option<usize>) -> Markup {
    let language = language.map(Language::name);
    long_text(&clean_text(code), |piece, before| {
        let line = first_line.map(|first| first.saturating_add(before));
        html! { pre.code data-language=[language] data-line=[line] tabindex="0" { code { (Cleaned(piece)) } } }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tests::{lines, text_of};

    fn shown(text: &str) -> String {
        code(text, Language::named("rust"), Some(7)).into_string()
    }

    #[test]
    fn code_is_text_with_its_place() {
        insta::assert_snapshot!(shown("\n\tif a < b && c > \"d\" {}\n"), @r#"
        <pre class="code" data-language="rust" data-line="7" tabindex="0"><code>
        	if a &lt; b &amp;&amp; c &gt; "d" {}
        </code></pre>
        "#);
        let plain = code("\u{1b}[31mred\r\n</code><script>", None, None).into_string();
        assert_eq!(plain, "<pre class=\"code\" tabindex=\"0\"><code>red\n&lt;/code&gt;&lt;script&gt;</code></pre>");
    }

    #[test]
    fn long_code_is_folded_and_its_lines_are_counted_on() {
        assert!(!shown(&lines(60)).contains("details"));
        let page = shown(&lines(61));
        let marks: Vec<&str> = page.split("<pre").skip(1).map(|piece| piece.split('>').next().unwrap()).collect();
        insta::assert_snapshot!(marks.join("\n"), @r#"
         class="code" data-language="rust" data-line="7" tabindex="0"
         class="code" data-language="rust" data-line="47" tabindex="0"
         class="code" data-language="rust" data-line="58" tabindex="0"
        "#);
        assert!(page.contains("<details class=\"more\"><summary>11 more lines</summary><pre"), "{page}");
        assert!(shown(&lines(1304)).contains("<summary>1,254 more lines</summary>"));
    }

    #[test]
    fn the_pieces_of_long_code_are_the_code() {
        for text in [lines(61), lines(500), lines(500).trim_end().to_owned(), "\n".repeat(200)] {
            let page = shown(&text);
            let (first, rest) = page.split_once("<summary>").unwrap();
            let (_, last) = rest.split_once("</summary>").unwrap();
            assert_eq!(text_of(&format!("{first}<summary>{last}")), text);
        }
    }
}
