//! Settings of what is replaced in sessions that are shared.

use redact::{Category, Settings};
use regex::bytes::Regex;
use serde::Deserialize;

/// The settings as written in the file.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RedactSettings {
    keep: Vec<KeptCategory>,
    words: Vec<String>,
    patterns: Vec<OwnPattern>,
}

/// A category that is not replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
struct KeptCategory(Category);

impl TryFrom<String> for KeptCategory {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        crate::redaction::private_category(&name).map(Self)
    }
}

/// A regular expression for private things.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
struct OwnPattern(String);

impl TryFrom<String> for OwnPattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match Regex::new(&text) {
            Ok(_) => Ok(Self(text)),
            Err(error) => Err(format!("`{text}` is not a regular expression: {error}")),
        }
    }
}

impl RedactSettings {
    pub(super) fn settings(&self) -> Settings {
        Settings {
            keep: self.keep.iter().map(|KeptCategory(category)| *category).collect(),
            words: self.words.clone(),
            patterns: self.patterns.iter().map(|OwnPattern(pattern)| pattern.clone()).collect(),
            ..Settings::default()
        }
    }
}
