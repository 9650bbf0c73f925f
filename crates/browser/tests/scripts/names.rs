//! Tests for name collisions: modules that are linked into one script share one scope.

use browser::Browser;
use serde_json::json;

use crate::modules::{self, ENTRIES, call, linked};

/// A module that declares a name of the browser hides it from all others.
#[test]
fn no_module_hides_a_name_of_the_browser() {
    let files = modules::all();
    let browser = Browser::launch().unwrap();
    let page = browser.page().unwrap();
    for entry in ENTRIES {
        let names = linked(entry, &files).names;
        assert!(names.len() > 20, "{entry}: {names:?}");
        let hidden = call(&page, "(names) => names.filter((name) => name in globalThis)", &json!(names));
        assert_eq!(hidden, json!([]), "{entry}");
    }
}
