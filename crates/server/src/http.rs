//! Connections: how many, how long, and how they end.

use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use live::keeper::Keeper;
use tokio::net::TcpStream;
use tower::ServiceExt as _;

use crate::board_loop::{self, Work};
use crate::connections::{ConnectionSlot, Connections};
use crate::guard::{Guard, Known};
use crate::live_board::LiveBoard;
use crate::routes::{self, WebApp};
use crate::stalled_client::StalledClientTimeout;
use crate::{Options, ServerError};

/// How long a client may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a client may take to read on what it has asked for.
const PATIENCE_OF_READERS: Duration = Duration::from_secs(30);

/// How much a client may say at most: nobody sends anything but an address and a cookie.
const MOST_HEADERS: usize = 32 * 1024;

/// How far back sessions are on the board, in milliseconds.
const REACH: i64 = 24 * 60 * 60 * 1000;

/// A server that has its address, and nobody has asked anything yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    options: Options,
    address: SocketAddr,
}

impl Server {
    /// Takes its address.
    pub fn bind(options: Options) -> Result<Self, ServerError> {
        // What is wrong with settings is said before anything is answered.
        options.app.settings()?;
        let refused = |error| ServerError::Listen { address: options.address, error };
        let listener = TcpListener::bind(options.address).map_err(refused)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Self { listener, options, address })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until it is told to end: by Ctrl-C, or by the system.
    pub fn run(self) -> Result<(), ServerError> {
        self.run_until(signal())
    }

    /// Answers until `stop` is done.
    pub fn run_until(self, stop: impl Future<Output = ()>) -> Result<(), ServerError> {
        let Self { listener, options, address } = self;
        let Options { app, token, code, names, .. } = options;
        let settings = app.settings()?.clone();
        let epoch = app.timestamp().as_nanosecond();
        let board = Arc::new(LiveBoard::new(format!("{epoch:x}"), settings.locale.clone()));
        let open = || Ok::<_, ServerError>(app.kept_index()?);
        let keeper = Keeper::new(open()?, app.roots().to_vec(), settings.prices.clone(), REACH);
        let keeper = keeper.with_rules(settings.rules.clone());
        let work = Work { keeper, index: open()?.frugal(), app: app.clone() };
        let app = Arc::new(WebApp::new(app, settings, Arc::clone(&board)));
        let guard = Arc::new(Guard::new(token, code, address, &names));
        let router = routes::router(app, guard);
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let keeping = {
            let board = Arc::clone(&board);
            std::thread::Builder::new().name("board".to_owned()).spawn(move || board_loop::run(&board, work))?
        };
        let served = runtime.block_on(async {
            tokio::select! {
                served = accept(listener, router) => served,
                () = stop => Ok(()),
            }
        });
        board.stop();
        // Pages that listen for events would do so for ever.
        runtime.shutdown_timeout(Duration::from_millis(200));
        drop(keeping.join());
        served
    }
}

/// Somebody wants it to end.
async fn signal() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let terminate = async {
            match signal(SignalKind::terminate()) {
                Ok(mut signals) => drop(signals.recv().await),
                Err(_) => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = interrupt => {}
            () = terminate => {}
        }
    }
    #[cfg(not(unix))]
    drop(interrupt.await);
}

async fn accept(listener: TcpListener, router: Router) -> Result<(), ServerError> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let places = Arc::new(Connections::default());
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Too many files are open, or the client went: neither is for ever.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        places.take(|seat| tokio::spawn(serve(stream, router.clone(), seat)).abort_handle());
    }
}

async fn serve(stream: TcpStream, router: Router, seat: ConnectionSlot) {
    let known = Arc::clone(&seat.known);
    let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Known(Arc::clone(&known)));
        let router = router.clone();
        async move {
            Ok::<_, Infallible>(router.oneshot(request.map(Body::new)).await.unwrap_or_else(|never| match never {}))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(MOST_HEADERS)
        .serve_connection(TokioIo::new(StalledClientTimeout::new(stream, PATIENCE_OF_READERS)), service);
    // A client that breaks off is no failure of ours.
    let _ = connection.await;
    drop(seat);
}
