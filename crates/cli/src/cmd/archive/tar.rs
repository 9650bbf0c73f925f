//! Writes POSIX tar files, with extended headers for values that do not fit the old ones.

use std::io::{self, Read, Write};
use std::path::{Component, Path};
use std::time::{SystemTime, UNIX_EPOCH};

const BLOCK: usize = 512;

/// Metadata of a file.
pub(super) struct Header<'a> {
    pub(super) path: &'a Path,
    pub(super) length: u64,
    pub(super) modified: SystemTime,
}

/// Appends a file.
pub(super) fn append(out: &mut impl Write, header: &Header<'_>, content: &mut impl Read) -> io::Result<()> {
    let name = relative(header.path);
    let seconds = header.modified.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    if name.len() > NAME || header.length > LARGEST || !name.is_ascii() {
        let mut extended = record("path", &name);
        extended.extend(record("size", header.length.to_string().as_bytes()));
        out.write_all(&block(b"././@PaxHeader", extended.len() as u64, seconds, b'x'))?;
        out.write_all(&extended)?;
        pad(out, extended.len() as u64)?;
    }
    out.write_all(&block(&name, header.length, seconds, b'0'))?;
    let copied = io::copy(&mut content.take(header.length), out)?;
    if copied != header.length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    pad(out, header.length)
}

/// Writes the end of the tar file.
pub(super) fn finish(out: &mut impl Write) -> io::Result<()> {
    out.write_all(&[0; 2 * BLOCK])
}

/// Bytes available for a name.
const NAME: usize = 100;

/// The largest size that eleven octal digits can represent.
const LARGEST: u64 = 0o777_7777_7777;

/// Removes path components that lead to the root or out of the folder, and joins the rest with slashes.
fn relative(path: &Path) -> Vec<u8> {
    let mut name = Vec::new();
    for part in path.components() {
        let part = match part {
            Component::Normal(part) => part.as_encoded_bytes().to_vec(),
            Component::Prefix(prefix) => {
                prefix.as_os_str().as_encoded_bytes().iter().copied().filter(u8::is_ascii_alphanumeric).collect()
            }
            Component::RootDir | Component::CurDir | Component::ParentDir => continue,
        };
        if !name.is_empty() {
            name.push(b'/');
        }
        name.extend(part);
    }
    name
}

/// Formats a record of an extended header: its length, which includes itself, a keyword and a value.
fn record(keyword: &str, value: &[u8]) -> Vec<u8> {
    let rest = keyword.len() + value.len() + 3;
    let mut length = rest + 1;
    while length != rest + length.to_string().len() {
        length = rest + length.to_string().len();
    }
    let mut record = format!("{length} {keyword}=").into_bytes();
    record.extend(value);
    record.push(b'\n');
    record
}

fn block(name: &[u8], length: u64, modified: u64, kind: u8) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    let mut put = |offset: usize, bytes: &[u8]| {
        block.iter_mut().skip(offset).zip(bytes).for_each(|(place, byte)| *place = *byte);
    };
    put(0, name.get(..NAME).unwrap_or(name));
    put(100, b"0000600\0");
    put(108, b"0000000\0");
    put(116, b"0000000\0");
    put(124, format!("{:011o}\0", length.min(LARGEST)).as_bytes());
    put(136, format!("{:011o}\0", modified.min(LARGEST)).as_bytes());
    put(148, b"        ");
    put(156, &[kind]);
    put(257, b"ustar\x0000");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    let sum = format!("{sum:06o}\0 ");
    block.iter_mut().skip(148).zip(sum.as_bytes()).for_each(|(place, byte)| *place = *byte);
    block
}

/// Pads the last block.
fn pad(out: &mut impl Write, length: u64) -> io::Result<()> {
    let rest = usize::try_from(length % BLOCK as u64).unwrap_or(0);
    if rest > 0 {
        out.write_all([0; BLOCK].get(rest..).unwrap_or_default())?;
    }
    Ok(())
}
