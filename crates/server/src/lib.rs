//! The web app: the live board, all sessions, search and figures, for browsers and programs on this machine.
//!
//! | module | for |
//! |---|---|
//! | [`token`] | the secret that opens the web app |
//! | `guard` | who may ask, and the headers of every answer |
//! | `http` | connections and their time limits |
//! | `connections` | how many there may be: unauthenticated clients cannot exhaust them |
//! | `stalled_client` | the time limit for clients that stop reading |
//! | `routes` | the addresses there are |
//! | `pages`, `api`, `assets` | what people see, what programs read, style and scripts |
//! | `live_board` | the board that all clients see |
//! | `board_loop` | the thread that updates it |
//! | `indexer` | the thread that updates the index |
//! | `watcher` | notices changes below config roots |
//! | `feed` | numbered events for all clients |
//! | `open_sessions` | sessions that are being read, kept open for a while |
//! | `usage`, `tools`, `archives`, `metrics`, `period` | figures |

mod api;
mod archives;
mod assets;
mod board_loop;
mod chosen;
mod connections;
mod feed;
mod guard;
mod http;
mod indexer;
mod live_board;
mod metrics;
mod open_sessions;
mod pages;
mod routes;
mod stalled_client;
pub mod token;
mod tools;
mod usage;
mod watcher;

use std::io;
use std::net::SocketAddr;

use app::{App, AppError};

pub use http::Server;
use token::Token;

/// What a server is to do.
#[derive(Debug)]
pub struct Options {
    /// Settings, prices, zone, roots and index.
    pub app: App,
    /// Where it listens.
    pub address: SocketAddr,
    /// Names beside those of this machine by which it may be called.
    pub names: Vec<String>,
    /// What lets clients in.
    pub token: Token,
    /// Lets in the first client that shows it, and none after that.
    pub code: Option<Token>,
}

/// Why a server cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Something else is there already, or the address is not ours.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// What the system said.
        error: io::Error,
    },
    /// The system refused.
    #[error("cannot start: {0}")]
    Start(#[from] io::Error),
    /// The settings or the index cannot be used.
    #[error(transparent)]
    App(#[from] AppError),
}
