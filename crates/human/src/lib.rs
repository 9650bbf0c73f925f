//! Formats figures and texts for people, with one formatter for each kind.
//!
//! | module | for |
//! |---|---|
//! | [`number`] | counts, plurals, tokens, bytes, percentages, changed lines |
//! | [`time`] | durations, times of day, dates |
//! | [`money`] | amounts and costs in the user's currency |
//! | [`locale`] | the user's zone and currency, as one value |
//! | [`shorten`] | texts and paths that have to fit |
//! | [`path`] | paths of files, in any spelling |
//!
//! Every output uses them; the script of the pages has the same formatters, and a test keeps them equal.
//!
//! Invariants: no I/O, no clock; zone and currency are parameters; every number has a form.

pub mod locale;
pub mod money;
pub mod number;
pub mod path;
pub mod shorten;
pub mod time;

pub use locale::Locale;
pub use money::{Cost, Currency, Spent};
pub use number::{bytes, changed_lines, counted, counted_tokens, percent, plural, thousands, tokens};
pub use path::{from_home, is_windows_path, last_name, path_below, path_is_meant, path_spelling};
pub use shorten::{shorten_middle, shorten_path, shortened};
pub use time::{date, date_and_time, duration, exact_time_of_day, running_duration, time_near, time_of_day};
