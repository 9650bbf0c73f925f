//! Replaces the id of a session in its own files with a placeholder.
//!
//! A fork copies all entries of a session and writes its own id into each. With the same placeholder for both ids the
//! copies are equal byte for byte, and stored once.

use memchr::{memchr, memmem};

/// The placeholder. It is as long as an id, and begins with a byte that cannot occur in JSON.
const STAND_IN: &[u8; LENGTH] = b"\x01recount:the-id-of-this-very-session";

/// The length of a UUID.
const LENGTH: usize = 36;

/// An id that is removed from content and restored.
#[derive(Debug, Clone)]
pub(crate) struct Alias {
    id: [u8; LENGTH],
    finder: memmem::Finder<'static>,
}

impl Alias {
    /// `None` if it does not have the length of an id, or could be mistaken for the placeholder.
    pub(crate) fn new(id: &str) -> Option<Self> {
        let id: [u8; LENGTH] = id.as_bytes().try_into().ok()?;
        id.iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
            .then(|| Self { id, finder: memmem::Finder::new(&id).into_owned() })
    }

    /// Whether the id can be removed from these bytes such that restoring it gives the same bytes.
    pub(crate) fn fits(bytes: &[u8]) -> bool {
        memchr(b'\x01', bytes).is_none()
    }

    /// Replaces the id with the placeholder.
    pub(crate) fn take_out(&self, bytes: &mut [u8]) {
        replace(bytes, &self.finder, STAND_IN);
    }

    /// Replaces the placeholder with the id.
    pub(crate) fn put_in(&self, bytes: &mut [u8]) {
        replace(bytes, &memmem::Finder::new(STAND_IN), &self.id);
    }
}

fn replace(bytes: &mut [u8], this: &memmem::Finder<'_>, by: &[u8; LENGTH]) {
    let mut rest = bytes;
    while let Some((_, found)) = this.find(rest).and_then(|at| rest.split_at_mut_checked(at)) {
        let Some((place, behind)) = found.split_first_chunk_mut::<LENGTH>() else { return };
        *place = *by;
        rest = behind;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_removed_and_restored() {
        let alias = Alias::new("4c1e0f3a-0000-4000-8000-00000000beef").unwrap();
        let line =
            br#"{"sessionId":"4c1e0f3a-0000-4000-8000-00000000beef","x":"4c1e0f3a-0000-4000-8000-00000000beef"}"#;
        let mut bytes = line.to_vec();
        alias.take_out(&mut bytes);
        assert_eq!(memmem::find_iter(&bytes, STAND_IN).count(), 2);
        alias.put_in(&mut bytes);
        assert_eq!(bytes, line);
    }

    #[test]
    fn only_ids_have_an_alias() {
        for id in ["", "short", "\u{1}recount:the-id-of-this-very-session", &"é".repeat(18)] {
            assert!(Alias::new(id).is_none(), "{id:?}");
        }
    }
}
