//! Prints Markdown, a diff, code and the output of a command for visual review:
//! `cargo run -p recount-styled --example look -- 80`

use styled::Line;
use styled::Role;
use styled::Theme;
use styled::ansi::{Limits, output};
use styled::diff;
use styled::markdown;
use styled::write;

const OLD: &str = "\
def retry(call, times=3):
    for n in range(times):
        try:
            return call()
        except Exception:
            time.sleep(1)
    raise RuntimeError('gave up')
";

const NEW: &str = "\
def retry(call, times=5):
    for n in range(times):
        try:
            return call()
        except OSError as error:
            log.warning('failed: %s', error)
            time.sleep(2 ** n)
    raise RuntimeError('gave up')
";

const OUTPUT: &str = "\
Compiling 10 %\rCompiling 60 %\r\x1b[2K\x1b[1;32mFinished\x1b[0m in 2.1 s
\x1b[31mtest b ... FAILED\x1b[0m
\x1b[38;5;208m208\x1b[0m \x1b[7minverse\x1b[0m \x1b]0;title\x07\x1b[?25l
";

fn main() {
    let width = std::env::args().nth(1).and_then(|width| width.parse().ok()).unwrap_or(80);
    let theme = Theme::default();
    let mut lines = markdown(include_str!("page.md"), width);
    let heading = |text: &str| [Line::new(), Line::new().with(text, Role::Prompt), Line::new()];
    lines.extend(heading("A diff"));
    lines.extend(diff::between(OLD, NEW, 2, width));
    lines.extend(heading("Output"));
    lines.extend(output(OUTPUT, Limits { columns: width, lines: 100 }).lines);
    print!("{}", write(&lines, Some(&theme)));
}
