//! Tests that the index answers like a fresh one, whatever happens to it.

#[cfg(unix)]
mod damage;
#[cfg(target_os = "linux")]
pub(crate) mod faults;
#[cfg(unix)]
mod kill;
mod root;
#[path = "../../../index/tests/told/mod.rs"]
mod told;
