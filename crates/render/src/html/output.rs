//! What programs printed.

use maud::{Markup, html};

use super::text;

/// What a program printed, in the colours that it chose.
pub fn output(printed: &str) -> Markup {
    html! { pre.output tabindex="0" { (text(printed)) } }
}
