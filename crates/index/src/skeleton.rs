//! A session as far as it is told: with this, it is told on and billed again without reading its files again.

use ledger::SessionLedger;
use reader::Telling;
use rusqlite::{Connection, OptionalExtension as _, params};
use serde::{Deserialize, Serialize};
use sources::Input;

/// The row of a session that can be told on.
#[derive(Debug)]
pub(crate) struct Skeleton {
    /// The files, in the order they were added.
    pub(crate) files: Vec<File>,
    /// What [`Telling::store`] gave.
    told: Vec<u8>,
    ledger: SessionLedger,
}

/// A file of the session.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct File {
    /// Its row.
    pub(crate) id: i64,
    /// Calls that have no answer yet, and their tools.
    pub(crate) open_calls: Vec<(String, String)>,
}

impl Skeleton {
    /// What is kept of a session; `None` if it has to be told anew.
    pub(crate) fn load(db: &Connection, session: i64) -> rusqlite::Result<Option<Self>> {
        let mut statement =
            db.prepare_cached("SELECT files, told, ledger FROM skeleton WHERE session = ? AND intact")?;
        let row = statement.query_row([session], |row| {
            let files = postcard::from_bytes(row.get_ref(0)?.as_blob()?).ok();
            let told = row.get_ref(1)?.as_blob_or_null()?.and_then(unpacked);
            Ok((files, told, read_ledger(row.get_ref(2)?.as_blob()?)))
        });
        let Some((Some(files), Some(told), Some(ledger))) = row.optional()? else { return Ok(None) };
        Ok(Some(Self { files, told, ledger }))
    }

    /// The story, as far as it was told from these inputs.
    pub(crate) fn telling(self, inputs: Vec<Input>) -> Option<Telling> {
        Telling::restore(&self.told, self.ledger, inputs)
    }

    /// Keeps a session. Without `told` it can be billed, but not told on.
    pub(crate) fn save(
        db: &Connection,
        session: i64,
        files: &[File],
        told: Option<&[u8]>,
        ledger: Option<&SessionLedger>,
    ) -> rusqlite::Result<()> {
        let files = postcard::to_extend(files, Vec::new()).unwrap_or_default();
        let ledger = ledger.and_then(|ledger| postcard::to_extend(ledger, Vec::new()).ok());
        let ledger = ledger.as_deref().and_then(packed).unwrap_or_default();
        db.prepare_cached("INSERT OR REPLACE INTO skeleton (session, files, told, ledger) VALUES (?, ?, ?, ?)")?
            .execute(params![session, files, told.and_then(packed), ledger])?;
        Ok(())
    }
}

/// Skeletons would be a fifth of the file; packed, they are a ninth.
const LEVEL: i32 = 3;

/// Packs bytes, after their length.
fn packed(raw: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = u32::try_from(raw.len()).ok()?.to_le_bytes().to_vec();
    bytes.extend(zstd::bulk::compress(raw, LEVEL).ok()?);
    Some(bytes)
}

fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    let (length, packed) = bytes.split_first_chunk()?;
    zstd::bulk::decompress(packed, usize::try_from(u32::from_le_bytes(*length)).ok()?).ok()
}

/// The usage of a session from its bytes.
pub(crate) fn read_ledger(bytes: &[u8]) -> Option<SessionLedger> {
    postcard::from_bytes(&unpacked(bytes)?).ok()
}
