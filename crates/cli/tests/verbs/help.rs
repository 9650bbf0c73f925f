//! The help texts and the version of `recount`.

use crate::sandbox::Sandbox;

fn printed(arguments: &[&str]) -> String {
    let assert = Sandbox::new().recount(arguments).assert().code(0).stderr("");
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

#[test]
fn the_short_help_has_all_verbs_and_examples() {
    let help = printed(&["-h"]);
    assert!(help.contains("check") && help.contains("cat") && help.contains("Examples:"), "{help}");
}

#[test]
fn every_verb_has_examples() {
    for verb in ["check", "cat", "search", "file", "forget"] {
        let help = printed(&[verb, "--help"]);
        assert!(help.contains(&format!("recount {verb} ")) && help.contains("Exit codes:"), "{help}");
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(printed(&["--version"]), format!("recount {}\n", env!("CARGO_PKG_VERSION")));
}
