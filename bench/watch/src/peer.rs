//! The same page of agentsview.

use std::path::Path;

use anyhow::Result;
use browser::Browser;

pub(crate) fn measure(_root: &Path, _id: &str, _browser: &Browser) -> Result<()> {
    Ok(())
}
