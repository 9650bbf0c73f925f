//! The id of a session in its own files, and a stand-in for it.
//!
//! A fork copies all entries of a session and writes its own id into each. With the same stand-in for both ids the
//! copies are equal byte for byte, and stored once.

use memchr::{memchr, memmem};

/// What stands for the id. It is as long as one, and begins with a byte that JSON cannot hold.
const STAND_IN: &[u8; LENGTH] = b"\x01recount:the-id-of-this-very-session";

/// The length of a UUID.
const LENGTH: usize = 36;

/// An id that is taken out of content, and put in again.
#[derive(Debug, Clone)]
pub(crate) struct Alias {
    id: [u8; LENGTH],
    finder: memmem::Finder<'static>,
}

impl Alias {
    /// `None` if it is not of the length of an id, or could be taken for the stand-in.
    pub(crate) fn new(id: &str) -> Option<Self> {
        let id: [u8; LENGTH] = id.as_bytes().try_into().ok()?;
        id.iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
            .then(|| Self { id, finder: memmem::Finder::new(&id).into_owned() })
    }

    /// Whether the id may be taken out of these bytes, so that putting it in again gives the same bytes.
    pub(crate) fn fits(bytes: &[u8]) -> bool {
        memchr(b'\x01', bytes).is_none()
    }

    /// Takes the id out.
    pub(crate) fn take_out(&self, bytes: &mut [u8]) {
        replace(bytes, &self.finder, STAND_IN);
    }

    /// Puts the id in.
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
    fn an_id_goes_out_and_comes_back() {
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
    fn what_is_no_id_is_no_alias() {
        for id in ["", "short", "\u{1}recount:the-id-of-this-very-session", &"é".repeat(18)] {
            assert!(Alias::new(id).is_none(), "{id:?}");
        }
    }
}
