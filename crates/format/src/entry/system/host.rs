//! Signals to the program that runs Claude Code: repositories, cloud workers, plugin panes.
//!
//! Known from the wire format of 2.1.316 and tests of other readers only (docs/format H.4).

use crate::id::EntryId;
use crate::json::{Raw, Text, record};

record! {
    /// A pull request or change was pushed.
    pub struct CodeChangePublished<'a>: "code_change_published" {
        action: Option<Text<'a>> = "action",
        branch: Option<Text<'a>> = "branch",
        identifier: Option<Text<'a>> = "identifier",
        provider: Option<Text<'a>> = "provider",
        repo: Option<Text<'a>> = "repo",
        url: Option<Text<'a>> = "url",
    }

    /// The repository is on another branch or commit.
    pub struct VcsStateChanged<'a>: "vcs_state_changed" {
        kind: Option<Text<'a>> = "kind",
        branch: Option<Text<'a>> = "branch",
    }

    /// Whether an effort level can change without a new cache.
    pub struct PerTurnEffortChanged<'a>: "per_turn_effort_changed" {
        per_turn_effort_active: Option<bool> = "per_turn_effort_active",
        effort: Option<Text<'a>> = "effort",
    }

    /// The session's twin in the cloud changed.
    pub struct CloudSessionDelta<'a>: "cloud_session_delta" {
        seq: Option<i64> = "seq",
        changed: Vec<Text<'a>> = "changed",
        cloud_session: Option<Raw<'a>> = "cloud_session",
    }

    /// A cloud worker could take the turn over.
    pub struct TurnHandoffAvailable<'a>: "turn_handoff_available" {
        v: Option<i64> = "v",
        tools: Vec<Text<'a>> = "tools",
        worker_epoch: Option<i64> = "worker_epoch",
        relay_marker: Option<bool> = "relay_marker",
        staged_files: Option<bool> = "staged_files",
        no_query_first: Option<bool> = "no_query_first",
        home_files: Option<bool> = "home_files",
        file_names: Option<bool> = "file_names",
    }

    /// A turn was given up for a message that came right after.
    pub struct TurnPreempted<'a>: "turn_preempted" {
        reason: Option<Text<'a>> = "reason",
        preempted_by_uuid: Option<EntryId<'a>> = "preempted_by_uuid",
        preempted_message_uuids: Vec<EntryId<'a>> = "preempted_message_uuids",
    }

    /// A message of another session is held back, let through or dropped.
    pub struct PeerMessageHold<'a>: "peer_message_hold" {
        state: Option<Text<'a>> = "state",
        message_uuid: Option<EntryId<'a>> = "message_uuid",
        lane: Option<Text<'a>> = "lane",
        from: Option<Text<'a>> = "from",
        from_name: Option<Text<'a>> = "from_name",
        cause: Option<Text<'a>> = "cause",
        outcome: Option<Text<'a>> = "outcome",
    }

    /// Only its name is known.
    pub struct InheritedAsksSettled: "inherited_asks_settled" {}

    /// The instruction files are too long.
    pub struct InstructionSizeWarning: "instruction_size_warning" {
        total_chars: Option<i64> = "total_chars",
        total_limit_chars: Option<i64> = "total_limit_chars",
        file_count: Option<i64> = "file_count",
        largest_chars: Option<i64> = "largest_chars",
    }

    /// Only its name is known.
    pub struct FeedbackDraftQueued: "feedback_draft_queued" {}

    /// What kind of program is being written.
    pub struct DevIntent<'a>: "dev_intent" {
        kind: Option<Text<'a>> = "kind",
        trigger: Option<Text<'a>> = "trigger",
    }

    /// A line that a plugin shows.
    pub struct UiText<'a>: "ui text" {
        plugin: Option<Text<'a>> = "plugin",
        text: Option<Text<'a>> = "text",
        timeout_ms: Option<f64> = "timeout_ms",
    }

    /// Parts of the screen to draw again; all if none is named.
    pub struct UiInvalidate<'a>: "ui_invalidate" {
        event: Option<Text<'a>> = "event",
        instances: Vec<UiInstance<'a>> = "instances",
    }

    /// A part of the screen.
    pub struct UiInstance<'a>: "ui instance" {
        surface: Option<Text<'a>> = "surface",
        component: Option<Text<'a>> = "component",
        instance_id: Option<Text<'a>> = "instance_id",
    }

    /// The panes of plugins.
    pub struct UiPanes<'a>: "ui_panes" {
        panes: Vec<UiPane<'a>> = "panes",
        shown_id: Option<Text<'a>> = "shown_id",
        focused_id: Option<Text<'a>> = "focused_id",
        focus_requested_id: Option<Text<'a>> = "focus_requested_id",
    }

    /// A pane.
    pub struct UiPane<'a>: "ui pane" {
        id: Option<Text<'a>> = "id",
        title: Option<Text<'a>> = "title",
        plugin: Option<Text<'a>> = "plugin",
        close_on_escape: Option<bool> = "close_on_escape",
        hold_toasts: Option<bool> = "hold_toasts",
        rows: Option<i64> = "rows",
        columns: Option<i64> = "columns",
    }

    /// A place on a client's screen that is scrolled, focused or filled.
    pub struct UiSite<'a>: "ui site" {
        client_id: Option<Text<'a>> = "client_id",
        component: Option<Text<'a>> = "component",
        instance_id: Option<Text<'a>> = "instance_id",
        plugin: Option<Text<'a>> = "plugin",
        key: Option<Text<'a>> = "key",
        offset: Option<i64> = "offset",
        follow_end: Option<bool> = "follow_end",
    }
}
