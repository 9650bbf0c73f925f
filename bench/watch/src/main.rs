//! Measures watching: how soon an appended line reaches a browser, under load and without, and how soon the page of a
//! large session opens.
//!
//! `cargo run --release -p bench-watch -- --help`
//!
//! | module | for |
//! |---|---|
//! | `served` | `recount serve`, as users start it, and its resources |
//! | `writer` | growing sessions |
//! | `listener` | a client that receives events |
//! | `load` | the board under load |
//! | `page` | the page of a large session, in a browser |
//! | `peer` | the same page of agentsview |

mod listener;
mod load;
mod page;
mod peer;
mod served;
mod writer;

use std::time::Duration;

use anyhow::{Result, bail};
use measure::build_recount;

const HELP: &str = "\
Measures `recount serve`: the board while sessions grow, and the page of a large session.

Usage: bench-watch [load [SECONDS] | page [--without-peers]]

load: 1,000 sessions, 200 of them growing by 10,000 lines a second, for SECONDS (120).
page: a session of 100 MB in Chromium, beside agentsview, which is installed into target/bench from PyPI.
Without a word, both.
";

/// The duration of the load.
const SECONDS: u64 = 120;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let load = |seconds| load::measure(&build_recount()?, Duration::from_secs(seconds));
    let page = |with_peer| page::measure(&build_recount()?, with_peer);
    match words.as_slice() {
        ["--help" | "-h"] => print!("{HELP}"),
        ["load"] => load(SECONDS)?,
        ["load", seconds] => load(seconds.parse()?)?,
        ["page"] => page(true)?,
        ["page", "--without-peers"] => page(false)?,
        [] => {
            load(SECONDS)?;
            page(true)?;
        }
        _ => bail!("wrong usage\n\n{HELP}"),
    }
    Ok(())
}
