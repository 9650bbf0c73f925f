//! The story of one session, for programs: the document of `recount show --format json`, whole or some turns.
//!
//! It is sent while it is written, in pieces that wait until the client has received the previous ones: neither a long
//! session nor a slow client takes memory. Only a few are sent at a time, and none for longer than ten minutes.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Path as InPath, Query as InQuery, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use content::Selection;
use content::Threads;
use futures_util::stream;
use serde::Deserialize;
use story::Detail;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout, timeout_at};
use wire::JsonLayout;
use wire::show::{SessionFigures, write_json};

use crate::heavy_requests::{LONGEST_DOCUMENT, PATIENCE};
use crate::open_sessions::open;
use crate::routes::{Failure, Named, WebApp};

/// The size of a piece, in bytes.
const PIECE: usize = 64 * 1024;

/// The selected part of the session.
#[derive(Debug, Deserialize)]
#[serde(default)]
pub(super) struct StoryQuery {
    /// The level of detail.
    detail: Level,
    /// The first turn, from 1.
    from: u64,
    /// The last turn.
    to: u64,
    /// Whether to include subagents and rewound branches.
    threads: bool,
}

impl Default for StoryQuery {
    fn default() -> Self {
        Self { detail: Level::default(), from: 1, to: u64::MAX, threads: true }
    }
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    Prompts,
    Talk,
    Steps,
    #[default]
    Full,
    Raw,
}

impl Level {
    const fn detail(self) -> Detail {
        match self {
            Self::Prompts => Detail::Prompts,
            Self::Talk => Detail::Talk,
            Self::Steps => Detail::Steps,
            Self::Full => Detail::Full,
            Self::Raw => Detail::Raw,
        }
    }
}

impl StoryQuery {
    fn selection(&self) -> Selection {
        let is_all = self.from <= 1 && self.to == u64::MAX;
        Selection {
            detail: self.detail.detail(),
            threads: if self.threads { Threads::All } else { Threads::Main },
            turns: (!is_all).then_some(RangeInclusive::new(self.from, self.to)),
            ..Selection::default()
        }
    }
}

pub(super) async fn answer(
    State(app): State<Arc<WebApp>>,
    InPath(id): Named,
    InQuery(query): InQuery<StoryQuery>,
) -> Result<Response, Failure> {
    let place = app.heavy.document()?;
    let opened = app.ask(move |_, index| Ok((open(index, &id)?, place)));
    let opened = timeout(PATIENCE, opened).await.unwrap_or(Err(Failure::Busy));
    let ((session, mut growing), place) = opened?;
    let (pieces, taken) = mpsc::channel(2);
    tokio::task::spawn_blocking(move || {
        let ends = Instant::now() + LONGEST_DOCUMENT;
        let mut out = Pieces { client: pieces, piece: Vec::with_capacity(PIECE), ends, runtime: Handle::current() };
        let reader = growing.reader();
        let bill = app.settings.bill(reader);
        let (story, texts) = reader.parts();
        let labels = texts.labels();
        let figures = SessionFigures { bill: &bill, status: app.status(&session, story) };
        // Writing fails if the client disconnects, which is not an error, or takes too long: then the answer is cut off.
        let written = write_json(&mut out, story, texts, &labels, &figures, &query.selection(), JsonLayout::Compact)
            .and_then(|()| out.flush());
        if let Err(error) = written {
            // A client that is gone does not receive it.
            drop(out.client.try_send(Err(error)));
        }
        drop(place);
    });
    let body = stream::unfold(taken, |mut taken| async move {
        let piece: io::Result<Bytes> = taken.recv().await?;
        Some((piece, taken))
    });
    Ok(([(CONTENT_TYPE, "application/json")], Body::from_stream(body)).into_response())
}

/// Writes the document piece by piece to a client.
struct Pieces {
    client: mpsc::Sender<io::Result<Bytes>>,
    piece: Vec<u8>,
    /// When it has taken too long.
    ends: Instant,
    runtime: Handle,
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let piece = std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE));
        let sent = timeout_at(self.ends, self.client.send(Ok(piece.into())));
        match self.runtime.block_on(sent) {
            Ok(sent) => sent.map_err(|_| io::ErrorKind::BrokenPipe.into()),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}
