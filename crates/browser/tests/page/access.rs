//! Pages for everybody: what axe-core finds.

use std::fs;
use std::path::{Path, PathBuf};

use browser::{Browser, Page};
use serde_json::Value;

use crate::made::{SOON, demo};

/// The script, as `script/setup --test` fetched it.
fn axe() -> String {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/axe");
    let versions = fs::read_dir(&tools).into_iter().flatten().flatten();
    let script: Option<PathBuf> = versions.map(|version| version.path().join("axe.min.js")).find(|path| path.exists());
    let script = script.unwrap_or_else(|| panic!("no axe-core in {}; run script/setup --test", tools.display()));
    fs::read_to_string(script).unwrap()
}

/// What keeps people from using what is to be seen now, in words.
fn hurdles(page: &Page<'_>) -> Vec<String> {
    let options = "{ resultTypes: ['violations'] }";
    let found = page.evaluate(&format!("axe.run(document, {options})")).unwrap();
    assert!(found["passes"].as_array().unwrap().len() > 20, "it looked at nothing");
    let serious = |violation: &&Value| violation["impact"] == "serious" || violation["impact"] == "critical";
    let tell = |violation: &Value| {
        let nodes = violation["nodes"].as_array().unwrap();
        let places: Vec<_> =
            nodes.iter().take(5).map(|node| format!("\n  {}\n    {}", node["html"], node["failureSummary"])).collect();
        format!("{} ({}): {} times{}", violation["id"], violation["help"], nodes.len(), places.concat())
    };
    found["violations"].as_array().unwrap().iter().filter(serious).map(tell).collect()
}

#[test]
fn a_page_keeps_nobody_out() {
    let (browser, made, axe) = (Browser::launch().unwrap(), demo(), axe());
    let page = made.open(&browser);
    page.evaluate(&axe).unwrap();
    let mut all = Vec::new();
    for dark in [false, true] {
        page.emulate_dark(dark).unwrap();
        for (level, size) in [("3", (1280, 900)), ("4", (1280, 900)), ("3", (360, 740))] {
            page.set_viewport(size.0, size.1).unwrap();
            page.press(level).unwrap();
            page.wait_for("document.querySelectorAll('.step').length > 20", SOON).unwrap();
            page.evaluate("new Promise(done => setTimeout(done, 300))").unwrap();
            let colours = if dark { "dark" } else { "light" };
            all.extend(
                hurdles(&page).into_iter().map(|hurdle| format!("{colours}, level {level}, {size:?}: {hurdle}")),
            );
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}
