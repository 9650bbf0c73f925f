//! Images.

mod size;

use std::borrow::Cow;

use maud::{Markup, html};

use super::text;
use content::section::Image;

/// The types that browsers show and that cannot contain scripts.
const SHOWN: [(&str, &str); 5] = [
    ("image/png", "image/png"),
    ("image/jpeg", "image/jpeg"),
    ("image/jpg", "image/jpeg"),
    ("image/gif", "image/gif"),
    ("image/webp", "image/webp"),
];

/// An image at its own size; one that cannot be shown is named.
pub fn image(image: &Image<'_>) -> Markup {
    let has_spaces = image.data.bytes().any(|byte| byte.is_ascii_whitespace());
    // An image may be very long: it is copied only if it has to be.
    let data: Cow<'_, str> =
        if has_spaces { image.data.split_ascii_whitespace().collect() } else { Cow::Borrowed(&image.data) };
    let kind = SHOWN.iter().find(|(name, _)| image.media_type.eq_ignore_ascii_case(name));
    html! {
        figure.image {
            @match kind {
                Some((_, kind)) if is_base64(&data) => {
                    @let size = size::of(&data);
                    img src={ "data:" (kind) ";base64," (data) } alt="image" loading="lazy"
                        width=[size.map(|(width, _)| width)] height=[size.map(|(_, height)| height)];
                }
                _ => figcaption { (text(&image.media_type)) ", " (human::bytes(data.len() as u64 / 4 * 3)) ", not shown" },
            }
        }
    }
}

fn is_base64(data: &str) -> bool {
    let digits = data.trim_end_matches('=');
    data.len() - digits.len() <= 2
        && !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::tests::hold;
    use testkit::hostile::hostile;

    fn shown(media_type: &str, data: &str) -> String {
        image(&Image { media_type: media_type.into(), data: data.into() }).into_string()
    }

    #[test]
    fn images_are_in_the_page_at_their_size() {
        let png =
            "iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnW\nAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==";
        insta::assert_snapshot!(shown("image/png", png), @r#"<figure class="image"><img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnWAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==" alt="image" loading="lazy" width="2" height="3"></figure>"#);
        assert!(
            shown("IMAGE/JPG", "aGk=").contains("src=\"data:image/jpeg;base64,aGk=\" alt=\"image\" loading=\"lazy\">")
        );
    }

    #[test]
    fn what_is_no_image_is_named() {
        let svg = "PHN2Zy8+".repeat(2000);
        assert_eq!(
            shown("image/svg+xml", &svg),
            "<figure class=\"image\"><figcaption>image/svg+xml, 12.0 kB, not shown</figcaption></figure>"
        );
        for (kind, data) in [
            ("text/html", "aGk="),
            ("image/png\" onload=\"x", "aGk="),
            ("image/png", "\"><script>"),
            ("image/png", "aGk=aGk="),
            ("image/png", "===="),
            ("image/png", ""),
        ] {
            assert!(!shown(kind, data).contains("<img"), "{kind} {data}");
        }
    }

    proptest! {
        #[test]
        fn any_image_is_a_good_page(kind in prop_oneof![hostile(), Just("image/png".to_owned())], data in hostile()) {
            hold(&shown(&kind, &data));
        }

        #[test]
        fn any_bytes_have_a_size_or_none(data in "(iVBORw0KGgo|R0lGODlh|/9j/4AAQ|UklGR)[A-Za-z0-9+/]{0,200}={0,2}") {
            hold(&shown("image/webp", &data));
        }
    }
}
