//! Drives a real browser in tests: Debian's Chromium over its debugging pipe.
//!
//! No web driver, no socket and no runtime: messages are JSON, one after another, over two pipes. A browser has its own
//! profile, which is deleted with it, and exits when dropped.
//!
//! ```no_run
//! # fn main() -> anyhow::Result<()> {
//! let browser = browser::Browser::launch()?;
//! let page = browser.open("file:///tmp/page.html")?;
//! page.press("j")?;
//! assert_eq!(page.evaluate("document.title")?, "A page");
//! assert!(page.console_errors().is_empty());
//! # Ok(())
//! # }
//! ```

#![allow(clippy::indexing_slicing, reason = "a missing field of a JSON value reads as null")]

mod axe;
mod keys;
mod launch;
mod page;
mod pipe;
mod seen;

pub use launch::Browser;
pub use page::{Metrics, Page};
pub use seen::Request;
