//! Text output of `recount file`.

use std::io::{self, Write};

use index::search::touch::{Change, FileHistory, FileTouch, SessionTouches};
use index::texts::Touch;
use styled::Line;
use styled::Role;
use styled::Style;
use styled::Theme;
use styled::diff::{Hunk, unified};
use styled::wrap;

use crate::cmd::search::place::{self, Sight};

/// Formatting options.
pub(super) struct FileLook<'a> {
    pub(super) width: usize,
    pub(super) colours: bool,
    pub(super) sight: Sight<'a>,
    pub(super) with_patch: bool,
}

pub(super) fn write(out: &mut impl Write, histories: &[FileHistory], look: &FileLook<'_>) -> io::Result<()> {
    let mut lines = Vec::new();
    for (at, history) in histories.iter().enumerate() {
        if at > 0 {
            lines.push(Line::new());
        }
        lines.extend(wrap(&Line::new().with(&history.path, Role::Heading), look.width, &Line::new(), &Line::new()));
        for group in &history.sessions {
            session(&mut lines, group, look);
        }
        if history.has_more {
            lines.push(Line::new().with("  There are more sessions: --limit shows them.", Role::Quiet));
        }
    }
    let theme = look.colours.then(Theme::default);
    out.write_all(styled::write(&lines, theme.as_ref()).as_bytes())
}

fn session(lines: &mut Vec<Line>, group: &SessionTouches, look: &FileLook<'_>) {
    let line = Line::new().with("  ", Style::PLAIN);
    place::heading(lines, line, &group.session, look.width, &look.sight);
    let mut rest = group.touches.as_slice();
    while let Some(first) = rest.first() {
        // Repeated reads within one turn are merged.
        let is_same = |touch: &FileTouch| {
            let what = |touch: &FileTouch| (touch.touch, touch.turn, touch.is_failed, touch.agent.clone());
            what(touch) == what(first) && touch.touch == Touch::Read
        };
        let count = rest.iter().take_while(|touch| is_same(touch)).count().max(1);
        self::touch(lines, first, count, group, look);
        rest = rest.get(count..).unwrap_or_default();
    }
}

fn touch(lines: &mut Vec<Line>, touch: &FileTouch, count: usize, group: &SessionTouches, look: &FileLook<'_>) {
    let what = match (touch.touch, touch.is_failed) {
        (Touch::Read, false) => "read",
        (Touch::Write, false) => "wrote",
        (Touch::Edit, false) => "edited",
        (Touch::Read, true) => "failed to read",
        (Touch::Write, true) => "failed to write",
        (Touch::Edit, true) => "failed to edit",
    };
    let role = if touch.is_failed { Role::Error } else { Role::Tool };
    let mut line = Line::new().with("    ", Style::PLAIN).with(what, role);
    if count > 1 {
        line.push(&format!(" {count} times"), Role::Quiet);
    }
    let (added, removed) = touch.counts();
    if !touch.is_failed && added + removed > 0 {
        line.push(&format!(" +{added}"), Role::Added);
        line.push(&format!(" −{removed}"), Role::Removed);
    }
    place::whereabouts(&mut line, touch.agent.as_ref(), touch.turn, touch.at, &group.session, look.sight.locale);
    lines.extend(wrap(&line, look.width, &Line::new(), &Line::new().with("      ", Style::PLAIN)));
    if look.with_patch && !touch.is_failed {
        let indent = Line::new().with("      ", Style::PLAIN);
        let hunks: Vec<Hunk<'_>> = touch.patch.iter().map(hunk).collect();
        for line in unified(&hunks, look.width.saturating_sub(indent.width())) {
            let mut shown = indent.clone();
            shown.append(&line);
            lines.push(shown);
        }
    }
}

fn hunk(change: &Change) -> Hunk<'_> {
    let number = |number: Option<u64>| number.and_then(|number| usize::try_from(number).ok()).unwrap_or(1);
    Hunk::from_patch(number(change.old_start), number(change.new_start), change.lines.iter().map(String::as_str))
}
