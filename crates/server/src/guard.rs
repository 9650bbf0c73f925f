//! Authentication of requests, and the security headers of every response.
//!
//! The server listens on this machine only, but every page in a browser can send requests to it. So the host name must
//! be one of the server's own (against DNS rebinding), the origin must be the server itself, and only programs with the
//! token and browsers that have signed in with it are answered (`access`).

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, LOCATION, ORIGIN, REFERRER_POLICY, SET_COOKIE,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse as _, Response};

use app::App;
use tokio::sync::watch;

use crate::access::{Access, LONGEST, forwarding_page};
use crate::token::Token;

/// The checks that every request must pass.
#[derive(Debug)]
pub(crate) struct Guard {
    access: Mutex<Access>,
    /// Tells the time.
    app: App,
    /// Changes when all browsers are signed out.
    signed_out: watch::Sender<()>,
    /// Accepted host names, with the port.
    hosts: BTreeSet<String>,
    /// The name of the cookie; two servers on one machine use two.
    cookie: String,
}

/// Whether the client of a connection has shown the token.
#[derive(Debug, Clone)]
pub(crate) struct Known(pub(crate) Arc<AtomicBool>);

/// Changes when all browsers are signed out: answers that go on for ever must end then.
#[derive(Debug, Clone)]
pub(crate) struct SignedOut(pub(crate) watch::Receiver<()>);

/// The content security policy: pages load styles, scripts and images from this server only, and send requests only to
/// it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const CROSS_ORIGIN_OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

impl Guard {
    /// The guard of a server at an address that is also reachable by these names.
    pub(crate) fn new(access: Access, app: App, address: SocketAddr, names: &[String]) -> Self {
        let port = address.port();
        let ours = ["127.0.0.1", "localhost", "[::1]"].into_iter().map(str::to_owned);
        let others = names.iter().map(|name| name.to_ascii_lowercase());
        let hosts = ours.chain(others).map(|name| format!("{name}:{port}"));
        let own = (!address.ip().is_unspecified()).then(|| address.to_string());
        let hosts = hosts.chain(own).collect();
        let signed_out = watch::Sender::new(());
        Self { access: Mutex::new(access), app, signed_out, hosts, cookie: format!("recount_{port}") }
    }

    /// Notices a new token, also while nobody asks.
    pub(crate) async fn watch_token(&self) {
        const PAUSE: Duration = Duration::from_secs(1);
        loop {
            drop(self.access());
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// What grants access now.
    fn access(&self) -> MutexGuard<'_, Access> {
        let mut access = self.access.lock().unwrap_or_else(PoisonError::into_inner);
        if access.follow_token() {
            self.signed_out.send_replace(());
        }
        access
    }

    fn now(&self) -> i64 {
        self.app.timestamp().as_millisecond()
    }

    fn is_our_host(&self, headers: &HeaderMap, uri: &Uri) -> bool {
        let mut hosts = headers.get_all(HOST).iter();
        let Some(host) = hosts.next().and_then(|host| host.to_str().ok()) else { return false };
        // A request line can name a host, too.
        let named = uri.authority().map(|authority| authority.as_str().to_ascii_lowercase());
        hosts.next().is_none()
            && self.hosts.contains(&host.to_ascii_lowercase())
            && named.is_none_or(|named| self.hosts.contains(&named))
    }

    /// Whether the request comes from one of our pages, or from no page.
    fn is_our_origin(&self, headers: &HeaderMap) -> bool {
        let is_ours = |origin: &HeaderValue| {
            let host = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
            host.is_some_and(|host| self.hosts.contains(&host.to_ascii_lowercase()))
        };
        let is_from_here = |site: &HeaderValue| site == "same-origin" || site == "none";
        headers.get_all(ORIGIN).iter().all(is_ours) && headers.get_all(SEC_FETCH_SITE).iter().all(is_from_here)
    }

    fn is_known(&self, headers: &HeaderMap) -> bool {
        let mut access = self.access();
        let mut bearers = headers.get_all(AUTHORIZATION).iter().filter_map(|value| bearer(value.to_str().ok()?));
        if bearers.any(|given| access.is_token(given)) {
            return true;
        }
        let now = self.now();
        let cookies = headers.get_all(COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
        let mut keys = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|cookie| {
            cookie.trim().split_once('=').filter(|(name, _)| *name == self.cookie).map(|(_, value)| value)
        });
        keys.any(|key| access.is_signed_in(key, now))
    }

    /// Signs a browser in if the token or the code in the URL is right. `None` if there is neither.
    fn signs_in(&self, uri: &Uri) -> Option<Response> {
        let mut access = self.access();
        let (is_right, address, is_code) = match given_in_address(uri, "token=") {
            Some((token, address)) => (access.is_token(token), address, false),
            None => given_in_address(uri, "code=").map(|(code, address)| (access.takes_code(code), address, true))?,
        };
        if !is_right {
            return Some(refuse(StatusCode::UNAUTHORIZED, UNKNOWN));
        }
        let Ok(key) = access.sign_in(self.now()) else {
            return Some(refuse(StatusCode::INTERNAL_SERVER_ERROR, "cannot remember this browser"));
        };
        let cookie = self.cookie(&key, access.is_remembering());
        Some(if is_code { forward(&cookie, &address) } else { redirect(&cookie, &address) })
    }

    /// A cookie that ends with the browser, or that outlasts it.
    fn cookie(&self, key: &Token, is_lasting: bool) -> String {
        let age = if is_lasting { format!("; Max-Age={}", LONGEST / 1000) } else { String::new() };
        format!("{}={}; Path=/; HttpOnly; SameSite=Strict{age}", self.cookie, key.as_str())
    }
}

/// The token in an `Authorization` header, whose scheme can be written in any case.
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Leads a browser that came by itself to the address without the token.
fn redirect(cookie: &str, address: &str) -> Response {
    with_headers(StatusCode::SEE_OTHER.into_response(), [(SET_COOKIE, cookie), (LOCATION, address)])
}

/// Leads a browser that came from a file to the address without the code. The browser takes it for another site, and
/// would not send the cookie to the target of a redirect; but it does if this page leads there.
fn forward(cookie: &str, address: &str) -> Response {
    with_headers(Html(forwarding_page(address)).into_response(), [(SET_COOKIE, cookie)])
}

fn with_headers<const N: usize>(mut response: Response, headers: [(HeaderName, &str); N]) -> Response {
    for (name, value) in headers {
        match HeaderValue::try_from(value) {
            Ok(value) => drop(response.headers_mut().insert(name, value)),
            Err(_) => return refuse(StatusCode::BAD_REQUEST, "invalid address"),
        }
    }
    response
}

/// The value of a parameter in a URL, and the URL without it.
fn given_in_address<'u>(uri: &'u Uri, name: &str) -> Option<(&'u str, String)> {
    let mut given = None;
    let rest: Vec<&str> = uri
        .query()?
        .split('&')
        .filter(|part| match part.strip_prefix(name) {
            Some(value) => {
                given = Some(value);
                false
            }
            None => true,
        })
        .collect();
    let query = if rest.is_empty() { String::new() } else { format!("?{}", rest.join("&")) };
    // Two slashes would lead to another host.
    Some((given?, format!("/{}{query}", uri.path().trim_start_matches('/'))))
}

/// Passes a request on, or rejects it.
pub(crate) async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = answer(&guard, request, next).await;
    let headers = response.headers_mut();
    let says = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_FRAME_OPTIONS, "DENY"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"),
        (CROSS_ORIGIN_OPENER_POLICY, "same-origin"),
    ];
    for (name, value) in says {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // Sessions are private, so nothing is cached by default; responses that may be cached set their own header.
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

async fn answer(guard: &Guard, mut request: Request, next: Next) -> Response {
    if !guard.is_our_host(request.headers(), request.uri()) {
        return refuse(StatusCode::MISDIRECTED_REQUEST, "unknown host name");
    }
    // A browser that is started with a file comes from nowhere that it would name; the code speaks for it.
    let has_code = request.method() == Method::GET && given_in_address(request.uri(), "code=").is_some();
    if !guard.is_our_origin(request.headers()) && !has_code {
        return refuse(StatusCode::FORBIDDEN, "requests from other sites are refused");
    }
    let signed_in = if request.method() == Method::GET { guard.signs_in(request.uri()) } else { None };
    if let Some(response) = signed_in {
        return response;
    }
    if !guard.is_known(request.headers()) {
        return refuse(StatusCode::UNAUTHORIZED, UNKNOWN);
    }
    if let Some(Known(known)) = request.extensions().get() {
        known.store(true, Ordering::Relaxed);
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return refuse(StatusCode::METHOD_NOT_ALLOWED, "this server is read-only");
    }
    request.extensions_mut().insert(SignedOut(guard.signed_out.subscribe()));
    next.run(request).await
}

const UNKNOWN: &str = "open the address that `recount serve` printed";

fn refuse(status: StatusCode, why: &'static str) -> Response {
    (status, format!("{why}\n")).into_response()
}
