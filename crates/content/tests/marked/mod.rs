//! JSON with one marked value, for every value that a record can hold.

#![allow(dead_code, reason = "not every test asks for everything")]

use format::fields::Shape;

/// What a value is marked with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A word that stands nowhere else.
    Word(String),
    /// A number that stands nowhere else.
    Number(i64),
    /// A flag that is set.
    Flag,
}

/// JSON in which nothing stands but one marked value, and what leads to it.
#[derive(Debug, Clone)]
pub(crate) struct Marked {
    /// The keys, with dots between them.
    pub(crate) path: String,
    /// The JSON.
    pub(crate) json: String,
    /// The same without the value.
    pub(crate) bare: String,
    pub(crate) mark: Mark,
}

/// Everything that a value of this shape can hold, each alone.
pub(crate) fn all(shape: &Shape) -> Vec<Marked> {
    let mut leaves = Vec::new();
    walk(shape, 0, &mut leaves);
    for (number, leaf) in leaves.iter_mut().enumerate() {
        // Longer than what is said in a line, and a word wherever it is.
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

/// Blocks hold blocks; this is deep enough to see all of a record.
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
            // What is inside of blocks is tested where they stand alone.
            for of in of.iter().take(if depth > 3 { 1 } else { usize::MAX }) {
                leaves.extend(inside(*of));
            }
        }
    }
}

/// A value by a key.
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
