//! The token that lets somebody in: 256 bits, kept in a file that only its owner can read, so that a browser that was let
//! in once is let in again after a restart.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

/// The bytes of a token.
const BYTES: usize = 32;

/// Lets somebody in. It is written in hexadecimal.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl std::fmt::Debug for Token {
    /// It is a secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// The one in a file; a new one is put there if there is none.
    pub fn load(path: &Path) -> io::Result<Self> {
        match fs::read_to_string(path) {
            Ok(text) => {
                if let Some(token) = Self::read(text.trim()) {
                    return Ok(token);
                }
                fs::remove_file(path)?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let token = Self::new()?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        match private(path)?.write_all(token.0.as_bytes()) {
            Ok(()) => Ok(token),
            Err(error) => Err(error),
        }
    }

    /// A new one, from the system's randomness.
    pub fn new() -> io::Result<Self> {
        let mut bytes = [0; BYTES];
        File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        let mut text = String::with_capacity(2 * BYTES);
        for byte in bytes {
            let _ = write!(text, "{byte:02x}");
        }
        Ok(Self(text))
    }

    fn read(text: &str) -> Option<Self> {
        let is_one = text.len() == 2 * BYTES && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_one.then(|| Self(text.to_owned()))
    }

    /// As it is written in an address or a cookie.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is it. How long that takes says nothing about where two differ.
    pub fn is(&self, other: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), other.as_bytes());
        let difference = ours.iter().zip(theirs).fold(0, |difference, (one, other)| difference | (one ^ other));
        ours.len() == theirs.len() && std::hint::black_box(difference) == 0
    }
}

/// A new file that nobody else can read.
fn private(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_kept_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("recount/token");
        let token = Token::load(&path).unwrap();
        assert_eq!(token.as_str().len(), 64);
        assert_eq!(Token::load(&path).unwrap(), token);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        // What is not one is replaced.
        fs::write(&path, "short").unwrap();
        let next = Token::load(&path).unwrap();
        assert_ne!(next, token);
        assert!(!format!("{next:?}").contains(next.as_str()));
    }

    #[test]
    fn only_the_whole_token_lets_in() {
        let token = Token::new().unwrap();
        let text = token.as_str().to_owned();
        assert!(token.is(&text));
        assert!(!token.is(""));
        assert!(!token.is(&text[1..]));
        assert!(!token.is(&format!("{text}0")));
        let other = if text.ends_with('0') { '1' } else { '0' };
        assert!(!token.is(&format!("{}{other}", &text[..63])));
    }
}
