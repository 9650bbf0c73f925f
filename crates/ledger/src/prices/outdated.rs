//! Whether the price list is older than the models that sessions used.

use std::collections::BTreeSet;
use std::fmt;

use super::{Prices, canonical, table};

/// A price list that is older than some models, as a sentence for the user.
///
/// ```
/// let prices = ledger::Prices::default();
/// assert_eq!(prices.outdated_by(["claude-opus-5-5", "glm-5.1"]), None);
/// let outdated = prices.outdated_by(["claude-opus-5-5", "claude-opus-9"]).unwrap();
/// assert!(outdated.to_string().ends_with("is older than claude-opus-9: update recount, or set prices in config.toml."));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutdatedList {
    /// The day of the list, for display.
    pub checked: &'static str,
    /// The models without a price, in one spelling.
    pub models: BTreeSet<String>,
}

impl Prices {
    /// Compares the list with the models of sessions: a Claude model without a price is newer than the list. Names of
    /// other vendors and aliases have no price either, but no newer list would have them.
    pub fn outdated_by<'m>(&self, models: impl IntoIterator<Item = &'m str>) -> Option<OutdatedList> {
        OutdatedList::of(models.into_iter().filter(|model| self.of(model).is_none()))
    }
}

impl OutdatedList {
    /// The same for models that have no price.
    pub(crate) fn of<'m>(unpriced: impl Iterator<Item = &'m str>) -> Option<Self> {
        let ids = unpriced.map(|model| canonical(model).id.into_owned());
        let models: BTreeSet<String> = ids.filter(|id| is_release(id)).collect();
        (!models.is_empty()).then_some(Self { checked: table::CHECKED, models })
    }
}

/// Whether a name has the form of a release: `claude-opus-5`, `claude-opus-5-5`.
fn is_release(id: &str) -> bool {
    let is_number = |part: &str| part.len() < 3 && part.parse::<u8>().is_ok();
    let is_word = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase());
    match id.split('-').collect::<Vec<_>>().as_slice() {
        ["claude", family, major] => is_word(family) && is_number(major),
        ["claude", family, major, minor] => is_word(family) && is_number(major) && is_number(minor),
        _ => false,
    }
}

impl fmt::Display for OutdatedList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let models: Vec<&str> = self.models.iter().map(String::as_str).collect();
        let (checked, models) = (self.checked, models.join(", "));
        write!(f, "The price list of {checked} is older than {models}: update recount, or set prices in config.toml.")
    }
}
