//! Private things that are no secrets: names in paths, e-mail addresses, hosts and IP addresses.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

use crate::view::View;

/// Names of home directories that say nothing about a person.
const ANYONE: [&[u8]; 44] = [
    b"user",
    b"username",
    b"runner",
    b"node",
    b"ubuntu",
    b"vscode",
    b"root",
    b"shared",
    b"public",
    b"default",
    b"guest",
    b"admin",
    b"administrator",
    b"coder",
    b"app",
    b"dev",
    b"me",
    b"you",
    b"your",
    b"name",
    b"yourname",
    b"your-name",
    b"your-username",
    b"your_username",
    b"youruser",
    b"linuxbrew",
    b"circleci",
    b"travis",
    b"git",
    b"jovyan",
    b"codespace",
    b"ec2-user",
    b"vagrant",
    b"docker",
    b"build",
    b"ci",
    b"agent",
    b"claude",
    b"sandbox",
    b"nonroot",
    b"someone",
    b"test",
    b"example",
    b"xxx",
];
/// Endings that look like those of domains, but are of files or code.
const NO_DOMAINS: [&[u8]; 36] = [
    b"png",
    b"jpg",
    b"jpeg",
    b"gif",
    b"svg",
    b"webp",
    b"ico",
    b"js",
    b"mjs",
    b"ts",
    b"tsx",
    b"jsx",
    b"css",
    b"scss",
    b"html",
    b"json",
    b"md",
    b"py",
    b"rs",
    b"go",
    b"java",
    b"rb",
    b"php",
    b"sh",
    b"yml",
    b"yaml",
    b"toml",
    b"txt",
    b"xml",
    b"lock",
    b"service",
    b"target",
    b"mount",
    b"socket",
    b"timer",
    b"prototype",
];
const RESERVED: [&[u8]; 10] = [
    b"example.com",
    b"example.org",
    b"example.net",
    b"anthropic.com",
    b"example",
    b"test",
    b"invalid",
    b"localhost",
    b"email.com",
    b"domain.com",
];
/// Local parts that belong to programs.
const PROGRAMS: [&[u8]; 8] =
    [b"git", b"noreply", b"no-reply", b"donotreply", b"postmaster", b"mailer-daemon", b"svn", b"hg"];

/// The name of the user in the path around `/home/`, `/Users/` or their forms in the names of project folders.
pub(super) fn home(view: &View, at: &Range<usize>) -> Option<Range<usize>> {
    let text = view.text();
    let written = text.get(at.clone())?;
    let before =
        at.start.checked_sub(1).and_then(|index| text.get(index)).copied().filter(|_| !view.is_break(at.start));
    let is_slug = written.first() == Some(&b'-');
    let fits = match written {
        b"/home/" => !before.is_some_and(|byte| byte.is_ascii_alphanumeric()) || follows_a_root(text, at.start),
        b"/Users/" => is_free(text, at.start, before),
        b"-home-" | b"-Users-" => before.is_none_or(|byte| matches!(byte, b'/' | b'\\' | b'"' | b'\'' | b'`' | b'(')),
        _ => written.eq_ignore_ascii_case(b"\\users\\"),
    };
    if !fits || view.line_end(at.start) < at.end {
        return None;
    }
    let belongs = |byte: u8| {
        byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 || (!is_slug && matches!(byte, b'.' | b'-' | b'+'))
    };
    let mut length = text
        .get(at.end..view.line_end(at.end.saturating_sub(1)).max(at.end))?
        .iter()
        .take(40)
        .take_while(|&&byte| belongs(byte))
        .count();
    while length > 0 && matches!(text.get(at.end + length - 1), Some(b'.' | b'-')) {
        length -= 1;
    }
    let name = text.get(at.end..at.end + length)?;
    (!is_anyone(name)).then_some(at.end..at.end + length)
}

/// Whether the name of a home directory says nothing about a person.
pub(crate) fn is_anyone(name: &[u8]) -> bool {
    name.len() < 2
        || ANYONE.iter().any(|known| known.eq_ignore_ascii_case(name))
        || (name == b"user" || name.starts_with(b"user-") && name.iter().skip(5).all(u8::is_ascii_digit))
        || name.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
}

/// Whether `/home/` is below a folder that holds homes: `/var/home`, `/export/home`.
fn follows_a_root(text: &[u8], at: usize) -> bool {
    let before = text.get(at.saturating_sub(16)..at).unwrap_or_default();
    [b"/var".as_slice(), b"/export", b"/nfs", b"/usr", b"/mnt", b"/data", b"/private"]
        .iter()
        .any(|root| before.ends_with(root))
}

/// Whether `/Users/` begins a path, or follows a drive (`C:`, `/c`, `/mnt/c`), rather than being a part of a URL.
fn is_free(text: &[u8], at: usize, before: Option<u8>) -> bool {
    if !before.is_some_and(|byte| byte.is_ascii_alphanumeric()) {
        return true;
    }
    at >= 2 && text.get(at - 2) == Some(&b'/')
}

/// The e-mail address around the `@` at `at`.
pub(super) fn email(view: &View, at: usize) -> Option<Range<usize>> {
    let text = view.text();
    let local = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'%' | b'+' | b'-');
    let domain = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let before = text.get(..at)?.iter().rev().take(64).take_while(local).count();
    let after = text.get(at + 1..view.line_end(at))?.iter().take(255).take_while(domain).count();
    let mut start = at - before;
    let mut end = at + 1 + after;
    while end > at + 1 && matches!(text.get(end - 1), Some(b'.' | b'-')) {
        end -= 1;
    }
    // A line that ends before the address is no part of it.
    start = start.max(view.line_start(at.saturating_sub(1)));
    while start < at && matches!(text.get(start), Some(b'.' | b'-' | b'%' | b'+')) {
        start += 1;
    }
    let (name, domain) = (text.get(start..at)?, text.get(at + 1..end)?);
    let dot = memchr::memrchr(b'.', domain)?;
    let ending = domain.get(dot + 1..)?;
    let before = start.checked_sub(1).and_then(|index| text.get(index)).copied();
    let is_other = name.is_empty()
        || dot == 0
        || !(2..=24).contains(&ending.len())
        || !ending.iter().all(u8::is_ascii_alphabetic)
        || NO_DOMAINS.iter().any(|known| known.eq_ignore_ascii_case(ending))
        || is_reserved(domain)
        || PROGRAMS.iter().any(|known| known.eq_ignore_ascii_case(name))
        || matches!(before, Some(b'/' | b'@'))
        || (before == Some(b':') && !text.get(..start)?.ends_with(b"mailto:") && is_in_url(text, start))
        || text.get(end) == Some(&b'(');
    (!is_other).then_some(start..end)
}

fn is_reserved(domain: &[u8]) -> bool {
    RESERVED.iter().any(|known| {
        domain.len() >= known.len()
            && domain.get(domain.len() - known.len()..).is_some_and(|end| end.eq_ignore_ascii_case(known))
            && domain.len().checked_sub(known.len() + 1).is_none_or(|index| domain.get(index) == Some(&b'.'))
    })
}

/// Whether what ends at `at` is the user of a URL, so that a password stands before the `@`.
fn is_in_url(text: &[u8], at: usize) -> bool {
    memchr::memmem::find(text.get(at.saturating_sub(80)..at).unwrap_or_default(), b"://").is_some()
}

/// The name of the computer that ends with the ending at `at`.
pub(super) fn host(view: &View, at: &Range<usize>) -> Option<Range<usize>> {
    let text = view.text();
    let belongs = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
    let floor = view.line_start(at.start.saturating_sub(1));
    let length = text.get(floor..at.start)?.iter().rev().take(63).take_while(belongs).count();
    let start = at.start - length;
    let label = text.get(start..at.start)?;
    let before = start.checked_sub(1).and_then(|index| text.get(index)).copied();
    let after = text.get(at.end).copied().filter(|_| !view.is_break(at.end));
    let goes_on = after.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'('))
        || (after == Some(b'.') && text.get(at.end + 1).is_some_and(u8::is_ascii_alphanumeric));
    let is_named = label.contains(&b'-') || label.iter().any(u8::is_ascii_digit);
    let is_pseudonym = label.starts_with(b"host-") && label.iter().skip(5).all(u8::is_ascii_digit);
    let is_host = length >= 3
        && !goes_on
        && is_named
        && !is_pseudonym
        && label.first().is_some_and(u8::is_ascii_alphanumeric)
        && !matches!(before, Some(b'.' | b'_' | b'$' | b'-'));
    is_host.then_some(start..at.end)
}

/// Whether a word stands alone, so that replacing it does not cut another word in two.
pub(super) fn is_whole_word(text: &[u8], at: &Range<usize>) -> bool {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
    let first_is_word = is_part(text.get(at.start));
    let last_is_word = at.end.checked_sub(1).is_some_and(|last| is_part(text.get(last)));
    let before = at.start.checked_sub(1).and_then(|index| text.get(index));
    let after_escape =
        at.start >= 2 && text.get(at.start - 2) == Some(&b'\\') && matches!(before, Some(b'n' | b'r' | b't'));
    !(last_is_word && is_part(text.get(at.end)) || first_is_word && is_part(before) && !after_escape)
}

/// All IP addresses that say where a computer is.
pub(super) fn addresses(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut done = 0;
    for dot in memchr::memchr_iter(b'.', text) {
        let is_digit = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(u8::is_ascii_digit);
        if dot < done || !is_digit(dot.checked_sub(1)) || !is_digit(Some(dot + 1)) {
            continue;
        }
        let digits = text
            .get(done..dot)
            .unwrap_or_default()
            .iter()
            .rev()
            .take(4)
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let start = dot - digits;
        let length = text
            .get(start..)
            .unwrap_or_default()
            .iter()
            .take(16)
            .take_while(|byte| byte.is_ascii_digit() || **byte == b'.')
            .count();
        done = start + length;
        if is_four(text, start, start + length) {
            found.push(start..start + length);
        }
    }
    done = 0;
    for colon in memchr::memchr_iter(b':', text) {
        let next = text.get(colon + 1).copied().unwrap_or(0);
        let last = colon.checked_sub(1).and_then(|at| text.get(at)).copied().unwrap_or(0);
        if colon < done
            || !(last.is_ascii_hexdigit() && (next == b':' || next.is_ascii_hexdigit())
                || last == b':' && next.is_ascii_hexdigit())
        {
            continue;
        }
        let belongs = |byte: &&u8| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.');
        let before = text.get(done..colon).unwrap_or_default().iter().rev().take(46).take_while(belongs).count();
        let after = text.get(colon..).unwrap_or_default().iter().take(46).take_while(belongs).count();
        let range = colon - before..colon + after;
        done = range.end;
        found.extend(six(text, range));
    }
    found
}

fn is_four(text: &[u8], start: usize, end: usize) -> bool {
    let before = |distance: usize| start.checked_sub(distance).and_then(|at| text.get(at)).copied();
    let after = text.get(end).copied();
    let is_part =
        |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    // `Chrome/120.0.0.0` is a version; `//10.1.2.3` is an address.
    let is_version = before(1) == Some(b'/') && before(2).is_some_and(|byte| byte.is_ascii_alphanumeric());
    if is_part(before(1)) || is_part(after) || is_version {
        return false;
    }
    let Some(address) = text
        .get(start..end)
        .and_then(|text| std::str::from_utf8(text).ok())
        .and_then(|text| text.parse::<Ipv4Addr>().ok())
    else {
        return false;
    };
    is_telling(address)
}

fn is_telling(address: Ipv4Addr) -> bool {
    const PUBLIC_RESOLVERS: [[u8; 4]; 6] =
        [[8, 8, 8, 8], [8, 8, 4, 4], [1, 1, 1, 1], [1, 0, 0, 1], [9, 9, 9, 9], [169, 254, 169, 254]];
    let octets = address.octets();
    let [first, .., last] = octets;
    // A version such as 1.2.3.4 or 10.0.0.0, and the mask or address of a network, lead to no computer.
    let is_network = last == 0 || first == 0 || first == 255;
    let is_version = octets.iter().all(|&octet| octet < 10);
    !(address.is_loopback()
        || address.is_unspecified()
        || address.is_broadcast()
        || address.is_documentation()
        || address.is_multicast()
        || is_network
        || is_version
        || PUBLIC_RESOLVERS.contains(&octets))
}

fn six(text: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let mut range = range;
    while range.end > range.start && matches!(text.get(range.end - 1), Some(b'.')) {
        range.end -= 1;
    }
    let written = std::str::from_utf8(text.get(range.clone())?).ok()?;
    let groups = written.split(':').filter(|group| !group.is_empty()).count();
    let is_part =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'<' | b'('));
    let before = range.start.checked_sub(1).and_then(|at| text.get(at));
    if groups < 3
        || !written.bytes().any(|byte| byte.is_ascii_digit())
        || is_part(before)
        || is_part(text.get(range.end))
    {
        return None;
    }
    let address: Ipv6Addr = written.parse().ok()?;
    let segments = address.segments();
    let is_documentation = segments.starts_with(&[0x2001, 0xdb8]);
    let is_mapped_none = address.to_ipv4_mapped().is_some_and(|address| !is_telling(address));
    (!is_documentation && !is_mapped_none && !address.is_loopback() && !address.is_multicast()).then_some(range)
}
