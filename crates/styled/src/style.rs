//! The meaning of a piece of text.

use std::ops::BitOr;

/// One meaning. Where two conflict in a [`Theme`](crate::Theme), the later one in this list wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Less important than the text around it: times, counts, rules, line numbers.
    Quiet,
    /// More important than the text around it.
    Strong,
    /// Emphasised.
    Emphasis,
    /// Struck through.
    Struck,
    /// The title of a section.
    Heading,
    /// Code within prose.
    Code,
    /// A link target.
    Link,
    /// A keyword of a programming language.
    Keyword,
    /// A type, or another name that the language or its conventions highlight.
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
    /// The user's words.
    Prompt,
    /// Something added.
    Added,
    /// Something removed.
    Removed,
    /// The words that differ, within added or removed text.
    Changed,
    /// Something that needs attention.
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

/// A set of meanings, and the colours that the author of the text chose, if any.
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
    /// Plain text.
    pub const PLAIN: Self = Self { roles: 0, raw: anstyle::Style::new() };

    /// The text's own look, independent of the theme.
    pub const fn raw(style: anstyle::Style) -> Self {
        Self { roles: 0, raw: style }
    }

    /// The text's own look.
    pub const fn own(self) -> anstyle::Style {
        self.raw
    }

    /// Whether the style includes this role.
    pub const fn has(self, role: Role) -> bool {
        self.roles & role.bit() != 0
    }

    /// The roles, in order.
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
