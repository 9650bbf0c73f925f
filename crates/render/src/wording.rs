//! What things are called, the same in every target.

use story::TurnState;
use story::step::ContextKind;

/// How a turn stands.
pub(crate) const fn turn_state(state: TurnState) -> &'static str {
    match state {
        TurnState::Working => "at work",
        TurnState::Asking => "has a question",
        TurnState::Done => "done",
        TurnState::Interrupted => "interrupted",
        TurnState::Failed => "failed",
    }
}

/// What the model was told beside the prompt.
pub(crate) const fn context(kind: ContextKind) -> &'static str {
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
