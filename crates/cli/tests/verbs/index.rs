//! Tests that the index answers like a fresh one, whatever happens to it.

#[cfg(unix)]
mod damage;
#[cfg(target_os = "linux")]
pub(crate) mod faults;
#[path = "../../../index/tests/index_contents/mod.rs"]
mod index_contents;
#[cfg(unix)]
mod kill;
mod root;
