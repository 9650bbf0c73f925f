//! Inputs and results of tools that show something to the user or talk to the host program.

use super::result::{Outcome, Said, said_in};
use crate::json::{Notes, Raw, Text, Time, record};

record! {
    /// Input of `PushNotification`.
    pub struct PushNotificationInput<'a>: "PushNotification input" {
        message: Option<Text<'a>> = "message",
        status: Option<Text<'a>> = "status",
    }

    /// Result of `PushNotification`.
    pub struct PushNotificationResult<'a>: "PushNotification result" {
        message: Option<Text<'a>> = "message",
        push_sent: Option<bool> = "pushSent",
        local_sent: Option<bool> = "localSent",
        /// `config_off`, `user_present` or `no_transport`.
        disabled_reason: Option<Text<'a>> = "disabledReason",
        sent_at: Option<Time<'a>> = "sentAt",
    }

    /// Input of `SendUserFile`.
    pub struct SendUserFileInput<'a>: "SendUserFile input" {
        files: Vec<Text<'a>> = "files",
        caption: Option<Text<'a>> = "caption",
        display: Option<Text<'a>> = "display",
        status: Option<Text<'a>> = "status",
    }

    /// Files shown to the user.
    pub struct SendUserFileResult<'a>: "SendUserFile result" {
        caption: Option<Text<'a>> = "caption",
        display: Option<Text<'a>> = "display",
        attachments: Vec<SentFile<'a>> = "attachments",
        sent_at: Option<Time<'a>> = "sentAt",
    }

    /// One file that was sent.
    pub struct SentFile<'a>: "sent file" {
        path: Option<Text<'a>> = "path",
        size: Option<i64> = "size",
        is_image: Option<bool> = "isImage",
        media_type: Option<Text<'a>> = "media_type",
        path_validated: Option<bool> = "pathValidated",
        file_uuid: Option<Text<'a>> = "file_uuid",
    }

    /// Input of `SendUserMessage`: the assistant's speech in brief mode.
    pub struct SendUserMessageInput<'a>: "SendUserMessage input" {
        message: Option<Text<'a>> = "message",
        attachments: Vec<Text<'a>> = "attachments",
        status: Option<Text<'a>> = "status",
    }

    /// A message shown to the user.
    pub struct SendUserMessageResult<'a>: "SendUserMessage result" {
        message: Option<Text<'a>> = "message",
        attachments: Vec<SentFile<'a>> = "attachments",
        sent_at: Option<Time<'a>> = "sentAt",
    }

    /// Input of `ReportFindings`.
    pub struct ReportFindingsInput<'a>: "ReportFindings input" {
        level: Option<Text<'a>> = "level",
        findings: Vec<Finding<'a>> = "findings",
    }

    /// One finding of a review.
    pub struct Finding<'a>: "finding" {
        file: Option<Text<'a>> = "file",
        line: Option<i64> = "line",
        summary: Option<Text<'a>> = "summary",
        short_summary: Option<Text<'a>> = "short_summary",
        failure_scenario: Option<Text<'a>> = "failure_scenario",
        category: Option<Text<'a>> = "category",
        /// `CONFIRMED` or `PLAUSIBLE`.
        verdict: Option<Text<'a>> = "verdict",
        /// `fixed`, `skipped` or `no_change_needed`.
        outcome: Option<Text<'a>> = "outcome",
    }

    /// The findings that were reported.
    pub struct ReportFindingsResult<'a>: "ReportFindings result" {
        count: Option<i64> = "count",
        level: Option<Text<'a>> = "level",
        findings: Vec<Finding<'a>> = "findings",
    }

    /// Input of `Projects`.
    pub struct ProjectsInput<'a>: "Projects input" {
        /// `project_info`, `project_read`, `project_search`…
        method: Option<Text<'a>> = "method",
        path: Option<Text<'a>> = "path",
        content: Option<Text<'a>> = "content",
        local_path: Option<Text<'a>> = "local_path",
        present_to_user: Option<bool> = "present_to_user",
        query: Option<Text<'a>> = "query",
        limit: Option<i64> = "n",
    }

    /// Result of `Projects`: the content of a project, or the change to it.
    pub struct ProjectsResult<'a>: "Projects result" {
        method: Option<Text<'a>> = "method",
        notice: Option<Text<'a>> = "notice",
        name: Option<Text<'a>> = "name",
        description: Option<Text<'a>> = "description",
        instructions: Option<Text<'a>> = "instructions",
        /// Paths, or objects with a path.
        docs: Vec<Raw<'a>> = "docs",
        files: Vec<ProjectFile<'a>> = "files",
        sync_sources: Vec<Raw<'a>> = "sync_sources",
        knowledge: Option<Raw<'a>> = "knowledge",
        path: Option<Text<'a>> = "path",
        file_kind: Option<Text<'a>> = "file_kind",
        content: Option<Text<'a>> = "content",
        local_file: Option<Text<'a>> = "local_file",
        local_path: Option<Text<'a>> = "local_path",
        created_at: Option<Time<'a>> = "created_at",
        updated_at: Option<Time<'a>> = "updated_at",
        size_bytes: Option<i64> = "size_bytes",
        truncated: Option<bool> = "truncated",
        rag: Option<bool> = "rag",
        hits: Vec<ProjectHit<'a>> = "hits",
        doc_uuid: Option<Text<'a>> = "doc_uuid",
        replaced: Option<bool> = "replaced",
        present_to_user: Option<bool> = "present_to_user",
        deleted: Option<bool> = "deleted",
    }

    /// A file of a project.
    pub struct ProjectFile<'a>: "project file" {
        path: Option<Text<'a>> = "path",
        file_kind: Option<Text<'a>> = "file_kind",
        size_bytes: Option<i64> = "size_bytes",
        created_at: Option<Time<'a>> = "created_at",
        updated_at: Option<Time<'a>> = "updated_at",
        truncated: Option<bool> = "truncated",
    }

    /// A match in a project.
    pub struct ProjectHit<'a>: "project hit" {
        name: Option<Text<'a>> = "name",
        doc_uuid: Option<Text<'a>> = "doc_uuid",
        text: Option<Text<'a>> = "text",
    }

    /// Input of `ClaudeDesign`.
    pub struct ClaudeDesignInput<'a>: "ClaudeDesign input" {
        operation: Option<Text<'a>> = "operation",
        arguments: Option<Raw<'a>> = "arguments",
    }

    /// Result of `ClaudeDesign`.
    pub struct ClaudeDesignResult<'a>: "ClaudeDesign result" {
        operation: Option<Text<'a>> = "operation",
        content: Vec<Raw<'a>> = "content",
        is_error: Option<bool> = "isError",
    }

    /// The queued notifications.
    pub struct ReadNotificationsResult<'a>: "ReadNotifications result" {
        notifications: Vec<QueuedNotification<'a>> = "notifications",
        remaining: Option<i64> = "remaining",
        read_at: Option<Time<'a>> = "read_at",
    }

    /// One queued notification.
    pub struct QueuedNotification<'a>: "queued notification" {
        id: Option<Text<'a>> = "notification_id",
        origin: Option<Text<'a>> = "origin",
        queued_at: Option<Time<'a>> = "queued_at",
        arrived_at: Option<Time<'a>> = "arrived_at",
        content: Option<Text<'a>> = "content",
    }

    /// Input of `SendFeedback`.
    pub struct SendFeedbackInput<'a>: "SendFeedback input" {
        /// `bug`, `idea` or `missing_capability`.
        kind: Option<Text<'a>> = "type",
        title: Option<Text<'a>> = "title",
        details: Option<Text<'a>> = "details",
        area: Option<Text<'a>> = "area",
        failure_mode: Option<Text<'a>> = "failure_mode",
        task_category: Option<Text<'a>> = "task_category",
    }

    /// Result of `SendFeedback`.
    pub struct SendFeedbackResult<'a>: "SendFeedback result" {
        success: Option<bool> = "success",
        message: Option<Text<'a>> = "message",
    }

    /// Input and result of `SetGoal`.
    pub struct Goal<'a>: "goal" {
        condition: Option<Text<'a>> = "condition",
        ask_user: Option<bool> = "ask_user" | "askUser",
    }

    /// Input of `propose_skills`.
    pub struct ProposeSkillsInput<'a>: "propose_skills input" {
        proposals: Vec<SkillProposal<'a>> = "proposals",
    }

    /// A skill that may be useful.
    pub struct SkillProposal<'a>: "skill proposal" {
        name: Option<Text<'a>> = "name",
        /// `new` or `improvement`.
        kind: Option<Text<'a>> = "kind",
        target: Option<Text<'a>> = "target",
        description: Option<Text<'a>> = "description",
        evidence: Vec<Text<'a>> = "evidence",
        skill_md: Option<Text<'a>> = "skillMd",
    }

    /// Result of `propose_skills`: the number of proposed skills.
    pub struct ProposeSkillsResult: "propose_skills result" {
        proposal_count: Option<i64> = "proposalCount",
    }

    /// The user's response to the offer of the browser extension.
    pub struct OfferChromeSetupResult<'a>: "OfferChromeSetup result" {
        outcome: Option<Text<'a>> = "outcome",
    }

    /// The role that the user picked.
    pub struct RolePickerResult<'a>: "ShowOnboardingRolePicker result" {
        role: Option<Text<'a>> = "role",
        dismissed: Option<bool> = "dismissed",
    }
}

said_in! {
    PushNotificationResult.message,
    SendUserMessageResult.message,
    SendFeedbackResult.message,
    OfferChromeSetupResult.outcome,
}

impl<'a> Outcome<'a> for ReportFindingsResult<'a> {
    /// `2 findings reported.`
    fn from_said(said: &Said<'a, '_>, notes: &mut Notes<'a>) -> Option<Self> {
        let count = said.text.split_once(" finding").and_then(|(count, _)| count.parse().ok());
        if count.is_none() { said.json(notes) } else { Some(Self { count, ..Self::default() }) }
    }
}

// The text of these results is understood only if it is JSON.
impl<'a> Outcome<'a> for SendUserFileResult<'a> {}
impl<'a> Outcome<'a> for ProjectsResult<'a> {}
impl<'a> Outcome<'a> for ClaudeDesignResult<'a> {}
impl<'a> Outcome<'a> for ReadNotificationsResult<'a> {}
impl<'a> Outcome<'a> for Goal<'a> {}
impl Outcome<'_> for ProposeSkillsResult {}
impl<'a> Outcome<'a> for RolePickerResult<'a> {}
