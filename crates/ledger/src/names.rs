//! Names as small numbers: sessions, agents, models.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize, Serializer};

/// Names in the order they were met.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(from = "Vec<String>")]
pub(crate) struct Names {
    numbers: FxHashMap<Arc<str>, u32>,
    names: Vec<Arc<str>>,
}

impl Names {
    /// The number of a name, old or new.
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

    /// The number that a name with a number here has there.
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

/// What stands for an id: the same on every machine and in every version.
///
/// 64-bit FNV-1a. Among a hundred million ids two are mistaken for each other once in four thousand times.
pub(crate) fn hash(parts: &[&[u8]]) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let mut hash = OFFSET;
    for part in parts {
        for byte in *part {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
        // Ends the part: no byte of UTF-8 is this one.
        hash = (hash ^ 0xff).wrapping_mul(PRIME);
    }
    hash
}
