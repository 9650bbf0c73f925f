//! The machine lines at the end of an agent's answer (docs/format E.4).

use super::scan::fields;

/// What an agent used, as its answer or its notification tells it.
///
/// These are figures of the agent's last API call, not sums (docs/format E.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// `total_tokens`, in newer versions `subagent_tokens`.
    pub tokens: Option<u64>,
    /// How many tools it called.
    pub tool_uses: Option<u64>,
    /// How long it took.
    pub duration_ms: Option<u64>,
}

impl Usage {
    /// Reads the inside of `<usage>`: elements (`<tool_uses>3</tool_uses>`) or lines (`tool_uses: 3`).
    pub fn read(inner: &str) -> Self {
        const NAMES: [&str; 4] = ["total_tokens", "subagent_tokens", "tool_uses", "duration_ms"];
        let mut usage = Self::default();
        let lines = inner.lines().filter_map(|line| line.split_once(':'));
        for (name, value) in fields(inner, &NAMES).into_iter().chain(lines) {
            let slot = match name.trim() {
                "total_tokens" | "subagent_tokens" => &mut usage.tokens,
                "tool_uses" => &mut usage.tool_uses,
                "duration_ms" => &mut usage.duration_ms,
                _ => continue,
            };
            *slot = slot.or(value.trim().parse().ok());
        }
        usage
    }
}

/// The machine lines at the end of an agent's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AgentTrailer<'a> {
    /// The agent.
    pub agent_id: Option<&'a str>,
    /// The worktree it left behind.
    pub worktree_path: Option<&'a str>,
    /// The branch of that worktree.
    pub worktree_branch: Option<&'a str>,
    /// What it used.
    pub usage: Option<Usage>,
}

/// Splits an agent's result into its answer and the machine lines at its end.
///
/// ```
/// let (answer, trailer) = format::text::agent_trailer("Seven.\nagentId: a4c6 (for resuming)\n<usage>tool_uses: 2</usage>");
/// assert_eq!(answer, "Seven.");
/// assert_eq!(trailer.agent_id, Some("a4c6"));
/// ```
pub fn agent_trailer(text: &str) -> (&str, AgentTrailer<'_>) {
    let mut trailer = AgentTrailer::default();
    let mut answer = text.trim_end();
    if let Some((before, inner)) = answer.strip_suffix("</usage>").and_then(|body| body.rsplit_once("<usage>"))
        && (before.is_empty() || before.ends_with('\n'))
    {
        trailer.usage = Some(Usage::read(inner));
        answer = before.trim_end();
    }
    loop {
        let (before, line) = answer.rsplit_once('\n').unwrap_or(("", answer));
        let (slot, value) = match line.split_once(": ") {
            Some(("agentId", value)) => (&mut trailer.agent_id, agent_id(value)),
            Some(("worktreePath", value)) => (&mut trailer.worktree_path, Some(value)),
            Some(("worktreeBranch", value)) => (&mut trailer.worktree_branch, Some(value)),
            _ => break,
        };
        // A line that comes twice, or whose id is none, belongs to the answer.
        if slot.is_some() || value.is_none() {
            break;
        }
        *slot = value;
        answer = before.trim_end();
    }
    // Without a machine line the end of the answer is left as it is.
    if trailer == AgentTrailer::default() { (text, trailer) } else { (answer, trailer) }
}

/// The id in `a4c6cf73b (use SendMessage with to: 'a4c6cf73b' to continue this agent)`.
fn agent_id(value: &str) -> Option<&str> {
    let (id, hint) = value.split_once(' ').unwrap_or((value, ""));
    let plausible = !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || "-_@".contains(c));
    (plausible && (hint.is_empty() || hint.starts_with('('))).then_some(id)
}

/// The id and output file in `Async agent launched successfully.\nagentId: …`.
pub(super) fn launch(text: &str) -> Option<(&str, Option<&str>)> {
    let rest = text.strip_prefix("Async agent launched successfully")?;
    let id = rest.lines().find_map(|line| line.strip_prefix("agentId: ")).and_then(agent_id)?;
    let file = rest.lines().find_map(|line| line.strip_prefix("output_file: ")).map(str::trim_end);
    Some((id, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_is_read_in_both_spellings() {
        let read = Usage { tokens: Some(45), tool_uses: Some(3), duration_ms: Some(160) };
        assert_eq!(Usage::read("total_tokens: 45\ntool_uses: 3\nduration_ms: 160"), read);
        assert_eq!(
            Usage::read("<subagent_tokens>45</subagent_tokens><tool_uses>3</tool_uses><duration_ms>160</duration_ms>"),
            read
        );
        assert_eq!(Usage::read("tokens: many"), Usage::default());
    }

    #[test]
    fn all_machine_lines_are_taken_off() {
        let text = "Seven beds.\n\nagentId: a1-b (use SendMessage with to: 'a1-b' to continue this agent)\n\
                    worktreePath: /w/x y\nworktreeBranch: wt-a1\n<usage>total_tokens: 9\ntool_uses: 1\nduration_ms: 5</usage>\n";
        let (answer, trailer) = agent_trailer(text);
        assert_eq!(answer, "Seven beds.");
        assert_eq!(
            trailer,
            AgentTrailer {
                agent_id: Some("a1-b"),
                worktree_path: Some("/w/x y"),
                worktree_branch: Some("wt-a1"),
                usage: Some(Usage { tokens: Some(9), tool_uses: Some(1), duration_ms: Some(5) }),
            }
        );
    }

    #[test]
    fn a_block_may_hold_nothing_else() {
        let (answer, trailer) = agent_trailer("agentId: ab1 (for resuming to continue this agent's work if needed)");
        assert_eq!((answer, trailer.agent_id), ("", Some("ab1")));
    }

    #[test]
    fn an_answer_without_machine_lines_stays_as_it_is() {
        for text in ["Seven.\n", "", "agentId: is a field of the answer", "quoted <usage>x</usage>"] {
            assert_eq!(agent_trailer(text), (text, AgentTrailer::default()));
        }
    }
}
