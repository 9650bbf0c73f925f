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
//! | `chosen` | which sessions an address asks for |
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
mod chosen;
mod desk;
mod feed;
mod guard;
mod http;
mod librarian;
mod metrics;
mod pages;
mod patient;
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
