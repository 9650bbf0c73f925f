//! Paths as text, without losing a byte, for places that hold text only: columns of a database, JSON, names.
//!
//! Nearly all paths are Unicode and stand as they are. A byte that is not becomes a character at the end of the last
//! private plane, `U+10FF80` to `U+10FFFF`. A path that has such a character itself has its bytes replaced, too, so that
//! each text means one path.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The character for byte 0.
#[cfg(unix)]
const FIRST: u32 = 0x10_ff00;

/// The text for a path.
///
/// ```
/// use std::path::Path;
/// assert_eq!(archive::path_text::encode(Path::new("/home/zoë")), "/home/zoë");
/// ```
#[cfg(unix)]
pub fn encode(path: &Path) -> Cow<'_, str> {
    let bytes = std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str());
    if let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| !text.chars().any(stands_for_byte)) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len() + 16);
    let mut buffer = [0; 4];
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            if stands_for_byte(letter) {
                text.extend(letter.encode_utf8(&mut buffer).bytes().map(character_of));
            } else {
                text.push(letter);
            }
        }
        text.extend(chunk.invalid().iter().copied().map(character_of));
    }
    Cow::Owned(text)
}

/// The path for a text.
#[cfg(unix)]
pub fn decode(text: &str) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    if !text.chars().any(stands_for_byte) {
        return PathBuf::from(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut buffer = [0; 4];
    for letter in text.chars() {
        match byte_of(letter) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(letter.encode_utf8(&mut buffer).as_bytes()),
        }
    }
    PathBuf::from(std::ffi::OsString::from_vec(bytes))
}

#[cfg(unix)]
fn stands_for_byte(letter: char) -> bool {
    byte_of(letter).is_some()
}

/// Only bytes from 0x80 are ever invalid.
#[cfg(unix)]
fn byte_of(letter: char) -> Option<u8> {
    u8::try_from(u32::from(letter).checked_sub(FIRST)?).ok().filter(|byte| !byte.is_ascii())
}

#[cfg(unix)]
fn character_of(byte: u8) -> char {
    char::from_u32(FIRST + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The text for a path: names on such systems are Unicode, except for rare damage.
#[cfg(not(unix))]
pub fn encode(path: &Path) -> Cow<'_, str> {
    path.to_string_lossy()
}

/// The path for a text.
#[cfg(not(unix))]
pub fn decode(text: &str) -> PathBuf {
    PathBuf::from(text)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::ffi::OsStringExt as _;

    use proptest::prelude::*;

    use super::*;

    fn path(bytes: Vec<u8>) -> PathBuf {
        PathBuf::from(std::ffi::OsString::from_vec(bytes))
    }

    #[test]
    fn usual_paths_stand_as_they_are() {
        for text in ["", "/home/ana", "/home/zoë/庭", "\u{fffd}", "\u{10ff7f}"] {
            assert_eq!(encode(Path::new(text)), text);
            assert_eq!(decode(text), Path::new(text));
        }
        assert_eq!(encode(&path(b"/b\xff".to_vec())), "/b\u{10ffff}");
    }

    #[test]
    fn a_character_that_stands_for_a_byte_is_not_mistaken_for_one() {
        let (own, other) = (path("/b\u{10ffff}".into()), path(b"/b\xff".to_vec()));
        assert_ne!(encode(&own), encode(&other));
        assert_eq!((decode(&encode(&own)), decode(&encode(&other))), (own, other));
    }

    proptest! {
        #[test]
        fn any_path_comes_back(bytes in prop::collection::vec(any::<u8>(), 0..40), letters in "[a-z/\u{10ff00}-\u{10ffff}]{0,8}") {
            let bytes = [bytes.as_slice(), letters.as_bytes(), &bytes].concat();
            let path = path(bytes);
            prop_assert_eq!(decode(&encode(&path)), path);
        }
    }
}
