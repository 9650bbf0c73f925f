//! Counts what sessions used and what it cost.
//!
//! A usage record belongs to an API message, not to a line: one message is
//! several lines, and the same lines lie in several files. Lines go into a
//! [`Ledger`] in any order; it gives every message once.
//!
//! | module | for |
//! |---|---|
//! | [`record`] | what one line says that its message used |
//! | [`statement`] | what a session says that all of it cost |
//! | [`ledger`](mod@ledger) | lines in, messages out |
//! | [`prices`] | what a token of a model costs at a time |
//! | [`cost`] | what a message cost, and how good the figure is |
//! | [`totals`] | sums of messages, by whatever key |
//! | [`session`] | one session: its totals, models, and how its context grew |
//! | [`calendar`] | days, weeks and months where the user is |
//! | [`blocks`] | the five-hour windows that limits hold for |
//! | [`tools`] | which tools the costs are due to, as an estimate |
//! | [`limit`] | usage limits that sessions ran into |
//! | [`money`], [`tokens`] | amounts |
//!
//! Invariants:
//!
//! - No I/O, no clock: the same lines and prices give the same figures.
//! - The order of lines and files, and lines that are there twice, change nothing.
//! - Amounts are whole numbers; nothing is lost by adding. Floating point is for showing.
//! - A price that is not known is unknown, never nothing.

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
pub use prices::{Price, Prices, Rates};
pub use record::{Doubts, Record};
pub use session::{Part, SessionLedger, Standing, Summary};
pub use statement::Statement;
pub use tokens::Tokens;
pub use totals::Totals;
