use proptest::prelude::*;

use super::*;
use crate::line::tests::{hold, marked};
use crate::write;
use testkit::hostile::hostile;

#[test]
fn words_that_differ_are_marked() {
    let old = "fn wait(seconds: u64) {\n    sleep(seconds);\n}\n";
    let new = "fn wait(seconds: f64) {\n    log();\n    sleep(seconds * 2.0);\n}\n";
    insta::assert_snapshot!(marked(&between(old, new, 3, 60)), @"
    ⟨Quiet 1 ⟩⟨Removed - fn wait(seconds: ⟩⟨Removed+Changed u64⟩⟨Removed ) {⟩
    ⟨Quiet 2 ⟩⟨Removed -     sleep(seconds);⟩
    ⟨Quiet 1 ⟩⟨Added + fn wait(seconds: ⟩⟨Added+Changed f64⟩⟨Added ) {⟩
    ⟨Quiet 2 ⟩⟨Added +     ⟩⟨Added+Changed log();⟩
    ⟨Quiet 3 ⟩⟨Added + ⟩⟨Added+Changed     ⟩⟨Added sleep(seconds⟩⟨Added+Changed  * 2.0⟩⟨Added );⟩
    ⟨Quiet 4 ⟩  }
    ");
}

#[test]
fn dissimilar_lines_are_not_split_into_words() {
    insta::assert_snapshot!(marked(&between("one\nsame\n", "something else\nsame\n", 3, 60)), @"
    ⟨Quiet 1 ⟩⟨Removed - one⟩
    ⟨Quiet 1 ⟩⟨Added + something else⟩
    ⟨Quiet 2 ⟩  same
    ");
}

#[test]
fn hunks_are_separated_and_numbered() {
    let old = (1..=30).map(|n| format!("line {n}\n")).collect::<Vec<_>>().concat();
    let new = old.replace("line 9\n", "").replace("line 28", "line twenty-eight");
    insta::assert_snapshot!(write(&between(&old, &new, 1, 60), None), @"
     8   line 8
     9 - line 9
     9   line 10
     ⋮
    26   line 27
    28 - line 28
    27 + line twenty-eight
    28   line 29
    ");
}

#[test]
fn patches_are_shown_as_they_are() {
    let hunk = Hunk::from_patch(98, 98, [" \tsame", "-old", "\\ No newline at end of file", "+new\x1b[2J", "", "odd"]);
    insta::assert_snapshot!(marked(&unified(&[hunk], 60)), @"
    ⟨Quiet  98 ⟩      same
    ⟨Quiet  99 ⟩⟨Removed - old⟩
    ⟨Quiet        No newline at end of file⟩
    ⟨Quiet  99 ⟩⟨Added + new⟩
    ⟨Quiet 100⟩
    ⟨Quiet 101 ⟩  odd
    ");
}

#[test]
fn long_lines_are_folded_beside_the_gutter() {
    let hunk = Hunk::from_patch(1, 1, ["+a line that is longer than there is room"]);
    insta::assert_snapshot!(write(&unified(&[hunk], 20), None), @"
    1 + a line that is l
        onger than there
         is room
    ");
}

#[test]
fn equal_texts_have_no_hunks() {
    assert_eq!(hunks("a\nb\n", "a\nb", 3), []);
    assert_eq!(unified(&[], 80), []);
}

#[test]
fn large_dissimilar_texts_get_a_coarser_diff() {
    let lines = |seed: u32| (0..40_000).map(|n| ((n * seed) % 65_537).to_string()).collect::<Vec<_>>().join("\n");
    hold(&between(&lines(31), &lines(77), 3, 80), 80);
}

proptest! {
    #[test]
    fn any_texts_are_compared(old in hostile(), new in hostile(), context in 0_usize..5, width in 4_usize..80) {
        let hunks = hunks(&old, &new, context);
        hold(&unified(&hunks, width), width);
        let (added, removed) = hunks.iter().map(Hunk::counts).fold((0, 0), |(a, r), (added, removed)| (a + added, r + removed));
        let count = |text: &str| text.split_terminator('\n').count();
        prop_assert_eq!(count(&old) + added, count(&new) + removed);
    }

    #[test]
    fn any_patch_is_shown(text in hostile(), start in any::<usize>(), width in 4_usize..80) {
        let hunk = Hunk::from_patch(start, start, text.split('\n'));
        hold(&unified(&[hunk], width), width);
    }
}
