//! Wording that is the same in every output.

use human::shortened;
use story::TurnState;
use story::facts::Facts;
use story::step::ContextKind;
use styled::clean::clean_line;

/// The remark on a session without a file of its own.
pub const ONLY_SUBAGENTS: &str = "only subagents are left";

/// The state of a turn.
pub const fn turn_state(state: TurnState) -> &'static str {
    match state {
        TurnState::Working => "at work",
        TurnState::Asking => "has a question",
        TurnState::Done => "done",
        TurnState::Interrupted => "interrupted",
        TurnState::Failed => "failed",
    }
}

/// The kind of context besides the prompt.
pub const fn context(kind: ContextKind) -> &'static str {
    match kind {
        ContextKind::File => "file",
        ContextKind::Editor => "editor",
        ContextKind::Image => "image",
        ContextKind::Instructions => "instructions",
        ContextKind::Skill => "skill",
        ContextKind::Hook => "hook",
        ContextKind::Plan => "plan",
        ContextKind::Tasks => "tasks",
        ContextKind::Listing => "available",
        ContextKind::Environment => "environment",
        ContextKind::Reminder => "reminder",
        ContextKind::Filler => "filler",
        ContextKind::Hidden => "hidden",
    }
}

/// The maximum length of a title that is not shortened.
const TITLE: usize = 110;

/// The title of a session; never empty.
pub fn title(facts: &Facts) -> String {
    let names = [facts.title.as_ref().map(|title| &*title.text), Some(&*facts.id)];
    let mut names = names.into_iter().flatten().map(|name| clean_line(name).trim().to_owned());
    names.find(|name| !name.is_empty()).map_or_else(|| "Session".to_owned(), |name| shortened(&name, TITLE))
}
