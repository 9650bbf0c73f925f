//! Counts the usage of sessions and its cost.
//!
//! A usage record belongs to an API message, not to a line: one message is several lines, and the same lines occur in
//! several files. Lines go into a [`Ledger`] in any order; it returns every message once.
//!
//! | module | for |
//! |---|---|
//! | [`record`] | the usage that one line states for its message |
//! | [`statement`] | the total cost that a session states |
//! | [`ledger`](mod@ledger) | lines in, messages out |
//! | [`prices`] | the price of a model's tokens at a given time |
//! | [`cost`] | the cost of a message, and the quality of the figure |
//! | [`totals`] | sums of messages, by any key |
//! | [`session`] | one session: its totals, models, and how its context grew |
//! | [`calendar`] | days, weeks and months in the user's time zone |
//! | [`blocks`] | the five-hour windows of usage limits |
//! | [`tools`] | an estimate of the cost of each tool |
//! | [`limit`] | usage limits that sessions reached |
//! | [`money`], [`tokens`] | amounts |
//!
//! Invariants:
//!
//! - No I/O, no clock: the same lines and prices give the same figures.
//! - The order of lines and files, and duplicate lines, change nothing.
//! - Amounts are whole numbers, so sums are exact. Floating point is only for display.
//! - An unknown price is unknown, never zero.

pub mod blocks;
pub mod calendar;
pub mod cost;
pub mod ledger;
pub mod limit;
pub mod money;
mod names;
pub mod prices;
pub mod record;
pub mod session;
pub mod statement;
pub mod tokens;
pub mod tools;
pub mod totals;

pub use cost::{Cost, Quality};
pub use ledger::{Agent, Books, Branch, Feed, Ledger, Model, Post, PostKind, Session, Taken};
pub use limit::Limit;
pub use money::Money;
pub use prices::{OutdatedList, Price, Prices, Rates};
pub use record::{Doubts, Record};
pub use session::{SessionLedger, SessionPart, SessionShare, Standing, Summary, settle_together};
pub use statement::Statement;
pub use tokens::Tokens;
pub use totals::Totals;
