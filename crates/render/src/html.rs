//! A story as a page of HTML.
//!
//! What holds for every page:
//! - Text of a session reaches it through [`text()`] alone: cleaned of what steers a terminal or the direction of
//!   writing, and escaped. No element and no attribute comes from a session. What the model says in Markdown becomes
//!   elements of ours; HTML in it is shown.
//! - A page loads nothing and tells nobody: style, script and images are in it, and its policy forbids the rest.
//! - Without the script it is complete: everything is there, folded by `<details>`.
//!
//! # The markup
//!
//! Style and script know a page by this, and by nothing else.
//!
//! ```html
//! <html data-detail="steps">                     the level that is shown
//! <header class="head">…</header>                what is known of the session
//! <nav class="rail"><ol><li data-turn="3">…      one line per turn
//! <main id="conversation">
//!   <div class="chunk" data-rows="240">          some turns; all but the first chunk are in a <noscript>, which
//!     <section class="turn" id="turn-3">         the script takes out when they come into view
//!       <div class="step prompt" id="l12" data-level="0" data-kind="prompt">
//!         <div class="words">…
//!       <div class="step reply" id="l13" data-level="1" data-kind="reply">
//!         <div class="prose">…
//!       <details class="step call" id="l14-1" data-level="2" data-kind="call" data-tool="Bash" data-family="shell"
//!                data-state="failed" data-severity="error">
//!         <summary><b>Bash</b> <span class="subject">make</span> <span class="outcome">no rule</span>
//!                  <span class="took">1.2 s</span></summary>
//!         <div class="body">…                    what was asked and what came of it
//!       <details class="step thinking" …>        also: output, context, compaction
//!       <p class="step notice" …>                also: joint, outcome, orphan, unknown
//! <section class="threads">                      agents and branches, each with its own chunks
//!   <section class="thread" id="thread-2" data-kind="agent">…
//! <script type="application/json" id="facts">    what the script needs to know of the whole
//! ```
//!
//! Code is `<pre class="code" data-language="rust" data-line="41"><code>…`, coloured and numbered by script and style.
//! A diff is `<div class="diff">` of `<div class="hunk">` of `<p class="same|removed|added">`, with the numbers of
//! lines as `data-old` and `data-new`, and `<div class="change">` around what was removed and added in one place.
//! What a program printed is `<pre class="output">`, with `<span class="ansi-…">` where it chose colours.

mod code;
mod diff;
mod image;
mod output;
mod prose;
mod text;

pub use code::code;
pub use diff::diff;
pub use image::image;
pub use output::output;
pub use prose::prose;
pub use text::{Text, text};
