//! Text whose [`Style`] says what it *means* ([`Role`]), not how it looks.
//!
//! Everything for a terminal becomes [`Line`]s. A [`Theme`] gives each meaning a look when they are written
//! ([`write()`]). Pages use the same parsers of colours, code and differences.
//!
//! Invariants:
//! - No I/O. Any text is accepted, however hostile: no panic, and time is linear in its length.
//! - A [`Line`] cannot contain a control character or an escape sequence: all text in it is cleaned ([`clean`]), so
//!   nothing in a session can control the terminal.
//! - A function that takes a `width` returns no line that is wider, if `width` is at least 4.
//!
//! ```
//! use styled::{Theme, markdown, write};
//!
//! let lines = markdown("Run `cargo test` *now*:\n\n- once\n- twice", 40);
//! assert_eq!(write(&lines, None), "Run cargo test now:\n\n• once\n• twice\n");
//! assert!(write(&lines, Some(&Theme::default())).contains("\x1b[36mcargo test\x1b[0m"));
//! ```

pub mod ansi;
pub mod clean;
pub mod diff;
mod escape;
pub mod highlight;
mod line;
mod markdown;
pub mod nesting;
mod style;
mod theme;
pub mod width;
mod wrap;

pub use highlight::{Language, highlight, highlight_each};
pub use line::{Line, Span};
pub use markdown::{github_flavoured, markdown};
pub use style::{Role, Style};
pub use theme::{Theme, write};
pub use width::width;
pub use wrap::{fold, fold_each, wrap, wrap_each};
