//! The access token: 256 bits, stored in a file that only its owner can read, so that a browser stays authenticated
//! after a restart.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

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

impl Token {
    /// Reads the token from a file, or creates it there.
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

    /// The text in a URL or a cookie.
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

/// Creates a file that only its owner can read.
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
