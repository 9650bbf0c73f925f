//! Time zones, found without reading the whole database of the system.
//!
//! `jiff` reads all folders of the database before it opens a file. That takes a millisecond, and a status line has
//! only a few.

use std::fs;
use std::path::{Component, Path, PathBuf};

use jiff::tz::TimeZone;

use crate::Environment;

/// The default folder of the database, unless `$TZDIR` is set.
const DATABASE: &str = "/usr/share/zoneinfo";

/// Returns the zone with a name such as `Europe/Riga`, or with a description as in `$TZ`.
pub(super) fn named(name: &str) -> Option<TimeZone> {
    let tzdir = std::env::var("TZDIR").ok();
    let found = database(tzdir.as_deref()).and_then(|folder| read(name, &folder.join(name)));
    found.or_else(|| TimeZone::get(name).ok()).or_else(|| TimeZone::posix(name).ok())
}

/// Returns the zone of the system: `$TZ`, or the target of `/etc/localtime`.
pub(super) fn of_system(environment: &Environment) -> TimeZone {
    let found = match environment.variables.get("TZ") {
        Some(name) => {
            let name = name.strip_prefix(':').unwrap_or(name);
            database(environment.variable("TZDIR")).and_then(|folder| read(name, &folder.join(name)))
        }
        None => of_link(Path::new("/etc/localtime")),
    };
    found.unwrap_or_else(TimeZone::system)
}

/// Returns the zone that a link into the database points to.
fn of_link(link: &Path) -> Option<TimeZone> {
    let file = fs::read_link(link).ok()?;
    let (_, name) = file.to_str()?.split_once("zoneinfo/")?;
    read(name, link)
}

fn database(tzdir: Option<&str>) -> Option<PathBuf> {
    let folder = tzdir.filter(|folder| !folder.is_empty()).unwrap_or(DATABASE);
    Some(PathBuf::from(folder)).filter(|_| cfg!(unix))
}

fn read(name: &str, path: &Path) -> Option<TimeZone> {
    if name == "UTC" {
        return Some(TimeZone::UTC);
    }
    let is_name = !name.is_empty() && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let bytes = is_name.then(|| fs::read(path).ok())??;
    TimeZone::tzif(name, &bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_match_the_database() {
        for name in ["Europe/Riga", "America/St_Johns", "UTC"] {
            assert_eq!(named(name), TimeZone::get(name).ok(), "{name}");
        }
        assert_eq!(named("europe/riga").unwrap().iana_name(), Some("Europe/Riga"));
        assert!(named("EET-2EEST,M3.5.0/3,M10.5.0/4").is_some());
        for nonsense in ["", "Europe", "Europe/Rigga", "../etc/passwd", "/etc/localtime", "tzdata.zi"] {
            assert_eq!(named(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn the_system_has_the_same_zone() {
        assert_eq!(of_system(&Environment::of_process()).iana_name(), TimeZone::system().iana_name());
    }
}
