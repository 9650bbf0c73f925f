//! Who may ask: programs that show the token, and browsers that have signed in with it.
//!
//! A cookie is sent to every server of this machine, whatever its port. So a browser never gets the token: it gets a
//! random key of its own, which only this server knows, which expires, and which is void when the server ends, unless
//! browsers are remembered.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest as _, Sha256};

use crate::token::{Token, TokenError};

/// What grants access to a server.
#[derive(Debug)]
pub struct Access {
    token: Token,
    /// The file of the token, which [`Token::rotate`] replaces while the server runs.
    file: PathBuf,
    /// The state of that file when it was read.
    stamp: Option<SystemTime>,
    /// Signs in the first browser that shows it, and none after that.
    code: Option<Token>,
    browsers: Vec<Browser>,
    /// The file in which signed-in browsers are remembered; without it they are forgotten when the server ends.
    remembered: Option<PathBuf>,
}

/// A browser that has signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Browser {
    /// The hash of its key, so that a file with it opens nothing.
    key: [u8; 32],
    /// When it signed in, in milliseconds since 1970.
    began: i64,
    /// When it was last seen.
    seen: i64,
}

/// A browser that has not asked for this long is signed out, in milliseconds.
const IDLE: i64 = 7 * DAY;

/// After this time a browser must sign in again, in milliseconds.
pub(crate) const LONGEST: i64 = 30 * DAY;

/// The number of browsers that can be signed in at the same time. The one that was idle longest makes room.
const MOST: usize = 50;

/// How exactly the file says when a browser was last seen, in milliseconds.
const PRECISION: i64 = DAY / 24;

const DAY: i64 = 24 * 60 * 60 * 1000;

impl Access {
    /// Access with the token in a file, which is created if it does not exist.
    pub fn with_token_of(file: &Path) -> Result<Self, TokenError> {
        let token = Token::load(file)?;
        let (file, stamp) = (file.to_path_buf(), stamp(file));
        Ok(Self { token, file, stamp, code: None, browsers: Vec::new(), remembered: None })
    }

    /// Remembers signed-in browsers in a file.
    pub fn remembering(mut self, file: &Path) -> io::Result<Self> {
        self.browsers = match fs::read_to_string(file) {
            Ok(text) => text.lines().filter_map(Browser::read).collect(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        self.remembered = Some(file.to_path_buf());
        Ok(self)
    }

    /// Also accepts a code, once.
    #[must_use]
    pub fn with_code(self, code: Option<Token>) -> Self {
        Self { code, ..self }
    }

    /// The token.
    pub fn token(&self) -> &Token {
        &self.token
    }

    /// Whether browsers stay signed in when the server ends.
    pub(crate) fn is_remembering(&self) -> bool {
        self.remembered.is_some()
    }

    /// Reads the token again if its file has changed. Returns whether it was replaced; then all browsers are signed
    /// out. If the file is gone or invalid, the known token stays.
    pub(crate) fn follow_token(&mut self) -> bool {
        let now = stamp(&self.file);
        if now.is_none() || now == self.stamp {
            return false;
        }
        self.stamp = now;
        match Token::read_from(&self.file) {
            Ok(Some(token)) if token != self.token => {
                self.token = token;
                self.code = None;
                self.browsers.clear();
                true
            }
            _ => false,
        }
    }

    /// Whether this is the token.
    pub(crate) fn is_token(&self, given: &str) -> bool {
        self.token.is(given)
    }

    /// Whether this is the code. Only the first use succeeds.
    pub(crate) fn takes_code(&mut self, given: &str) -> bool {
        self.code.take_if(|code| code.is(given)).is_some()
    }

    /// Signs a browser in, and returns its key.
    pub(crate) fn sign_in(&mut self, now: i64) -> io::Result<Token> {
        let key = Token::new()?;
        self.forget_expired(now);
        if self.browsers.len() >= MOST {
            let idle = self.browsers.iter().enumerate().min_by_key(|(_, browser)| browser.seen).map(|(at, _)| at);
            idle.map(|at| self.browsers.remove(at));
        }
        self.browsers.push(Browser { key: hash(key.as_str()), began: now, seen: now });
        self.remember()?;
        Ok(key)
    }

    /// Whether a browser has signed in with this key.
    pub(crate) fn is_signed_in(&mut self, key: &str, now: i64) -> bool {
        // Looking for a hash does not reveal how much of a key is right.
        let key = hash(key);
        let Some(browser) = self.browsers.iter_mut().find(|browser| browser.key == key) else { return false };
        if browser.is_expired(now) {
            return false;
        }
        if now.saturating_sub(browser.seen) > PRECISION {
            browser.seen = now;
            // If this fails, the browser is signed out a little earlier.
            let _ = self.remember();
        }
        true
    }

    fn forget_expired(&mut self, now: i64) {
        self.browsers.retain(|browser| !browser.is_expired(now));
    }

    fn remember(&self) -> io::Result<()> {
        let Some(path) = &self.remembered else { return Ok(()) };
        private::replace(path, self.browsers.iter().map(Browser::line).collect::<String>().as_bytes())
    }
}

impl Browser {
    fn is_expired(&self, now: i64) -> bool {
        now.saturating_sub(self.seen) > IDLE || now.saturating_sub(self.began) > LONGEST
    }

    fn line(&self) -> String {
        let mut line = String::new();
        for byte in self.key {
            let _ = write!(line, "{byte:02x}");
        }
        let _ = writeln!(line, " {} {}", self.began, self.seen);
        line
    }

    fn read(line: &str) -> Option<Self> {
        let mut parts = line.split(' ');
        let text = parts.next().filter(|text| text.len() == 64 && text.is_ascii())?;
        let mut key = [0; 32];
        for (at, byte) in key.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
        }
        Some(Self { key, began: parts.next()?.parse().ok()?, seen: parts.next()?.parse().ok()? })
    }
}

fn hash(key: &str) -> [u8; 32] {
    Sha256::digest(key).into()
}

fn stamp(file: &Path) -> Option<SystemTime> {
    file.metadata().ok()?.modified().ok()
}

/// A page that leads a browser to an address. All users of a machine see the arguments of its processes, so a browser
/// is started with a file that contains this page, instead of an address with a code in it.
pub fn forwarding_page(address: &str) -> String {
    let page = maud::html! {
        (maud::DOCTYPE)
        meta charset="utf-8";
        meta name="referrer" content="no-referrer";
        meta http-equiv="refresh" content=(format!("0; url={address}"));
        title { "recount" }
        p { a href=(address) { "Open recount" } }
    };
    page.into_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(folder: &Path) -> Access {
        Access::with_token_of(&folder.join("token")).unwrap()
    }

    #[test]
    fn a_browser_has_a_key_of_its_own_that_expires() {
        let folder = tempfile::tempdir().unwrap();
        let mut access = access(folder.path());
        let key = access.sign_in(0).unwrap();
        assert_ne!(key, *access.token());
        assert!(access.is_signed_in(key.as_str(), IDLE));
        assert!(!access.is_signed_in(access.token.clone().as_str(), 0), "the token is no key");
        // Each visit renews it, up to a limit.
        assert!(access.is_signed_in(key.as_str(), 2 * IDLE));
        assert!(!access.is_signed_in(key.as_str(), 3 * IDLE + 1), "idle for too long");
        let other = access.sign_in(0).unwrap();
        for week in 1..=4 {
            assert!(access.is_signed_in(other.as_str(), week * IDLE));
        }
        assert!(!access.is_signed_in(other.as_str(), LONGEST + 1));
        assert!(!access.is_signed_in("", 0));
    }

    #[test]
    fn browsers_are_forgotten_unless_they_are_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let key = access(folder.path()).sign_in(0).unwrap();
        assert!(!access(folder.path()).is_signed_in(key.as_str(), 1), "another run");
        let file = folder.path().join("browsers");
        let key = access(folder.path()).remembering(&file).unwrap().sign_in(0).unwrap();
        assert!(access(folder.path()).remembering(&file).unwrap().is_signed_in(key.as_str(), 1));
        assert!(!fs::read_to_string(&file).unwrap().contains(key.as_str()), "the file opens nothing");
        assert!(!private::is_exposed(&file));
        fs::remove_file(&file).unwrap();
        assert!(!access(folder.path()).remembering(&file).unwrap().is_signed_in(key.as_str(), 1));
    }

    #[test]
    fn a_new_token_signs_all_browsers_out() {
        let folder = tempfile::tempdir().unwrap();
        let mut access = access(folder.path());
        let (old, key) = (access.token().clone(), access.sign_in(0).unwrap());
        assert!(!access.follow_token());
        let next = Token::rotate(&folder.path().join("token")).unwrap();
        // File times can be coarse.
        access.stamp = None;
        assert!(access.follow_token());
        assert!(access.is_token(next.as_str()) && !access.is_token(old.as_str()));
        assert!(!access.is_signed_in(key.as_str(), 0));
    }

    #[test]
    fn the_number_of_browsers_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let mut access = access(folder.path());
        let keys: Vec<Token> = (0_i64..).take(MOST + 1).map(|at| access.sign_in(at).unwrap()).collect();
        assert_eq!(access.browsers.len(), MOST);
        assert!(!access.is_signed_in(keys[0].as_str(), 1) && access.is_signed_in(keys[1].as_str(), 1));
    }
}
