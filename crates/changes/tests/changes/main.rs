//! The changes of sessions, from their lines to patches that reproduce the files.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "these are tests")]

mod corpus;
mod desk;
mod generated;
mod hostile;
mod property;

use serde_json::json;

use changes::*;
use desk::{Desk, apply, numbered, patch_of};

/// Lines `line 1` to `line n`.
fn lines(count: usize) -> String {
    (1..=count).flat_map(|number| ["line ".to_owned(), number.to_string(), "\n".to_owned()]).collect()
}

fn only(changes: &Changes) -> &FileChange {
    assert_eq!(changes.files.len(), 1, "{:?}", changes.files);
    &changes.files[0]
}

#[test]
fn edits_of_one_file_are_one_patch() {
    let mut desk = Desk::default();
    let first = lines(40);
    let second = first.replace("line 30\n", "line thirty\nand more\n");
    let third = second.replace("line 5\n", "");
    let fourth = third.replace("and more\n", "and less\n");
    for (before, after) in [(&first, &second), (&second, &third), (&third, &fourth)] {
        desk.edit("a.txt", before, after, false);
    }
    let changes = desk.changes();
    insta::assert_snapshot!(changes.patch(), @r"
    diff --git a/a.txt b/a.txt
    --- a/a.txt
    +++ b/a.txt
    @@ -2,7 +2,6 @@
     line 2
     line 3
     line 4
    -line 5
     line 6
     line 7
     line 8
    @@ -27,7 +26,8 @@
     line 27
     line 28
     line 29
    -line 30
    +line thirty
    +and less
     line 31
     line 32
     line 33
    ");
    assert_eq!(apply(&changes.patch(), "a.txt", Some(&first)), Some(fourth));
    assert_eq!((only(&changes).calls, only(&changes).turns), (3, (1, 1)));
}

#[test]
fn a_reverted_edit_is_no_change() {
    let mut desk = Desk::default();
    let (before, after) = (lines(9), lines(9).replace("line 5", "five"));
    desk.edit("a.txt", &before, &after, false);
    desk.edit("a.txt", &after, &before, false);
    assert_eq!(desk.changes().files, []);
}

#[test]
fn a_new_file_has_its_last_content() {
    let mut desk = Desk::default();
    desk.create("new.txt", "one\ntwo");
    desk.edit("new.txt", "one\ntwo", "one\nthree\n", false);
    desk.create("empty.txt", "");
    insta::assert_snapshot!(desk.changes().patch(), @r"
    diff --git a/empty.txt b/empty.txt
    new file mode 100644
    diff --git a/new.txt b/new.txt
    new file mode 100644
    --- /dev/null
    +++ b/new.txt
    @@ -0,0 +1,2 @@
    +one
    +three
    ");
}

#[test]
fn an_outside_change_starts_another_patch() {
    let mut desk = Desk::default();
    let first = lines(9);
    let second = first.replace("line 5", "five");
    desk.edit("a.txt", &first, &second, false);
    // Something else removes the first line.
    let third = second.replace("line 1\n", "");
    let fourth = third.replace("line 9", "nine");
    desk.edit("a.txt", &third, &fourth, false);
    let changes = desk.changes();
    let file = only(&changes);
    assert_eq!(file.patches.len(), 2);
    assert_eq!(file.notes(), ["changed elsewhere in between"]);
    assert!(changes.patch().contains("# a.txt: something else changed it in between\ndiff --git"));
}

#[test]
fn stale_readings_are_ignored() {
    let mut desk = Desk::default();
    let (old, first) = (lines(9).replace("line 1", "once"), lines(9));
    let second = first.replace("line 5", "five");
    let third = second.replace("five", "5");
    desk.read("a.txt", &old);
    desk.edit("a.txt", &first, &second, true);
    // A reading from before the change arrives late.
    desk.read("a.txt", &first);
    desk.edit("a.txt", &second, &third, false);
    let changes = desk.changes();
    assert_eq!(only(&changes).patches.len(), 1);
    assert_eq!(apply(&changes.patch(), "a.txt", Some(&first)), Some(third));
}

#[test]
fn failed_calls_change_nothing() {
    let mut desk = Desk::default();
    desk.call("Edit", &json!({"file_path": "/p/a.txt", "old_string": "a", "new_string": "b"}));
    desk.fail("<tool_use_error>String to replace not found in file.</tool_use_error>");
    desk.call("Write", &json!({"file_path": "/p/b.txt", "content": "b"}));
    desk.fail("The user doesn't want to proceed with this tool use. The tool use was rejected");
    desk.call("Write", &json!({"file_path": "/p/c.txt", "content": "c"}));
    assert_eq!(desk.changes().files, []);
}

#[test]
fn changes_can_start_at_a_turn() {
    let mut desk = Desk::default();
    let first = lines(9);
    let second = first.replace("line 2", "two");
    let third = second.replace("line 4", "four");
    desk.edit("a.txt", &first, &second, false);
    desk.create("b.txt", "b\n");
    desk.prompt("and now?");
    desk.edit("a.txt", &second, &third, false);
    desk.edit("b.txt", "b\n", "c\n", false);
    let changes = desk.changes_of(&ChangeFilter { since_turn: Some(2), ..ChangeFilter::default() });
    let names: Vec<_> = changes.files.iter().map(|file| (file.path.name.as_str(), file.calls, file.turns)).collect();
    assert_eq!(names, [("a.txt", 1, (2, 2)), ("b.txt", 1, (2, 2))]);
    assert_eq!(apply(&changes.patch(), "a.txt", Some(&second)), Some(third));
    assert_eq!(apply(&changes.patch(), "b.txt", Some("b\n")), Some("c\n".to_owned()));
    let later = desk.changes_of(&ChangeFilter { since_turn: Some(3), ..ChangeFilter::default() });
    assert_eq!(later.files, []);
}

/// Patches in transcripts have spaces for tabs; files have tabs.
#[test]
fn tabs_are_restored() {
    let before = "func a() {\n\tif b {\n\t\tc()\n\t}\n}\n";
    let after = before.replace("\t\tc()\n", "\t\tc()\n\t\td()\n");
    for (is_read, has_original) in [(false, false), (true, false), (false, true)] {
        let mut desk = Desk::default();
        if is_read {
            desk.read("a.go", before);
        }
        desk.edit("a.go", before, &after, has_original);
        assert_eq!(apply(&desk.changes().patch(), "a.go", Some(before)).as_ref(), Some(&after), "{is_read}");
    }
}

/// A string in a Go file is indented with spaces: the texts of the edit show them, and so do readings.
#[test]
fn spaces_in_a_file_with_tabs_stay_spaces() {
    let before = "func help() {\n\tprint(`usage:\n    run\n    stop`)\n}\n";
    let second = before.replace("    stop`)\n", "    stop\n    pause`)\n\treturn\n");
    let third = second.replace("\treturn\n", "\tprint(x)\n");
    for is_read in [false, true] {
        let mut desk = Desk::default();
        desk.edit("a.go", before, &second, false);
        if is_read {
            desk.read("a.go", &second);
        }
        desk.edit("a.go", &second, &third, false);
        let changes = desk.changes();
        let patch = changes.patch();
        assert!(patch.contains("\n-    stop`)\n+    stop\n+    pause`)\n+\tprint(x)\n"), "{patch}");
        if is_read {
            assert_eq!(apply(&patch, "a.go", Some(before)).as_ref(), Some(&third), "{patch}");
            assert_eq!(only(&changes).notes(), [""; 0]);
        } else {
            // Only patches show the lines before, and the file has both.
            assert_eq!(only(&changes).notes(), ["tabs or spaces at some lines are a guess"]);
            assert!(patch.starts_with("# a.go: tabs or spaces at the start of some lines are a guess\n"), "{patch}");
        }
    }
}

/// The same line with tabs and with spaces in one edit.
#[test]
fn a_line_may_be_there_with_tabs_and_with_spaces() {
    let before = "a\n    x\nb\n\t\tx\nc\n";
    let after = "a\n    x\nb\n\t\tx\n    x\nc\n";
    let mut desk = Desk::default();
    desk.edit("a.txt", before, after, false);
    desk.read("a.txt", after);
    desk.edit("a.txt", after, &after.replace("b\n", "B\n"), false);
    let changes = desk.changes();
    assert_eq!(only(&changes).patches.len(), 1, "nothing else changed it: {}", changes.patch());
    assert_eq!(apply(&changes.patch(), "a.txt", Some(before)), Some(after.replace("b\n", "B\n")));
}

/// An edit does not mention carriage returns, and preserves them.
#[test]
fn carriage_returns_are_preserved() {
    let mut desk = Desk::default();
    desk.create("a.txt", "one\r\ntwo\r\nthree\r\n");
    desk.edit("a.txt", "one\ntwo\nthree\n", "one\n2\nthree\n", false);
    assert_eq!(apply(&desk.changes().patch(), "a.txt", None).as_deref(), Some("one\r\n2\r\nthree\r\n"));
}

#[test]
fn one_file_may_be_spelled_in_many_ways() {
    let mut desk = Desk::default();
    let (first, second) = (lines(9), lines(9).replace("line 5", "five"));
    let third = second.replace("line 6", "six");
    desk.edit("src/a.txt", &first, &second, false);
    desk.edit("x/..//src/./a.txt", &second, &third, false);
    assert_eq!(apply(&desk.changes().patch(), "src/a.txt", Some(&first)), Some(third));
}

#[test]
fn overwriting_an_unknown_file_gives_no_patch() {
    let mut desk = Desk::default();
    desk.call("Write", &json!({"file_path": "/p/a.txt", "content": "new\n"}));
    desk.result(
        "The file /p/a.txt has been updated.",
        &json!({"type": "update", "filePath": "/p/a.txt", "content": "new\n", "structuredPatch": []}),
    );
    let changes = desk.changes();
    assert!(!only(&changes).is_whole());
    assert_eq!(only(&changes).counts(), (1, 0));
    assert_eq!(changes.patch(), "# a.txt: rewritten; its previous content is unknown\n");
}

/// Results for large files lack the previous content, but have a patch.
#[test]
fn the_previous_content_is_derived_from_the_patch() {
    let mut desk = Desk::default();
    let (before, after) = (lines(50), lines(50).replace("line 7\n", "").replace("line 40", "forty"));
    desk.call("Write", &json!({"file_path": "/p/a.txt", "content": after}));
    let result = json!({"type": "update", "filePath": "/p/a.txt", "content": after, "structuredPatch": patch_of(&before, &after), "originalFile": null});
    desk.result("The file /p/a.txt has been updated.", &result);
    let changes = desk.changes();
    assert_eq!(only(&changes).counts(), (1, 2));
    assert_eq!(apply(&changes.patch(), "a.txt", Some(&before)), Some(after));
}

/// As in agents' files: the result is only the text for the model.
#[test]
fn changes_without_a_patch_are_placed_by_their_text() {
    let before = lines(30);
    let after = before.replace("line 12\n", "twelve\nand a half\n");
    let edit = json!({"file_path": "/p/a.txt", "old_string": "line 12", "new_string": "twelve\nand a half"});
    let snippet: Vec<&str> = after.lines().skip(7).take(10).collect();
    let said = format!(
        "The file /p/a.txt has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n{}",
        numbered(8, &snippet)
    );
    let mut by_snippet = Desk::default();
    by_snippet.call("Edit", &edit);
    by_snippet.say(&said);
    let mut by_reading = Desk::default();
    by_reading.read("a.txt", &before);
    by_reading.call("Edit", &edit);
    by_reading.say("The file /p/a.txt has been updated successfully.");
    for desk in [by_snippet, by_reading] {
        assert_eq!(apply(&desk.changes().patch(), "a.txt", Some(&before)).as_ref(), Some(&after));
    }
    let mut nowhere = Desk::default();
    nowhere.call("Edit", &edit);
    nowhere.say("The file /p/a.txt has been updated successfully.");
    let changes = nowhere.changes();
    assert_eq!(only(&changes).unplaced, [Unplaced { old: "line 12".into(), new: "twelve\nand a half".into() }]);
    assert_eq!((only(&changes).counts(), changes.patch()), ((2, 1), String::new()));
}

#[test]
fn notebooks_are_files_too() {
    let mut desk = Desk::default();
    let (before, after) = ("{\n \"cells\": [1]\n}", "{\n \"cells\": [2]\n}");
    desk.call("NotebookEdit", &json!({"notebook_path": "/p/a.ipynb", "new_source": "2"}));
    let result = json!({"new_source": "2", "notebook_path": "/p/a.ipynb", "edit_mode": "replace", "error": "", "original_file": before, "updated_file": after});
    desk.result("Updated cell c1 with 2", &result);
    assert_eq!(apply(&desk.changes().patch(), "a.ipynb", Some(before)).as_deref(), Some(after));
}

/// A background agent changes the same file as the conversation.
#[test]
fn changes_of_threads_are_in_the_order_of_their_results() {
    let mut desk = Desk::default();
    let first = lines(9);
    let second = first.replace("line 5", "five");
    let third = second.replace("five", "fünf");
    let fourth = third.replace("fünf", "cinq");
    desk.edit("a.txt", &first, &second, false);
    let mut agent = desk.agent("a1b2c3");
    agent.wait(10);
    agent.edit("a.txt", &second, &third, false);
    desk.wait(60);
    desk.edit("a.txt", &third, &fourth, false);
    desk.take_in(agent);
    let changes = desk.changes();
    assert_eq!((only(&changes).patches.len(), only(&changes).calls), (1, 3));
    assert_eq!(apply(&changes.patch(), "a.txt", Some(&first)), Some(fourth));
}

#[test]
fn rewound_branches_count_only_on_request() {
    let mut desk = Desk::default();
    desk.edit("a.txt", "a\n", "b\n", false);
    let here = desk.here();
    desk.prompt("try this");
    desk.create("left.txt", "left\n");
    desk.go_back(here);
    desk.prompt("rather that");
    desk.create("right.txt", "right\n");
    let names = |filter: &ChangeFilter| {
        let changes = desk.changes_of(filter);
        (changes.files.iter().map(|file| file.path.name.clone()).collect::<Vec<_>>(), changes.on_branches)
    };
    assert_eq!(names(&ChangeFilter::default()), (vec!["a.txt".to_owned(), "right.txt".to_owned()], 1));
    let all = ChangeFilter { branches: true, ..ChangeFilter::default() };
    assert_eq!(names(&all).0, ["a.txt", "left.txt", "right.txt"]);
}

#[test]
fn a_patch_reaches_only_the_project() {
    let mut desk = Desk::default();
    desk.create("in.txt", "in\n");
    desk.create("/tmp/out side.txt", "out\n");
    let changes = desk.changes();
    assert_eq!(changes.files.iter().filter(|file| file.path.outside).count(), 1);
    assert!(!changes.patch().contains("side.txt"));
    let named = desk.changes_of(&ChangeFilter { files: vec!["/tmp".to_owned()], ..ChangeFilter::default() });
    insta::assert_snapshot!(named.patch(), @r"
    diff --git a/tmp/out side.txt b/tmp/out side.txt
    new file mode 100644
    --- /dev/null
    +++ b/tmp/out side.txt	
    @@ -0,0 +1 @@
    +out
    ");
}
