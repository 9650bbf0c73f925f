//! Open enums of strings: an unknown word is kept as it is.

/// Declares an enum whose variants are words of the format, plus `Other` for the rest.
macro_rules! words {
    ($(
        $(#[$meta:meta])*
        $vis:vis enum $name:ident { $( $variant:ident = $word:literal $(| $alias:literal)* ),+ $(,)? }
    )+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis enum $name<'a> {
            $( #[doc = concat!("`", $word, "`")] $variant, )+
            /// An unknown word.
            Other(crate::json::Text<'a>),
        }

        impl<'a> $name<'a> {
            /// The word as the format spells it.
            pub fn as_str(self) -> &'a str {
                match self {
                    $( Self::$variant => $word, )+
                    Self::Other(word) => word.as_str(),
                }
            }

            /// Reads a word.
            pub fn new(word: crate::json::Text<'a>) -> Self {
                match word.as_str() {
                    $( $word $(| $alias)* => Self::$variant, )+
                    _ => Self::Other(word),
                }
            }
        }

        impl crate::json::Visit for $name<'_> {
            fn visit<'e>(&'e self, key: &'e str, each: &mut crate::json::fields::Each<'_, 'e>) {
                each(key, crate::json::fields::FieldValue::Word(self.as_str()));
            }
            fn shape() -> crate::json::Shape {
                crate::json::Shape::Word(&[$( $word ),+])
            }
        }

        impl<'a> crate::json::Value<'a> for $name<'a> {
            const EXPECTED: &'static str = "text";

            fn from_text(text: &'a str) -> Option<Self> {
                crate::json::Text::from_text(text).map(Self::new)
            }
        }
    )+};
}
pub(crate) use words;
