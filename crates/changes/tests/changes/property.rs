//! For any edits, the patch turns the first file into the last one.

use proptest::prelude::*;

use crate::desk::{Desk, apply};

/// How a file is revealed before it is edited.
#[derive(Debug, Clone, Copy)]
enum Revealed {
    Not,
    Read,
    ReadInPart(usize, usize),
    Created,
}

/// A change: where, how many lines are replaced, and by what.
#[derive(Debug, Clone)]
struct Edit {
    at: prop::sample::Index,
    removed: usize,
    added: Vec<&'static str>,
    is_short: bool,
    has_original: bool,
    is_read_again: bool,
}

fn line(indent: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop_oneof![
        3 => prop::sample::select(indent),
        2 => prop::sample::select(&["a\n", "b\n", "c\n", "}\n", "\n", "--- a/x\n", "+++ b/x\n", "@@ -1 +1 @@\n"][..]),
        1 => prop::sample::select(&["\\ No newline at end of file\n", "diff --git a/x b/x\n", "…\n", "x\ty\n", " z\n"][..]),
    ]
}

const TABS: &[&str] = &["\tx\n", "\t\ty\n", "\t}\n"];
const SPACES: &[&str] = &["  x\n", "    y\n", "   z\n"];
const BOTH: &[&str] = &["\tx\n", "  x\n", "\t\ty\n", "    y\n", "\t  z\n", "    z\n", "\t w\n", "   w\n", "  \tv\n"];

fn edit(indent: &'static [&'static str]) -> impl Strategy<Value = Edit> {
    let added = prop::collection::vec(line(indent), 0..6);
    let flags = (any::<bool>(), prop::bool::weighted(0.3), prop::bool::weighted(0.1));
    (any::<prop::sample::Index>(), 0_usize..6, added, flags).prop_map(
        |(at, removed, added, (is_short, has_original, is_read_again))| Edit {
            at,
            removed,
            added,
            is_short,
            has_original,
            is_read_again,
        },
    )
}

fn case() -> impl Strategy<Value = (Vec<&'static str>, bool, Revealed, Vec<Edit>)> {
    prop_oneof![Just(TABS), Just(SPACES), Just(BOTH)].prop_flat_map(|indent| {
        let revealed = prop_oneof![
            2 => Just(Revealed::Not),
            1 => Just(Revealed::Read),
            1 => (0_usize..40, 1_usize..40).prop_map(|(skipped, most)| Revealed::ReadInPart(skipped, most)),
            1 => Just(Revealed::Created),
        ];
        let file = prop::collection::vec(line(indent), 0..60);
        (file, any::<bool>(), revealed, prop::collection::vec(edit(indent), 1..12))
    })
}

/// A text of lines, possibly without the last newline.
fn text(lines: &[&str], is_ended: bool) -> String {
    let text = lines.concat();
    if is_ended { text } else { text.strip_suffix('\n').unwrap_or(&text).to_owned() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn the_patch_turns_the_first_file_into_the_last((mut lines, is_ended, revealed, edits) in case()) {
        let first = text(&lines, is_ended);
        let mut desk = Desk::default();
        match revealed {
            Revealed::Read => desk.read("f", &first),
            Revealed::ReadInPart(skipped, most) if skipped < first.split('\n').count() => {
                desk.read_part("f", &first, skipped, most);
            }
            Revealed::Created => desk.create("f", &first),
            Revealed::Not | Revealed::ReadInPart(..) => {}
        }
        let mut before = first.clone();
        for edit in edits {
            let at = edit.at.index(lines.len() + 1);
            let end = lines.len().min(at + edit.removed);
            lines.splice(at..end, edit.added);
            let after = text(&lines, is_ended);
            if edit.is_read_again {
                desk.read("f", &before);
            }
            // An edit without a change is rejected, and an edit of nothing creates a file.
            if after == before || before.is_empty() {
                break;
            }
            if edit.is_short {
                desk.edit_within_lines("f", &before, &after, edit.has_original);
            } else {
                desk.edit("f", &before, &after, edit.has_original);
            }
            before = after;
        }
        let changes = desk.changes();
        let file = changes.files.first();
        // If only patches show tabs, they cannot be distinguished from spaces.
        if first.contains('\t') && !desk.shows_tabs() {
            return Ok(());
        }
        prop_assert!(file.is_none_or(|file| file.patches.len() == 1 && file.is_whole()), "{:?}", changes.files);
        // Nor can spaces in a file whose exact lines all have tabs.
        let has_both = |text: &str| text.contains('\t') && text.contains("  ");
        if (has_both(&first) || has_both(&before)) && !desk.shows_spaces() {
            return Ok(());
        }
        // Tabs and spaces in one file: what only patches show is a guess, and the patch says so.
        if file.is_some_and(|file| file.patches.iter().any(|patch| patch.is_guessed)) {
            prop_assert!(first.contains('\t') || before.contains('\t'));
            return Ok(());
        }
        let base = (!matches!(revealed, Revealed::Created)).then_some(first.as_str());
        if file.is_some() {
            prop_assert_eq!(apply(&changes.patch(), "f", base), Some(before), "{}", changes.patch());
        } else {
            prop_assert_eq!(base, Some(before.as_str()));
        }
    }

    /// Results do not mention carriage returns; the written content does.
    #[test]
    fn a_file_with_carriage_returns_keeps_them((mut lines, is_ended, _, edits) in case()) {
        let first = text(&lines, is_ended);
        if lines.is_empty() {
            return Ok(());
        }
        let mut desk = Desk::default();
        desk.create("f", &first.replace('\n', "\r\n"));
        let mut before = first;
        for edit in edits {
            let at = edit.at.index(lines.len() + 1);
            let end = lines.len().min(at + edit.removed);
            lines.splice(at..end, edit.added);
            let after = text(&lines, is_ended);
            // Without a line that ends, nothing shows how lines end.
            if after == before || !before.contains('\n') {
                break;
            }
            desk.edit("f", &before, &after, false);
            before = after;
        }
        let changes = desk.changes();
        prop_assert_eq!(apply(&changes.patch(), "f", None), Some(before.replace('\n', "\r\n")), "{}", changes.patch());
    }
}
