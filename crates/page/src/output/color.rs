//! Terminal styles as CSS classes.
//!
//! A page allows no inline styles, and its stylesheet has the sixteen standard colours; every other colour is mapped to
//! the most similar of them.

use anstyle::{Ansi256Color, Color, Effects, RgbColor};

use styled::{Role, Style};

const COLORS: [&str; 16] = [
    "black",
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "white",
    "bright-black",
    "bright-red",
    "bright-green",
    "bright-yellow",
    "bright-blue",
    "bright-magenta",
    "bright-cyan",
    "bright-white",
];

const EFFECTS: [(Effects, &str); 5] = [
    (Effects::BOLD, "ansi-bold"),
    (Effects::DIMMED, "ansi-dim"),
    (Effects::ITALIC, "ansi-italic"),
    (Effects::UNDERLINE, "ansi-underline"),
    (Effects::STRIKETHROUGH, "ansi-strike"),
];

/// Writes the classes of a style separated by spaces, or nothing.
pub(super) fn write_classes(style: Style, page: &mut String) {
    let start = page.len();
    let own = style.own();
    let effects = own.get_effects();
    let mut write = |prefix: &str, name: &str| {
        if page.len() > start {
            page.push(' ');
        }
        page.push_str(prefix);
        page.push_str(name);
    };
    for (effect, class) in EFFECTS {
        if effects.contains(effect) {
            write(class, "");
        }
    }
    if style.has(Role::Quiet) {
        write("ansi-dim", "");
    }
    let (mut text, mut ground) = (own.get_fg_color(), own.get_bg_color());
    if effects.contains(Effects::INVERT) {
        std::mem::swap(&mut text, &mut ground);
        // Default colours are swapped too; this class stands for them, the others override it.
        if text.is_none() || ground.is_none() {
            write("ansi-invert", "");
        }
    }
    if let Some(name) = text.and_then(nearest) {
        write("ansi-", name);
    }
    if let Some(name) = ground.and_then(nearest) {
        write("ansi-on-", name);
    }
}

/// The name of the most similar colour.
fn nearest(color: Color) -> Option<&'static str> {
    let index = match color {
        Color::Ansi(color) => Ansi256Color::from(color).index(),
        Color::Ansi256(Ansi256Color(index)) => match index {
            0..16 => index,
            // A cube of six levels per side, and a row of greys.
            16..232 => {
                let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
                let cell = index - 16;
                alike(level(cell / 36), level(cell / 6 % 6), level(cell % 6))
            }
            232.. => grey(8 + 10 * (index - 232)),
        },
        Color::Rgb(RgbColor(red, green, blue)) => alike(red, green, blue),
    };
    COLORS.get(usize::from(index)).copied()
}

/// Keeps the hue, which carries the meaning: plain distance would make most colours grey.
fn alike(red: u8, green: u8, blue: u8) -> u8 {
    let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
    if most - least < 40 {
        return grey(most);
    }
    let middle = least + (most - least) / 2;
    let hue = u8::from(red > middle) | u8::from(green > middle) << 1 | u8::from(blue > middle) << 2;
    if most > 215 { hue + 8 } else { hue }
}

fn grey(light: u8) -> u8 {
    match light {
        0..64 => 0,
        64..160 => 8,
        160..230 => 7,
        230.. => 15,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(parameters: &str) -> String {
        let lines = styled::ansi::output(&format!("\x1b[{parameters}mx"), super::super::LIMITS).lines;
        let mut classes = String::new();
        write_classes(lines[0].spans().next().unwrap().style, &mut classes);
        classes
    }

    #[test]
    fn other_colours_become_those_most_like_them() {
        let cases = [
            ("38;5;1", "ansi-red"),
            ("38;5;15", "ansi-bright-white"),
            ("38;5;16", "ansi-black"),
            ("38;5;28", "ansi-green"),
            ("38;5;208", "ansi-bright-yellow"),
            ("38;5;231", "ansi-bright-white"),
            ("38;5;232", "ansi-black"),
            ("38;5;244", "ansi-bright-black"),
            ("48;5;52", "ansi-on-red"),
            ("38;2;88;166;255", "ansi-bright-blue"),
            ("38;2;63;185;80", "ansi-green"),
            ("38;2;255;105;180", "ansi-bright-red"),
            ("38;2;188;63;188", "ansi-magenta"),
            ("38;2;120;120;130", "ansi-bright-black"),
            ("38;2;0;0;0", "ansi-black"),
            ("48;2;255;255;255", "ansi-on-bright-white"),
        ];
        for (parameters, expected) in cases {
            assert_eq!(classes(parameters), expected, "{parameters}");
        }
    }

    #[test]
    fn all_the_colours_of_a_terminal_have_names() {
        for (at, name) in COLORS.iter().enumerate() {
            let code = if at < 8 { 30 + at } else { 82 + at };
            assert_eq!(classes(&code.to_string()), format!("ansi-{name}"));
            assert_eq!(classes(&(code + 10).to_string()), format!("ansi-on-{name}"));
            assert_eq!(classes(&format!("38;5;{at}")), format!("ansi-{name}"));
        }
    }

    #[test]
    fn inverted_colours_change_places() {
        assert_eq!(classes("7;31;44"), "ansi-blue ansi-on-red");
        assert_eq!(classes("7;31"), "ansi-invert ansi-on-red");
        assert_eq!(classes("7;44"), "ansi-invert ansi-blue");
        assert_eq!(classes("7;1"), "ansi-bold ansi-invert");
    }
}
