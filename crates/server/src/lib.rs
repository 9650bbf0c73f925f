//! The web app: the live board, all sessions, search and figures, for browsers and programs on this machine.
//!
//! | module | for |
//! |---|---|
//! | [`token`] | the secret that lets somebody in |
//! | `guard` | who is let in, and what every answer says about itself |
//! | `watcher` | notices what changes below config roots |
//! | `feed` | what happens, as events for all who look on |
//! | `librarian` | brings the index up to date |
//! | `desk` | keeps the board, and tells what changed |
//! | `reading` | sessions that somebody reads |
//! | `routes` | what can be asked for |
//! | `period` | how far back figures go |
//! | `usage` | what all sessions used |
//! | `tools` | what tools did |
//! | `shelf` | what is in archives |
//! | `metrics` | figures for those who collect them |
//! | `pages` | what people see |
//! | `api` | what programs read |
//! | `assets` | style and scripts |
//! | `http` | connections |
//! | `places` | how many there may be |
//! | `patient` | what becomes of those who do not read |

mod api;
mod assets;
mod desk;
mod feed;
mod guard;
mod http;
mod librarian;
mod metrics;
mod pages;
mod patient;
mod period;
mod places;
mod reading;
mod routes;
mod shelf;
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
