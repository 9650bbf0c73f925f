//! Inputs and results of artifacts, the pages that the model publishes.

use super::file::ArtifactVersion;
use super::result::Outcome;
use crate::id::TaskId;
use crate::json::{Raw, Text, Time, record};

record! {
    /// Input of `Artifact`.
    pub struct ArtifactInput<'a>: "Artifact input" {
        /// `publish` if absent; `list`, `read`, `watch`, `upload_asset`, `pin`…
        action: Option<Text<'a>> = "action",
        file_path: Option<Text<'a>> = "file_path",
        file_paths: Vec<Text<'a>> = "file_paths",
        url: Option<Text<'a>> = "url",
        title: Option<Text<'a>> = "title",
        favicon: Option<Text<'a>> = "favicon",
        icon: Option<Text<'a>> = "icon",
        description: Option<Text<'a>> = "description",
        label: Option<Text<'a>> = "label",
        prompt: Option<Text<'a>> = "prompt",
        /// `mine`, `shared` or `all`.
        scope: Option<Text<'a>> = "scope",
        limit: Option<i64> = "limit",
        after: Option<Text<'a>> = "after",
        force: Option<bool> = "force",
        pin: Option<bool> = "pin",
        out_dir: Option<Text<'a>> = "out_dir",
        asset_id: Option<Text<'a>> = "asset_id",
        capabilities: Option<Raw<'a>> = "capabilities",
        contract: Option<Text<'a>> = "contract",
    }

    /// The published artifact, or the result of another action in one of the later fields.
    pub struct ArtifactResult<'a>: "Artifact result" {
        url: Option<Text<'a>> = "url",
        path: Option<Text<'a>> = "path",
        artifact_id: Option<Text<'a>> = "artifact_id",
        title: Option<Text<'a>> = "title",
        version: Option<Text<'a>> = "version",
        updated: Option<bool> = "updated",
        unchanged: Option<bool> = "unchanged",
        live_subscription: Option<Text<'a>> = "liveSubscription",
        capabilities: Option<Raw<'a>> = "capabilities",
        stored: Option<Raw<'a>> = "stored",
        contract: Option<Text<'a>> = "contract",
        warnings: Vec<Text<'a>> = "warnings",
        publishes_remaining: Option<i64> = "publishesRemaining",
        publishes_reset_at: Option<Time<'a>> = "publishesResetAt",
        icon: Option<Text<'a>> = "icon",
        favicon_sent: Option<bool> = "faviconSent",
        icon_dropped: Option<bool> = "iconDropped",
        audience: Option<Text<'a>> = "audience",
        seq: Option<i64> = "seq",
        pinned: Option<bool> = "pinned",
        artifacts: Vec<ListedArtifact<'a>> = "artifacts",
        truncated: Option<bool> = "truncated",
        pins_enabled: Option<bool> = "pins_enabled",
        scope: Option<Text<'a>> = "scope",
        external_listed: Option<bool> = "external_listed",
        read: Option<Box<ArtifactRead<'a>>> = "read",
        artifact_read: Option<ArtifactVersion<'a>> = "artifactRead",
        watch: Option<Box<ArtifactWatch<'a>>> = "watch",
        unwatch: Option<ArtifactUnwatch<'a>> = "unwatch",
        watches: Vec<Raw<'a>> = "watches",
        arms: Vec<Raw<'a>> = "arms",
        filter_url: Option<Text<'a>> = "filter_url",
        written: Option<Raw<'a>> = "written",
        asset_upload: Option<Box<Asset<'a>>> = "asset_upload",
        asset_uploads: Option<Box<AssetList<'a>>> = "asset_uploads",
        asset_list: Option<Box<AssetList<'a>>> = "asset_list",
        asset_read: Option<Box<Asset<'a>>> = "asset_read",
        asset_delete: Option<Box<Asset<'a>>> = "asset_delete",
        pin: Option<ArtifactPin<'a>> = "pin",
    }

    /// An artifact in a list.
    pub struct ListedArtifact<'a>: "listed artifact" {
        title: Option<Text<'a>> = "title",
        url: Option<Text<'a>> = "url",
        favicon: Option<Text<'a>> = "favicon",
        updated_at: Option<Time<'a>> = "updatedAt",
        relation: Option<Text<'a>> = "rel",
        external: Option<bool> = "external",
        role: Option<Text<'a>> = "role",
        pinned: Option<bool> = "pinned",
    }

    /// An artifact that was read.
    pub struct ArtifactRead<'a>: "artifact read" {
        url: Option<Text<'a>> = "url",
        title: Option<Text<'a>> = "title",
        bytes: Option<i64> = "bytes",
        code: Option<i64> = "code",
        code_text: Option<Text<'a>> = "codeText",
        result: Option<Text<'a>> = "result",
        duration_ms: Option<i64> = "durationMs",
    }

    /// An artifact that is watched for changes.
    pub struct ArtifactWatch<'a>: "artifact watch" {
        url: Option<Text<'a>> = "url",
        watching: Option<bool> = "watching",
        outcome: Option<Text<'a>> = "outcome",
        reason: Option<Text<'a>> = "reason",
        durable_skip_reason: Option<Text<'a>> = "durable_skip_reason",
        task_id: Option<TaskId<'a>> = "task_id",
        since: Option<Time<'a>> = "since",
        token_expires_at: Option<Time<'a>> = "token_expires_at",
        rail: Option<Text<'a>> = "rail",
        trigger_id: Option<Text<'a>> = "trigger_id",
        durable_since: Option<Time<'a>> = "durable_since",
        status: Option<i64> = "status",
        detail: Option<Text<'a>> = "detail",
        note: Option<Text<'a>> = "note",
        events: Vec<Text<'a>> = "events",
    }

    /// An artifact that is no longer watched.
    pub struct ArtifactUnwatch<'a>: "artifact unwatch" {
        url: Option<Text<'a>> = "url",
        was_watching: Option<bool> = "was_watching",
    }

    /// A file beside an artifact.
    pub struct Asset<'a>: "asset" {
        id: Option<Text<'a>> = "id",
        url: Option<Text<'a>> = "url",
        path: Option<Text<'a>> = "path",
        file_name: Option<Text<'a>> = "file_name",
        file_path: Option<Text<'a>> = "file_path",
        size_bytes: Option<i64> = "size_bytes",
        content_type: Option<Text<'a>> = "content_type",
        sha256: Option<Text<'a>> = "sha256",
        created_at: Option<Time<'a>> = "created_at",
        deleted: Option<bool> = "deleted",
        /// `uploaded`, `failed` or `not_attempted`.
        status: Option<Text<'a>> = "status",
        reason: Option<Text<'a>> = "reason",
        message: Option<Text<'a>> = "message",
        may_be_stored: Option<bool> = "may_be_stored",
        cowritten: Option<bool> = "cowritten",
        outside_writer: Option<bool> = "outside_writer",
        public_read: Option<bool> = "public_read",
        foreign: Option<bool> = "foreign",
    }

    /// Several assets.
    pub struct AssetList<'a>: "asset list" {
        url: Option<Text<'a>> = "url",
        assets: Vec<Asset<'a>> = "assets" | "results",
        usage: Option<Raw<'a>> = "usage",
        next: Option<Text<'a>> = "next",
        cowritten: Option<bool> = "cowritten",
        outside_writer: Option<bool> = "outside_writer",
    }

    /// An artifact that was pinned or unpinned.
    pub struct ArtifactPin<'a>: "artifact pin" {
        action: Option<Text<'a>> = "action",
        url: Option<Text<'a>> = "url",
        pinned: Option<bool> = "pinned",
        title: Option<Text<'a>> = "title",
    }
}

impl<'a> Outcome<'a> for ArtifactResult<'a> {}
