//! What things are called, the same in every target.

use human::shortened;
use story::TurnState;
use story::facts::Facts;
use story::step::ContextKind;
use styled::clean::clean_line;

/// Said of a session that has no file of its own left.
pub const ONLY_SUBAGENTS: &str = "only subagents are left";

/// How a turn stands.
pub const fn turn_state(state: TurnState) -> &'static str {
    match state {
        TurnState::Working => "at work",
        TurnState::Asking => "has a question",
        TurnState::Done => "done",
        TurnState::Interrupted => "interrupted",
        TurnState::Failed => "failed",
    }
}

/// What the model was told beside the prompt.
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

/// The longest title that is shown whole.
const TITLE: usize = 110;

/// What a session is called; never empty.
pub fn title(facts: &Facts) -> String {
    let names = [facts.title.as_ref().map(|title| &*title.text), Some(&*facts.id)];
    let mut names = names.into_iter().flatten().map(|name| clean_line(name).trim().to_owned());
    names.find(|name| !name.is_empty()).map_or_else(|| "Session".to_owned(), |name| shortened(&name, TITLE))
}
