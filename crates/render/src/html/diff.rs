//! Changes of files.

use maud::{Markup, html};

use super::text;
use crate::diff::Hunk;
use crate::highlight::Language;

/// The changes of a file.
pub fn diff(hunks: &[Hunk<'_>], language: Option<Language>) -> Markup {
    html! {
        div.diff data-language=[language.map(Language::name)] {
            @for hunk in hunks { @for (_, line) in &hunk.lines { p { (text(line)) } } }
        }
    }
}
