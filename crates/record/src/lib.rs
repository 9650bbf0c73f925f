//! Records the lines of a program byte for byte, and reads them back.
//!
//! | module | for |
//! |---|---|
//! | [`store`] | the folder: `config.json`, and a file for each conversation |
//! | [`recorder`] | records a run of a program |
//! | [`capture_writer`] | the same on a thread of its own, for bytes as they arrive |
//! | [`conversation`] | a recorded conversation: its records, its totals, how to resume it |
//! | [`mod@line`] | a line as a record, and back |
//! | [`event`] | events around the lines: a run begins, ends, lost something |
//! | [`name`] | the names of workspaces, agents, conversations and records |
//! | `asynchronous` | the same for applications on tokio (feature `tokio`) |
//!
//! Invariants:
//!
//! - The bytes of a line are stored unchanged, whatever they are; standard input, output and error are never mixed up.
//! - A file is append-only, written by one process at a time. A killed process leaves complete records, or a torn one
//!   at the end; opening the file the next time moves that to a file beside it.
//! - A record that could not be written leaves no trace in the file, and is counted.
//!
//! The format is described in `docs/store.md`.
//!
//! ```
//! use record::{Outcome, Run, Store, Stream};
//!
//! let folder = tempfile::tempdir()?;
//! let store = Store::at(folder.path())?;
//! let run = Run::new("shop", "claude")?.in_conversation("add-retries")?;
//! let mut recorder = store.record(run)?;
//! recorder.push(Stream::Output, b"{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"4c1e\"}\n")?;
//! recorder.push(Stream::Output, b"{\"type\":\"result\",\"session_id\":\"4c1e\",\"total_cost_usd\":0.02}\n")?;
//! recorder.close(Outcome::code(0))?;
//!
//! let conversation = store.conversation("add-retries")?;
//! let summary = conversation.summary()?;
//! assert_eq!(summary.session_id.as_deref(), Some("4c1e"));
//! assert_eq!(summary.totals.cost_usd, 0.02);
//! let lines: Vec<u8> = conversation.records()?.flatten().flat_map(|record| record.line()).collect();
//! assert!(lines.ends_with(b"\"total_cost_usd\":0.02}\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "tokio")]
pub mod asynchronous;
pub mod capture_writer;
pub mod conversation;
mod error;
pub mod event;
pub mod forget;
pub mod line;
mod meter;
pub mod name;
pub mod recorder;
pub mod store;
mod tail;

pub use capture_writer::{CaptureWriter, Heard};
pub use conversation::{Conversation, Records, Summary, Totals};
pub use error::RecordError;
pub use event::{Event, Outcome};
pub use line::{Content, Record, Stream};
pub use name::Name;
pub use recorder::{Fsync, Recorder, Run};
pub use store::{Store, is_store};
