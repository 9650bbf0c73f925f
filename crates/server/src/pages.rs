//! The HTML pages. The server renders them and the scripts update them in place; they load nothing from other hosts.

pub(crate) mod archive;
pub(crate) mod board;
mod chart;
pub(crate) mod projects;
pub(crate) mod search;
pub(crate) mod session;
pub(crate) mod sessions;
pub(crate) mod share;
pub(crate) mod tools;
pub(crate) mod usage;

use human::Locale;
use index::catalogue::Used;
use maud::{DOCTYPE, Markup, html};
use page::text;
use story::step::Millis;

use crate::assets;
use crate::chosen::Chosen;

/// The pages that every page links to.
const PLACES: [(&str, &str); 7] = [
    ("/", "Board"),
    ("/sessions", "Sessions"),
    ("/search", "Search"),
    ("/usage", "Usage"),
    ("/projects", "Projects"),
    ("/tools", "Tools"),
    ("/archive", "Archive"),
];

/// A page.
pub(crate) struct Page<'p> {
    pub(crate) title: &'p str,
    /// The entry of the navigation that it belongs to.
    pub(crate) place: &'p str,
    /// Its script, if it is not the one that all pages use.
    pub(crate) script: Option<&'p str>,
    /// The query in the search box.
    pub(crate) query: &'p str,
    pub(crate) locale: &'p Locale,
    pub(crate) main: Markup,
}

impl Page<'_> {
    pub(crate) fn markup(&self) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" data-zone=[self.locale.chosen_zone()] {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (text(self.title)) " · recount" }
                    link #icon rel="icon" href="/icon.svg";
                    link rel="stylesheet" href=(assets::address("style", ".css"));
                    link rel="stylesheet" href=(assets::address("app", ".css"));
                    script type="module" src=(assets::address(self.script.unwrap_or("app"), ".js")) {}
                }
                body.app {
                    a.skip href="#main" { "skip to the content" }
                    (self.top())
                    main #main tabindex="-1" { (self.main) }
                    div #toasts role="status" aria-live="polite" {}
                }
            }
        }
    }

    fn top(&self) -> Markup {
        html! {
            header.top {
                a.brand href="/" { "recount" }
                nav aria-label="Places" {
                    @for (address, name) in PLACES {
                        a href=(address) aria-current=[(address == self.place).then_some("page")] { (name) }
                    }
                }
                form.find action="/search" role="search" {
                    input type="search" name="q" value=(text(self.query)) placeholder="Search everything  /"
                        aria-label="Search everything" autocomplete="off" spellcheck="false";
                }
                button #theme type="button" title="Light, dark, or as the system has it" { "theme" }
            }
        }
    }
}

/// A URL of this server with query parameters; empty ones are left out.
pub(crate) fn address(path: &str, asked: &[(&str, &str)]) -> String {
    let part = |(name, value): &(&str, &str)| format!("{name}={}", escaped(value));
    let parts: Vec<String> = asked.iter().filter(|(_, value)| !value.is_empty()).map(part).collect();
    if parts.is_empty() { path.to_owned() } else { format!("{path}?{}", parts.join("&")) }
}

/// The URL of a session, or of an anchor in it. The name is escaped: it comes from a file name, which may contain
/// anything.
pub(crate) fn session_address(name: &str, anchor: &str) -> String {
    let name = escaped(name).replace('/', "%2F");
    if anchor.is_empty() { format!("/session/{name}") } else { format!("/session/{name}#{}", escaped(anchor)) }
}

/// A text, percent-encoded.
fn escaped(text: &str) -> String {
    let escaped = |byte: u8| match byte {
        b'-' | b'.' | b'_' | b'~' | b'/' => char::from(byte).to_string(),
        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(escaped).collect()
}

/// Links to the periods that a page offers.
fn periods(path: &str, chosen: &Chosen) -> Markup {
    html! {
        nav.choices aria-label="Days" {
            @for (days, name) in Chosen::DAYS {
                @let number = days.to_string();
                a href=(address(path, &chosen.parts(&number))) aria-current=[(days == chosen.days).then_some("true")] { (name) }
            }
        }
    }
}

/// A duration, unless it is zero.
fn time(millis: u64) -> String {
    if millis == 0 { String::new() } else { human::duration(millis) }
}

/// A moment in the user's time zone. If the user chose none, the script shows it in the reader's.
pub(crate) fn moment(at: Option<Millis>, locale: &Locale) -> Markup {
    let iso = wire::moment(at);
    html! { @if let Some(iso) = &iso { time datetime=(iso) { (locale.date_and_time(at)) } } }
}

/// How long ago a moment is; the script updates it.
pub(crate) fn ago(at: Option<Millis>, now: Millis) -> Markup {
    html! {
        @if let Some(at) = at { span.ago data-since=(at) { (human::running_duration(now.abs_diff(at))) } }
    }
}

/// A cost with its quality.
pub(crate) fn cost(used: &Used, locale: &Locale) -> Markup {
    let title = match (used.is_low, used.is_partial) {
        (false, false) => None,
        (true, _) => Some("at least: only a first count of tokens was written down"),
        (false, true) => Some("at least: a part of it has no known price"),
    };
    html! { span.cost title=[title] { (locale.cost(used.priced())) } }
}

/// The last part of a path, with the whole path as its tooltip.
pub(crate) fn project(path: Option<&str>) -> Markup {
    let path = path.unwrap_or_default();
    named_project(path, human::last_name(path))
}

/// A project by its name, with its path as the tooltip.
pub(crate) fn named_project(path: &str, name: &str) -> Markup {
    html! { span.project title=(text(path)) { (text(if name.is_empty() { "–" } else { name })) } }
}
