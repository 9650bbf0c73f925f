//! What a rule is: what it finds, how sure it is, and how it looks for it.

use serde::Serialize;

use crate::check::Check;

/// How sure a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// A distinctive prefix, length and alphabet, a checksum, a private key, a password inside a URL.
    Certain,
    /// A value beside a telling word.
    Likely,
}

/// The kind of thing that a rule finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// A credential.
    Secret,
    /// A user name, in the path of a home directory and elsewhere.
    User,
    /// The name of a computer.
    Host,
    /// An e-mail address.
    Email,
    /// An IP address.
    Ip,
    /// The id of an account or an organisation.
    Account,
    /// A word or pattern of your own.
    Word,
}

impl Category {
    /// All categories of private things, which can be kept.
    pub const PRIVATE: [Self; 6] = [Self::User, Self::Host, Self::Email, Self::Ip, Self::Account, Self::Word];

    /// The name of the category as people write it: `emails`.
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Secret => "secrets",
            Self::User => "users",
            Self::Host => "hosts",
            Self::Email => "emails",
            Self::Ip => "ips",
            Self::Account => "accounts",
            Self::Word => "words",
        }
    }

    /// The category as people write it: `emails`, `users`.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "secret" | "secrets" => Self::Secret,
            "user" | "users" => Self::User,
            "host" | "hosts" => Self::Host,
            "email" | "emails" => Self::Email,
            "ip" | "ips" => Self::Ip,
            "account" | "accounts" => Self::Account,
            "word" | "words" => Self::Word,
            _ => return None,
        })
    }
}

/// One kind of secret or private thing.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The name of the rule, which stays the same between versions.
    pub id: &'static str,
    /// How sure its findings are.
    pub certainty: Certainty,
    /// The kind of thing that it finds.
    pub category: Category,
    /// The name of what it finds in a replacement: `[github-pat-classic 1]`.
    pub label: &'static str,
    /// Every text that the rule looks at more closely contains one of these, in lower or upper case.
    pub keywords: &'static [&'static str],
    pub(crate) shape: Shape,
    pub(crate) check: Check,
}

/// How a rule looks at a text around one of its keywords.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A pattern around the keyword, which begins at most `lead` bytes before it. Its first group, if it has one, is
    /// the secret.
    Pattern { pattern: &'static str, lead: usize },
    /// A value of this form, assigned to a name with the keyword in it.
    Near { value: &'static str },
    /// All matches in the object around the keyword.
    Members { pattern: &'static str, reach: usize, within_braces: bool },
    /// A block between `-----BEGIN … -----` and `-----END … -----`.
    Block,
    /// The password of a URL.
    Url,
    /// A value beside a telling word.
    Telling,
    /// The name of a user in the path of a home directory.
    Home,
    /// An address around an `@`.
    Email,
    /// The name of a computer with an ending for local networks.
    Host,
    /// A word of your own.
    Word,
    /// What begins with digits and dots or colons has no keyword; the engine looks for it by itself.
    Address,
}

const fn rule(id: &'static str, keywords: &'static [&'static str], shape: Shape) -> Rule {
    Rule {
        id,
        certainty: Certainty::Certain,
        category: Category::Secret,
        label: id,
        keywords,
        shape,
        check: Check::Plausible,
    }
}

/// A token that begins with its keyword.
pub(crate) const fn token(id: &'static str, keywords: &'static [&'static str], pattern: &'static str) -> Rule {
    rule(id, keywords, Shape::Pattern { pattern, lead: 0 })
}

/// A token with its keyword in the middle.
pub(crate) const fn marked(
    id: &'static str,
    keywords: &'static [&'static str],
    lead: usize,
    pattern: &'static str,
) -> Rule {
    rule(id, keywords, Shape::Pattern { pattern, lead })
}

/// A value without a marker of its own, which is known by the name it is assigned to.
pub(crate) const fn near(id: &'static str, keywords: &'static [&'static str], value: &'static str) -> Rule {
    rule(id, keywords, Shape::Near { value }).likely()
}

/// A rule with a way of its own to look at the text.
pub(crate) const fn special(id: &'static str, keywords: &'static [&'static str], shape: Shape) -> Rule {
    rule(id, keywords, shape)
}

impl Rule {
    pub(crate) const fn likely(mut self) -> Self {
        self.certainty = Certainty::Likely;
        self
    }

    pub(crate) const fn certain(mut self) -> Self {
        self.certainty = Certainty::Certain;
        self
    }

    pub(crate) const fn checked(mut self, check: Check) -> Self {
        self.check = check;
        self
    }

    pub(crate) const fn called(mut self, label: &'static str) -> Self {
        self.label = label;
        self
    }

    pub(crate) const fn of(mut self, category: Category) -> Self {
        self.category = category;
        self
    }

    /// The pattern of the rule as a regular expression, with the names of alphabets replaced.
    pub(crate) fn expression(&self) -> Option<String> {
        let (pattern, is_anchored) = match self.shape {
            Shape::Pattern { pattern, lead } => (pattern, lead == 0),
            Shape::Near { value } => (value, true),
            Shape::Members { pattern, .. } => (pattern, false),
            _ => return None,
        };
        let expanded = ALPHABETS.iter().fold(pattern.to_owned(), |text, (name, class)| text.replace(name, class));
        Some(if is_anchored { format!("^(?:{expanded})") } else { expanded })
    }

    /// Whether its secret may have any characters, so that only the end of the line ends it.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.shape, Shape::Pattern { pattern, .. } if pattern.contains("([^") || pattern.contains(r"(\S"))
    }

    /// Whether the pattern tells upper from lower case, so that its keyword does, too.
    pub(crate) fn is_exact(&self) -> bool {
        matches!(self.shape, Shape::Pattern { pattern, .. } if !pattern.starts_with("(?i)"))
    }
}

/// Names of alphabets in patterns.
const ALPHABETS: [(&str, &str); 8] = [
    ("<b62>", "[0-9A-Za-z]"),
    ("<b64>", "[0-9A-Za-z+/]"),
    ("<url>", "[0-9A-Za-z_-]"),
    ("<hex>", "[0-9a-f]"),
    ("<low>", "[0-9a-z]"),
    ("<up>", "[0-9A-Z]"),
    ("<let>", "[A-Za-z]"),
    ("<uuid>", "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"),
];
