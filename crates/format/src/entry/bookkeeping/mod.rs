//! Bookkeeping: lines that tell nothing to a reader but keep a session's state
//! (docs/format A.4, B.6, B.7, B.8, G.7).
//!
//! Most belong to the session as a whole: where one stands in the file means
//! nothing, and the last of its kind wins. What a record adds to the envelope
//! is here; session, time and agent are the envelope's.

mod files;
mod state;
mod titles;

pub use files::*;
pub use state::*;
pub use titles::*;
