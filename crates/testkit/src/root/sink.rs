//! A file written line by line.

use crate::entry::Entry;
use crate::json::Json;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// An open file and the current line.
pub(super) struct Sink {
    path: PathBuf,
    /// None if the lines are only kept.
    file: Option<BufWriter<File>>,
    line: Vec<u8>,
    /// Precedes the next line.
    prefix: &'static [u8],
    lines: u64,
    /// The lines written so far, if they are needed again.
    kept: Option<Vec<String>>,
}

impl Sink {
    /// Creates the file and its parent directories.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        let file = Some(BufWriter::with_capacity(1 << 18, File::create(path)?));
        Ok(Self { path: path.to_path_buf(), file, line: Vec::new(), prefix: b"", lines: 0, kept: None })
    }

    /// No file: the lines are only kept.
    pub(super) fn unwritten() -> Self {
        Self { path: PathBuf::new(), file: None, line: Vec::new(), prefix: b"", lines: 0, kept: Some(Vec::new()) }
    }

    /// Whether the lines are written to a file.
    pub(super) fn is_written(&self) -> bool {
        self.file.is_some()
    }

    /// Begins the next line with the bytes that a write cut short has left.
    pub(super) fn tear(&mut self) {
        self.prefix = b"\0\0\0";
    }

    /// Keeps all lines from now on.
    #[must_use]
    pub(super) fn keeping_lines(mut self) -> Self {
        self.kept = Some(Vec::new());
        self
    }

    /// The kept lines.
    pub(super) fn take_lines(&mut self) -> Vec<String> {
        self.kept.take().unwrap_or_default()
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn lines(&self) -> u64 {
        self.lines
    }

    /// Writes an entry; returns the number of bytes.
    pub(super) fn write(&mut self, entry: Entry) -> io::Result<u64> {
        self.line.clear();
        entry.write(&mut self.line);
        self.end_line()
    }

    /// Writes any JSON; returns the number of bytes.
    pub(super) fn write_json(&mut self, json: &Json) -> io::Result<u64> {
        self.line.clear();
        json.write(&mut self.line);
        self.end_line()
    }

    /// Writes a line as it is; returns the number of bytes.
    pub(super) fn write_line(&mut self, line: &str) -> io::Result<u64> {
        self.line.clear();
        self.line.extend_from_slice(line.as_bytes());
        self.end_line()
    }

    fn end_line(&mut self) -> io::Result<u64> {
        if let Some(kept) = &mut self.kept {
            kept.push(String::from_utf8_lossy(&self.line).into_owned());
        }
        self.line.push(b'\n');
        self.lines += 1;
        let Some(file) = &mut self.file else { return Ok(0) };
        let prefix = std::mem::take(&mut self.prefix);
        file.write_all(prefix)?;
        file.write_all(&self.line)?;
        Ok((prefix.len() + self.line.len()) as u64)
    }

    /// Flushes the buffer.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}
