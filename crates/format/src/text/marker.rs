//! Reads fixed texts that are a whole message in the user role: interruptions, summaries after compaction, approved
//! plans, and prompts that Claude Code writes to itself (docs/format F.2 and F.5).

use super::scan::first_line;

/// The summary that replaces an older part of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompactSummary<'a> {
    /// Its preamble.
    pub form: SummaryForm,
    /// The summary itself.
    pub body: &'a str,
    /// The transcript that the closing paragraph points to.
    pub transcript_path: Option<&'a str>,
}

/// The preambles of a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SummaryForm {
    /// `The summary below covers the earlier portion of the conversation.`
    Current,
    /// `The conversation is summarized below:`
    Old,
    /// Any other second sentence.
    Other,
}

/// An approved plan, as the first prompt of a fresh context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanHandover<'a> {
    /// The plan.
    pub plan: &'a str,
    /// The transcript in which it was written.
    pub transcript_path: Option<&'a str>,
}

/// A text of this module. Each takes up the rest of the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker<'a> {
    Interruption { for_tool_use: bool },
    Summary(CompactSummary<'a>),
    Plan(PlanHandover<'a>),
    ResumeFiller,
    Warmup,
    SuggestionRequest(&'a str),
    SummaryRequest(&'a str),
    UnknownCommand(&'a str),
    TaskEvent(&'a str),
    SystemNotice(&'a str),
}

pub(super) fn marker(text: &str) -> Option<Marker<'_>> {
    let whole = text.trim_end();
    match whole {
        "Continue from where you left off." => return Some(Marker::ResumeFiller),
        "Warmup" => return Some(Marker::Warmup),
        _ => {}
    }
    if let Some(for_tool_use) = interruption(whole) {
        return Some(Marker::Interruption { for_tool_use });
    }
    if whole.starts_with("[SUGGESTION MODE: ") {
        return Some(Marker::SuggestionRequest(whole));
    }
    if whole.starts_with("Your task is to create a detailed summary of the conversation so far") {
        return Some(Marker::SummaryRequest(whole));
    }
    if whole.starts_with("[SYSTEM NOTIFICATION") {
        return Some(Marker::SystemNotice(whole));
    }
    // A queued notification of 2.1.3x, before notifications had tags.
    if whole.starts_with("{\"task_id\":\"") && whole.ends_with('}') {
        return Some(Marker::TaskEvent(whole));
    }
    None.or_else(|| unknown_command(whole).map(Marker::UnknownCommand))
        .or_else(|| summary(whole).map(Marker::Summary))
        .or_else(|| plan(whole).map(Marker::Plan))
}

/// Whether the interruption that `text` reports hit a tool; `None` if it reports no interruption.
pub(super) fn interruption(text: &str) -> Option<bool> {
    match text {
        "[Request interrupted by user]" => Some(false),
        "[Request interrupted by user for tool use]" => Some(true),
        _ => None,
    }
}

/// The name in `Unknown skill: …`, the answer to an unknown command.
fn unknown_command(text: &str) -> Option<&str> {
    let name = text.strip_prefix("Unknown skill: ").or_else(|| text.strip_prefix("Unknown slash command: "))?;
    (!name.is_empty() && !name.contains(char::is_whitespace)).then_some(name)
}

fn summary(text: &str) -> Option<CompactSummary<'_>> {
    let rest = text
        .strip_prefix("This session is being continued from a previous conversation that ran out of context.")?
        .trim_start();
    let (form, body) = None
        .or_else(|| {
            Some((
                SummaryForm::Current,
                rest.strip_prefix("The summary below covers the earlier portion of the conversation.")?,
            ))
        })
        .or_else(|| Some((SummaryForm::Old, rest.strip_prefix("The conversation is summarized below:")?)))
        .unwrap_or((SummaryForm::Other, rest));
    let (body, transcript_path) = split_pointer(body, "compaction");
    Some(CompactSummary { form, body: without_instruction(body).trim(), transcript_path })
}

fn plan(text: &str) -> Option<PlanHandover<'_>> {
    let rest = text.strip_prefix("Implement the following plan:\n")?;
    let (plan, transcript_path) = split_pointer(rest, "exiting plan mode");
    Some(PlanHandover { plan: plan.trim(), transcript_path })
}

/// Splits off `If you need specific details from before … read the full transcript at: …` and everything after it.
fn split_pointer<'a>(text: &'a str, before_what: &str) -> (&'a str, Option<&'a str>) {
    let opening = format!("\nIf you need specific details from before {before_what}");
    let Some((body, pointer)) = text.rsplit_once(opening.as_str()) else { return (text, None) };
    let Some((_, path)) = pointer.split_once("read the full transcript at: ") else { return (text, None) };
    (body, Some(first_line(path).0.trim_end()))
}

/// Removes the instruction to continue, which stands alone if there is no pointer to a transcript.
fn without_instruction(body: &str) -> &str {
    const ORDERS: [&str; 2] = [
        "\nPlease continue the conversation from where we left it off",
        "\nContinue the conversation from where it left off",
    ];
    let split = ORDERS.iter().find_map(|order| body.rsplit_once(order));
    match split {
        // A summary may quote the instruction; the real one is a single last line.
        Some((before, after)) if !after.contains('\n') => before,
        _ => body,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SegmentKind, segments};
    use super::*;

    fn only(text: &str) -> SegmentKind<'_> {
        let mut found = segments(text);
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0).kind
    }

    #[test]
    fn interruptions() {
        assert_eq!(only("[Request interrupted by user]"), SegmentKind::Interruption { for_tool_use: false });
        assert_eq!(
            only("[Request interrupted by user for tool use]"),
            SegmentKind::Interruption { for_tool_use: true }
        );
        let quoted = "[Request interrupted by user] is what I saw";
        assert_eq!(only(quoted), SegmentKind::Plain(quoted));
    }

    #[test]
    fn a_summary_of_today() {
        let text = "This session is being continued from a previous conversation that ran out of context. The summary \
                    below covers the earlier portion of the conversation.\n\nAnalysis:\nBeds dug.\n\nIf you need specific \
                    details from before compaction (like code), read the full transcript at: /p/s.jsonl\nContinue the \
                    conversation from where it left off without asking.";
        assert_eq!(
            only(text),
            SegmentKind::CompactSummary(CompactSummary {
                form: SummaryForm::Current,
                body: "Analysis:\nBeds dug.",
                transcript_path: Some("/p/s.jsonl"),
            })
        );
    }

    #[test]
    fn an_old_summary_and_an_unknown_one() {
        let start = "This session is being continued from a previous conversation that ran out of context.";
        let old = format!(
            "{start} The conversation is summarized below:\nAnalysis:\nDug.\nPlease continue the conversation from where we \
             left it off without asking."
        );
        assert_eq!(
            only(&old),
            SegmentKind::CompactSummary(CompactSummary {
                form: SummaryForm::Old,
                body: "Analysis:\nDug.",
                transcript_path: None
            })
        );
        let other = format!("{start} Here it is: dug.");
        assert!(matches!(only(&other), SegmentKind::CompactSummary(summary) if summary.form == SummaryForm::Other));
    }

    #[test]
    fn a_plan_handed_over() {
        let text = "Implement the following plan:\n\n# Dig\n\n1. Spade\n\n\nIf you need specific details from before \
                    exiting plan mode (like code), read the full transcript at: /p/plan.jsonl";
        assert_eq!(
            only(text),
            SegmentKind::Plan(PlanHandover { plan: "# Dig\n\n1. Spade", transcript_path: Some("/p/plan.jsonl") })
        );
    }

    #[test]
    fn prompts_of_the_program_itself() {
        assert_eq!(only("Continue from where you left off."), SegmentKind::ResumeFiller);
        assert_eq!(only("Warmup"), SegmentKind::Warmup);
        assert!(matches!(only("[SUGGESTION MODE: Suggest.]\n\nFIRST: look"), SegmentKind::SuggestionRequest(_)));
        assert!(matches!(
            only("Your task is to create a detailed summary of the conversation so far, all of it."),
            SegmentKind::SummaryRequest(_)
        ));
        assert_eq!(only("Unknown skill: harrow"), SegmentKind::UnknownCommand { name: "harrow" });
        let event = "{\"task_id\":\"b1\",\"task_type\":\"local_bash\"}";
        assert_eq!(only(event), SegmentKind::TaskEvent(event));
        let notice = "[SYSTEM NOTIFICATION - NOT USER INPUT]\nDusk.";
        assert_eq!(only(notice), SegmentKind::SystemNotice(notice));
    }
}
