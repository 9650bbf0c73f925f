//! The first argument of `recount usage`: a report or a path.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use app::usage::UsageKind;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};

use crate::flags::{named, possible};

#[derive(Debug, Clone)]
pub(super) enum FirstWord {
    Report(UsageKind),
    Path(PathBuf),
}

/// Parses the first argument. A word that names no report is a path if it exists or looks like a path.
#[derive(Debug, Clone)]
pub(super) struct FirstWordParser;

impl TypedValueParser for FirstWordParser {
    type Value = FirstWord;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, word: &OsStr) -> Result<FirstWord, Error> {
        named(&UsageKind::ALL).parse_ref(command, argument, word).map(FirstWord::Report).or_else(|error| {
            let looks_like_path = word.to_string_lossy().contains(['/', '\\', '.']);
            let is_path = word == "-" || looks_like_path || Path::new(word).exists();
            if is_path { Ok(FirstWord::Path(word.into())) } else { Err(error) }
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(UsageKind::ALL.iter().map(possible)))
    }
}
