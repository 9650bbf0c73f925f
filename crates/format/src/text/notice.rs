//! Fixed texts in the assistant's role that no model wrote: limits, API errors, missing logins (docs/format F.5).
//!
//! Kept apart from [`segments`](super::segments), because a human may begin a prompt with the same words ("You've used
//! tabs here"). Ask only for synthetic messages and for the answers of agents.

use super::scan::{first_line, leading_number, strip_any};

/// A text that the program wrote in the assistant's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice<'a> {
    /// A usage limit holds everything up.
    LimitReached(Limit<'a>),
    /// A usage limit is near.
    LimitWarning(Limit<'a>),
    /// A limit was passed and the session goes on another way.
    LimitTransition(Limit<'a>),
    /// The API refused a request or could not be reached.
    ApiError(ApiError<'a>),
    /// The conversation does not fit the context window.
    PromptTooLong(&'a str),
    /// The account is empty.
    CreditTooLow(&'a str),
    /// The user must log in.
    LoginNeeded(&'a str),
    /// The silent half of a resume.
    NoResponseRequested,
}

/// A message about a usage limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit<'a> {
    /// The message.
    pub text: &'a str,
    /// When the limit ends, if it says so.
    pub resets: Option<Reset<'a>>,
}

/// When a limit ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reset<'a> {
    /// Seconds since 1970 (1.0.x).
    Epoch(i64),
    /// `11pm`, `Jul 23 at 6pm (Europe/Berlin)`.
    Text(&'a str),
}

/// An error of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApiError<'a> {
    /// The HTTP status; absent when no answer came.
    pub status: Option<u16>,
    /// What follows it: a JSON object or a sentence.
    pub body: ErrorBody<'a>,
    /// Whether the message asks the user to log in.
    pub login_needed: bool,
}

/// What an API error says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorBody<'a> {
    /// `{"type":"error",…}`
    Json(&'a str),
    /// `Connection error.`
    Message(&'a str),
}

/// Reads a text of the assistant's role; `None` for anything a model may have said.
pub fn notice(text: &str) -> Option<Notice<'_>> {
    let text = text.trim();
    if text == "No response requested." {
        return Some(Notice::NoResponseRequested);
    }
    if text.starts_with("Prompt is too long") || text.starts_with("Context limit reached") {
        return Some(Notice::PromptTooLong(text));
    }
    if text.starts_with("Credit balance is too low") || text.starts_with("Your credit balance is too low") {
        return Some(Notice::CreditTooLow(text));
    }
    None.or_else(|| api_error(text).map(Notice::ApiError)).or_else(|| limit(text)).or_else(|| login_needed(text))
}

fn login_needed(text: &str) -> Option<Notice<'_>> {
    const STARTS: [&str; 6] = [
        "Invalid API key",
        "Not logged in",
        "Please run /login",
        "OAuth token revoked",
        "OAuth token has expired",
        "Failed to authenticate",
    ];
    strip_any(text, &STARTS).map(|_| Notice::LoginNeeded(text))
}

fn api_error(text: &str) -> Option<ApiError<'_>> {
    let login = strip_any(text, &["Please run /login · ", "Failed to authenticate. ", "Failed to authenticate: "]);
    let rest = login.unwrap_or(text).strip_prefix("API Error")?;
    // `API Error: 529 …`, in early versions `API Error (529 …) · Retrying in 5 seconds…`.
    let rest = match rest.strip_prefix(" (") {
        Some(inside) => inside.split_once(") ·").map_or(inside.trim_end_matches(')'), |(inside, _)| inside),
        None => rest.strip_prefix(':')?,
    };
    let rest = rest.trim();
    let (status, body) = match leading_number::<u16>(rest) {
        Some((status @ 100..=599, body)) => (Some(status), body.trim_start()),
        _ => (None, rest),
    };
    let body = if body.starts_with('{') { ErrorBody::Json(body) } else { ErrorBody::Message(body) };
    Some(ApiError { status, body, login_needed: login.is_some() })
}

fn limit(text: &str) -> Option<Notice<'_>> {
    const REACHED: [&str; 7] = [
        "You've hit your",
        "You've reached your",
        "You're out of usage credits",
        "You're out of extra usage",
        "Your org is out of usage",
        "Your seat type doesn't include",
        "Fable 5 requires usage credits",
    ];
    const WARNING: [&str; 3] = ["You've used", "You're close to", "Approaching "];
    const TRANSITION: [&str; 2] = ["You're now using usage credits", "Now using "];
    let (line, _) = first_line(text);
    let limit = Limit { text, resets: reset(line) };
    if strip_any(text, &REACHED).is_some() {
        return Some(Notice::LimitReached(limit));
    }
    if strip_any(text, &TRANSITION).is_some() {
        return Some(Notice::LimitTransition(limit));
    }
    if strip_any(text, &WARNING).is_some() && (line.contains("limit") || line.contains("usage")) {
        return Some(Notice::LimitWarning(limit));
    }
    // The oldest forms begin with the limit's name: `5-hour limit reached ∙ resets 11pm`.
    let (name, after) = line.split_once(" limit reached")?;
    if after.contains("now using") {
        return Some(Notice::LimitTransition(limit));
    }
    let after = after.trim_start();
    let ends = after.is_empty() || after.starts_with(['|', '.', '∙', '·', '•']);
    (ends && name.split(' ').count() <= 4).then_some(Notice::LimitReached(limit))
}

fn reset(line: &str) -> Option<Reset<'_>> {
    if let Some((epoch, _)) = line.split_once("limit reached|").and_then(|(_, rest)| leading_number(rest)) {
        return Some(Reset::Epoch(epoch));
    }
    let (_, when) = line.split_once("resets ").or_else(|| line.split_once("will reset "))?;
    let when = when.strip_prefix("at ").unwrap_or(when);
    let end = [" · ", " ∙ ", " • "].iter().filter_map(|mark| when.find(mark)).min().unwrap_or(when.len());
    when.get(..end).map(|when| Reset::Text(when.trim_end_matches(['.', ' '])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resets(text: &str) -> Option<Reset<'_>> {
        match notice(text) {
            Some(Notice::LimitReached(limit)) => limit.resets,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn limits_that_hold_everything_up() {
        assert_eq!(
            resets("You've hit your limit · resets Jul 3 at 6pm (Europe/Riga)"),
            Some(Reset::Text("Jul 3 at 6pm (Europe/Riga)"))
        );
        assert_eq!(
            resets("You've reached your session limit · resets 8:20pm · progress saved"),
            Some(Reset::Text("8:20pm"))
        );
        assert_eq!(resets("You're out of extra usage · resets 11am"), Some(Reset::Text("11am")));
        assert_eq!(resets("Claude AI usage limit reached|1751230800"), Some(Reset::Epoch(1_751_230_800)));
        assert_eq!(resets("5-hour limit reached ∙ resets 11pm\n/upgrade"), Some(Reset::Text("11pm")));
        assert_eq!(resets("Claude usage limit reached. Your limit will reset at 3pm."), Some(Reset::Text("3pm")));
        assert_eq!(resets("Weekly limit reached"), None);
        assert_eq!(resets("You're out of usage credits"), None);
        assert_eq!(resets("Your org is out of usage."), None);
        assert_eq!(resets("Your seat type doesn't include this"), None);
        assert_eq!(resets("Fable 5 requires usage credits"), None);
    }

    #[test]
    fn limits_that_are_near_or_passed() {
        assert!(matches!(notice("You've used 80% of your weekly limit"), Some(Notice::LimitWarning(_))));
        assert!(matches!(notice("You're close to your usage limit"), Some(Notice::LimitWarning(_))));
        assert!(matches!(
            notice("Approaching usage limit · resets at 7pm"),
            Some(Notice::LimitWarning(Limit { resets: Some(Reset::Text("7pm")), .. }))
        ));
        assert!(matches!(notice("You're now using usage credits"), Some(Notice::LimitTransition(_))));
        assert!(matches!(notice("Claude Harp 4 limit reached, now using Lute 4"), Some(Notice::LimitTransition(_))));
    }

    #[test]
    fn api_errors() {
        let error = |status, body, login_needed| Some(Notice::ApiError(ApiError { status, body, login_needed }));
        assert_eq!(
            notice("API Error: 529 {\"type\":\"error\"}"),
            error(Some(529), ErrorBody::Json("{\"type\":\"error\"}"), false)
        );
        assert_eq!(notice("API Error: Connection error."), error(None, ErrorBody::Message("Connection error."), false));
        assert_eq!(
            notice("API Error (500 {\"a\":1}) · Retrying in 5 seconds… (attempt 2/10)"),
            error(Some(500), ErrorBody::Json("{\"a\":1}"), false)
        );
        assert_eq!(
            notice("Please run /login · API Error: 401 Expired."),
            error(Some(401), ErrorBody::Message("Expired."), true)
        );
    }

    #[test]
    fn the_rest() {
        assert_eq!(notice("No response requested."), Some(Notice::NoResponseRequested));
        assert_eq!(notice("Prompt is too long"), Some(Notice::PromptTooLong("Prompt is too long")));
        assert_eq!(notice("Credit balance is too low"), Some(Notice::CreditTooLow("Credit balance is too low")));
        let login = "Invalid API key · Please run /login";
        assert_eq!(notice(login), Some(Notice::LoginNeeded(login)));
        for words in ["", "You've used tabs.", "The rate limit reached its peak in May, they say", "API errors abound"]
        {
            assert_eq!(notice(words), None, "{words}");
        }
    }
}
