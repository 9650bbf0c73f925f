//! Records of file backups, queued prompts, links and worktrees.

use crate::block::Content;
use crate::id::{EntryId, SessionId};
use crate::json::{Map, Raw, Text, Time, record, words};

words! {
    /// A change to the queue of prompts. `remove` usually means that the prompt was delivered in the middle of a turn
    /// (docs/format G.8).
    pub enum QueueOperation {
        Enqueue = "enqueue",
        Dequeue = "dequeue",
        Remove = "remove",
        PopAll = "popAll",
    }
}

record! {
    /// `file-history-snapshot`: copies of files at the time of a prompt.
    pub struct FileHistorySnapshot<'a>: "file-history-snapshot" {
        message_id: Option<EntryId<'a>> = "messageId",
        snapshot: Option<Snapshot<'a>> = "snapshot",
        is_update: Option<bool> = "isSnapshotUpdate",
    }

    /// The copies, by file name.
    pub struct Snapshot<'a>: "snapshot" {
        message_id: Option<EntryId<'a>> = "messageId",
        backups: Map<'a, FileBackup<'a>> = "trackedFileBackups",
        timestamp: Option<Time<'a>> = "timestamp",
    }

    /// A copy of a file.
    pub struct FileBackup<'a>: "file backup" {
        /// Absent if the file did not exist.
        file_name: Option<Text<'a>> = "backupFileName",
        version: Option<i64> = "version",
        time: Option<Time<'a>> = "backupTime",
        real_parent_dir: Option<Text<'a>> = "realParentDir",
    }

    /// `file-history-delta`: one more copy (since 2.1.217).
    pub struct FileHistoryDelta<'a>: "file-history-delta" {
        message_id: Option<EntryId<'a>> = "messageId",
        snapshot_message_id: Option<EntryId<'a>> = "snapshotMessageId",
        tracking_path: Option<Text<'a>> = "trackingPath",
        backup: Option<FileBackup<'a>> = "backup",
    }

    /// `queue-operation`
    pub struct QueueChange<'a>: "queue-operation" {
        operation: Option<QueueOperation<'a>> = "operation",
        content: Option<Content<'a>> = "content",
        reason: Option<Text<'a>> = "reason",
        command_uuid: Option<Text<'a>> = "commandUuid",
        delivery_id: Option<Text<'a>> = "deliveryId",
    }

    /// `pr-link`: a pull request that the session created.
    pub struct PrLink<'a>: "pr-link" {
        number: Option<i64> = "prNumber",
        url: Option<Text<'a>> = "prUrl",
        repository: Option<Text<'a>> = "prRepository",
    }

    /// `frame-link`: a page that the session published.
    pub struct FrameLink<'a>: "frame-link" {
        path: Option<Text<'a>> = "path",
        url: Option<Text<'a>> = "frameUrl",
        title: Option<Text<'a>> = "title",
        artifact_count: Option<i64> = "artifactCount",
    }

    /// `worktree-state`; without a session, the worktree was left.
    pub struct WorktreeState<'a>: "worktree-state" {
        session: Option<Box<WorktreeSession<'a>>> = "worktreeSession",
    }

    /// The worktree that a session works in.
    pub struct WorktreeSession<'a>: "worktreeSession" {
        original_cwd: Option<Text<'a>> = "originalCwd",
        pre_enter_original_cwd: Option<Text<'a>> = "preEnterOriginalCwd",
        worktree_path: Option<Text<'a>> = "worktreePath",
        worktree_name: Option<Text<'a>> = "worktreeName",
        worktree_branch: Option<Text<'a>> = "worktreeBranch",
        original_branch: Option<Text<'a>> = "originalBranch",
        original_head_commit: Option<Text<'a>> = "originalHeadCommit",
        session_id: Option<SessionId<'a>> = "sessionId",
        entered_existing: Option<bool> = "enteredExisting",
    }

    /// `relocated`: the session continues in another directory.
    pub struct Relocated<'a>: "relocated" {
        cwd: Option<Text<'a>> = "relocatedCwd",
    }

    /// `bridge-session`: the session's name in remote control.
    pub struct BridgeSession<'a>: "bridge-session" {
        bridge_session_id: Option<Text<'a>> = "bridgeSessionId",
        last_sequence_num: Option<i64> = "lastSequenceNum",
    }

    /// `transcript_mirror`: entries sent to a store; never on disk.
    pub struct TranscriptMirror<'a>: "transcript_mirror" {
        file_path: Option<Text<'a>> = "filePath",
        entries: Vec<Raw<'a>> = "entries",
    }
}
