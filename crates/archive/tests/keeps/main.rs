//! The promises of an archive: everything present at a run can be restored, and damage costs no more than it must.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "these are tests")]

mod damage;
mod forget;
mod forks;
mod history;
mod origins;
mod side_by_side;
mod world;
