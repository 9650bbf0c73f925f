//! The look of each meaning, and lines as text.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Effects};

use crate::line::Line;
use crate::style::{Role, Style};

/// A look for each [`Role`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    looks: [anstyle::Style; Role::ALL.len()],
}

impl Default for Theme {
    /// Sixteen colours at most, chosen to be readable on dark and on light backgrounds: no blue, which is too dark on
    /// black, and no white or bright black, which some terminals show in the colour of the background.
    fn default() -> Self {
        Self { looks: Role::ALL.map(default_look) }
    }
}

fn default_look(role: Role) -> anstyle::Style {
    let plain = anstyle::Style::new();
    match role {
        Role::Quiet | Role::Comment => plain.dimmed(),
        Role::Strong | Role::Heading => plain.bold(),
        Role::Emphasis => plain.italic(),
        Role::Struck => plain.strikethrough(),
        Role::Code | Role::Type | Role::Key | Role::Tool => AnsiColor::Cyan.on_default(),
        Role::Link => AnsiColor::Cyan.on_default().underline(),
        Role::Keyword => AnsiColor::Magenta.on_default(),
        Role::Prompt => AnsiColor::Magenta.on_default().bold(),
        Role::Number | Role::Warning => AnsiColor::Yellow.on_default(),
        Role::String | Role::Added => AnsiColor::Green.on_default(),
        Role::Removed => AnsiColor::Red.on_default(),
        Role::Changed => plain.effects(Effects::BOLD | Effects::UNDERLINE),
        Role::Error => AnsiColor::Red.on_default().bold(),
    }
}

impl Theme {
    /// This theme with another look for a role.
    #[must_use]
    pub fn with(mut self, role: Role, look: anstyle::Style) -> Self {
        if let Some(place) = self.looks.get_mut(role as usize) {
            *place = look;
        }
        self
    }

    /// The look of a style: its roles combined, overridden by the text's own look.
    pub fn look(&self, style: Style) -> anstyle::Style {
        let roles = style.roles().filter_map(|role| self.looks.get(role as usize).copied());
        roles.chain([style.own()]).reduce(lay_over).unwrap_or_default()
    }
}

fn lay_over(below: anstyle::Style, above: anstyle::Style) -> anstyle::Style {
    anstyle::Style::new()
        .fg_color(above.get_fg_color().or(below.get_fg_color()))
        .bg_color(above.get_bg_color().or(below.get_bg_color()))
        .effects(below.get_effects() | above.get_effects())
}

/// The lines as text, each terminated by `\n`; without a theme there are no colours.
pub fn write<'l>(lines: impl IntoIterator<Item = &'l Line>, theme: Option<&Theme>) -> String {
    let mut text = String::new();
    for line in lines {
        match theme {
            None => text.push_str(line.text()),
            Some(theme) => {
                for span in line.spans() {
                    let look = theme.look(span.style);
                    let _ = write!(text, "{look}{}{look:#}", span.text);
                }
            }
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_combined() {
        let own = Style::raw(AnsiColor::Red.on_default()) | Role::Link;
        let line = Line::new().with("a", Role::Link | Role::Strong).with("b", own).with("c", Style::PLAIN);
        assert_eq!(write(&[line], Some(&Theme::default())), "\x1b[1m\x1b[4m\x1b[36ma\x1b[0m\x1b[4m\x1b[31mb\x1b[0mc\n");
    }

    #[test]
    fn looks_can_be_changed() {
        let theme = Theme::default().with(Role::Quiet, AnsiColor::Blue.on_default());
        assert_eq!(write(&[Line::new().with("a", Role::Quiet)], Some(&theme)), "\x1b[34ma\x1b[0m\n");
    }
}
