//! Names as small numbers: sessions, agents, models.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize, Serializer};

/// Names in the order of their first use.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(from = "Vec<String>")]
pub(crate) struct Names {
    numbers: FxHashMap<Arc<str>, u32>,
    names: Vec<Arc<str>>,
}

impl Names {
    /// The number of a name, existing or new.
    pub(crate) fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        let name: Arc<str> = name.into();
        self.names.push(Arc::clone(&name));
        self.numbers.insert(name, number);
        number
    }

    /// The name with a number.
    pub(crate) fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", |name| name)
    }

    /// The number in `there` of a name with this number here.
    pub(crate) fn moved(&self, number: u32, there: &mut Self) -> u32 {
        there.number(self.name(number))
    }

    /// All names, in the order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }
}

impl From<Vec<String>> for Names {
    fn from(names: Vec<String>) -> Self {
        let mut all = Self::default();
        for name in &names {
            all.number(name);
        }
        all
    }
}

impl Serialize for Names {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
