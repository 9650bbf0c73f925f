//! Shortens texts: cuts them at the end, in the middle, or at the start.
//!
//! Lengths are counted in characters; `styled` counts the columns of a terminal.

use std::borrow::Cow;

/// The first `most` characters of a text, with `…` if something is cut off.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
        None => text.to_owned(),
    }
}

/// A text in at most `most` characters, with `…` in place of its middle.
pub fn shorten_middle(text: &str, most: usize) -> Cow<'_, str> {
    let length = text.chars().count();
    if length <= most {
        return Cow::Borrowed(text);
    }
    let room = most.saturating_sub(1);
    let front = room / 2;
    let back = room - front;
    let start: String = text.chars().take(front).collect();
    let end: String = text.chars().skip(length - back).collect();
    Cow::Owned(format!("{start}…{end}"))
}

/// A path in at most `most` characters: it is cut at the start, since its end matters most.
pub fn shorten_path(path: &str, most: usize) -> Cow<'_, str> {
    let length = path.chars().count();
    if length <= most {
        return Cow::Borrowed(path);
    }
    let kept = most.saturating_sub(1);
    Cow::Owned(std::iter::once('…').chain(path.chars().skip(length - kept)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_where_they_matter_least() {
        assert_eq!(shortened("water the beds", 5), "water…");
        assert_eq!(shortened("water the beds", 6), "water…");
        assert_eq!(shortened("beds", 4), "beds");
        assert_eq!(shorten_middle("/home/ana/garden/beds.py", 11), "/home…ds.py");
        assert_eq!(shorten_path("/home/ana/garden/beds.py", 8), "…beds.py");
        for most in 0..4 {
            assert!(shorten_middle("ααααα", most).chars().count() <= most.max(1));
            assert!(shorten_path("ααααα", most).chars().count() <= most.max(1));
        }
    }
}
