//! Style and scripts, in the binary. Each is called after its content, so that a browser may keep it.

use std::sync::LazyLock;

use page::Dress;
use sha2::{Digest as _, Sha256};

/// A file.
#[derive(Debug)]
pub(crate) struct Asset {
    /// What it is called in addresses.
    pub(crate) path: String,
    pub(crate) kind: &'static str,
    pub(crate) content: String,
}

const APP_STYLE: &str = include_str!("../assets/app.css");
const APP_SCRIPT: &str = include_str!("../assets/app.js");
/// One module in pieces.
const BOARD_SCRIPT: &str = concat!(
    include_str!("../assets/board/10-time.js"),
    include_str!("../assets/board/20-cards.js"),
    include_str!("../assets/board/30-waits.js"),
    include_str!("../assets/board/40-filter.js"),
    include_str!("../assets/board/50-timeline.js"),
    include_str!("../assets/board/60-events.js"),
);

static ALL: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let ours = [("app", "css", APP_STYLE), ("app", "js", APP_SCRIPT), ("board", "js", BOARD_SCRIPT)];
    let ours = ours.into_iter().map(|(name, ending, content)| Asset {
        path: named(name, ending, content),
        kind: kind(ending),
        content: content.to_owned(),
    });
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

/// The file at an address.
pub(crate) fn find(path: &str) -> Option<&'static Asset> {
    ALL.iter().find(|asset| asset.path == path)
}

/// The address of a file by the beginning of its name and its ending.
pub(crate) fn address(name: &str, ending: &str) -> &'static str {
    let is_it = |asset: &&Asset| {
        let file = asset.path.strip_prefix("/assets/").and_then(|file| file.strip_suffix(ending));
        file.and_then(|file| file.strip_prefix(name)).is_some_and(|rest| rest.starts_with('-'))
    };
    ALL.iter().find(is_it).map_or("", |asset| asset.path.as_str())
}
