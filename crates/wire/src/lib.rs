//! The JSON documents that leave recount, with their schemas.

pub mod show;
