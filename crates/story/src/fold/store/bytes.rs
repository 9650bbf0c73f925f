//! Writes and reads bytes, one value after another.

use postcard::ser_flavors::{ExtendFlavor, Flavor as _};
use postcard::{Deserializer, Serializer};
use serde::{Deserialize, Serialize};

use crate::key::Key;

/// The bytes written so far.
pub(super) struct Writer(Serializer<ExtendFlavor<Vec<u8>>>);

impl Writer {
    /// Appends to existing bytes.
    pub(super) fn after(bytes: Vec<u8>) -> Self {
        Self(Serializer { output: ExtendFlavor::new(bytes) })
    }

    pub(super) fn put(&mut self, value: &impl Serialize) -> Option<()> {
        value.serialize(&mut self.0).ok()
    }

    /// A key is effectively random: it takes all eight bytes.
    pub(super) fn put_key(&mut self, key: Key) -> Option<()> {
        self.0.output.try_extend(&key.0.to_le_bytes()).ok()
    }

    pub(super) fn finish(self) -> Option<Vec<u8>> {
        self.0.output.finalize().ok()
    }
}

/// The bytes that are left to read.
pub(super) struct Bytes<'b>(pub(super) &'b [u8]);

impl<'b> Bytes<'b> {
    pub(super) fn take<T: Deserialize<'b>>(&mut self) -> Option<T> {
        let mut deserializer = Deserializer::from_bytes(self.0);
        let value = T::deserialize(&mut deserializer).ok()?;
        self.0 = deserializer.finalize().ok()?;
        Some(value)
    }

    pub(super) fn take_key(&mut self) -> Option<Key> {
        let (key, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(Key(u64::from_le_bytes(*key)))
    }

    /// A count of items that follow, if that many fit: each takes at least `least` bytes.
    pub(super) fn take_count(&mut self, least: usize) -> Option<usize> {
        self.take::<usize>().filter(|count| *count <= self.0.len() / least)
    }
}
