//! The routes of the server, and the state that their handlers share.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use app::{App, AppError, End, SessionFilter, Settings};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Extension, Path as InPath, Query as InQuery, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware;
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::stream::{self, Stream, StreamExt as _};
use human::Locale;
use index::catalogue::Session;
use index::query::Query;
use index::search::{Conditions, Cut, Order, Search};
use index::{Index, IndexError};
use jiff::Timestamp;
use jiff::civil::Date;
use live::evidence::{Evidence, Place};
use maud::Markup;
use serde::{Deserialize, Serialize};
use story::step::Millis;
use story::{Ending, SessionStatus, Story};
use tower_http::compression::CompressionLayer;

use crate::chosen::Chosen;
use crate::feed::Next;
use crate::guard::{self, Guard, SignedOut};
use crate::heavy_requests::{HeavyRequests, PATIENCE};
use crate::live_board::LiveBoard;
use crate::open_sessions::{OpenSession, OpenSessions, named};
use crate::pages::search::SearchOutcome;
use crate::pages::sessions::{ListOrder, SessionsQuery};
use crate::usage::Counted;
use crate::{api, assets, metrics, pages};

/// The state that all handlers share.
pub(crate) struct WebApp {
    pub(crate) app: App,
    pub(crate) settings: Settings,
    pub(crate) board: Arc<LiveBoard>,
    pub(crate) counted: Arc<Counted>,
    pub(crate) open_sessions: OpenSessions,
    pub(crate) heavy: HeavyRequests,
    /// Open indexes that are idle.
    idle: Mutex<Vec<Index>>,
}

/// Why a request fails.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The requested thing does not exist.
    Missing,
    /// The request is invalid.
    Wrong(String),
    /// The data has not been read yet, or is being replaced.
    Unread,
    /// Too many large requests run, or this one takes too long.
    Busy,
    /// The server has an error.
    Broken(String),
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match self {
            Self::Missing => (StatusCode::NOT_FOUND, "no such page\n".to_owned()).into_response(),
            Self::Wrong(why) => (StatusCode::BAD_REQUEST, format!("{why}\n")).into_response(),
            Self::Unread => {
                let headers = [(RETRY_AFTER, "1")];
                (StatusCode::SERVICE_UNAVAILABLE, headers, "the data is being read; try again\n").into_response()
            }
            Self::Busy => {
                let headers = [(RETRY_AFTER, "5")];
                (StatusCode::SERVICE_UNAVAILABLE, headers, "large requests are running; try again\n").into_response()
            }
            Self::Broken(why) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{why}\n")).into_response(),
        }
    }
}

impl From<IndexError> for Failure {
    fn from(error: IndexError) -> Self {
        Self::Broken(error.to_string())
    }
}

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        match error {
            AppError::Moment { .. } => Self::Wrong(error.to_string()),
            error => Self::Broken(error.to_string()),
        }
    }
}

impl WebApp {
    pub(crate) fn new(app: App, settings: Settings, board: Arc<LiveBoard>) -> Self {
        let counted = Arc::new(Counted::new(app.clone()));
        Self {
            app,
            settings,
            board,
            counted,
            open_sessions: OpenSessions::default(),
            heavy: HeavyRequests::default(),
            idle: Mutex::default(),
        }
    }

    /// The time zone and the currency of all output.
    pub(crate) fn locale(&self) -> &Locale {
        &self.settings.locale
    }

    /// Queries the index on a thread that may block.
    pub(crate) async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        question: impl FnOnce(&Self, &Index) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let app = Arc::clone(self);
        let asked = tokio::task::spawn_blocking(move || {
            let idle = app.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let index = match idle {
                Some(mut index) => {
                    index.follow_file()?;
                    index
                }
                None => app.open()?,
            };
            let answer = question(&app, &index)?;
            app.idle.lock().unwrap_or_else(PoisonError::into_inner).push(index);
            Ok(answer)
        });
        asked.await.unwrap_or_else(|_| Err(Failure::Broken("the request failed".to_owned())))
    }

    /// Reads a session on a thread that may block, with the limits of heavy requests. A client that waited too long gets
    /// no answer, but the work goes on and keeps its place, so that the next request may find it done.
    pub(crate) async fn read_session<T: Send + 'static>(
        self: &Arc<Self>,
        id: String,
        read: impl FnOnce(&Self, &mut OpenSession) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let place = self.heavy.page(&id).await?;
        let asked = self.ask(move |app, index| {
            let answer = app.open_sessions.read(index, &id, |reading| read(app, reading));
            drop(place);
            answer
        });
        tokio::time::timeout(PATIENCE, asked).await.unwrap_or(Err(Failure::Busy))
    }

    /// What runs, as the board last saw it.
    pub(crate) fn evidence(&self) -> Evidence {
        let view = self.board.view();
        if view.is_ready { view.evidence.clone() } else { self.app.evidence().clone() }
    }

    /// All sessions, with their states.
    pub(crate) fn all_sessions(&self, index: &Index) -> Result<Vec<Session>, Failure> {
        let mut sessions = index.sessions()?;
        self.evidence().settle(&mut sessions, self.app.timestamp().as_millisecond());
        Ok(sessions)
    }

    /// A session by its id, with its state.
    pub(crate) fn session(&self, index: &Index, id: &str) -> Result<Session, Failure> {
        let mut session = named(index, id)?;
        self.evidence().settle(std::slice::from_mut(&mut session), self.app.timestamp().as_millisecond());
        Ok(session)
    }

    /// The state of a session of the index whose story was read since.
    pub(crate) fn status(&self, session: &Session, story: &Story) -> SessionStatus {
        self.evidence().status(&Place::of(session), &Ending::of(story), self.app.timestamp().as_millisecond())
    }

    /// The sessions that pass a filter.
    pub(crate) fn sessions(&self, index: &Index, filter: &SessionFilter) -> Result<Vec<Session>, Failure> {
        let mut sessions = self.all_sessions(index)?;
        sessions.retain(|session| filter.wants(session));
        Ok(sessions)
    }

    /// Today's date.
    pub(crate) fn today(&self) -> Date {
        self.app.timestamp().to_zoned(self.locale().zone.clone()).date()
    }

    /// The start of a day.
    pub(crate) fn midnight_of(&self, day: Date) -> Option<Millis> {
        Some(day.to_zoned(self.locale().zone.clone()).ok()?.timestamp().as_millisecond())
    }

    fn open(&self) -> Result<Index, Failure> {
        // Sessions that are gone from the disk are read from the archive.
        Ok(self.app.kept_index()?.with_shelf(self.app.sources().shelf))
    }
}

/// All routes, behind the guard.
pub(crate) fn router(app: Arc<WebApp>, guard: Arc<Guard>) -> Router {
    Router::new()
        .route("/", get(board))
        .route("/events", get(events))
        .route("/sessions", get(sessions))
        .route("/search", get(search))
        .route("/usage", get(pages::usage::page))
        .route("/projects", get(pages::projects::page))
        .route("/tools", get(pages::tools::page))
        .route("/archive", get(pages::archive::page))
        .route("/metrics", get(metrics))
        .route("/session/{id}", get(pages::session::page))
        .route("/session/{id}/growth", get(pages::session::grown))
        .route("/session/{id}/window/{name}", get(pages::session::window))
        .route("/session/{id}/place/{name}", get(pages::session::place))
        .route("/session/{id}/call/{call}", get(pages::session::call))
        .route("/session/{id}/share", get(pages::share::page))
        .route("/icon.svg", get(icon))
        .route("/assets/{file}", get(asset))
        .merge(api::router())
        .fallback(async || Failure::Missing)
        .with_state(app)
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(guard, guard::check))
}

pub(crate) fn html(markup: Markup) -> Response {
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], in_pieces(markup.into_string())).into_response()
}

/// The size of a piece of a long answer.
const PIECE: usize = 64 * 1024;

/// A long answer in pieces: to compress it at once would block other requests.
pub(crate) fn in_pieces(answer: impl Into<Bytes>) -> Body {
    let mut rest: Bytes = answer.into();
    if rest.len() <= PIECE {
        return Body::from(rest);
    }
    Body::from_stream(stream::iter(std::iter::from_fn(move || {
        let piece = rest.split_to(rest.len().min(PIECE));
        (!piece.is_empty()).then_some(Ok::<_, std::convert::Infallible>(piece))
    })))
}

pub(crate) fn json(value: &impl Serialize) -> Response {
    match serde_json::to_string(value) {
        Ok(text) => ([(CONTENT_TYPE, "application/json")], in_pieces(text)).into_response(),
        Err(error) => Failure::Broken(error.to_string()).into_response(),
    }
}

async fn board(State(app): State<Arc<WebApp>>) -> Response {
    let view = app.board.view();
    html(pages::board::page(&view, &app.board.feed.name(view.event), app.locale()))
}

async fn sessions(
    State(app): State<Arc<WebApp>>,
    InQuery(chosen): InQuery<Chosen>,
    InQuery(order): InQuery<ListOrder>,
    InQuery(extent): InQuery<Extent>,
) -> Result<Response, Failure> {
    let page = app.ask(move |app, index| {
        let query = SessionsQuery { chosen, order };
        let sessions = query.sessions(app, index)?;
        let page = if extent.part { pages::sessions::listed } else { pages::sessions::page };
        Ok(page(&query, &sessions, app.locale()))
    });
    page.await.map(html)
}

async fn metrics(State(app): State<Arc<WebApp>>) -> Response {
    let headers = [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (headers, metrics::text(&app.board.view())).into_response()
}

/// How much of a page to send.
#[derive(Deserialize)]
struct Extent {
    /// Only the results, without the page around them.
    #[serde(default)]
    part: bool,
}

#[derive(Deserialize)]
pub(crate) struct Sought {
    #[serde(default)]
    pub(crate) q: String,
}

/// Maximum length of a query.
const LONGEST_QUERY: usize = 2_000;

async fn search(
    State(app): State<Arc<WebApp>>,
    InQuery(sought): InQuery<Sought>,
    InQuery(extent): InQuery<Extent>,
) -> Result<Response, Failure> {
    let answer = app.ask(move |app, index| {
        let found = find(app, index, &sought.q)?;
        let page = if extent.part { pages::search::results } else { pages::search::page };
        Ok(page(&sought.q, &found, app.locale()))
    });
    answer.await.map(html)
}

pub(crate) fn find(app: &WebApp, index: &Index, text: &str) -> Result<SearchOutcome, Failure> {
    if text.trim().is_empty() || text.len() > LONGEST_QUERY {
        return Ok(SearchOutcome::Nothing);
    }
    let query: Query = match text.parse() {
        Ok(query) => query,
        Err(error) => return Ok(SearchOutcome::Wrong(error)),
    };
    let moments = app.app.moments()?;
    let moment = |text: &str| moments.read(text, End::Start).map(Timestamp::as_millisecond);
    let conditions = match Conditions::of(&query, app.app.here(), moment) {
        Ok(conditions) => conditions,
        Err(error) => return Ok(SearchOutcome::Wrong(error)),
    };
    let search = Search {
        query: &query,
        conditions: &conditions,
        columns: &[],
        order: Order::Recent,
        limit: 20,
        per_session: 3,
        cut: Cut::Around(240),
    };
    Ok(SearchOutcome::Hits(index.search(&search)?))
}

#[derive(Deserialize)]
struct Listening {
    /// The event that the page already shows.
    #[serde(default)]
    after: String,
    /// Only events about this session.
    session: Option<String>,
}

/// Interval between keep-alive messages on a silent connection.
const ALIVE: Duration = Duration::from_secs(15);

async fn events(
    State(app): State<Arc<WebApp>>,
    Extension(SignedOut(mut signed_out)): Extension<SignedOut>,
    InQuery(listening): InQuery<Listening>,
    headers: HeaderMap,
) -> Sse<impl Stream<Item = Result<SseEvent, std::convert::Infallible>>> {
    let feed = &app.board.feed;
    // A browser that reconnects sends the last event that it received.
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()).unwrap_or(&listening.after);
    // From before a restart: the client must reload everything.
    let from = feed.read_name(last).unwrap_or(u64::MAX);
    let listener = feed.listen();
    let session = listening.session;
    let events = stream::unfold((app, listener, from), move |(app, mut listener, mut seen)| {
        let session = session.clone();
        async move {
            loop {
                listener.mark_unchanged();
                let feed = &app.board.feed;
                match feed.after(seen, session.as_deref()) {
                    Next::All(last) => {
                        let event = SseEvent::default().event("reset").id(feed.name(last)).data("{}");
                        return Some((Ok(event), (app, listener, last)));
                    }
                    Next::Event(event) => {
                        let sse = SseEvent::default().event(event.name).id(feed.name(event.id)).data(&*event.data);
                        return Some((Ok(sse), (app, listener, event.id)));
                    }
                    Next::Nothing(last) => seen = last,
                }
                if listener.changed().await.is_err() {
                    return None;
                }
            }
        }
    });
    let events = events.take_until(async move { signed_out.changed().await.is_ok() });
    Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE))
}

async fn asset(uri: Uri) -> Response {
    let Some(asset) = assets::find(uri.path()) else { return Failure::Missing.into_response() };
    // Other content has another name, so it can be cached forever.
    let headers = [(CONTENT_TYPE, asset.kind), (CACHE_CONTROL, "private, max-age=31536000, immutable")];
    (headers, asset.content.as_str()).into_response()
}

async fn icon() -> Response {
    const ICON: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M2 3h5l1 1 1-1h5v10H9l-1 1-1-1H2z" fill="none" stroke="#888" stroke-width="1.5"/><path d="M8 4v9M4 6h2M4 8h2M10 6h2" stroke="#888"/></svg>"##;
    ([(CONTENT_TYPE, "image/svg+xml"), (CACHE_CONTROL, "private, max-age=86400")], ICON).into_response()
}

/// The part of a URL that names a session.
pub(crate) type Named = InPath<String>;
