//! The many spellings of a model's name.

use std::borrow::Cow;

/// A model's name without the additions of hosts and gateways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelling<'a> {
    /// `claude-opus-4-5`; for other vendors' models, the name as it is.
    pub id: Cow<'a, str>,
    /// Whether the name includes a cloud region.
    pub in_region: bool,
}

/// Prefixes added by gateways.
const PATHS: [&str; 7] = ["openrouter/", "bedrock/", "converse/", "vertex_ai/", "vertex/", "azure_ai/", "anthropic/"];

/// Bedrock's regions for inference profiles.
const REGIONS: [&str; 9] = ["us", "us-gov", "eu", "apac", "ap", "jp", "au", "ca", "sa"];

/// Maps the spellings of a model to one. It applies rules only: a name that no rule covers stays as it is.
///
/// ```
/// let spellings = ["claude-opus-4-5-20251101", "us.anthropic.claude-opus-4-5-20251101-v1:0", "anthropic/claude-opus-4.5"];
/// for spelling in spellings {
///     assert_eq!(ledger::prices::canonical(spelling).id, "claude-opus-4-5");
/// }
/// assert_eq!(ledger::prices::canonical("opus").id, "opus");
/// ```
pub fn canonical(name: &str) -> Spelling<'_> {
    let (id, in_region) = without_host(name.trim());
    if !id.starts_with("claude-") {
        return Spelling { id: Cow::Borrowed(name), in_region: false };
    }
    let id = without_snapshot(id);
    Spelling { id: version_last(with_dashes(id)), in_region }
}

/// Removes the host of the model, and returns whether that is regional.
fn without_host(name: &str) -> (&str, bool) {
    // An ARN, or Vertex's full path: only the part after the last slash counts.
    let mut id = match name {
        _ if name.starts_with("arn:") || name.contains("publishers/anthropic/models/") => {
            name.rsplit('/').next().unwrap_or(name)
        }
        _ => name,
    };
    while let Some(rest) = PATHS.iter().find_map(|path| id.strip_prefix(path)) {
        id = rest;
    }
    match id.split_once("anthropic.") {
        Some(("" | "global.", rest)) => (rest, false),
        Some((region, rest)) if REGIONS.iter().any(|known| region.strip_suffix('.') == Some(known)) => (rest, true),
        _ => (id, false),
    }
}

/// Removes the snapshot, the hosting suffix, and the context size.
fn without_snapshot(id: &str) -> &str {
    let id = id.strip_suffix("[1m]").or_else(|| id.strip_suffix("[1M]")).unwrap_or(id);
    // Vertex: `@20250929`, `@default`, `@latest`.
    let id = match id.split_once('@') {
        Some((model, snapshot)) if is_date(snapshot) || matches!(snapshot, "default" | "latest") => model,
        _ => id,
    };
    // Bedrock: `-v1:0`, `-v1:0:200k`, `-v2`.
    let id = match id.rsplit_once("-v") {
        Some((model, version))
            if version.starts_with(|first: char| first.is_ascii_digit())
                && version.bytes().all(|byte| byte.is_ascii_digit() || byte == b':' || byte == b'k') =>
        {
            model
        }
        _ => id,
    };
    match id.rsplit_once('-') {
        Some((model, snapshot)) if is_date(snapshot) || snapshot == "latest" => model,
        _ => id,
    }
}

fn is_date(text: &str) -> bool {
    text.len() == 8 && text.starts_with("20") && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `claude-opus-4.5` is `claude-opus-4-5`.
fn with_dashes(id: &str) -> Cow<'_, str> {
    if id.contains('.') { Cow::Owned(id.replace('.', "-")) } else { Cow::Borrowed(id) }
}

/// `claude-4-5-sonnet` is `claude-sonnet-4-5`; up to 3.7 the version came first.
fn version_last(id: Cow<'_, str>) -> Cow<'_, str> {
    let parts: Vec<&str> = id.split('-').collect();
    let is_number = |part: &&str| part.len() < 3 && part.parse::<u8>().is_ok();
    let turned = match parts.as_slice() {
        ["claude", major, family] if is_number(major) && !is_number(family) => Some((*major, None, *family)),
        ["claude", major, minor, family] if is_number(major) && is_number(minor) && !is_number(family) => {
            Some((*major, Some(*minor), *family))
        }
        _ => None,
    };
    match turned {
        Some((major, minor, family)) if major.parse::<u8>().is_ok_and(|major| major >= 4) => {
            let minor = minor.map(|minor| format!("-{minor}")).unwrap_or_default();
            Cow::Owned(format!("claude-{family}-{major}{minor}"))
        }
        _ => id,
    }
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn host_spellings_map_to_one_model() {
        let cases = [
            ("claude-opus-4-5", "claude-opus-4-5", false),
            ("claude-opus-4-5-20251101", "claude-opus-4-5", false),
            ("claude-opus-4-6-20270101", "claude-opus-4-6", false),
            ("claude-sonnet-4-20250514", "claude-sonnet-4", false),
            ("claude-sonnet-4-5-20250929[1m]", "claude-sonnet-4-5", false),
            ("claude-sonnet-4-6[1m]", "claude-sonnet-4-6", false),
            ("claude-opus-4-5@20251101", "claude-opus-4-5", false),
            ("claude-opus-4-6@default", "claude-opus-4-6", false),
            ("claude-3-5-sonnet-v2@20241022", "claude-3-5-sonnet", false),
            ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5", true),
            ("us.anthropic.claude-sonnet-4-5-20250929-v1:0[1m]", "claude-sonnet-4-5", true),
            ("apac.anthropic.claude-sonnet-4-20250514-v1:0", "claude-sonnet-4", true),
            ("global.anthropic.claude-opus-4-6-v1", "claude-opus-4-6", false),
            ("anthropic.claude-3-haiku-20240307-v1:0:200k", "claude-3-haiku", false),
            ("bedrock/us.anthropic.claude-opus-4-8", "claude-opus-4-8", true),
            (
                "arn:aws:bedrock:us-east-1:12:inference-profile/eu.anthropic.claude-haiku-4-5-20251001-v1:0",
                "claude-haiku-4-5",
                true,
            ),
            (
                "arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-opus-4-1-20250805-v1:0",
                "claude-opus-4-1",
                false,
            ),
            ("projects/x/locations/global/publishers/anthropic/models/claude-sonnet-5", "claude-sonnet-5", false),
            ("vertex_ai/claude-sonnet-4-5@20250929", "claude-sonnet-4-5", false),
            ("anthropic/claude-opus-4.5", "claude-opus-4-5", false),
            ("openrouter/anthropic/claude-sonnet-4.5", "claude-sonnet-4-5", false),
            ("claude-4-sonnet-20250514", "claude-sonnet-4", false),
            ("anthropic/claude-4.5-sonnet-20250929", "claude-sonnet-4-5", false),
            ("anthropic/claude-3.7-sonnet", "claude-3-7-sonnet", false),
            ("claude-3-5-haiku-latest", "claude-3-5-haiku", false),
            ("claude-2.1", "claude-2-1", false),
            ("claude-instant-1.2", "claude-instant-1-2", false),
            (" claude-fable-5-1 ", "claude-fable-5-1", false),
        ];
        for (name, id, in_region) in cases {
            let spelling = canonical(name);
            assert_eq!((&*spelling.id, spelling.in_region), (id, in_region), "{name}");
        }
    }

    #[test]
    fn names_without_a_rule_stay_as_they_are() {
        let names = [
            "",
            "opus",
            "sonnet[1m]",
            "glm-5.1",
            "claude-zzz-9",
            "my-claude-opus-4-5",
            "claude-opus-4-5-thinking",
            "mars.anthropic.claude-opus-4-5",
            "arn:aws:bedrock:us-east-1:12:application-inference-profile/ab12cd",
            "nvidia/nemotron-3-super-120b-a12b-20230311:free",
        ];
        for name in names {
            assert_eq!(canonical(name).id, name);
        }
    }
}
