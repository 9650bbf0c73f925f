//! Classifies characters by their role in words.

/// The kinds of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CharacterKind {
    /// An upper-case letter.
    Upper,
    /// Any other letter.
    Lower,
    /// A digit.
    Digit,
    /// A letter of a script without spaces, or with short words that change their endings.
    Dense,
    /// An optional sign on or between letters: an accent, a vowel point, a joiner.
    Mark,
    /// Every other character, which separates words.
    Other,
}

/// The kind of a character.
pub(super) fn kind(letter: char) -> CharacterKind {
    match letter {
        'a'..='z' => CharacterKind::Lower,
        'A'..='Z' => CharacterKind::Upper,
        '0'..='9' => CharacterKind::Digit,
        '\0'..='\x7f' => CharacterKind::Other,
        // Dashes, quotes, arrows, frames and pictures are frequent, so they are decided early.
        '\u{200c}'..='\u{200d}' | '\u{2060}' => CharacterKind::Mark,
        '\u{2000}'..='\u{206f}' | '\u{2190}'..='\u{245f}' | '\u{2500}'..='\u{2775}' | '\u{1f300}'..='\u{1faff}' => {
            CharacterKind::Other
        }
        _ if is_mark(letter) => CharacterKind::Mark,
        _ if is_dense(letter) => CharacterKind::Dense,
        _ if letter.is_lowercase() => CharacterKind::Lower,
        _ if letter.is_uppercase() => CharacterKind::Upper,
        _ if letter.is_numeric() => CharacterKind::Digit,
        _ if letter.is_alphabetic() => CharacterKind::Lower,
        _ => CharacterKind::Other,
    }
}

/// Accents, points of Hebrew and Arabic, and the signs of Indic scripts that Unicode does not classify as letters.
fn is_mark(letter: char) -> bool {
    matches!(letter,
        '\u{ad}'
        | '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}'
        | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}'..='\u{5c2}' | '\u{5c4}'..='\u{5c5}' | '\u{5c7}'
        | '\u{610}'..='\u{61a}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}'
        | '\u{6df}'..='\u{6e4}' | '\u{6e7}'..='\u{6e8}' | '\u{6ea}'..='\u{6ed}'
        | '\u{93c}' | '\u{94d}' | '\u{9bc}' | '\u{9cd}' | '\u{a3c}' | '\u{a4d}' | '\u{abc}' | '\u{acd}'
        | '\u{b3c}' | '\u{b4d}' | '\u{bcd}' | '\u{c4d}' | '\u{cbc}' | '\u{ccd}' | '\u{d4d}' | '\u{dca}'
        | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}' | '\u{feff}')
}

/// Thai, Lao, Burmese, Khmer, Chinese, Japanese and Korean.
fn is_dense(letter: char) -> bool {
    matches!(letter,
        '\u{e01}'..='\u{e3e}' | '\u{e40}'..='\u{e4e}' | '\u{e50}'..='\u{e59}' | '\u{e81}'..='\u{edf}'
        | '\u{1000}'..='\u{1049}' | '\u{1050}'..='\u{109d}'
        | '\u{1100}'..='\u{11ff}'
        | '\u{1780}'..='\u{17d3}' | '\u{17d7}' | '\u{17dc}'..='\u{17e9}'
        | '\u{2e80}'..='\u{2fdf}'
        | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3031}'..='\u{3035}' | '\u{3038}'..='\u{303c}'
        | '\u{3041}'..='\u{309a}' | '\u{309d}'..='\u{309f}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{318f}'
        | '\u{31a0}'..='\u{31bf}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ffdc}'
        | '\u{1b000}'..='\u{1b16f}' | '\u{20000}'..='\u{3ffff}')
}
