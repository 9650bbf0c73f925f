//! Reads sources into stories, ledgers and censuses, and finds a session by its name.
//!
//! | module | contains |
//! |---|---|
//! | [`session`] | lookup of a session by its id, a prefix, `last`, a path, or words of its title |
//! | [`session_reader`] | a session's story, and its texts |
//! | [`redacted`] | a session without its secrets and private things |
//! | [`growing_session`] | a session that is read while it grows |
//! | [`census`] | counts of everything in sources |
//! | [`account`] | the usage in sources |
//! | [`recent`] | recent usage, kept up to date for a status line |
//!
//! Invariants: the crate opens files only through [`sources`], and writes only the cache of [`recent`] and, for a session
//! without its secrets, a temporary file without a name.

pub mod account;
pub mod census;
pub mod growing_session;
pub mod recent;
pub mod redacted;
pub mod session;
pub mod session_reader;
mod surroundings;
mod title;
mod turn_shares;

pub use account::{Accountant, Accounts};
pub use census::{Census, Counter};
pub use growing_session::GrowingSession;
pub use recent::Recent;
pub use redacted::{RedactedSession, RedactionError, SearchedSession};
pub use session::{Candidate, LookupError, find_session, find_session_where};
pub use session_reader::{Copied, Counting, SessionReader, Texts};
pub use surroundings::Surroundings;
pub use title::{facts_of, title_of};
pub use turn_shares::TurnShares;
