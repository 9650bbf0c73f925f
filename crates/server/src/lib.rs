//! The web app: the live board, all sessions, search and figures, for browsers and programs on this machine.
//!
//! | module | for |
//! |---|---|
//! | [`token`] | the secret that opens the web app |
//! | [`access`] | who may ask: programs with the token, and browsers that have signed in |
//! | `guard` | authentication, and the headers of every response |
//! | `http` | connections and their timeouts |
//! | `connections` | the limit on connections: unauthenticated clients cannot exhaust them |
//! | `stalled_client` | the timeout for clients that stop reading |
//! | `routes` | the routes, and the state that handlers share |
//! | `pages`, `api`, `assets` | HTML for people, JSON for programs, stylesheet and scripts |
//! | `live_board` | the board that all clients see |
//! | `board_loop` | the thread that updates it |
//! | `indexer` | the thread that updates the index |
//! | `watcher` | notices changes below the roots |
//! | `feed` | numbered events for all clients |
//! | `heavy_requests` | limits on requests that read a whole session |
//! | `open_sessions` | sessions that are kept open between requests |
//! | `usage`, `tools`, `archives`, `metrics` | figures |

pub mod access;
mod api;
mod archives;
mod assets;
mod board_loop;
mod chosen;
mod connections;
mod feed;
mod guard;
mod heavy_requests;
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

use access::Access;
pub use http::Server;

/// The options of a server.
#[derive(Debug)]
pub struct Options {
    /// Settings, prices, zone, roots and index.
    pub app: App,
    /// The address to listen on.
    pub address: SocketAddr,
    /// Accepted host names besides those of this machine.
    pub names: Vec<String>,
    /// What grants access.
    pub access: Access,
}

/// Why a server cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The address is in use, or does not belong to this machine.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        error: io::Error,
    },
    /// The system refused.
    #[error("cannot start: {0}")]
    Start(#[from] io::Error),
    /// The settings or the index cannot be used.
    #[error(transparent)]
    App(#[from] AppError),
}
