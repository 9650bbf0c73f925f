//! A story as an HTML page.
//!
//! Invariants of every page:
//! - Text of a session reaches it through [`text()`] alone: without control characters of terminals and of writing
//!   direction, and escaped. No element and no attribute comes from a session. Markdown of the model becomes elements
//!   of ours; HTML in it is shown as text.
//! - A page loads nothing and sends nothing: stylesheet, script and images are embedded, and its policy forbids the
//!   rest. Pages of a site may share stylesheet and script, and load their own parts; nothing else.
//! - It is complete without the script: everything is there, folded by `<details>`.
//!
//! # The markup
//!
//! Stylesheet and script rely on this markup, and on nothing else.
//!
//! ```html
//! <html data-detail="steps">                     the current level
//! <header class="head">…</header>                facts about the session
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
//!         <div class="body">…                    the input and the result
//!       <details class="step thinking" …>        also: output, context, compaction
//!       <p class="step notice" …>                also: joint, outcome, orphan, unknown
//!       <section class="step chapter" data-level="1" data-kind="chapter"><h3>…
//! <section class="threads">                      agents and branches, each with its own chunks
//!   <section class="thread" id="thread-2" data-kind="agent">…
//! <script type="application/json" id="facts">    facts about the session, for the script
//! ```
//!
//! A page is, in this order: `<a class="skip">`, `header.head`, `div.toolbar`, `figure.timeline`, `nav.rail`,
//! `main#conversation`, `section.threads`, `section.lines` (only at raw), `dialog#help`, `#facts`,
//! `#languages` (JSON, as `highlight::export` says), the script.
//!
//! Rules for all elements:
//! - `data-level` is the lowest level at which an element is shown: 0 prompts, 1 talk, 2 steps, 3 full, 4 raw. It is on
//!   steps, on `time.at`, and on whole threads. Elements of level 4 are only in pages that were written at raw.
//! - `data-kind` of a step: `prompt`, `reply`, `thinking`, `call`, `output`, `notice`, `context`, `compaction`,
//!   `chapter`, `joint`, `outcome`, `orphan`, `unknown`, `branch`. `data-severity` is `expected`, `warning` or `error`, and absent
//!   otherwise. `data-withdrawn` marks withdrawn steps.
//! - `<time class="at" data-level="1" datetime="…Z">09:01</time>` precedes the step that it belongs to (its next
//!   sibling), if the minute differs from the one before. With `data-below="2"` it is hidden from level 2 on, since a
//!   step that is shown from there on has the same minute. Times are in the zone of the user who wrote the page; the
//!   script shows them in that of the reader, unless the user chose a zone, which is `data-zone` of `<html>`.
//! - `<button class="copy" data-copy="…">` copies its `data-copy`.
//!
//! The head:
//!
//! ```html
//! <header class="head"><h1>…</h1>
//!   <p class="where"><code class="project">/home/ana/x</code> <code class="branch">main</code></p>
//!   <p class="part">A part of the session: only turns 3–5.</p>   on a page with a part of the session
//!   <dl class="facts"><div class="fact" data-fact="when"><dt>When</dt><dd>…</dd></div>…
//!       data-fact: when, took, turns, calls, agents, branches, compactions, models, tokens, cost, state, session,
//!       file, commits (a <ul class="links"> of <li data-kind="commit">),
//!       links (a <ul class="links"> of <li data-kind="pull-request|artifact|bridge|worktree">)
//!   <p class="resume"><code>cd … &amp;&amp; claude --resume …</code> <button class="copy" data-copy="…">copy</button></p>
//!   <figure class="chart"><svg viewBox="0 0 1000 80" preserveAspectRatio="none"><path class="area"/>
//!       <path class="line"/><path class="compaction"/></svg><figcaption>…</figcaption></figure>
//!   <details class="tasks"><summary>tasks</summary><ul><li data-status="completed|in-progress|pending">…
//! ```
//!
//! The toolbar is `hidden` until the script shows it:
//!
//! ```html
//! <div class="toolbar" role="toolbar" aria-label="View" hidden>
//!   <fieldset class="detail"><legend>Detail</legend>
//!     <label><input type="radio" name="detail" value="prompts|talk|steps|full|raw"> <span>prompts</span></label>…
//!   <details class="filters"><summary>Filter</summary><div class="menu">
//!     <ul class="kinds"><li><label><input type="checkbox" name="filter" value="prompts|replies|thinking|errors|
//!         agents|system" checked> <span>prompts</span> <span class="count">12</span></label>…
//!     <ul class="tools"><li><label><input type="checkbox" name="tool" value="Bash" checked> <span>Bash</span>
//!         <span class="count">40</span></label>…
//!     <button type="button" data-action="filter-all">all</button> …"filter-none"…
//!   <div class="search" role="search"><input type="search" name="search" aria-label="…" placeholder="Search">
//!     <label><input type="checkbox" name="regex"> <span>regex</span></label>
//!     <output class="found" aria-live="polite"></output>
//!     <button type="button" data-action="previous">…</button> <button type="button" data-action="next">…</button>
//!   <button type="button" data-action="unfold">…</button> <button type="button" data-action="fold">…</button>
//!   <select name="theme" aria-label="Theme"><option value="auto|light|dark">…
//!   <button type="button" data-action="rail" aria-controls="rail" aria-expanded="false">turns</button>  for phones
//!   <button type="button" data-action="help" aria-controls="help">?</button>
//! <dialog id="help" class="help"><h2>Keys</h2><dl><div><dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>…</dd></div>…
//!   <button type="button" data-action="close-help">close</button>
//! ```
//!
//! Without "errors" no failure is shown; "agents" are threads of agents; "system" is `output`, `notice`,
//! `context`, `compaction`, `joint`, `outcome`, `orphan` and `unknown`.
//!
//! The timeline is a thousand units wide: x is time, with long pauses cut out.
//!
//! ```html
//! <figure class="timeline"><svg viewBox="0 0 1000 H" preserveAspectRatio="none" role="img" aria-label="…">
//!   <path class="breaks" d="…"/>                 pauses that are cut out
//!   <g class="lane" data-lane="0">               the conversation; below it lanes of agents
//!     <path class="family-shell" d="…"/>         calls, by the family of their tools
//!     <path class="waiting" d="…"/> <path class="failed" d="…"/>
//!   <path class="turns" d="…"/> <path class="compactions" d="…"/></svg>
//!   <ul class="legend"><li class="family-shell">shell</li>…
//! ```
//!
//! The rail and its landmarks:
//!
//! ```html
//! <nav class="rail" id="rail" aria-label="Turns"><ol>
//!   <li data-turn="3" data-state="failed|interrupted|open"><a href="#turn-3"><span class="words">…</span>
//!     <small>4 calls · <b class="failed">1 failed</b> · 2 min</small></a></li>
//!   <li class="landmark" data-kind="compaction|branch|joint"><a href="#l40">compacted</a></li>
//! ```
//!
//! Turns, steps and threads:
//!
//! ```html
//! <div class="chunk" data-rows="240" data-turns="3-9"><noscript>…</noscript></div>
//! <section class="turn" id="turn-3" data-turn="3"><h2>…</h2>     (h3, and thread-2-turn-1, in other threads)
//! <section class="turn" data-turn="3" data-continues>            the rest of a turn, in the next chunk
//! <div class="step prompt" … data-from="typed|command|bash|memory|plan|notification|scheduled|teammate|peer|channel|
//!      parent|program" data-delivery="queued|steering|undelivered"><p class="note">queued</p> <div class="words">…
//! <p class="step thinking hidden-thinking" …>                    thinking that only the API can read
//! <details class="step branch" data-kind="branch" …><summary>abandoned branch · 12 steps</summary>
//!   <div class="body"><a class="thread-link" href="#thread-2">…</a></div></details>
//! <details class="step call" …>…<a class="thread-link" href="#thread-4">Explore · 9 calls</a>
//! <section class="thread" id="thread-4" data-kind="agent" data-level="2"><h2>…</h2> <p class="origin">…</p> chunks
//! <details class="raw" data-level="4"><summary>line 12</summary><pre class="code" data-language="json">…
//! ```
//!
//! A thread has one `thread-link`, in the step that started it; the script may nest the thread there. Other links to it
//! are `<a class="thread-ref">`. A step's anchor is the number of its line in the session's file (`l12`), with the
//! block if that is not the first (`l12-2`), and with the agent for lines of its own file (`a3f9-l12`).
//!
//! A page of a site can consist of several files ([`write_page_in_parts`]). A placeholder stands for chunks in another
//! file; without a script its links lead there, and links to turns lead to it:
//!
//! ```html
//! <div class="part" data-part="NAME.3.html" data-within="conversation|thread-4|lines" data-rows="9000"
//!      data-turns="40-81" data-chunks="37"><a href="NAME.3.html">turns 40–81</a>
//!   <noscript><ul><li><a id="turn-40" href="NAME.3.html#turn-40">turn 40</a></li>…
//! ```
//!
//! Such a file is a page of its own: `nav.up` with a link to the whole, `header.head` with the title,
//! `main#conversation` with chunks and with `section.thread` and `section.lines` that have `data-within` instead of
//! their names, `nav.parts` with links to the parts before and after it, and `#facts`, which has `part` (its number)
//! and `whole` (the page) but no totals, turns and timeline. Its anchors are those of the page, each in one file only.
//! Inside a frame it only sends its chunks to the page around it: `{recountPieces: [{within, rows, turns, text}, …]}`.
//!
//! `#facts` is `{version, session, levels: ["prompts", …], detail, totals: {prompts, replies, thinking, errors, agents,
//! system, tools: {Bash: 40, …}}, turns: [[number, started, chunk], …], timeline: [[x, time], …]}`: chunks are counted
//! from 0 within `#conversation`, over all files; times are milliseconds since 1970 or null, and time is linear between
//! two points of the timeline.
//!
//! Code is `<pre class="code" data-language="rust" data-line="41"><code>…`, coloured and numbered by script and
//! stylesheet. A diff is `<div class="diff">` of `<div class="hunk">` of `<p class="same|removed|added">`, with line
//! numbers as `data-old` and `data-new`, and `<div class="change">` around lines that were removed and added in one
//! place. Output of a program is `<pre class="output">`, with `<span class="ansi-…">` for its colours.

mod anchor;
mod call;
mod chart;
mod code;
mod diff;
mod document;
mod head;
mod image;
mod index;
mod long;
mod output;
mod prose;
mod rail;
pub mod script;
mod section;
mod step;
mod text;
mod thread;
mod timeline;

pub use call::{asked, call};
pub use code::code;
pub use diff::diff;
pub use document::{
    Dress, Growth, LedgerView, PageOptions, Parts, Piece, Whereabouts, growth, piece, whereabouts, write_changes,
    write_growing_page, write_page, write_page_in_parts,
};
pub use image::image;
pub use index::write_index;
pub use output::output;
pub use prose::prose;
pub use text::{Text, text};
