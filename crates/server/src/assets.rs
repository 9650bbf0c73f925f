//! Stylesheet and scripts, embedded in the binary. Each is named after its content, so that browsers can cache it.

use std::sync::LazyLock;

use page::Dress;
use page::script::{self, Module, link_or_complain};
use sha2::{Digest as _, Sha256};

/// An embedded file.
#[derive(Debug)]
pub(crate) struct Asset {
    /// The path in URLs.
    pub(crate) path: String,
    pub(crate) kind: &'static str,
    pub(crate) content: String,
}

const APP_STYLE: &str = include_str!("../assets/app.css");

macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        &[$(Module { name: $name, source: include_str!(concat!("../assets/script/", $name)) }),*]
    };
}

/// The modules of the app, besides those that all scripts share.
const MODULES: &[Module<'static>] = modules![
    "app/board.js",
    "app/cards.js",
    "app/clock.js",
    "app/filter.js",
    "app/lists.js",
    "app/start.js",
    "app/timeline.js",
    "app/waits.js",
];

/// Scripts by name, with their entry modules. A page loads one of them.
const SCRIPTS: [(&str, &str); 2] = [("app", "app/start.js"), ("board", "app/board.js")];

static ALL: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let modules = [script::MODULES, MODULES].concat();
    let scripts = SCRIPTS.map(|(name, entry)| (name, "js", link_or_complain(entry, &modules)));
    let ours = std::iter::once(("app", "css", APP_STYLE.to_owned()))
        .chain(scripts)
        .map(|(name, ending, content)| Asset { path: named(name, ending, &content), kind: kind(ending), content });
    let pages = Dress::shared_files().into_iter().map(|(name, content)| Asset {
        kind: kind(name.rsplit('.').next().unwrap_or_default()),
        path: format!("/{name}"),
        content,
    });
    ours.chain(pages).collect()
});

fn named(name: &str, ending: &str, content: &str) -> String {
    let digest = Sha256::digest(content);
    let short = digest.iter().take(4).fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
    format!("/assets/{name}-{short:08x}.{ending}")
}

fn kind(ending: &str) -> &'static str {
    match ending {
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// The file at a path.
pub(crate) fn find(path: &str) -> Option<&'static Asset> {
    ALL.iter().find(|asset| asset.path == path)
}

/// The URL of a file, by the start of its name and its extension.
pub(crate) fn address(name: &str, ending: &str) -> &'static str {
    let is_it = |asset: &&Asset| {
        let file = asset.path.strip_prefix("/assets/").and_then(|file| file.strip_suffix(ending));
        file.and_then(|file| file.strip_prefix(name)).is_some_and(|rest| rest.starts_with('-'))
    };
    ALL.iter().find(is_it).map_or("", |asset| asset.path.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_scripts_can_be_linked() {
        let modules = [script::MODULES, MODULES].concat();
        for (_, entry) in SCRIPTS {
            if let Err(error) = script::link(entry, &modules) {
                panic!("{error}");
            }
        }
    }
}
