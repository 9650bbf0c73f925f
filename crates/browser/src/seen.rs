//! The events of a page: requests, errors, policy violations.

use serde_json::Value;

/// A request that a page made or tried to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The target.
    pub url: String,
    /// Why it failed, if it did: `csp`, `net::ERR_…`.
    pub failure: Option<String>,
    id: String,
}

#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) requests: Vec<Request>,
    pub(crate) errors: Vec<String>,
    pub(crate) violations: Vec<String>,
}

impl Seen {
    pub(crate) fn note(&mut self, method: &str, event: &Value) {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match method {
            "Network.requestWillBeSent" => {
                let (url, id) = (text(&event["request"]["url"]), text(&event["requestId"]));
                self.requests.push(Request { url, failure: None, id });
            }
            "Network.loadingFailed" => {
                let id = text(&event["requestId"]);
                let reason = event.get("blockedReason").unwrap_or(&event["errorText"]);
                for request in self.requests.iter_mut().filter(|request| request.id == id) {
                    request.failure = Some(text(reason));
                }
            }
            "Runtime.exceptionThrown" => {
                let details = &event["exceptionDetails"];
                let what = details["exception"]["description"].as_str().or(details["text"].as_str());
                self.errors.push(what.unwrap_or("an exception").to_owned());
            }
            "Runtime.consoleAPICalled" if event["type"] == "error" || event["type"] == "assert" => {
                self.errors.push(event["args"].to_string());
            }
            "Log.entryAdded" if event["entry"]["level"] == "error" => {
                self.errors.push(format!("{}: {}", text(&event["entry"]["text"]), text(&event["entry"]["url"])));
            }
            "Audits.issueAdded" if event["issue"]["code"] == "ContentSecurityPolicyIssue" => {
                self.violations.push(event["issue"]["details"]["contentSecurityPolicyIssueDetails"].to_string());
            }
            _ => {}
        }
    }
}
