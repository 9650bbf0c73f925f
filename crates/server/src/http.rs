//! The HTTP server: its connections, their timeouts, and the shutdown.

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
use live::session_follower::SessionFollower;
use tokio::net::TcpStream;
use tower::ServiceExt as _;

use crate::board_loop::{self, Work};
use crate::connections::{ConnectionSlot, Connections};
use crate::guard::{Guard, Known};
use crate::live_board::LiveBoard;
use crate::routes::{self, WebApp};
use crate::stalled_client::StalledClientTimeout;
use crate::{Options, ServerError};

/// Timeout for clients that do not send a request.
const PATIENCE: Duration = Duration::from_secs(10);

/// Timeout for clients that stop reading.
const PATIENCE_OF_READERS: Duration = Duration::from_secs(30);

/// Maximum size of the request headers: clients send no more than a URL and a cookie.
const MOST_HEADERS: usize = 32 * 1024;

/// How far back the board reaches, in milliseconds.
const REACH: i64 = 24 * 60 * 60 * 1000;

/// A server that is bound to its address and has not answered a request yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    options: Options,
    address: SocketAddr,
}

impl Server {
    /// Binds the address.
    pub fn bind(options: Options) -> Result<Self, ServerError> {
        // Errors in settings are reported before the first request.
        options.app.settings()?;
        let refused = |error| ServerError::Listen { address: options.address, error };
        let listener = TcpListener::bind(options.address).map_err(refused)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Self { listener, options, address })
    }

    /// The address that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until Ctrl-C or a termination signal.
    pub fn run(self) -> Result<(), ServerError> {
        self.run_until(signal())
    }

    /// Serves until `stop` is done.
    pub fn run_until(self, stop: impl Future<Output = ()>) -> Result<(), ServerError> {
        let Self { listener, options, address } = self;
        let Options { app, access, names, .. } = options;
        let settings = app.settings()?.clone();
        let epoch = app.timestamp().as_nanosecond();
        let board = Arc::new(LiveBoard::new(format!("{epoch:x}"), settings.locale.clone()));
        let open = || Ok::<_, ServerError>(app.kept_index()?);
        let follower = SessionFollower::new(open()?, app.roots().to_vec(), settings.prices.clone(), REACH);
        let follower = follower.with_rules(settings.rules.clone());
        let work = Work { follower, index: open()?.frugal(), app: app.clone() };
        let guard = Arc::new(Guard::new(access, app.clone(), address, &names));
        let app = Arc::new(WebApp::new(app, settings, Arc::clone(&board)));
        let router = routes::router(app, Arc::clone(&guard));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let keeping = {
            let board = Arc::clone(&board);
            std::thread::Builder::new().name("board".to_owned()).spawn(move || board_loop::run(&board, work))?
        };
        let served = runtime.block_on(async {
            tokio::select! {
                served = accept(listener, router) => served,
                () = guard.watch_token() => Ok(()),
                () = stop => Ok(()),
            }
        });
        board.stop();
        // Pages that listen for events would keep their connections open forever.
        runtime.shutdown_timeout(Duration::from_millis(200));
        drop(keeping.join());
        served
    }
}

/// Waits for Ctrl-C or a termination signal.
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
            // Too many files are open, or the client disconnected: both are temporary.
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
    // A client that disconnects is not an error.
    let _ = connection.await;
    drop(seat);
}
