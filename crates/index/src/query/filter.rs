//! Filters: conditions on an entry other than its words.

use std::ops::Range;

use super::QueryError;
use crate::texts::Role;

/// The field of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// `project:`
    Project,
    /// `tool:`
    Tool,
    /// `role:`
    Role,
    /// `model:`
    Model,
    /// `branch:`
    Branch,
    /// `file:`
    File,
    /// `session:`
    Session,
    /// `is:`
    Is,
    /// `after:`
    After,
    /// `before:`
    Before,
    /// `type:`
    Type,
}

impl Field {
    /// All fields.
    pub const ALL: [Self; 11] = [
        Self::Project,
        Self::Tool,
        Self::Role,
        Self::Model,
        Self::Branch,
        Self::File,
        Self::Session,
        Self::Is,
        Self::After,
        Self::Before,
        Self::Type,
    ];

    /// Its name, without the colon.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Tool => "tool",
            Self::Role => "role",
            Self::Model => "model",
            Self::Branch => "branch",
            Self::File => "file",
            Self::Session => "session",
            Self::Is => "is",
            Self::After => "after",
            Self::Before => "before",
            Self::Type => "type",
        }
    }

    /// An example, for hints.
    const fn example(self) -> &'static str {
        match self {
            Self::Project => "project:api",
            Self::Tool => "tool:Bash",
            Self::Role => "role:user",
            Self::Model => "model:opus",
            Self::Branch => "branch:main",
            Self::File => "file:src/main.rs",
            Self::Session => "session:last",
            Self::Is => "is:error",
            Self::After => "after:2026-08-01 or after:3d",
            Self::Before => "before:2026-08-01 or before:3d",
            Self::Type => "type:attachment",
        }
    }

    /// The field with this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.as_str() == name)
    }

    /// The most similar field to an unknown name.
    pub(super) fn nearest(name: &str) -> Option<Self> {
        match name {
            "since" => return Some(Self::After),
            "until" => return Some(Self::Before),
            _ => {}
        }
        // In a short name, one letter is a large difference.
        let near = match name.len() {
            0..=3 => return None,
            4..=5 => 1,
            _ => 2,
        };
        let distances =
            Self::ALL.into_iter().map(|field| (distance(name.as_bytes(), field.as_str().as_bytes()), field));
        distances.filter(|(distance, _)| *distance <= near).min().map(|(_, field)| field)
    }

    /// Parses the value of a filter.
    pub(super) fn read(self, value: &str, range: Range<usize>) -> Result<Condition, QueryError> {
        let text = value.trim().to_owned();
        if text.is_empty() {
            let name = self.as_str();
            let hint = format!("for example {}; in quotes, \"{name}:\" is a word", self.example());
            return Err(QueryError::new(range, format!("{name}: needs a value right behind it"), hint));
        }
        let one_of = |names: &str| {
            let message = format!("{}: knows no {text}", self.as_str());
            QueryError::new(range.clone(), message, format!("one of {names}"))
        };
        Ok(match self {
            Self::Project => Condition::Project(text),
            Self::Tool => Condition::Tool(text),
            Self::Role => {
                let roles = [Role::User, Role::Assistant, Role::System];
                let role = roles.into_iter().find(|role| role.as_str().eq_ignore_ascii_case(&text));
                Condition::Role(role.ok_or_else(|| one_of(&roles.map(Role::as_str).join(", ")))?)
            }
            Self::Model => Condition::Model(text),
            Self::Branch => Condition::Branch(text),
            Self::File => Condition::File(text),
            Self::Session => Condition::Session(text),
            Self::Is if text.eq_ignore_ascii_case("error") => Condition::Error,
            Self::Is => return Err(QueryError { hint: "is:error finds failures".to_owned(), ..one_of("error") }),
            Self::After => Condition::After(text),
            Self::Before => Condition::Before(text),
            Self::Type => Condition::Type(text),
        })
    }
}

/// A condition of a filter. Values are as typed; the search decides what they match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// It belongs to a project.
    Project(String),
    /// It calls a tool or is a tool's result.
    Tool(String),
    /// It has a role.
    Role(Role),
    /// A model wrote it.
    Model(String),
    /// It was written on a branch.
    Branch(String),
    /// It concerns a file.
    File(String),
    /// It belongs to a session.
    Session(String),
    /// Something failed.
    Error,
    /// It was written after a time.
    After(String),
    /// It was written before a time.
    Before(String),
    /// It has a type.
    Type(String),
}

impl Condition {
    /// Its field.
    pub const fn field(&self) -> Field {
        match self {
            Self::Project(_) => Field::Project,
            Self::Tool(_) => Field::Tool,
            Self::Role(_) => Field::Role,
            Self::Model(_) => Field::Model,
            Self::Branch(_) => Field::Branch,
            Self::File(_) => Field::File,
            Self::Session(_) => Field::Session,
            Self::Error => Field::Is,
            Self::After(_) => Field::After,
            Self::Before(_) => Field::Before,
            Self::Type(_) => Field::Type,
        }
    }
}

/// A filter: at least one of its conditions must hold, or none if it is negated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// Its field.
    pub field: Field,
    /// Whether it is negated.
    pub is_not: bool,
    /// The conditions and their ranges in the query. Never empty.
    pub any: Vec<(Condition, Range<usize>)>,
}

/// The edit distance, counting swapped neighbours as one edit.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut rows: [Vec<usize>; 3] = [vec![0; b.len() + 1], vec![0; b.len() + 1], (0..=b.len()).collect()];
    for (i, x) in a.iter().enumerate() {
        rows.rotate_left(1);
        let [above, before, row] = &mut rows;
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
        for (j, y) in b.iter().enumerate() {
            let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX / 2);
            let mut slips = (at(before, j + 1) + 1).min(at(row, j) + 1).min(at(before, j) + usize::from(x != y));
            let last = (i.checked_sub(1).and_then(|i| a.get(i)), j.checked_sub(1).and_then(|j| b.get(j)));
            if let (Some(last_x), Some(last_y)) = last
                && (x, last_x) == (last_y, y)
            {
                slips = slips.min(at(above, j - 1) + 1);
            }
            if let Some(to) = row.get_mut(j + 1) {
                *to = slips;
            }
        }
    }
    let [_, _, row] = rows;
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances_are_counted_in_slips() {
        let cases =
            [("tool", "tool", 0), ("tol", "tool", 1), ("otol", "tool", 1), ("projcet", "project", 1), ("", "is", 2)];
        for (a, b, slips) in cases {
            assert_eq!(distance(a.as_bytes(), b.as_bytes()), slips, "{a} {b}");
        }
    }
}
