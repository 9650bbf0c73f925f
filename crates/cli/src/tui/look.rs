//! Styles: the terminal's own sixteen colors, or none.

use std::ops::Range;

use anstyle::{AnsiColor, Effects};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use styled::Theme;

/// Styles texts. Without colors they are still bold, dim or underlined.
#[derive(Debug)]
pub(crate) struct TuiLook {
    theme: Theme,
    has_colours: bool,
}

/// Style of matches and of the selection, readable on any background.
pub(crate) const REVERSED: Style = Style::new().add_modifier(Modifier::REVERSED);

impl TuiLook {
    pub(crate) fn new(has_colours: bool) -> Self {
        Self { theme: Theme::default(), has_colours }
    }

    /// Styles a line, with some of its bytes marked as matches.
    pub(crate) fn line<'l>(&self, line: &'l styled::Line, found: &[Range<usize>]) -> Line<'l> {
        let mut spans = Vec::new();
        let mut start = 0;
        for span in line.spans() {
            let style = self.style(self.theme.look(span.style));
            let end = start + span.text.len();
            // Splits spans where a match begins or ends.
            let cuts = found.iter().flat_map(|range| [range.start, range.end]).filter(|at| *at > start && *at < end);
            let mut at = start;
            for cut in cuts.chain([end]) {
                let text = line.text().get(at..cut).unwrap_or_default();
                let is_found = found.iter().any(|range| range.contains(&at));
                spans.push(Span::styled(text, if is_found { style.patch(REVERSED) } else { style }));
                at = cut;
            }
            start = end;
        }
        Line::from(spans)
    }

    fn style(&self, look: anstyle::Style) -> Style {
        let mut style = Style::new();
        if self.has_colours {
            style.fg = look.get_fg_color().map(color);
            style.bg = look.get_bg_color().map(color);
        }
        let effects = look.get_effects();
        for (effect, modifier) in MODIFIERS {
            if effects.contains(effect) {
                style = style.add_modifier(modifier);
            }
        }
        style
    }
}

const MODIFIERS: [(Effects, Modifier); 6] = [
    (Effects::BOLD, Modifier::BOLD),
    (Effects::DIMMED, Modifier::DIM),
    (Effects::ITALIC, Modifier::ITALIC),
    (Effects::UNDERLINE, Modifier::UNDERLINED),
    (Effects::INVERT, Modifier::REVERSED),
    (Effects::STRIKETHROUGH, Modifier::CROSSED_OUT),
];

fn color(color: anstyle::Color) -> Color {
    match color {
        anstyle::Color::Ansi(color) => match color {
            AnsiColor::Black => Color::Black,
            AnsiColor::Red => Color::Red,
            AnsiColor::Green => Color::Green,
            AnsiColor::Yellow => Color::Yellow,
            AnsiColor::Blue => Color::Blue,
            AnsiColor::Magenta => Color::Magenta,
            AnsiColor::Cyan => Color::Cyan,
            AnsiColor::White => Color::Gray,
            AnsiColor::BrightBlack => Color::DarkGray,
            AnsiColor::BrightRed => Color::LightRed,
            AnsiColor::BrightGreen => Color::LightGreen,
            AnsiColor::BrightYellow => Color::LightYellow,
            AnsiColor::BrightBlue => Color::LightBlue,
            AnsiColor::BrightMagenta => Color::LightMagenta,
            AnsiColor::BrightCyan => Color::LightCyan,
            AnsiColor::BrightWhite => Color::White,
        },
        anstyle::Color::Ansi256(anstyle::Ansi256Color(number)) => Color::Indexed(number),
        anstyle::Color::Rgb(anstyle::RgbColor(red, green, blue)) => Color::Rgb(red, green, blue),
    }
}

#[cfg(test)]
mod tests {
    use styled::Role;

    use super::*;

    #[test]
    fn matches_stand_out_across_styles() {
        let line = styled::Line::new().with("say ", Role::Quiet).with("hello", Role::Strong);
        let found = 2..6;
        let shown = TuiLook::new(true).line(&line, std::slice::from_ref(&found));
        let pieces: Vec<_> = shown
            .spans
            .iter()
            .map(|span| (&*span.content, span.style.add_modifier.contains(Modifier::REVERSED)))
            .collect();
        assert_eq!(pieces, [("sa", false), ("y ", true), ("he", true), ("llo", false)]);
    }

    #[test]
    fn without_colours_there_are_none() {
        let line = styled::Line::new().with("failed", Role::Error);
        let style = TuiLook::new(false).line(&line, &[]).spans.first().map(|span| span.style);
        assert_eq!(style, Some(Style::new().add_modifier(Modifier::BOLD)));
    }
}
