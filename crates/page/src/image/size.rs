//! The size of an image, read from its first bytes, so that the layout does not shift when the image loads.

/// Maximum header size: that of a photograph may contain a preview.
const MOST: usize = 96 * 1024;

/// Larger sizes are considered invalid.
const LARGEST: u32 = 1 << 15;

/// The width and the height of an image in base64.
pub(super) fn of(base64: &str) -> Option<(u32, u32)> {
    let header = decode(base64.as_bytes(), 32);
    let size = png(&header)
        .or_else(|| gif(&header))
        .or_else(|| webp(&header))
        .or_else(|| header.starts_with(b"\xff\xd8").then(|| jpeg(&decode(base64.as_bytes(), MOST))).flatten());
    size.filter(|(width, height)| (1..LARGEST).contains(width) && (1..LARGEST).contains(height))
}

fn png(header: &[u8]) -> Option<(u32, u32)> {
    let rest = header.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    Some((number(rest, 8, 4)?, number(rest, 12, 4)?))
}

fn gif(header: &[u8]) -> Option<(u32, u32)> {
    let rest = header.strip_prefix(b"GIF89a").or_else(|| header.strip_prefix(b"GIF87a"))?;
    Some((number(rest, 0, 2)?.swap_bytes() >> 16, number(rest, 2, 2)?.swap_bytes() >> 16))
}

/// The three variants store the size in different places.
fn webp(header: &[u8]) -> Option<(u32, u32)> {
    let form = header.strip_prefix(b"RIFF")?.get(4..)?.strip_prefix(b"WEBP")?;
    let little = |at: usize| Some(u32::from_le_bytes(*form.get(at..)?.first_chunk()?));
    match form.get(..4)? {
        b"VP8 " => Some((little(14)? & 0x3fff, little(14)? >> 16 & 0x3fff)),
        b"VP8L" => Some(((little(9)? & 0x3fff) + 1, (little(9)? >> 14 & 0x3fff) + 1)),
        b"VP8X" => Some(((little(12)? & 0xff_ffff) + 1, (little(14)? >> 8) + 1)),
        _ => None,
    }
}

/// Skips the segments before the image.
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut rest = bytes.get(2..)?;
    loop {
        let [0xff, kind, after @ ..] = rest else { return None };
        match kind {
            // Padding.
            0xff => rest = rest.get(1..)?,
            // Start of a frame, in any coding; the three other codes in this range are tables.
            0xc0..=0xcf if !matches!(kind, 0xc4 | 0xc8 | 0xcc) => {
                return Some((number(after, 5, 2)?, number(after, 3, 2)?));
            }
            _ => rest = after.get(usize::try_from(number(after, 0, 2)?).ok()?.max(2)..)?,
        }
    }
}

/// A big-endian number.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<u32> {
    let digits = bytes.get(at..at + length)?;
    Some(digits.iter().fold(0, |number, digit| number << 8 | u32::from(*digit)))
}

/// The first bytes of a base64 text without line breaks.
fn decode(base64: &[u8], most: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(most.min(base64.len()));
    for group in base64.chunks_exact(4).take(most.div_ceil(3)) {
        let bits = group.iter().fold(0_u32, |bits, digit| bits << 6 | u32::from(value(*digit)));
        bytes.extend_from_slice(bits.to_be_bytes().get(1..).unwrap_or_default());
    }
    bytes
}

fn value(digit: u8) -> u8 {
    match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_from_base64() {
        let cases = [
            ("png", "iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnW", Some((2, 3))),
            ("gif", "R0lGODlhAgADAIAAAP8AAAAAACwAAAAAAgADAAACAoRdADs=", Some((2, 3))),
            ("jpeg", "/9j/4AAEAAD/wAARCAADAAIDASIA", Some((2, 3))),
            ("cut off", "iVBORw0KGgoAAAAN", None),
            ("of no size", "iVBORw0KGgoAAAANSUhEUgAAAAAAAAADCAIAAAA2iEnW", None),
            ("too large", "iVBORw0KGgoAAAANSUhEUv////8AAAADCAIAAAA2iEnW", None),
            ("text", "aGVsbG8gdGhlcmUsIHRoaXMgaXMgdGV4dA==", None),
        ];
        for (name, data, size) in cases {
            assert_eq!(of(data), size, "{name}");
        }
    }

    #[test]
    fn every_form_of_webp_has_its_size() {
        let webp = |form: &[u8]| super::webp(&[b"RIFF\0\0\0\0WEBP", form].concat());
        assert_eq!(webp(b"VP8 \0\0\0\0\x30\x01\0\x9d\x01\x2a\x02\0\x03\0"), Some((2, 3)));
        assert_eq!(webp(b"VP8L\0\0\0\0\x2f\x01\x80\0\0\0"), Some((2, 3)));
        assert_eq!(webp(b"VP8X\0\0\0\0\x10\0\0\0\x01\0\0\x02\0\0"), Some((2, 3)));
        assert_eq!(webp(b"VP9 \0\0\0\0\0\0\0\0\0\0"), None);
    }

    #[test]
    fn what_stands_before_a_photograph_is_skipped() {
        let start = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc4\0\x03c".as_slice();
        let frame = b"\xff\xc2\0\x11\x08\0\x03\0\x02".as_slice();
        assert_eq!(jpeg(&[start, frame].concat()), Some((2, 3)));
        assert_eq!(jpeg(&[start, b"\xff\xe1\0\0"].concat()), None);
        assert_eq!(jpeg(start), None);
    }
}
