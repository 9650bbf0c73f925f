//! Families of tools, for icons, colours and filters.

use format::tool::{Tool, ToolKind};

/// The family of a tool, by the name in the call. Writing a whole file looks different from editing one.
pub(crate) fn family(tool: &str) -> &'static str {
    let tool = Tool::named(tool);
    if tool.kind() == Some(ToolKind::Write) { WRITE } else { tool.nature().family.name() }
}

/// The family of calls that write a whole file.
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
