//! The modules of all scripts, read from the folders of the crates, and loaded one by one in a browser.

use std::fs;
use std::path::{Path, PathBuf};

use browser::Page;
use page::script::{Linked, MODULES, Module, link};
use serde_json::Value;

/// The entry modules of the scripts.
pub(crate) const ENTRIES: [&str; 4] = ["page/start.js", "index/index.js", "app/start.js", "app/board.js"];

/// A module of any crate.
pub(crate) struct ModuleFile {
    pub(crate) name: String,
    pub(crate) source: String,
}

/// All modules of all crates.
pub(crate) fn all() -> Vec<ModuleFile> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let roots = entries(crates).into_iter().map(|folder| folder.join("assets/script")).filter(|root| root.is_dir());
    let folders: Vec<PathBuf> = roots.flat_map(|root| entries(&root)).collect();
    let module = |path: PathBuf| ModuleFile {
        name: format!("{}/{}", last(path.parent().unwrap()), last(&path)),
        source: fs::read_to_string(&path).unwrap(),
    };
    folders.iter().flat_map(|folder| entries(folder)).map(module).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn last(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

/// A script, linked from files.
pub(crate) fn linked<'m>(entry: &str, files: &'m [ModuleFile]) -> Linked<'m> {
    let modules: Vec<Module<'m>> = files.iter().map(|file| Module { name: &file.name, source: &file.source }).collect();
    link(entry, &modules).unwrap_or_else(|error| panic!("{error}"))
}

/// Loads a module, and stores its exports in `globalThis.exported`.
pub(crate) fn load(page: &Page<'_>, module: &str) {
    let Linked { text, exports, .. } = link(module, MODULES).unwrap_or_else(|error| panic!("{error}"));
    let script = format!("globalThis.exported = (() => {{\n{text}\nreturn {{ {} }};\n}})(); 0", exports.join(", "));
    page.evaluate(&script).unwrap();
}

/// The result of a function in the page for a value.
pub(crate) fn call(page: &Page<'_>, function: &str, value: &Value) -> Value {
    page.evaluate(&format!("({function})({value})")).unwrap()
}
