//! Families of tools, for icons, colours and filters.

use format::tool::{Tool, ToolKind};

/// The family of a tool, by the name that it was called by. A file that is written whole looks different from one that is
/// changed.
pub(crate) fn family(tool: &str) -> &'static str {
    let tool = Tool::named(tool);
    if tool.kind() == Some(ToolKind::Write) { WRITE } else { tool.nature().family.name() }
}

/// How a file looks that is written whole.
pub(crate) const WRITE: &str = "write";

#[cfg(test)]
mod tests {
    use format::tool::Family;

    use super::*;

    /// Without a rule for its family, a call would have no icon.
    #[test]
    fn every_family_has_an_icon() {
        let style = include_str!("../../assets/page.css");
        for name in Family::ALL.iter().map(|family| family.name()).chain([WRITE]) {
            assert!(style.contains(&format!("[data-family=\"{name}\"]")), "{name}");
        }
    }
}
