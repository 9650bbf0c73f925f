//! Output of programs.

mod color;

use maud::{Markup, PreEscaped, html};

use super::long::{long, long_text};
use super::text::write;
use styled::Line;
use styled::ansi::{self, Limits};
use styled::clean::clean_text;

/// A line that is overwritten takes memory for each of its columns; no readable line is longer than this.
const LIMITS: Limits = Limits { columns: 100_000, lines: usize::MAX };

/// The output of a program, in its own colours. Long output is mostly folded.
pub fn output(printed: &str) -> Markup {
    stream("output", printed)
}

/// What a program wrote to its standard error, like its output.
pub(crate) fn error_stream(printed: &str) -> Markup {
    stream("output stderr", printed)
}

fn stream(class: &str, printed: &str) -> Markup {
    if is_plain(printed) {
        return long_text(&clean_text(printed), |piece, _| block(class, |page| write(piece, page)));
    }
    let lines = ansi::output(printed, LIMITS).lines;
    let ends = printed.ends_with('\n');
    long(lines.len(), |range| {
        let is_last = range.end == lines.len();
        let piece = lines.get(range).unwrap_or_default();
        block(class, |page| {
            for (at, line) in piece.iter().enumerate() {
                write_line(line, page);
                if ends || !is_last || at + 1 < piece.len() {
                    page.push('\n');
                }
            }
        })
    })
}

/// Whether a text needs no terminal emulation: no escape sequences, and no control characters that move back in a line.
fn is_plain(printed: &str) -> bool {
    let bytes = printed.as_bytes();
    memchr::memchr3_iter(b'\x1b', b'\r', b'\x08', bytes)
        .all(|at| bytes.get(at) == Some(&b'\r') && bytes.get(at + 1) == Some(&b'\n'))
}

fn block(class: &str, fill: impl FnOnce(&mut String)) -> Markup {
    let mut text = String::new();
    fill(&mut text);
    html! {
        pre class=(class) tabindex="0" {
            // HTML ignores a line break at the beginning of a `pre`.
            @if text.starts_with('\n') { "\n" }
            (PreEscaped(text))
        }
    }
}

fn write_line(line: &Line, page: &mut String) {
    for span in line.spans() {
        let start = page.len();
        page.push_str("<span class=\"");
        let before = page.len();
        color::write_classes(span.style, page);
        if page.len() == before {
            page.truncate(start);
            write(span.text, page);
            continue;
        }
        page.push_str("\">");
        write(span.text, page);
        page.push_str("</span>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tests::{lines, text_of};

    fn shown(printed: &str) -> String {
        output(printed).into_string()
    }

    #[test]
    fn plain_output_is_its_text() {
        assert_eq!(
            shown("a\tb <c>\r\nd & \"e\""),
            "<pre class=\"output\" tabindex=\"0\">a\tb &lt;c&gt;\nd &amp; \"e\"</pre>"
        );
        assert_eq!(text_of(&shown("\n\na\n")), "\n\na\n");
        assert_eq!(text_of(&shown("\n\n\x1b[31ma\n")), "\n\na\n");
        assert_eq!(shown(""), "<pre class=\"output\" tabindex=\"0\"></pre>");
    }

    #[test]
    fn colours_become_classes() {
        insta::assert_snapshot!(shown("\x1b[1;31merror\x1b[0m: <no>\n\x1b[38;5;208mone\ntwo\x1b[39m three\x1b[4;9;97;44mx"), @r#"
        <pre class="output" tabindex="0"><span class="ansi-bold ansi-red">error</span>: &lt;no&gt;
        <span class="ansi-bright-yellow">one</span>
        <span class="ansi-bright-yellow">two</span> three<span class="ansi-underline ansi-strike ansi-bright-white ansi-on-blue">x</span></pre>
        "#);
    }

    #[test]
    fn progress_shows_its_last_state() {
        assert_eq!(text_of(&shown("10 %\r20 %\rdone\nnext\n")), "done\nnext\n");
        assert_eq!(text_of(&shown("abc\x08X")), "abX");
    }

    #[test]
    fn long_output_is_folded() {
        for printed in [lines(1304), lines(1303) + "1304", lines(1304).replace("7\n", "\x1b[32m7\x1b[m\n")] {
            let page = shown(&printed);
            assert_eq!(page.matches("<details class=\"more\"><summary>1,254 more lines</summary>").count(), 1);
            let text = text_of(&page.replace("1,254 more lines", ""));
            assert_eq!(text, clean_text(&printed), "{page}");
        }
    }

    #[test]
    fn wide_lines_are_kept() {
        let wide = "\x1b[m".to_owned() + &"wide ".repeat(10_000);
        assert_eq!(text_of(&shown(&wide)).len(), 50_000);
    }
}
