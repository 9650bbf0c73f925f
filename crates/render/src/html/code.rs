//! Code, data and files.

use maud::{Markup, html};

use super::text;
use crate::highlight::Language;

/// Code, with the number of its first line where it is a part of a file.
pub fn code(code: &str, language: Option<Language>, first_line: Option<usize>) -> Markup {
    html! {
        pre.code data-language=[language.map(Language::name)] data-line=[first_line] tabindex="0" { code { (text(code)) } }
    }
}
