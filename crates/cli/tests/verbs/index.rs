//! The index, whatever happens to it: what is asked of it next is answered as a new one would.

#[cfg(unix)]
mod damage;
#[cfg(target_os = "linux")]
pub(crate) mod faults;
#[path = "../../../index/tests/index_contents/mod.rs"]
mod index_contents;
#[cfg(unix)]
mod kill;
mod root;
