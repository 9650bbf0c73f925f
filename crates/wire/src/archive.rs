//! Archives: the result of a run, the contents of an archive, and its damage.

use std::path::Path;

use archive::verify::{Damage, Loss, Verified, What};
use archive::{Archive, Kept, Report};
use serde::Serialize;
use sources::kept::{Holdings, KeptSession};
use story::readable::Moment;
use story::step::Millis;

use crate::path;

/// The name and version of the result of a run.
pub const ARCHIVED: &str = "recount.archive/1";

/// The name and version of the contents of an archive.
pub const STATUS: &str = "recount.archive-status/1";

/// The name and version of the damage in an archive.
pub const VERIFY: &str = "recount.archive-verify/1";

/// The result of a run.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct ArchivedOut {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = ARCHIVED)))]
    schema: &'static str,
    /// The folder of the archive.
    archive: String,
    /// Files that were checked.
    files: u64,
    /// Files that are new.
    new: u64,
    /// Files that have grown.
    grown: u64,
    /// Files that were rewritten.
    replaced: u64,
    /// Bytes that are new.
    bytes: u64,
    /// New bytes that the archive already had under another name.
    shared: u64,
    /// Bytes that they occupy in the archive.
    stored: u64,
}

impl ArchivedOut {
    /// The JSON of a run.
    pub fn of(report: &Report, folder: &Path) -> Self {
        let Report { files, new, grown, replaced, bytes, shared, stored } = *report;
        Self { schema: ARCHIVED, archive: path(folder), files, new, grown, replaced, bytes, shared, stored }
    }
}

/// The contents of an archive.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct ArchiveStatusOut {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = STATUS)))]
    schema: &'static str,
    /// The folder of the archive.
    archive: String,
    #[serde(flatten)]
    held: HeldOut,
    sessions: Vec<KeptSessionOut>,
}

/// Numbers, sizes and times of an archive.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct HeldOut {
    /// Sessions.
    pub session_count: u64,
    /// How many of these are only in the archive.
    pub deleted: u64,
    /// Files.
    pub files: u64,
    /// Versions of files.
    pub versions: u64,
    /// Bytes of all versions.
    pub bytes: u64,
    /// Bytes that they occupy.
    pub stored: u64,
    /// When it was last updated.
    pub last_run: Option<Moment>,
    /// When something was last added.
    pub last_change: Option<Moment>,
}

/// An archived session.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct KeptSessionOut {
    session: String,
    /// The machine that it comes from, if that is another one.
    machine: Option<String>,
    /// Whether it is only in the archive.
    deleted: bool,
    files: Vec<KeptFileOut>,
}

/// An archived file.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct KeptFileOut {
    path: String,
    kind: String,
    versions: Vec<KeptVersionOut>,
}

/// A version of an archived file.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct KeptVersionOut {
    bytes: u64,
    /// When it was first seen.
    since: Moment,
    /// When it was last seen.
    until: Moment,
}

impl ArchiveStatusOut {
    /// The JSON of an archive.
    pub fn of(folder: &Path, archive: &Archive, sessions: &[KeptSession<'_>], last_run: Option<Millis>) -> Self {
        let Holdings { sessions: session_count, deleted, files, versions, bytes, stored } =
            Holdings::of(archive, sessions);
        let (last_run, last_change) = (last_run.map(Moment), archive.changed_at().map(Moment));
        Self {
            schema: STATUS,
            archive: path(folder),
            held: HeldOut { session_count, deleted, files, versions, bytes, stored, last_run, last_change },
            sessions: sessions.iter().map(KeptSessionOut::of).collect(),
        }
    }
}

impl KeptSessionOut {
    fn of(session: &KeptSession<'_>) -> Self {
        Self {
            session: session.name.clone(),
            machine: session.machine.map(str::to_owned),
            deleted: session.is_deleted(),
            files: session.files.iter().map(|file| KeptFileOut::of(file)).collect(),
        }
    }
}

impl KeptFileOut {
    fn of(file: &Kept) -> Self {
        let versions = file.versions.iter().map(|version| KeptVersionOut {
            bytes: version.length,
            since: Moment(version.since),
            until: Moment(version.until),
        });
        Self { path: path(&file.name.full()), kind: file.name.kind.to_string(), versions: versions.collect() }
    }
}

/// The damage in an archive.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct ArchiveVerifyOut {
    /// The name and version of this document.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = VERIFY)))]
    schema: &'static str,
    /// Files that were read.
    files: u64,
    /// Versions of these files.
    versions: u64,
    /// Bytes of all versions.
    bytes: u64,
    /// Bytes left behind by a run that did not finish.
    unfinished: u64,
    damages: Vec<DamageOut>,
}

/// A damaged place.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct DamageOut {
    file: String,
    offset: u64,
    what: String,
    /// Whether data is lost; there may be another copy.
    is_lost: bool,
    lost: Vec<LossOut>,
}

/// The data lost to damage.
#[derive(Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
struct LossOut {
    path: String,
    session: String,
    versions: Vec<usize>,
}

impl ArchiveVerifyOut {
    /// The JSON of a verification; `describe` puts a kind of damage into words.
    pub fn of(verified: &Verified, describe: impl Fn(What) -> String) -> Self {
        let damage = |damage: &Damage| DamageOut {
            file: path(&damage.file),
            offset: damage.offset,
            what: describe(damage.what),
            is_lost: !matches!(damage.what, What::Recovered),
            lost: damage.lost.iter().map(LossOut::of).collect(),
        };
        let Verified { files, versions, bytes, unfinished, damages, .. } = verified;
        Self {
            schema: VERIFY,
            files: *files,
            versions: *versions,
            bytes: *bytes,
            unfinished: *unfinished,
            damages: damages.iter().map(damage).collect(),
        }
    }
}

impl LossOut {
    fn of(loss: &Loss) -> Self {
        Self { path: path(&loss.path), session: loss.session.to_string(), versions: loss.versions.clone() }
    }
}
