//! Whether a value can be a secret at all: placeholders, ids, hashes, paths and names are none.

/// Texts that mark a value as a placeholder.
const PLACEHOLDERS: [&[u8]; 14] = [
    b"example",
    b"placeholder",
    b"redacted",
    b"changeme",
    b"change_me",
    b"change-me",
    b"your_",
    b"your-",
    b"xxxxx",
    b"*****",
    b"....",
    b"\xe2\x80\xa6",
    b"not-a-real",
    b"dummy",
];
/// The same, where the value has nothing that speaks for it but its name.
const MADE_UP: [&[u8]; 24] = [
    b"test",
    b"fake",
    b"mock",
    b"sample",
    b"demo",
    b"insert",
    b"todo",
    b"foo",
    b"secret",
    b"token",
    b"passw",
    b"api_key",
    b"apikey",
    b"some",
    b"undefined",
    b"null",
    b"none",
    b"invalid",
    b"valid",
    b"wrong",
    b"hidden",
    b"value",
    b"string",
    b"***",
];
/// How ids begin that are no secrets.
const ID_PREFIXES: [&[u8]; 14] = [
    b"toolu_",
    b"srvtoolu_",
    b"msg_",
    b"req_",
    b"sha1-",
    b"sha256-",
    b"sha384-",
    b"sha512-",
    b"sha1:",
    b"sha256:",
    b"sha512:",
    b"call_",
    b"mcp__",
    b"chatcmpl-",
];
/// Passwords that programs have before you change them; they protect nothing.
const DEFAULTS: [&[u8]; 15] = [
    b"postgres",
    b"password",
    b"root",
    b"admin",
    b"guest",
    b"minioadmin",
    b"mysql",
    b"redis",
    b"secret",
    b"user",
    b"pass",
    b"pw",
    b"changeit",
    b"sa",
    b"mongo",
];

/// A value that ends with dots and is no longer than this is the beginning of a form, not of a token.
const SHORTEST_CUT: usize = 20;

/// Whether a value stands for one that is filled in elsewhere.
pub(crate) fn is_placeholder(value: &[u8]) -> bool {
    let first = value.first().copied().unwrap_or(b'<');
    matches!(first, b'<' | b'[' | b'{' | b'(' | b'$')
        || PLACEHOLDERS.iter().any(|word| contains(value, word))
        || (value.ends_with(b"...") && value.len() <= SHORTEST_CUT)
        || (value.len() < 100 && has_long_run(value))
        || (value.len() >= 16 && distinct(value) <= 4)
}

/// Whether a value is a replacement that was made before: `[password 1]`.
pub(crate) fn is_replacement(value: &[u8]) -> bool {
    value.first() == Some(&b'[') && value.last().is_some_and(|&byte| byte == b']' || byte.is_ascii_digit())
}

/// Whether a value looks as if it was drawn at random: what stands beside `token` must.
pub(crate) fn is_strong(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    value.len() >= 12
        && digits >= 2
        && letters >= 3
        && distinct(value) >= 8
        && !is_reference(value)
        && !is_id(value)
        && !is_words(value)
}

/// Whether a value can be the password that its name says it is.
pub(crate) fn is_password(value: &[u8]) -> bool {
    (6..=200).contains(&value.len())
        && !is_reference(value)
        && !is_id(value)
        && !is_default(value)
        && !value.iter().all(u8::is_ascii_digit)
        && (has_mark(value) || value.iter().any(u8::is_ascii_digit))
        && (words(value) < 2 || !is_words(value))
}

/// Whether a password is one that programs have by themselves.
pub(crate) fn is_default(value: &[u8]) -> bool {
    DEFAULTS.iter().any(|word| word.eq_ignore_ascii_case(value))
}

/// Whether a value is made up, so that only a marker of its own could make a secret of it.
pub(crate) fn is_made_up(value: &[u8]) -> bool {
    MADE_UP.iter().any(|word| contains(value, word))
}

/// Whether a value leads to something else: a path, a URL, a variable, a call, an expression.
fn is_reference(value: &[u8]) -> bool {
    let is_path = matches!(
        value.first(),
        Some(
            b'/' | b'~'
                | b'.'
                | b'@'
                | b'#'
                | b'&'
                | b'%'
                | b'!'
                | b'-'
                | b'+'
                | b'='
                | b'*'
                | b'|'
                | b'^'
                | b','
                | b':'
        )
    ) || (value.contains(&b'/') && !is_base64(value))
        || contains(value, b"://")
        || has_extension(value);
    is_path
        || value.iter().any(|byte| {
            matches!(byte, b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'`' | b';' | b'\\' | b' ' | b'|')
        })
        || contains(value, b"::")
        || contains(value, b"->")
        || contains(value, b"=>")
        || contains(value, b"==") && !is_base64(value)
        || is_member(value)
}

/// Whether a value is a chain of names: `process.env.TOKEN`, `config.password`.
fn is_member(value: &[u8]) -> bool {
    let mut parts = value.split(|&byte| byte == b'.').peekable();
    let mut count = 0;
    let all = parts.all(|part| {
        count += 1;
        !part.is_empty()
            && part.len() <= 24
            && !part.first().is_some_and(u8::is_ascii_digit)
            && part.iter().all(|&byte| byte.is_ascii_alphabetic() || byte == b'_')
    });
    all && count >= 2
}

fn has_extension(value: &[u8]) -> bool {
    const EXTENSIONS: [&str; 24] = [
        "js", "ts", "tsx", "jsx", "py", "rs", "go", "rb", "java", "kt", "json", "yaml", "yml", "toml", "md", "txt",
        "sh", "pem", "html", "css", "sql", "env", "log", "lock",
    ];
    let Some(dot) = value.iter().rposition(|&byte| byte == b'.') else { return false };
    let extension = value.get(dot + 1..).unwrap_or_default();
    EXTENSIONS.iter().any(|known| known.as_bytes() == extension)
}

/// Whether a value is an id, a hash, a time or a version.
pub(crate) fn is_id(value: &[u8]) -> bool {
    ID_PREFIXES.iter().any(|prefix| value.starts_with(prefix))
        || is_uuid(value)
        || is_time(value)
        || value.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b':' | b'_' | b','))
}

pub(crate) fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn is_time(value: &[u8]) -> bool {
    value.len() >= 10
        && value.get(4) == Some(&b'-')
        && value.get(7) == Some(&b'-')
        && value.iter().take(4).all(u8::is_ascii_digit)
}

/// Whether a value consists of words, as names of types, variables and settings do: `AccessToken`, `user_token_2`,
/// `sha256-hash`.
fn is_words(value: &[u8]) -> bool {
    let is_name =
        value.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b':'));
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let words = words(value);
    // Random text changes between letters and digits all the time; in names, words are long and numbers rare.
    is_name && words > 0 && letters / words >= 3 && numbers(value) <= 1 && letters * 5 >= value.len() * 3
}

/// The number of words: one begins after anything that is no letter, and with a capital after a small letter.
fn words(value: &[u8]) -> usize {
    let mut last = b' ';
    value
        .iter()
        .filter(|&&byte| {
            let begins = byte.is_ascii_alphabetic()
                && (!last.is_ascii_alphabetic() || (byte.is_ascii_uppercase() && last.is_ascii_lowercase()));
            last = byte;
            begins
        })
        .count()
}

/// The number of runs of digits.
fn numbers(value: &[u8]) -> usize {
    let mut last = b' ';
    value
        .iter()
        .filter(|&&byte| {
            let begins = byte.is_ascii_digit() && !last.is_ascii_digit();
            last = byte;
            begins
        })
        .count()
}

/// Whether a value has a character that names do not have.
fn has_mark(value: &[u8]) -> bool {
    value.iter().any(|byte| matches!(byte, b'!' | b'@' | b'#' | b'%' | b'^' | b'&' | b'*' | b'+' | b'=' | b'?' | b'~'))
}

fn is_base64(value: &[u8]) -> bool {
    value.len() >= 20
        && value.iter().all(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
        && value.iter().any(u8::is_ascii_digit)
        && value.iter().any(u8::is_ascii_uppercase)
        && value.iter().any(u8::is_ascii_lowercase)
}

pub(crate) fn distinct(value: &[u8]) -> usize {
    let mut seen = [false; 256];
    value
        .iter()
        .filter(|&&byte| seen.get_mut(usize::from(byte)).is_some_and(|seen| !std::mem::replace(seen, true)))
        .count()
}

/// Whether a character is repeated six times, or eight follow each other in the alphabet: `000000`, `12345678`.
fn has_long_run(value: &[u8]) -> bool {
    let (mut same, mut rising) = (1, 1);
    value.windows(2).any(|pair| {
        if let [first, second] = pair {
            same = if first == second { same + 1 } else { 1 };
            rising = if first.checked_add(1) == Some(*second) { rising + 1 } else { 1 };
        }
        same >= 6 || rising >= 8
    })
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_a_value_is_no_secret() {
        for value in [
            "<token>",
            "${TOKEN}",
            "$TOKEN",
            "{{ token }}",
            "your-api-key",
            "AKIAIOSFODNN7EXAMPLE",
            "xxxxxxxx",
            "[password 1]",
        ] {
            assert!(is_placeholder(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn names_references_and_ids_are_no_secrets() {
        let none = [
            "process.env.TOKEN",
            "getToken(user1, 2)",
            "AccessTokenProvider2",
            "user_token_v2",
            "/etc/ssl/key1.pem",
            "config.json",
            "2026-11-18T14:20:00Z",
            "toolu_01A2b3C4d5E6f7G8h9",
            "9f0c2a44-5d7e-4b3a-8c21-0123456789ab",
            "4096",
            "1.22.333-4444",
            "sha512-abc123DEF456ghi789==",
        ];
        for value in none {
            assert!(!is_strong(value.as_bytes()), "{value}");
            assert!(!is_password(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn random_values_and_passwords_are() {
        assert!(is_strong(b"q7Zt0bX9mK2wLr5V"));
        assert!(is_strong(b"wJalrXUtnFEMI/K7MDENG/bPxRfiCYzQ8kTLmN2p"));
        for value in ["hunter2", "Tr0ub4dor&3", "correct!horse"] {
            assert!(is_password(value.as_bytes()), "{value}");
        }
    }
}
