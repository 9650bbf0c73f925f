//! A story as something to read: in a terminal ([`terminal`]), as Markdown for GitHub ([`github`]), as a page of HTML
//! ([`html`]), as JSON for programs ([`json`]), or as it happened ([`replay`]). All of them tell a [`Selection`] of it, and read what a step shows in
//! full from its lines in one place ([`view`]).
//!
//! For the terminal everything becomes [`Line`]s: text whose [`Style`] says what it *means* ([`Role`]), not how it
//! looks. A [`Theme`] gives each meaning a look when they are written ([`write()`]).
//!
//! What holds for all of it:
//! - No I/O but through what is handed in. Any text is fine, however hostile: no panic, and time follows its length.
//! - A [`Line`] cannot hold a control character or an escape sequence: every text that goes into one is cleaned
//!   there ([`clean`]), so nothing in a session can steer the terminal.
//! - What takes a `width` gives no line that is wider, if `width` is at least 4.
//!
//! ```
//! use render::{Theme, markdown, write};
//!
//! let lines = markdown("Run `cargo test` *now*:\n\n- once\n- twice", 40);
//! assert_eq!(write(&lines, None), "Run cargo test now:\n\n• once\n• twice\n");
//! assert!(write(&lines, Some(&Theme::default())).contains("\x1b[36mcargo test\x1b[0m"));
//! ```

pub mod ansi;
pub mod changes;
pub mod clean;
pub mod diff;
mod escape;
pub mod github;
pub mod highlight;
pub mod html;
pub mod human;
pub mod json;
mod line;
mod markdown;
mod nesting;
pub mod replay;
mod selection;
mod style;
pub mod terminal;
mod theme;
pub mod view;
pub mod width;
mod wording;
mod wrap;

pub use highlight::{Language, highlight};
pub use line::{Line, Span};
pub use markdown::markdown;
pub use selection::{Selection, Threads, main_thread};
pub use style::{Role, Style};
pub use theme::{Theme, write};
pub use width::width;
pub use wrap::{fold, wrap};
