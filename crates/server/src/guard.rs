//! Authentication of requests, and the security headers of every response.
//!
//! The server listens on this machine only, but every page in a browser can send requests to it. So the host name must
//! be one of the server's own (against DNS rebinding), the origin must be the server itself, and without the token no
//! request is answered.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, LOCATION, ORIGIN, REFERRER_POLICY, SET_COOKIE,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::token::Token;

/// The checks that every request must pass.
#[derive(Debug)]
pub(crate) struct Guard {
    token: Token,
    /// Valid for one use.
    code: Mutex<Option<Token>>,
    /// Accepted host names, with the port.
    hosts: BTreeSet<String>,
    /// The name of the cookie; two servers on one machine use two.
    cookie: String,
}

/// Whether the client of a connection has shown the token.
#[derive(Debug, Clone)]
pub(crate) struct Known(pub(crate) Arc<AtomicBool>);

/// The content security policy: pages load styles, scripts and images from this server only, and send requests only to
/// it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const CROSS_ORIGIN_OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

impl Guard {
    /// The guard of a server at an address that is also reachable by these names.
    pub(crate) fn new(token: Token, code: Option<Token>, address: SocketAddr, names: &[String]) -> Self {
        let port = address.port();
        let ours = ["127.0.0.1", "localhost", "[::1]"].into_iter().map(str::to_owned);
        let others = names.iter().map(|name| name.to_ascii_lowercase());
        let hosts = ours.chain(others).map(|name| format!("{name}:{port}"));
        let own = (!address.ip().is_unspecified()).then(|| address.to_string());
        Self { token, code: Mutex::new(code), hosts: hosts.chain(own).collect(), cookie: format!("recount_{port}") }
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
        let text = |value: &HeaderValue| value.to_str().map(str::to_owned).unwrap_or_default();
        let bearer = headers.get_all(AUTHORIZATION).iter().map(text);
        let bearer = bearer.filter_map(|value| value.strip_prefix("Bearer ").map(str::to_owned));
        let cookies: Vec<String> = headers.get_all(COOKIE).iter().map(text).collect();
        let cookies = cookies.iter().flat_map(|cookies| cookies.split(';')).filter_map(|cookie| {
            cookie.trim().split_once('=').filter(|(name, _)| *name == self.cookie).map(|(_, value)| value.to_owned())
        });
        bearer.chain(cookies).any(|given| self.token.is(&given))
    }

    /// Whether this is the one-time code. Only the first use succeeds.
    fn takes_code(&self, given: &str) -> bool {
        let mut code = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        code.take_if(|code| code.is(given)).is_some()
    }

    /// Whether the token or the code in the URL is right, and the URL without it.
    fn let_in_by_address(&self, uri: &Uri) -> Option<(bool, String)> {
        if let Some((token, address)) = Self::given_in_address(uri, "token=") {
            return Some((self.token.is(token), address));
        }
        Self::given_in_address(uri, "code=").map(|(code, address)| (self.takes_code(code), address))
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

async fn answer(guard: &Guard, request: Request, next: Next) -> Response {
    if !guard.is_our_host(request.headers(), request.uri()) {
        return refuse(StatusCode::MISDIRECTED_REQUEST, "unknown host name");
    }
    if !guard.is_our_origin(request.headers()) {
        return refuse(StatusCode::FORBIDDEN, "requests from other sites are refused");
    }
    let by_address = if request.method() == Method::GET { guard.let_in_by_address(request.uri()) } else { None };
    if let Some((is_right, address)) = by_address {
        if !is_right {
            return refuse(StatusCode::UNAUTHORIZED, UNKNOWN);
        }
        let token = guard.token.as_str();
        let cookie = format!("{}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000", guard.cookie);
        let mut response = StatusCode::SEE_OTHER.into_response();
        // The checks above only let through values that are valid in both headers.
        for (name, value) in [(SET_COOKIE, cookie), (LOCATION, address)] {
            match HeaderValue::try_from(value) {
                Ok(value) => drop(response.headers_mut().insert(name, value)),
                Err(_) => return refuse(StatusCode::BAD_REQUEST, "invalid address"),
            }
        }
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
    next.run(request).await
}

const UNKNOWN: &str = "open the address that `recount serve` printed";

fn refuse(status: StatusCode, why: &'static str) -> Response {
    (status, format!("{why}\n")).into_response()
}
