//! The access token: 256 bits, stored in a file that only its owner can read, so that the address stays the same after
//! a restart.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// Length of a token in bytes.
const BYTES: usize = 32;

/// Authenticates a client. Written in hexadecimal.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl std::fmt::Debug for Token {
    /// Hides the value: it is a secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The file cannot be read or written.
    #[error("cannot store the token: {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// Other users of the machine may have read the file.
    #[error("other users of this machine can read the token: {}", path.display())]
    Exposed {
        /// The file.
        path: PathBuf,
    },
}

impl Token {
    /// Reads the token from a file, or creates it there. A token that other users can read is refused.
    pub fn load(path: &Path) -> Result<Self, TokenError> {
        match Self::read_from(path)? {
            Some(token) => Ok(token),
            None => Self::rotate(path),
        }
    }

    /// Replaces the token in a file by a new one.
    pub fn rotate(path: &Path) -> Result<Self, TokenError> {
        let token = Self::new();
        let written = token.and_then(|token| {
            path.parent().map_or(Ok(()), private::make_folder)?;
            private::replace(path, token.0.as_bytes())?;
            Ok(token)
        });
        written.map_err(|error| TokenError::File { path: path.to_path_buf(), error })
    }

    /// The token in a file; `None` if there is no valid one.
    pub(crate) fn read_from(path: &Path) -> Result<Option<Self>, TokenError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(TokenError::File { path: path.to_path_buf(), error }),
        };
        if private::is_exposed(path) {
            return Err(TokenError::Exposed { path: path.to_path_buf() });
        }
        Ok(Self::read(text.trim()))
    }

    /// Generates a token from the system's randomness.
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

    /// The text in a URL, a header or a cookie.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Compares in constant time, so that timing does not reveal where two tokens differ.
    pub fn is(&self, other: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), other.as_bytes());
        let difference = ours.iter().zip(theirs).fold(0, |difference, (one, other)| difference | (one ^ other));
        ours.len() == theirs.len() && std::hint::black_box(difference) == 0
    }
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
            // One that others may have read is no secret.
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
            assert!(matches!(Token::load(&path), Err(TokenError::Exposed { .. })));
            let next = Token::rotate(&path).unwrap();
            assert!(next != token && next == Token::load(&path).unwrap());
        }
        // An invalid token is replaced.
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
