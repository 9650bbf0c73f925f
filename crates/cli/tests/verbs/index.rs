//! The index, whatever happens to it: what is asked of it next is answered as a new one would.

#[cfg(unix)]
mod damage;
#[cfg(target_os = "linux")]
pub(crate) mod faults;
#[cfg(unix)]
mod kill;
mod root;
#[path = "../../../index/tests/told/mod.rs"]
mod told;
