//! Generates JSON with one marked value, for every value that a record can contain.

#![allow(dead_code, reason = "not every test asks for everything")]

use format::fields::Shape;

/// The mark of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A unique word.
    Word(String),
    /// A unique number.
    Number(i64),
    /// A flag that is set.
    Flag,
}

/// JSON with only one marked value, and the keys that lead to it.
#[derive(Debug, Clone)]
pub(crate) struct Marked {
    /// The keys, separated by dots.
    pub(crate) path: String,
    /// The JSON.
    pub(crate) json: String,
    /// The JSON without the value.
    pub(crate) bare: String,
    pub(crate) mark: Mark,
}

/// Every value of this shape, each alone.
pub(crate) fn all(shape: &Shape) -> Vec<Marked> {
    let mut leaves = Vec::new();
    walk(shape, 0, &mut leaves);
    for (number, leaf) in leaves.iter_mut().enumerate() {
        // Longer than a preview in a line, and a whole word in every context.
        let (word, figure) = (format!("mk{number:04}word"), 700_000 + i64::try_from(number).unwrap());
        leaf.json = leaf.json.replace("\"WORD\"", &format!("\"{word}\"")).replace("\"NUMBER\"", &figure.to_string());
        leaf.mark = match &leaf.mark {
            Mark::Word(_) => Mark::Word(word),
            Mark::Number(_) => Mark::Number(figure),
            Mark::Flag => Mark::Flag,
        };
    }
    leaves
}

/// Blocks contain blocks; this is deep enough to cover a whole record.
const DEEPEST: usize = 8;

fn walk(shape: &Shape, depth: usize, leaves: &mut Vec<Marked>) {
    if depth > DEEPEST {
        return;
    }
    let leaf = |json: &str, mark| Marked { path: String::new(), json: json.to_owned(), bare: "null".to_owned(), mark };
    let inside = |of: fn() -> Shape| {
        let mut inner = Vec::new();
        walk(&of(), depth + 1, &mut inner);
        inner
    };
    match shape {
        Shape::Text | Shape::Word(_) | Shape::Id | Shape::Time => {
            leaves.push(leaf("\"WORD\"", Mark::Word(String::new())));
        }
        Shape::Number => leaves.push(leaf("\"NUMBER\"", Mark::Number(0))),
        Shape::Flag => leaves.push(leaf("true", Mark::Flag)),
        Shape::Json => leaves.push(leaf("{\"deep\":\"WORD\"}", Mark::Word(String::new()))),
        Shape::List(of) => leaves.extend(inside(*of).into_iter().map(|inner| Marked {
            json: format!("[{}]", inner.json),
            bare: format!("[{}]", inner.bare),
            ..inner
        })),
        Shape::Map(of) => leaves.extend(inside(*of).into_iter().map(|inner| within("name", inner))),
        Shape::Record(keys) => {
            for (key, of) in keys {
                leaves.extend(inside(*of).into_iter().map(|inner| within(key, inner)));
            }
        }
        Shape::Tagged { tag, kinds } => {
            for (kind, of) in kinds {
                for inner in inside(*of) {
                    leaves.push(tagged(tag, kind, inner));
                }
            }
        }
        Shape::Either(of) => {
            // The contents of nested blocks are tested where the blocks are alone.
            for of in of.iter().take(if depth > 3 { 1 } else { usize::MAX }) {
                leaves.extend(inside(*of));
            }
        }
    }
}

/// A value under a key.
pub(crate) fn within(key: &str, inner: Marked) -> Marked {
    let dot = if inner.path.is_empty() { "" } else { "." };
    Marked {
        path: format!("{key}{dot}{}", inner.path),
        json: format!("{{\"{key}\":{}}}", inner.json),
        bare: format!("{{\"{key}\":{}}}", inner.bare),
        mark: inner.mark,
    }
}

/// An object with its tag.
pub(crate) fn tagged(tag: &str, kind: &str, inner: Marked) -> Marked {
    let with = |json: &str| format!("{{\"{tag}\":\"{kind}\",{}", json.strip_prefix('{').expect("an object"));
    Marked {
        path: format!("[{kind}].{}", inner.path),
        json: with(&inner.json),
        bare: with(&inner.bare),
        mark: inner.mark,
    }
}
