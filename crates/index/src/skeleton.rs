//! The stored state of a session, from which its story is extended and its cost recomputed without reading its files
//! again.

use ledger::SessionLedger;
use reader::SessionReader;
use rusqlite::{Connection, OptionalExtension as _, params};
use serde::{Deserialize, Serialize};
use sources::Input;

/// The stored state of a session.
#[derive(Debug)]
pub(crate) struct Skeleton {
    /// The files, in the order in which they were added.
    pub(crate) files: Vec<File>,
    /// The output of [`SessionReader::store`].
    state: Vec<u8>,
    ledger: SessionLedger,
}

/// A file of the session.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct File {
    /// Its row.
    pub(crate) id: i64,
    /// Calls without a result, and their tools.
    pub(crate) open_calls: Vec<(String, String)>,
}

impl Skeleton {
    /// Loads the state of a session; `None` if the story must be rebuilt.
    pub(crate) fn load(db: &Connection, session: i64) -> rusqlite::Result<Option<Self>> {
        let mut statement =
            db.prepare_cached("SELECT files, story, ledger FROM skeleton WHERE session = ? AND intact")?;
        let row = statement.query_row([session], |row| {
            let files = postcard::from_bytes(row.get_ref(0)?.as_blob()?).ok();
            let state = row.get_ref(1)?.as_blob_or_null()?.and_then(unpacked);
            Ok((files, state, read_ledger(row.get_ref(2)?.as_blob()?)))
        });
        let Some((Some(files), Some(state), Some(ledger))) = row.optional()? else { return Ok(None) };
        Ok(Some(Self { files, state, ledger }))
    }

    /// The story of the stored state, with these inputs.
    pub(crate) fn reader(self, inputs: Vec<Input>) -> Option<SessionReader> {
        SessionReader::restore(&self.state, self.ledger, inputs)
    }

    /// Saves the state of a session. Without `state`, the cost can be recomputed, but the story cannot be extended.
    pub(crate) fn save(
        db: &Connection,
        session: i64,
        files: &[File],
        state: Option<&[u8]>,
        ledger: Option<&SessionLedger>,
    ) -> rusqlite::Result<()> {
        let files = postcard::to_extend(files, Vec::new()).unwrap_or_default();
        let ledger = ledger.and_then(|ledger| postcard::to_extend(ledger, Vec::new()).ok());
        let ledger = ledger.as_deref().and_then(packed).unwrap_or_default();
        db.prepare_cached("INSERT OR REPLACE INTO skeleton (session, files, story, ledger) VALUES (?, ?, ?, ?)")?
            .execute(params![session, files, state.and_then(packed), ledger])?;
        Ok(())
    }
}

/// Skeletons take a fifth of the file uncompressed, and a ninth compressed.
const LEVEL: i32 = 3;

/// Compresses bytes, prefixed by their length.
fn packed(raw: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = u32::try_from(raw.len()).ok()?.to_le_bytes().to_vec();
    bytes.extend(zstd::bulk::compress(raw, LEVEL).ok()?);
    Some(bytes)
}

fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    let (length, packed) = bytes.split_first_chunk()?;
    zstd::bulk::decompress(packed, usize::try_from(u32::from_le_bytes(*length)).ok()?).ok()
}

/// Decodes the ledger of a session.
pub(crate) fn read_ledger(bytes: &[u8]) -> Option<SessionLedger> {
    postcard::from_bytes(&unpacked(bytes)?).ok()
}
