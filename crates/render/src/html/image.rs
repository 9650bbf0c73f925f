//! Images.

use maud::{Markup, html};

use crate::view::Image;

/// An image, at its own size.
pub fn image(_image: &Image) -> Markup {
    html! {}
}
