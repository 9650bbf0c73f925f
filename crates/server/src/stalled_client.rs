//! A connection with a timeout for clients that stop reading, so that no response is buffered for them forever.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// The connection.
#[derive(Debug)]
pub(crate) struct StalledClientTimeout {
    stream: TcpStream,
    /// How long the client may pause once the system's send buffer is full.
    patience: Duration,
    /// Runs while the client does not read.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl StalledClientTimeout {
    pub(crate) fn new(stream: TcpStream, patience: Duration) -> Self {
        Self { stream, patience, waiting: None }
    }

    /// The result of a write; an error if writing has stalled for too long.
    fn wait<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let patience = self.patience;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(patience)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for StalledClientTimeout {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, to)
    }
}

impl AsyncWrite for StalledClientTimeout {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.wait(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.wait(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::net::{TcpListener, TcpStream as Client};

    use super::*;

    async fn write_all(stream: &mut StalledClientTimeout, bytes: &[u8]) -> io::Result<()> {
        let mut written = 0;
        while let Some(rest) = bytes.get(written..).filter(|rest| !rest.is_empty()) {
            written += std::future::poll_fn(|context| Pin::new(&mut *stream).poll_write(context, rest)).await?;
        }
        Ok(())
    }

    fn connected() -> (Client, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = Client::connect(listener.local_addr().unwrap()).unwrap();
        let (stream, _) = listener.accept().unwrap();
        stream.set_nonblocking(true).unwrap();
        (client, TcpStream::from_std(stream).unwrap())
    }

    #[test]
    fn a_client_that_stops_reading_is_dropped() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (_client, stream) = connected();
            let mut stream = StalledClientTimeout::new(stream, Duration::from_millis(200));
            // More than any system buffers.
            let written = write_all(&mut stream, &vec![b'x'; 64 << 20]).await;
            assert_eq!(written.unwrap_err().kind(), io::ErrorKind::TimedOut);
        });
    }

    #[test]
    fn a_client_that_reads_gets_everything() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (mut client, stream) = connected();
            let reader = std::thread::spawn(move || client.read_to_end(&mut Vec::new()).unwrap());
            let mut stream = StalledClientTimeout::new(stream, Duration::from_secs(20));
            write_all(&mut stream, &vec![b'x'; 8 << 20]).await.unwrap();
            drop(stream);
            assert_eq!(reader.join().unwrap(), 8 << 20);
        });
    }
}
