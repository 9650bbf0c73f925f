//! The languages, by family.

mod data;
mod managed;
mod native;
mod scripts;

use super::spec::Spec;

/// All supported languages, by family.
pub static LANGUAGES: &[&[Spec]] = &[native::ALL, managed::ALL, scripts::ALL, data::ALL];
