//! State records that are new or rare, and the journal of a workflow.

use crate::id::{EntryId, SessionId, ToolUseId};
use crate::json::{Map, Raw, Text, Time, record, words};

words! {
    /// Why earlier entries do not belong to this session.
    pub enum SuppressionCause {
        ForkInherit = "fork_inherit",
        RestoredOwnerMismatch = "restored_owner_mismatch",
    }
}

record! {
    /// `content-replacement`: tool results that were shortened for the model.
    pub struct ContentReplacement<'a>: "content-replacement" {
        replacements: Vec<Replacement<'a>> = "replacements",
    }

    /// A result and its replacement.
    pub struct Replacement<'a>: "replacement" {
        kind: Option<Text<'a>> = "kind",
        tool_use_id: Option<ToolUseId<'a>> = "toolUseId",
        replacement: Option<Text<'a>> = "replacement",
    }

    /// `attribution-snapshot`: the authorship of file contents, for commits.
    pub struct AttributionSnapshot<'a>: "attribution-snapshot" {
        message_id: Option<EntryId<'a>> = "messageId",
        surface: Option<Text<'a>> = "surface",
        file_states: Map<'a, Raw<'a>> = "fileStates",
        prompt_count: Option<i64> = "promptCount",
        prompt_count_at_last_commit: Option<i64> = "promptCountAtLastCommit",
        permission_prompt_count: Option<i64> = "permissionPromptCount",
        escape_count: Option<i64> = "escapeCount",
    }

    /// `speculation-accept`: the result of speculative work was accepted.
    pub struct SpeculationAccept: "speculation-accept" {
        time_saved_ms: Option<f64> = "timeSavedMs",
    }

    /// `marble-origami-commit`: a span was collapsed into a summary; its entries stay in the file.
    pub struct CollapseCommit<'a>: "marble-origami-commit" {
        collapse_id: Option<Text<'a>> = "collapseId",
        summary_uuid: Option<EntryId<'a>> = "summaryUuid",
        summary_content: Option<Text<'a>> = "summaryContent",
        summary: Option<Text<'a>> = "summary",
        first_archived_uuid: Option<EntryId<'a>> = "firstArchivedUuid",
        last_archived_uuid: Option<EntryId<'a>> = "lastArchivedUuid",
    }

    /// `marble-origami-snapshot`: spans that may be collapsed next.
    pub struct CollapseSnapshot<'a>: "marble-origami-snapshot" {
        staged: Vec<StagedSpan<'a>> = "staged",
        armed: Option<bool> = "armed",
        last_spawn_tokens: Option<i64> = "lastSpawnTokens",
    }

    /// A span that may be collapsed.
    pub struct StagedSpan<'a>: "staged span" {
        start_uuid: Option<EntryId<'a>> = "startUuid",
        end_uuid: Option<EntryId<'a>> = "endUuid",
        summary: Option<Text<'a>> = "summary",
        risk: Option<f64> = "risk",
        staged_at: Option<Time<'a>> = "stagedAt",
    }

    /// `marble-origami-reset`
    pub struct CollapseReset: "marble-origami-reset" {}

    /// `fork-context-ref`: the history before this file belongs to another session.
    pub struct ForkContextRef<'a>: "fork-context-ref" {
        parent_session_id: Option<SessionId<'a>> = "parentSessionId",
        parent_last_uuid: Option<EntryId<'a>> = "parentLastUuid",
        context_length: Option<i64> = "contextLength",
    }

    /// `artifact-autoreact-ledger` and `artifact-comment-monitor`
    pub struct ArtifactWatch<'a>: "artifact watch" {
        v: Option<i64> = "v",
        account_uuid: Option<Text<'a>> = "accountUuid",
        artifacts: Map<'a, Raw<'a>> = "artifacts",
    }

    /// `atis-latch`
    pub struct AtisLatch<'a>: "atis-latch" {
        atis: Option<Text<'a>> = "atis",
    }

    /// `cost-state`: the cost of the session so far; the last one counts.
    ///
    /// The only exact cost in a transcript: it includes helper models.
    pub struct CostState<'a>: "cost-state" {
        total_cost_usd: Option<f64> = "totalCostUSD",
        api_duration_ms: Option<f64> = "totalAPIDuration",
        api_duration_without_retries_ms: Option<f64> = "totalAPIDurationWithoutRetries",
        tool_duration_ms: Option<f64> = "totalToolDuration",
        lines_added: Option<i64> = "totalLinesAdded",
        lines_removed: Option<i64> = "totalLinesRemoved",
        duration_ms: Option<f64> = "totalDuration",
        start_time: Option<Time<'a>> = "startTime",
        model_usage: Map<'a, ModelUsage<'a>> = "modelUsage",
        has_unknown_model_cost: Option<bool> = "hasUnknownModelCost",
    }

    /// The usage and cost of one model.
    pub struct ModelUsage<'a>: "model usage" {
        input_tokens: Option<i64> = "inputTokens" | "input_tokens",
        output_tokens: Option<i64> = "outputTokens" | "output_tokens",
        thinking_tokens: Option<i64> = "thinkingTokens" | "thinking_tokens",
        cache_read_input_tokens: Option<i64> = "cacheReadInputTokens" | "cache_read_input_tokens",
        cache_creation_input_tokens: Option<i64> = "cacheCreationInputTokens" | "cache_creation_input_tokens",
        /// The parts of the cache writes, by lifetime.
        cache_creation_5m_input_tokens: Option<i64> = "cacheCreationEphemeral5mInputTokens",
        cache_creation_1h_input_tokens: Option<i64> = "cacheCreationEphemeral1hInputTokens",
        web_search_requests: Option<i64> = "webSearchRequests" | "web_search_requests",
        cost_usd: Option<f64> = "costUSD" | "cost_usd",
        context_window: Option<i64> = "contextWindow" | "context_window",
        max_output_tokens: Option<i64> = "maxOutputTokens" | "max_output_tokens",
        canonical_model: Option<Text<'a>> = "canonicalModel" | "canonical_model",
        provider: Option<Text<'a>> = "provider",
        /// `list`, `managed` or `unknown`.
        cost_basis: Option<Text<'a>> = "costBasis" | "cost_basis",
        service_tier: Option<Text<'a>> = "serviceTier" | "service_tier",
    }

    /// `api-request` and `api-request-shape`: fingerprints of a request.
    pub struct ApiRequest<'a>: "api-request" {
        hash: Option<Text<'a>> = "hash",
        shape_hash: Option<Text<'a>> = "shapeHash",
        request_digest: Option<Raw<'a>> = "requestDigest",
    }

    /// `api-request-blob`: a piece of a request. It repeats the conversation and must never be shown.
    pub struct ApiRequestBlob<'a>: "api-request-blob" {
        hash: Option<Text<'a>> = "hash",
        message: Option<Raw<'a>> = "message",
    }

    /// `history-suppression`: earlier entries do not belong to this session.
    pub struct HistorySuppression<'a>: "history-suppression" {
        cause: Option<SuppressionCause<'a>> = "cause",
    }

    /// `continued-in`: the conversation continues in another session.
    pub struct ContinuedIn<'a>: "continued-in" {
        session_id: Option<SessionId<'a>> = "continuedInSessionId",
    }

    /// `ended-by-model`: the model ended the conversation.
    pub struct EndedByModel: "ended-by-model" {}

    /// `isolation-latch`
    pub struct IsolationLatch<'a>: "isolation-latch" {
        side: Option<Text<'a>> = "side",
    }

    /// `observer-ref`; only its name is known.
    pub struct ObserverRef: "observer-ref" {}

    /// `session-owner`: the account that owns the session; private (docs/format K).
    pub struct SessionOwner<'a>: "session-owner" {
        account_uuid: Option<Text<'a>> = "accountUuid",
        organization_uuid: Option<Text<'a>> = "organizationUuid",
    }

    /// `tools-used`: all tools that were used so far. It may have a `uuid`, but is not part of the tree.
    pub struct ToolsUsed<'a>: "tools-used" {
        tools: Vec<Text<'a>> = "tools",
    }

    /// `repl-mode`: whether Code Mode is on.
    pub struct ReplMode: "repl-mode" {
        repl_mode: Option<bool> = "replMode",
        typed_events: Option<bool> = "typedEvents",
    }

    /// `memory-mode`: memory was switched on or off after this entry.
    pub struct MemoryMode<'a>: "memory-mode" {
        mode: Option<Text<'a>> = "mode",
        after_uuid: Option<EntryId<'a>> = "afterUuid",
        reason: Option<Text<'a>> = "reason",
        account: Option<Raw<'a>> = "account",
        account_choice: Option<Raw<'a>> = "accountChoice",
    }

    /// `dev-mods`: the folder of plugins under development.
    pub struct DevMods<'a>: "dev-mods" {
        folder: Option<Text<'a>> = "folder",
    }

    /// `data-flow-records`: where results came from and went to.
    pub struct DataFlowRecords<'a>: "data-flow-records" {
        v: Option<i64> = "v",
        records: Vec<Raw<'a>> = "records",
        /// The records before it no longer count.
        snapshot: Option<bool> = "snapshot",
    }

    /// `data-flow-incomplete`: the records of the data flow are not complete.
    pub struct DataFlowIncomplete: "data-flow-incomplete" {
        v: Option<i64> = "v",
    }

    /// `derived-from`: the sessions that this one came from.
    pub struct DerivedFrom<'a>: "derived-from" {
        v: Option<i64> = "v",
        sessions: Vec<DerivedSession<'a>> = "sessions",
    }

    /// A session that another one came from.
    pub struct DerivedSession<'a>: "derived session" {
        kind: Option<Text<'a>> = "type",
        id: Option<SessionId<'a>> = "id",
        /// `branch`…
        via: Option<Text<'a>> = "via",
    }

    /// `resume-head-vouch`: a checksum for resuming.
    pub struct ResumeHeadVouch<'a>: "resume-head-vouch" {
        sum: Option<Text<'a>> = "sum",
    }

    /// `line-withheld`: stands for a line that was left out when the file was shared.
    pub struct LineWithheld: "line-withheld" {
        bytes: Option<i64> = "bytes",
    }

    /// `checkpoint`; known only from notes of 2025.
    pub struct Checkpoint<'a>: "checkpoint" {
        id: Option<Text<'a>> = "id",
        commit: Option<Text<'a>> = "commit",
        label: Option<Text<'a>> = "label",
    }

    /// `launched`: a workflow began (journal).
    pub struct WorkflowLaunched: "launched" {}

    /// `started`: an agent of a workflow began (journal). Its end is a `result` line with the same key.
    pub struct WorkflowStarted<'a>: "started" {
        key: Option<Text<'a>> = "key",
        label: Option<Text<'a>> = "label",
        phase: Option<Text<'a>> = "phase",
    }

    /// `failed`: an agent of a workflow failed (journal).
    pub struct WorkflowFailed<'a>: "failed" {
        key: Option<Text<'a>> = "key",
        label: Option<Text<'a>> = "label",
        phase: Option<Text<'a>> = "phase",
        error: Option<Raw<'a>> = "error",
    }
}

impl<'a> DerivedFrom<'a> {
    /// The session that this one came from, if it names one.
    pub fn origin(&self) -> Option<SessionId<'a>> {
        self.sessions.iter().find_map(|session| session.id)
    }
}
