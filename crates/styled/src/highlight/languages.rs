//! The languages, by family.

mod data;
mod managed;
mod native;
mod scripts;

use super::spec::Spec;

/// All languages that can be coloured, by family.
pub static LANGUAGES: &[&[Spec]] = &[native::ALL, managed::ALL, scripts::ALL, data::ALL];
