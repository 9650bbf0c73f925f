//! The parameters of `ESC [ … m`.

use anstyle::{Ansi256Color, AnsiColor, Color, Effects, RgbColor, Style};

const COLORS: [AnsiColor; 8] = [
    AnsiColor::Black,
    AnsiColor::Red,
    AnsiColor::Green,
    AnsiColor::Yellow,
    AnsiColor::Blue,
    AnsiColor::Magenta,
    AnsiColor::Cyan,
    AnsiColor::White,
];

/// The style after a change; invalid parameters change nothing.
pub(super) fn recolor(mut style: Style, parameters: &str) -> Style {
    let mut groups = parameters.split(';');
    while let Some(group) = groups.next() {
        // `4:3` and `38:2::1:2:3` contain their arguments, those of `38;2;1;2;3` follow.
        let (code, arguments) = group.split_once(':').map_or((group, None), |(code, rest)| (code, Some(rest)));
        let Some(code) = (if code.is_empty() { Some(0) } else { code.parse::<u8>().ok() }) else { continue };
        let set = |style: Style, effect| style.effects(style.get_effects() | effect);
        let unset = |style: Style, effects: Effects| style.effects(style.get_effects().remove(effects));
        style = match code {
            0 => Style::new(),
            1 => set(style, Effects::BOLD),
            2 => set(style, Effects::DIMMED),
            3 => set(style, Effects::ITALIC),
            4 if arguments == Some("0") => unset(style, Effects::UNDERLINE),
            4 | 21 => set(style, Effects::UNDERLINE),
            7 => set(style, Effects::INVERT),
            9 => set(style, Effects::STRIKETHROUGH),
            22 => unset(style, Effects::BOLD | Effects::DIMMED),
            23 => unset(style, Effects::ITALIC),
            24 => unset(style, Effects::UNDERLINE),
            27 => unset(style, Effects::INVERT),
            29 => unset(style, Effects::STRIKETHROUGH),
            30..=37 => style.fg_color(named(code - 30, false)),
            38 => extended(arguments, &mut groups).map_or(style, |color| style.fg_color(Some(color))),
            39 => style.fg_color(None),
            40..=47 => style.bg_color(named(code - 40, false)),
            48 => extended(arguments, &mut groups).map_or(style, |color| style.bg_color(Some(color))),
            49 => style.bg_color(None),
            // The colour of underlines; parsed so that its arguments are not taken for codes.
            58 => extended(arguments, &mut groups).map_or(style, |_| style),
            90..=97 => style.fg_color(named(code - 90, true)),
            100..=107 => style.bg_color(named(code - 100, true)),
            _ => style,
        };
    }
    style
}

fn named(code: u8, bright: bool) -> Option<Color> {
    COLORS.get(usize::from(code)).map(|color| color.bright(bright).into())
}

/// A colour of 256 or a full one: `5;n` and `2;r;g;b`, with colons or semicolons.
fn extended<'t>(arguments: Option<&'t str>, groups: &mut impl Iterator<Item = &'t str>) -> Option<Color> {
    let Some(arguments) = arguments else { return color(groups) };
    // With colons, the three numbers may be preceded by a colour space, usually empty.
    let numbers: Vec<_> = arguments.split(':').take(6).collect();
    match numbers.as_slice() {
        ["2", _, r, g, b, ..] => color(&mut ["2", r, g, b].into_iter()),
        numbers => color(&mut numbers.iter().copied()),
    }
}

fn color<'t>(numbers: &mut impl Iterator<Item = &'t str>) -> Option<Color> {
    let kind = numbers.next()?;
    // Consumes all arguments before any can turn out invalid.
    let mut number = || numbers.next().map(|text| if text.is_empty() { Some(0) } else { text.parse::<u8>().ok() });
    match kind {
        "5" => number()?.map(|index| Ansi256Color(index).into()),
        "2" => {
            let (r, g, b) = (number()?, number()?, number()?);
            Some(RgbColor(r?, g?, b?).into())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_parsed() {
        let cases = [
            ("1;31", "\x1b[1m\x1b[31m"),
            ("31;0", ""),
            ("", ""),
            ("1;2;22;3", "\x1b[3m"),
            ("4:3", "\x1b[4m"),
            ("4;4:0", ""),
            ("38;5;208", "\x1b[38;5;208m"),
            ("38:5:208", "\x1b[38;5;208m"),
            ("48;2;1;2;3", "\x1b[48;2;1;2;3m"),
            ("38:2::1:2:3", "\x1b[38;2;1;2;3m"),
            ("38:2:1:2:3", "\x1b[38;2;1;2;3m"),
            ("38;2;999;2;3;1", "\x1b[1m"),
            ("58;5;1;3", "\x1b[3m"),
            ("38;5", ""),
            ("93;101", "\x1b[93m\x1b[101m"),
            ("5;8;999;x;1", "\x1b[1m"),
        ];
        for (parameters, codes) in cases {
            assert_eq!(recolor(Style::new(), parameters).render().to_string(), codes, "{parameters}");
        }
    }
}
