//! Made-up sessions, for those who have none yet.

pub(crate) mod live;
