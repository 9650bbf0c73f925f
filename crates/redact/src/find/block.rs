//! Private keys: blocks between a first and a last line.

use std::ops::Range;

use crate::view::View;

const LONGEST: usize = 65_536;
const PUTTY: &[u8] = b"PuTTY-User-Key-File-";
const PUTTY_END: &[u8] = b"Private-MAC:";

/// The block that begins at `at`, from its first to its last line.
///
/// Without a last line it ends where something comes that is no part of a key. The search for the end stops at the next
/// block, so that many beginnings take no longer than few.
pub(crate) fn find(view: &View, at: usize) -> Option<Range<usize>> {
    let text = view.text();
    let limit = (at + LONGEST).min(text.len());
    let rest = text.get(at..limit)?;
    if rest.starts_with(PUTTY) {
        return putty(view, at, limit);
    }
    let header = 5 + memchr::memmem::find(rest.get(5..rest.len().min(80))?, b"-----")? + 5;
    let body = at + header;
    let marker = memchr::memmem::find(rest.get(header..)?, b"-----").map(|found| body + found);
    let range = match marker {
        Some(marker) if text.get(marker..)?.starts_with(b"-----END") => {
            let after = marker + 8;
            let close = memchr::memmem::find(text.get(after..text.len().min(after + 80))?, b"-----")?;
            at..after + close + 5
        }
        next => at..cut_off(view, body, next.unwrap_or(limit)),
    };
    // A header alone, as in a message or a pattern, is no key.
    let body = view.slice(body..range.end);
    (body.iter().filter(|byte| byte.is_ascii_alphanumeric()).count() >= 32 && material(body).len() >= 24)
        .then_some(range)
}

/// Whether the block at `at` is what a rule is named after; several rules share a first line.
pub(super) fn is_of(view: &View, at: usize, id: &str) -> bool {
    if id != "gcp-service-account-private-key" {
        return true;
    }
    let around = view.slice(at.saturating_sub(600)..(at + 4000).min(view.text().len()));
    memchr::memmem::find(around, b"service_account").is_some()
}

/// Where a block without a last line ends: at the first line that is no part of a key.
fn cut_off(view: &View, body: usize, limit: usize) -> usize {
    let mut end = body;
    while end < limit {
        let line = view.line_end(end).min(limit);
        let bytes = view.slice(end..line);
        if !bytes.iter().all(|&byte| is_material(byte)) && !is_header(bytes) {
            return end + bytes.iter().take_while(|&&byte| is_material_or_escape(byte)).count();
        }
        end = line.max(end + 1);
    }
    limit
}

/// Whether a line is a header in a key: `Proc-Type: 4,ENCRYPTED`.
fn is_header(line: &[u8]) -> bool {
    let name = line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    name > 0 && line.get(name..).is_some_and(|rest| rest.starts_with(b": ")) && !line.contains(&b'"')
}

fn is_material(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b' ')
}

fn is_material_or_escape(byte: u8) -> bool {
    is_material(byte) || byte == b'\\'
}

fn putty(view: &View, at: usize, limit: usize) -> Option<Range<usize>> {
    let rest = view.slice(at..limit);
    memchr::memmem::find(rest, b"Private-Lines:")?;
    let mac = at + memchr::memmem::find(rest, PUTTY_END)? + PUTTY_END.len();
    let length = view.slice(mac..limit).iter().take_while(|byte| byte.is_ascii_hexdigit() || **byte == b' ').count();
    Some(at..mac + length)
}

/// The key itself, without first and last line, ends of lines and escapes: the same however it is written.
pub(crate) fn material(block: &[u8]) -> Vec<u8> {
    let mut bytes = block.iter().copied().peekable();
    let mut material = Vec::with_capacity(block.len());
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => {
                bytes.next_if(|next| matches!(next, b'n' | b'r' | b't'));
            }
            _ if byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=') => material.push(byte),
            _ => {}
        }
    }
    material
}
