//! Repairs the end of a file after a killed process or a power loss.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use crate::line::Record;

/// Moves an incomplete record at the end of a file to another file beside it. Returns the path of that file, if there
/// was something to move.
pub(crate) fn mend(file: &mut File, path: &Path) -> io::Result<Option<PathBuf>> {
    let length = file.metadata()?.len();
    let whole = end_of_records(file, length)?;
    if whole == length {
        return Ok(None);
    }
    let (aside, mut torn) = place_aside(path)?;
    file.seek(SeekFrom::Start(whole))?;
    io::copy(&mut file.take(length - whole), &mut torn)?;
    torn.flush()?;
    // Only what is safe elsewhere is removed here.
    torn.sync_all()?;
    file.set_len(whole)?;
    file.sync_all()?;
    Ok(Some(aside))
}

/// Where the last complete record ends.
fn end_of_records(file: &mut File, length: u64) -> io::Result<u64> {
    let mut end = length;
    // Bytes after the last line feed are torn; and so is a line that is not a record, which a power loss may leave of
    // unwritten blocks.
    while end > 0 {
        let start = start_of_line(file, end)?;
        file.seek(SeekFrom::Start(start))?;
        let mut line = Vec::new();
        file.take(end - start).read_to_end(&mut line)?;
        if line.ends_with(b"\n") && Record::read(&line).is_ok() {
            break;
        }
        end = start;
    }
    Ok(end)
}

/// The start of the line that ends here.
fn start_of_line(file: &mut File, end: u64) -> io::Result<u64> {
    const CHUNK: u64 = 64 << 10;
    // Skips the line feed that ends it.
    let mut to = end.saturating_sub(1);
    let mut chunk = Vec::new();
    while to > 0 {
        let from = to.saturating_sub(CHUNK);
        file.seek(SeekFrom::Start(from))?;
        chunk.clear();
        file.take(to - from).read_to_end(&mut chunk)?;
        if let Some(at) = memchr::memrchr(b'\n', &chunk) {
            return Ok(from + at as u64 + 1);
        }
        to = from;
    }
    Ok(0)
}

/// A new file beside another.
fn place_aside(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut number = 1_u32;
    loop {
        let aside = path.with_extension(format!("jsonl.torn-{number}"));
        match private::options().write(true).create_new(true).open(&aside) {
            Ok(file) => return Ok((aside, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number = number.saturating_add(1),
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const RECORD: &[u8] = b"{\"id\":\"1\",\"claudeMessage\":{\"type\":\"user\"}}\n";

    fn mended(bytes: &[u8]) -> (Vec<u8>, Option<Vec<u8>>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.jsonl");
        fs::write(&path, bytes).unwrap();
        let mut file = File::options().read(true).write(true).open(&path).unwrap();
        let aside = mend(&mut file, &path).unwrap();
        (fs::read(&path).unwrap(), aside.map(|aside| fs::read(aside).unwrap()))
    }

    #[test]
    fn a_file_may_be_torn_anywhere() {
        let whole = [RECORD, RECORD].concat();
        for length in 0..=whole.len() {
            let torn = &whole[..length];
            let (kept, aside) = mended(torn);
            let records = length / RECORD.len();
            assert_eq!(kept, whole[..records * RECORD.len()], "{length}");
            assert_eq!(aside.is_some(), length % RECORD.len() != 0, "{length}");
            assert_eq!([kept, aside.unwrap_or_default()].concat(), torn, "{length}");
        }
    }

    #[test]
    fn unwritten_blocks_are_removed() {
        let mut bytes = RECORD.to_vec();
        bytes.resize(100_000, 0);
        bytes.push(b'\n');
        bytes.extend([0; 100]);
        assert_eq!(mended(&bytes).0, RECORD);
    }

    #[test]
    fn damage_before_the_end_is_left_alone() {
        let bytes = [b"\0\0\0\n", RECORD].concat();
        assert_eq!(mended(&bytes), (bytes, None));
    }
}
