//! Compact indices for things that occur in very large numbers.

use std::fmt;
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

/// An index into a list. An optional one takes no more space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct Number(NonZeroU32);

impl Number {
    pub(crate) const FIRST: Self = Self(NonZeroU32::MIN);

    /// Four billion items do not fit into memory; any beyond that would share the last number.
    pub(crate) fn new(index: usize) -> Self {
        let number = u32::try_from(index).ok().and_then(|index| index.checked_add(1));
        Self(number.and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MAX))
    }

    pub(crate) const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.index().fmt(f)
    }
}

/// Implements the common methods of types that wrap a [`Number`].
macro_rules! numbered {
    ($($name:ident),+) => {$(
        impl $name {
            pub(crate) fn new(index: usize) -> Self {
                Self(crate::number::Number::new(index))
            }

            /// The index in the list, from 0.
            #[allow(unreachable_pub, reason = "some of them are not public")]
            pub const fn index(self) -> usize {
                self.0.index()
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), " {}"), self.index())
            }
        }
    )+};
}
pub(crate) use numbered;
