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
mod connections;
mod feed;
mod guard;
mod http;
mod indexer;
mod live_board;
mod metrics;
mod open_sessions;
mod pages;
mod period;
mod routes;
mod stalled_client;
pub mod token;
mod tools;
mod usage;
mod watcher;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use jiff::tz::TimeZone;
use ledger::Prices;
use live::alert::Rules;
use sources::Root;

pub use http::Server;
use token::Token;

/// What a server is to do.
pub struct Options {
    /// Where it listens.
    pub address: SocketAddr,
    /// Names beside those of this machine by which it may be called.
    pub names: Vec<String>,
    /// What lets somebody in.
    pub token: Token,
    /// Lets in whoever shows it first, and nobody after that.
    pub code: Option<Token>,
    /// Where the index is.
    pub index: PathBuf,
    /// Where sessions are.
    pub roots: Vec<Root>,
    /// What tokens cost.
    pub prices: Prices,
    /// What somebody wants to be told about.
    pub rules: Rules,
    /// Where days begin.
    pub zone: TimeZone,
    /// What `after:` and `before:` in a search mean, in milliseconds since 1970, or why it cannot be read.
    pub read_moment: ReadMoment,
}

/// Reads a moment as somebody typed it.
pub type ReadMoment = Box<dyn Fn(&str) -> Result<i64, String> + Send + Sync>;

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { address, names, index, roots, .. } = self;
        f.debug_struct("Options")
            .field("address", address)
            .field("names", names)
            .field("index", index)
            .field("roots", roots)
            .finish_non_exhaustive()
    }
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
    /// The index cannot be used.
    #[error(transparent)]
    Index(#[from] index::IndexError),
}
