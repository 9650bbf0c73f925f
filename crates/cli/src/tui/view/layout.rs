//! The layout of the screen.

use ratatui::layout::Rect;

/// The areas of the screen.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) all: Rect,
    pub(crate) header: Rect,
    pub(crate) list: Rect,
    /// The line that describes the subject of the preview.
    pub(crate) facts: Rect,
    /// The line between list and preview, if they are side by side.
    pub(crate) divider: Rect,
    /// The preview, if there is room for one.
    pub(crate) preview: Option<Rect>,
    /// The reader, in place of list and preview.
    pub(crate) reader: Rect,
    pub(crate) footer: Rect,
}

/// Width from which list and preview are side by side.
const WIDE: u16 = 110;
/// Width from which both are equally wide, since long lines are hard to read.
const WIDEST: u16 = 150;
/// Minimum number of rows for a preview.
const HIGH: u16 = 13;
/// Minimum number of columns for a preview.
const BROAD: u16 = 36;

impl Layout {
    pub(crate) fn of(all: Rect) -> Self {
        let row = |y: u16| Rect { y, height: 1, ..all }.intersection(all);
        let header = if all.height > 1 { row(all.y) } else { Rect::default() };
        let footer = if all.height > 3 { row(all.bottom() - 1) } else { Rect::default() };
        let height = all.height - header.height - footer.height;
        let body = Rect { y: all.y + header.height, height, ..all };
        let reader = inset(body);
        let plain = Self { all, header, list: body, reader, footer, ..Self::default() };
        if body.height < HIGH || body.width < BROAD {
            return plain;
        }
        if body.width >= WIDE {
            let width = if body.width >= WIDEST { body.width / 2 } else { body.width * 9 / 20 };
            let divider = Rect { x: body.x + width, width: 1, ..body };
            let right = inset(Rect { x: divider.right(), width: body.right() - divider.right(), ..body });
            let facts = Rect { height: 1, ..right };
            let preview = Some(Rect { y: right.y + 1, height: right.height - 1, ..right });
            return Self { list: Rect { width, ..body }, divider, facts, preview, ..plain };
        }
        let list = Rect { height: body.height * 9 / 20, ..body };
        let facts = row(list.bottom());
        let preview = Some(inset(Rect { y: facts.bottom(), height: body.bottom() - facts.bottom(), ..body }));
        Self { list, facts, preview, ..plain }
    }
}

/// Leaves a free column at each side.
fn inset(area: Rect) -> Rect {
    if area.width < 3 { area } else { Rect { x: area.x + 1, width: area.width - 2, ..area } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_the_screen_however_small_it_is() {
        for width in 0..200 {
            for height in 0..60 {
                let all = Rect::new(0, 0, width, height);
                let Layout { header, list, facts, divider, preview, reader, footer, .. } = Layout::of(all);
                for area in [header, list, facts, divider, preview.unwrap_or_default(), reader, footer] {
                    assert!(area.is_empty() || all.intersection(area) == area, "{width}×{height}: {area:?}");
                }
                assert!(height < 2 || width == 0 || !list.is_empty(), "{width}×{height}");
            }
        }
    }
}
