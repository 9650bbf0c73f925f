//! Passwords in URLs.

use std::ops::Range;

use crate::plausible;
use crate::view::View;

/// The password of the URL around `://`.
pub(super) fn password(view: &View, at: &Range<usize>) -> Option<Range<usize>> {
    let text = view.text();
    let colon =
        memchr::memmem::find(text.get(at.start..)?.get(..at.len() + 3)?, b"://").map(|found| at.start + found)?;
    let scheme = text
        .get(..colon)?
        .iter()
        .rev()
        .take(20)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        .count();
    if scheme == 0 {
        return None;
    }
    let start = colon + 3;
    let rest = text.get(start..view.line_end(colon).min(start + 512))?;
    let authority = rest
        .iter()
        .take_while(|byte| {
            !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'/' | b'\\' | b'|')
        })
        .count();
    let authority = rest.get(..authority)?;
    let sign = memchr::memrchr(b'@', authority)?;
    let split = memchr::memchr(b':', authority.get(..sign)?)?;
    let (user, password) = (authority.get(..split)?, authority.get(split + 1..sign)?);
    let host = authority.get(sign + 1..)?;
    let is_local = [b"localhost".as_slice(), b"127.0.0.1", b"0.0.0.0", b"[::1]", b"host.docker.internal"].iter().any(|local| host.starts_with(local))
        // The name of a service in a compose file.
        || !host.iter().take_while(|&&byte| byte != b':').any(|&byte| byte == b'.');
    let is_known = password.len() < 3
        || host.is_empty()
        || user.iter().any(|byte| matches!(byte, b'{' | b'<' | b'('))
        || plausible::is_placeholder(password)
        || password.iter().any(|byte| matches!(byte, b'{' | b'}' | b'(' | b'$' | b','))
        || password.iter().all(|byte| matches!(byte, b'*' | b'x' | b'X' | b'.'))
        || plausible::is_default(password) && (is_local || plausible::is_default(user))
        || (is_local && user == password);
    (!is_known).then(|| start + split + 1..start + sign)
}
