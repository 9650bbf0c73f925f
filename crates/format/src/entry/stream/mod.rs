//! What only stream-json has: partial messages, results, control requests and
//! small signals (docs/format H.3, H.5, H.6).

mod control;
mod event;
mod result;
mod signal;

pub use control::*;
pub use event::*;
pub use result::*;
pub use signal::*;
