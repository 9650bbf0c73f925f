//! What a piece of text means.

use std::ops::BitOr;

/// One meaning. A later one in this list wins where two want the same thing of a [`Theme`](crate::Theme).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Less important than the text around it: times, counts, rules, line numbers.
    Quiet,
    /// More important than the text around it.
    Strong,
    /// Stressed.
    Emphasis,
    /// Struck out.
    Struck,
    /// The title of a section.
    Heading,
    /// Code within prose.
    Code,
    /// Where one can go.
    Link,
    /// A word of a programming language.
    Keyword,
    /// A type, or another name that the language or its community sets apart.
    Type,
    /// The name of a value: `key: …`, `key = …`.
    Key,
    /// A number.
    Number,
    /// A string.
    String,
    /// A comment.
    Comment,
    /// The name of a tool.
    Tool,
    /// What the user said.
    Prompt,
    /// Something that has been added.
    Added,
    /// Something that has been removed.
    Removed,
    /// The words that differ, within what was added or removed.
    Changed,
    /// Something to watch out for.
    Warning,
    /// Something that failed.
    Error,
}

impl Role {
    /// All roles, in order.
    pub const ALL: [Self; 20] = [
        Self::Quiet,
        Self::Strong,
        Self::Emphasis,
        Self::Struck,
        Self::Heading,
        Self::Code,
        Self::Link,
        Self::Keyword,
        Self::Type,
        Self::Key,
        Self::Number,
        Self::String,
        Self::Comment,
        Self::Tool,
        Self::Prompt,
        Self::Added,
        Self::Removed,
        Self::Changed,
        Self::Warning,
        Self::Error,
    ];

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// Any number of meanings at once, and the colours that the author of the text chose, if any.
///
/// ```
/// use styled::Role;
/// use styled::Style;
///
/// let link = Role::Link | Role::Strong;
/// assert!(link.has(Role::Strong));
/// assert_eq!(Style::PLAIN, Style::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    roles: u32,
    raw: anstyle::Style,
}

impl Style {
    /// Just text.
    pub const PLAIN: Self = Self { roles: 0, raw: anstyle::Style::new() };

    /// Looks as the text itself asked for, whatever the theme.
    pub const fn raw(style: anstyle::Style) -> Self {
        Self { roles: 0, raw: style }
    }

    /// The look that the text itself asked for.
    pub const fn own(self) -> anstyle::Style {
        self.raw
    }

    /// Whether the text means this, among others.
    pub const fn has(self, role: Role) -> bool {
        self.roles & role.bit() != 0
    }

    /// What the text means, in order.
    pub fn roles(self) -> impl Iterator<Item = Role> {
        Role::ALL.into_iter().filter(move |role| self.has(*role))
    }
}

impl From<Role> for Style {
    fn from(role: Role) -> Self {
        Self { roles: role.bit(), ..Self::PLAIN }
    }
}

impl BitOr<Role> for Style {
    type Output = Self;

    fn bitor(self, role: Role) -> Self {
        Self { roles: self.roles | role.bit(), ..self }
    }
}

impl BitOr for Role {
    type Output = Style;

    fn bitor(self, other: Self) -> Style {
        Style::from(self) | other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_roles_are_listed_in_order() {
        for (at, role) in Role::ALL.into_iter().enumerate() {
            assert_eq!(role as usize, at);
        }
        assert_eq!(Role::ALL.last(), Some(&Role::Error));
    }

    #[test]
    fn styles_are_sets_of_roles() {
        let style = Role::Added | Role::Strong | Role::Added;
        assert_eq!(style.roles().collect::<Vec<_>>(), [Role::Strong, Role::Added]);
        assert_eq!(Style::PLAIN.roles().count(), 0);
    }
}
