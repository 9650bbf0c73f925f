//! Stylesheet and scripts of a page, and the policy that allows them and nothing else.

use std::sync::LazyLock;

use maud::{Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use crate::script::{MODULES, link_or_complain};
use styled::highlight::export::languages_json;

/// The stylesheet of every page.
const STYLE: &str = include_str!("../../assets/page.css");

/// An open book with two pages.
const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E\
    %3Cpath d='M2 3h5l1 1 1-1h5v10H9l-1 1-1-1H2z' fill='none' stroke='%23888' stroke-width='1.5'/%3E\
    %3Cpath d='M8 4v9M4 6h2M4 8h2M10 6h2' stroke='%23888'/%3E%3C/svg%3E";

/// The script of every page.
static SCRIPT: LazyLock<String> = LazyLock::new(|| link_or_complain("page/start.js", MODULES));

/// The script of the list of sessions.
static INDEX_SCRIPT: LazyLock<String> = LazyLock::new(|| link_or_complain("index/index.js", MODULES));

/// The table of languages that the script colours code with.
static LANGUAGES: LazyLock<String> = LazyLock::new(languages_json);

/// Where a page has its stylesheet and script: embedded, or in files that it shares with other pages.
#[derive(Debug, Clone)]
pub struct Dress {
    script: &'static str,
    name: &'static str,
    /// The relative path from the page to the folder of the shared files.
    shared: Option<String>,
    /// Whether the page may have parts in other files.
    in_parts: bool,
    /// Whether the page may request more from a server.
    is_growing: bool,
}

impl Default for Dress {
    fn default() -> Self {
        Self::page()
    }
}

impl Dress {
    /// The assets of a session's page.
    pub fn page() -> Self {
        Self { script: &SCRIPT, name: "page", shared: None, in_parts: false, is_growing: false }
    }

    /// The assets of the list of sessions.
    pub fn index() -> Self {
        Self { script: &INDEX_SCRIPT, name: "index", shared: None, in_parts: false, is_growing: false }
    }

    /// The same in shared files ([`Dress::shared_files`]), in a folder that the page reaches by the relative path
    /// `way`.
    #[must_use]
    pub fn shared(self, way: &str) -> Self {
        Self { shared: Some(way.to_owned()), ..self }
    }

    /// The assets of a page with parts in other files.
    #[must_use]
    pub(super) fn in_parts(self) -> Self {
        Self { in_parts: true, ..self }
    }

    /// The assets of a page that grows.
    #[must_use]
    pub(super) fn growing(self) -> Self {
        Self { is_growing: true, ..self }
    }

    /// The shared files: their names below the folder, and their contents.
    pub fn shared_files() -> Vec<(String, String)> {
        let style = (file("style", STYLE, "css"), STYLE.to_owned());
        // A page that shares its script embeds no languages.
        let page = format!(
            "{{\nconst languages = document.createElement(\"script\");\nlanguages.type = \"application/json\";\n\
             languages.id = \"languages\";\nlanguages.textContent = {};\ndocument.body.append(languages);\n}}\n{}",
            serde_json::Value::from(LANGUAGES.as_str()),
            *SCRIPT
        );
        let scripts = [("page", page, &**SCRIPT), ("index", INDEX_SCRIPT.clone(), &**INDEX_SCRIPT)];
        let scripts = scripts.map(|(name, script, of)| (file(name, of, "js"), alone(&script)));
        std::iter::once(style).chain(scripts).collect()
    }

    /// Identifies one set of stylesheet and scripts.
    pub fn fingerprint() -> String {
        fingerprint(&[STYLE, &SCRIPT, &INDEX_SCRIPT].concat())
    }

    /// The content security policy: the page may use its own stylesheet, images and script, and load its own parts if
    /// it may have some.
    fn policy(&self) -> String {
        let (style, script) = match &self.shared {
            Some(_) => ("self".to_owned(), "self".to_owned()),
            None => (fingerprint(STYLE), fingerprint(self.script)),
        };
        let frames = match (self.in_parts, self.is_growing) {
            (_, true) => " connect-src 'self';",
            (true, false) => " frame-src 'self';",
            (false, false) => "",
        };
        format!(
            "default-src 'none'; img-src data:; style-src '{style}'; script-src '{script}';{frames} base-uri 'none'; \
             form-action 'none'"
        )
    }

    /// The tags in the `<head>`.
    pub(crate) fn head(&self) -> Markup {
        html! {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(self.policy());
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="referrer" content="no-referrer";
            meta name="color-scheme" content="light dark";
            meta name="generator" content=(concat!("recount ", env!("CARGO_PKG_VERSION")));
            link rel="icon" href=(ICON);
            @match &self.shared {
                Some(way) => link rel="stylesheet" href={ (way) (file("style", STYLE, "css")) };,
                None => style { (PreEscaped(STYLE)) }
            }
        }
    }

    /// The script tags at the end of the page.
    pub(crate) fn scripts(&self) -> Markup {
        html! {
            @match &self.shared {
                // Not a module: browsers do not load modules from `file:` URLs.
                Some(way) => script defer src={ (way) (file(self.name, self.script, "js")) } {}
                None => {
                    @if self.name == "page" {
                        script #languages type="application/json" { (PreEscaped(&*LANGUAGES)) }
                    }
                    script type="module" { (PreEscaped(self.script)) }
                }
            }
        }
    }
}

/// The name of a shared file. It depends on the content, so that no browser shows an outdated file.
fn file(name: &str, content: &str, ending: &str) -> String {
    let digest = Sha256::digest(content);
    let short = digest.iter().take(4).fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
    format!("assets/{name}-{short:08x}.{ending}")
}

/// A module as a script with a scope of its own.
fn alone(module: &str) -> String {
    format!("(() => {{\n\"use strict\";\n{module}}})();\n")
}

/// The hash of a text in a policy.
pub(super) fn fingerprint(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text)))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0, |bits, byte| bits << 8 | usize::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let letter = LETTERS.get(bits >> (18 - 6 * place) & 63);
            text.push(letter.filter(|_| place <= three.len()).map_or('=', |letter| char::from(*letter)));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_what_browsers_expect() {
        assert_eq!(fingerprint(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
        assert_eq!(
            ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes())),
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]
        );
    }

    /// A closing tag inside them would end them early.
    #[test]
    fn nothing_in_style_and_script_ends_them() {
        assert!(!STYLE.contains("</"));
        for script in [&SCRIPT, &INDEX_SCRIPT] {
            assert!(!script.contains("</script") && !script.contains("<!--"));
        }
    }
}
