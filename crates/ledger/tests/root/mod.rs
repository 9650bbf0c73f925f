//! Reads whole roots into a ledger.

use std::path::PathBuf;

use reader::Accountant;
use reader::Accounts;

/// Everything below `paths`.
pub(crate) fn read(paths: &[PathBuf]) -> Accounts {
    let mut accountant = Accountant::default();
    for (number, source) in sources::find_at(paths).sources.iter().enumerate() {
        accountant.read(number, source).unwrap();
    }
    accountant.finish()
}
