//! Accessibility checks with axe-core.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::Page;

/// The script, as fetched by `script/setup --test`.
fn script() -> Result<String> {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/axe");
    let versions = fs::read_dir(&tools).into_iter().flatten().flatten();
    let script: Option<PathBuf> = versions.map(|version| version.path().join("axe.min.js")).find(|path| path.exists());
    let script = script.with_context(|| format!("no axe-core in {}; run script/setup --test", tools.display()))?;
    Ok(fs::read_to_string(script)?)
}

impl Page<'_> {
    /// The serious accessibility violations of the page in its current state, as text.
    pub fn hurdles(&self) -> Result<Vec<String>> {
        if self.evaluate("typeof axe")? == "undefined" {
            self.evaluate(&script()?)?;
        }
        let found = self.evaluate("axe.run(document, { resultTypes: ['violations'] })")?;
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        ensure!(list(&found["passes"]).len() > 10, "axe-core checked nothing");
        let is_serious =
            |violation: &Value| ["serious", "critical"].iter().any(|impact| violation["impact"] == *impact);
        let describe = |violation: Value| {
            let nodes = list(&violation["nodes"]);
            let place = |node: &Value| format!("\n  {}\n    {}", node["html"], node["failureSummary"]);
            let places: Vec<String> = nodes.iter().take(5).map(place).collect();
            format!("{} ({}): {} times{}", violation["id"], violation["help"], nodes.len(), places.concat())
        };
        Ok(list(&found["violations"]).into_iter().filter(is_serious).map(describe).collect())
    }
}
