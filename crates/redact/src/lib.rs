//! Finds and replaces secrets and private things in sessions.
//!
//! Three passes over the lines of a session: a [`Scanner`] collects [`Findings`], a [`Tracer`] looks for values that are
//! stored in pieces, and a [`Replacer`] writes the lines without them. Once something is found anywhere, the same value
//! is replaced everywhere.
//!
//! ```
//! use redact::{Decisions, Detector, Scanner, Settings, Tracer};
//!
//! let line = br#"{"type":"user","cwd":"/home/ana/shop","message":{"role":"user","content":"ana is here"}}"#;
//! let detector = Detector::new(Settings::default())?;
//! let mut scanner = Scanner::new(&detector);
//! scanner.look("main", 1, line);
//! let mut tracer = Tracer::new(scanner.finish(), &Decisions::replace_all())?;
//! tracer.look(line);
//! let mut replacer = tracer.finish();
//! assert_eq!(
//!     replacer.line(line).as_ref(),
//!     br#"{"type":"user","cwd":"/home/user-1/shop","message":{"role":"user","content":"user-1 is here"}}"#,
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here reads files, asks the time or draws random numbers: the same lines and settings give the same result.

mod check;
mod detector;
mod find;
mod findings;
mod layers;
mod pieces;
mod plausible;
mod replace;
mod rule;
mod rules;
mod scan;
mod settings;
mod view;
mod work;

pub use detector::Detector;
pub use findings::{Finding, Findings, LeftOut, Place};
pub use replace::{Choice, Decisions, Replacer, Report, Reported, Tracer, Undecided};
pub use rule::{Category, Certainty, Rule};
pub use rules::{RULES_VERSION, builtin};
pub use scan::Scanner;
pub use settings::{BadSettings, Pseudonyms, Settings};
