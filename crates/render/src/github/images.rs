//! The destination of the images of a document.

use std::io;

/// The destination of images.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Images {
    /// Into the document itself, as data URIs. GitHub does not show these; many other readers do.
    Embed,
    /// Into files beside the document.
    Files,
    /// Nowhere.
    #[default]
    Omit,
}

/// A destination for images.
pub trait ImageSink {
    /// Stores an image and returns the link to it; `None` if it is left out.
    fn place(&mut self, media_type: &str, base64: &str) -> io::Result<Option<String>>;
}

/// Stores images as [`Images`] says.
///
/// ```
/// use render::github::{ImageSink, Images, Placing};
///
/// let mut files = Vec::new();
/// let mut placing = Placing::new(Images::Files, |name: &str, bytes: &[u8]| {
///     files.push((name.to_owned(), bytes.to_vec()));
///     Ok(Some(format!("pictures/{name}")))
/// });
/// assert_eq!(placing.place("image/png", "aGk=")?.as_deref(), Some("pictures/image-1.png"));
/// assert_eq!(files, [("image-1.png".to_owned(), b"hi".to_vec())]);
/// # std::io::Result::Ok(())
/// ```
#[derive(Debug)]
pub struct Placing<F> {
    images: Images,
    keep: F,
    placed: usize,
}

impl<F> Placing<F>
where
    F: FnMut(&str, &[u8]) -> io::Result<Option<String>>,
{
    /// `keep` stores a file by its name and its bytes, and returns the link to it.
    pub fn new(images: Images, keep: F) -> Self {
        Self { images, keep, placed: 0 }
    }
}

impl<F> ImageSink for Placing<F>
where
    F: FnMut(&str, &[u8]) -> io::Result<Option<String>>,
{
    fn place(&mut self, media_type: &str, base64: &str) -> io::Result<Option<String>> {
        match self.images {
            Images::Omit => Ok(None),
            Images::Embed if !is_media_type(media_type) || decode(base64).is_none() => Ok(None),
            Images::Embed => {
                let data: String = base64.split_ascii_whitespace().collect();
                Ok(Some(format!("data:{media_type};base64,{data}")))
            }
            Images::Files => {
                let Some(bytes) = decode(base64) else { return Ok(None) };
                self.placed += 1;
                let name = format!("image-{}.{}", self.placed, ending(media_type));
                (self.keep)(&name, &bytes)
            }
        }
    }
}

/// The file extension of a media type.
fn ending(media_type: &str) -> &'static str {
    match media_type {
        "image/png" => "png",
        "image/jpeg" | "image/jpg" => "jpg",
        "image/gif" => "gif",
        "image/webp" => "webp",
        "image/svg+xml" => "svg",
        "image/bmp" => "bmp",
        "application/pdf" => "pdf",
        _ => "bin",
    }
}

fn is_media_type(text: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.'))
    };
    text.split_once('/').is_some_and(|(kind, name)| is_name(kind) && is_name(name))
}

/// The bytes of a base64 text; `None` if it is invalid.
fn decode(base64: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(base64.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for byte in base64.trim_ascii_end().trim_end_matches('=').bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from((bits >> count) & 0xff).ok()?);
        }
    }
    (!bytes.is_empty()).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read() {
        for (text, bytes) in [("aGVsbG8=", "hello"), ("aGVsbG8h", "hello!"), ("aGVs\nbG8", "hello")] {
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()));
        }
        assert_eq!((decode(""), decode("a b!c")), (None, None));
    }

    #[test]
    fn what_is_no_image_is_left_out() {
        let mut embed = Placing::new(Images::Embed, |_, _| Ok(None));
        assert_eq!(embed.place("image/png", "aGk=").unwrap().as_deref(), Some("data:image/png;base64,aGk="));
        assert_eq!(embed.place("image/png)", "aGk=").unwrap(), None);
        assert_eq!(embed.place("image/png", "<b>").unwrap(), None);
        let mut omit = Placing::new(Images::Omit, |_, _| Ok(None));
        assert_eq!(omit.place("image/png", "aGk=").unwrap(), None);
    }
}
