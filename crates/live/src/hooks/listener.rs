//! The socket that wakes waiting readers.
//!
//! Every datagram is also in the spool, so losing one is harmless: a reader that wakes up reads the spool.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::event::{Event, LONGEST_LINE};

const NAME: &str = "events.sock";

/// Sends a line to the listener, without waiting.
pub(super) fn send(folder: &Path, line: &[u8]) {
    let sent = || {
        let socket = UnixDatagram::unbound()?;
        socket.set_nonblocking(true)?;
        socket.send_to(line, folder.join(NAME))
    };
    // If there is no listener, or it is too slow, the line is still in the spool.
    let _: io::Result<usize> = sent();
}

/// Receives events as they arrive, until it is dropped.
#[derive(Debug)]
pub struct Listener {
    socket: UnixDatagram,
    path: PathBuf,
    inode: u64,
}

impl Listener {
    /// Listens in the folder of the spool, for this user only. Fails with [`io::ErrorKind::AddrInUse`] if another
    /// process already listens; the socket of a dead process is replaced.
    pub fn bind(folder: &Path) -> io::Result<Self> {
        let path = folder.join(NAME);
        private::make_folder(folder)?;
        let socket = match UnixDatagram::bind(&path) {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && is_left_behind(&path) => {
                fs::remove_file(&path)?;
                UnixDatagram::bind(&path)?
            }
            bound => bound?,
        };
        fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        let inode = fs::symlink_metadata(&path)?.ino();
        Ok(Self { socket, path, inode })
    }

    /// Waits for an event up to this long (and at least a moment); `None` if none arrived, or something else did.
    pub fn wait(&self, most: Duration) -> io::Result<Option<Event>> {
        self.socket.set_read_timeout(Some(most.max(Duration::from_millis(1))))?;
        let mut line = vec![0; LONGEST_LINE];
        match self.socket.recv(&mut line) {
            Ok(length) => Ok(line.get(..length).and_then(Event::of_line)),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // Another process may have replaced our socket.
        if fs::symlink_metadata(&self.path).is_ok_and(|metadata| metadata.ino() == self.inode) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether it is a socket without a listener.
fn is_left_behind(path: &Path) -> bool {
    let is_socket = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.file_type().is_socket());
    let connected = UnixDatagram::unbound().and_then(|socket| socket.connect(path));
    is_socket && connected.is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
}
