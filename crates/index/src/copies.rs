//! Sessions that have messages or calls in common, because one was copied from another, and the session for which each
//! of them counts: the earliest, as in a report about all sessions.
//!
//! Every session has a claim: what identifies its messages and calls in others. After an update, sessions with changed
//! claims and all that share something with them, directly or through others, are counted together. The result depends
//! only on what the sessions contain now, so that a session that is deleted leaves its messages to the next one.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use ledger::{Prices, SessionLedger, settle_together};
use reader::{Copied, SessionReader};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use rustc_hash::{FxHashMap, FxHashSet};
use sources::naming::name_apart;
use sources::{FileKey, Origin, path_text};

use crate::catalogue::Bill;
use crate::skeleton;
use crate::store::place::{PLACE, key_at, origins};
use crate::store::{Index, IndexError};

/// The claim of a session.
#[derive(Debug, Clone)]
struct Claim {
    /// Its row.
    id: i64,
    session: Option<i64>,
    /// What the session contains.
    all: Copied,
    /// The part of it that counts for other sessions.
    foreign: Copied,
    is_settled: bool,
}

impl Claim {
    const COLUMNS: &str = "id, session, messages, calls, foreign_messages, foreign_calls, is_settled";

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let numbers = |at: usize| row.get_ref(at).map(|cell| numbers_in(cell.as_blob().unwrap_or_default()));
        Ok(Self {
            id: row.get(0)?,
            session: row.get(1)?,
            all: Copied { messages: numbers(2)?, calls: numbers(3)? },
            foreign: Copied { messages: numbers(4)?, calls: numbers(5)? },
            is_settled: row.get(6)?,
        })
    }

    fn of(db: &Connection, session: i64) -> rusqlite::Result<Option<Self>> {
        let question = format!("SELECT {} FROM claim WHERE session = ? AND intact", Self::COLUMNS);
        db.prepare_cached(&question)?.query_row([session], Self::read).optional()
    }

    fn keys(&self) -> impl Iterator<Item = u64> {
        self.all.messages.iter().chain(&self.all.calls).copied()
    }

    /// Whether another claim has everything that this one has.
    fn is_within(&self, all: &Copied) -> bool {
        let is_part = |part: &[u64], whole: &[u64]| part.iter().all(|key| whole.binary_search(key).is_ok());
        is_part(&self.all.messages, &all.messages) && is_part(&self.all.calls, &all.calls)
    }
}

/// What counts for other sessions, as far as it is known.
pub(crate) fn known(db: &Connection, session: i64) -> rusqlite::Result<Copied> {
    let question = "SELECT foreign_messages, foreign_calls FROM claim WHERE session = ? AND intact";
    let numbers = |row: &Row<'_>, at| row.get_ref(at).map(|cell| numbers_in(cell.as_blob().unwrap_or_default()));
    let read = |row: &Row<'_>| Ok(Copied { messages: numbers(row, 0)?, calls: numbers(row, 1)? });
    Ok(db.prepare_cached(question)?.query_row([session], read).optional()?.unwrap_or_default())
}

/// Writes the claim of a session that has changed.
pub(crate) fn write(db: &Connection, session: i64, reader: &mut SessionReader) -> rusqlite::Result<()> {
    let messages = reader.ledger().map(SessionLedger::message_keys).unwrap_or_default();
    let all = Copied { messages, calls: reader.parts().0.call_keys() };
    let known = Claim::of(db, session)?;
    let [messages, calls] = [bytes_of(&all.messages), bytes_of(&all.calls)];
    let mut foreign = Copied::default();
    match known {
        Some(known) if known.is_within(&all) => {
            db.prepare_cached("UPDATE claim SET messages = ?2, calls = ?3, is_settled = 0 WHERE id = ?1")?
                .execute(params![known.id, messages, calls])?;
            return Ok(());
        }
        Some(known) => {
            release(db, session)?;
            foreign = known.foreign;
        }
        None => {}
    }
    db.prepare_cached(
        "INSERT INTO claim (session, messages, calls, foreign_messages, foreign_calls) VALUES (?, ?, ?, ?, ?)",
    )?
    .execute(params![session, messages, calls, bytes_of(&foreign.messages), bytes_of(&foreign.calls)])?;
    Ok(())
}

/// Gives up the claim of a session: others may own what it had.
pub(crate) fn release(db: &Connection, session: i64) -> rusqlite::Result<()> {
    db.prepare_cached("UPDATE claim SET session = NULL, is_settled = 0 WHERE session = ?")?.execute([session])?;
    Ok(())
}

/// Lets all sessions that share something be counted again, because prices have changed.
pub(crate) fn unsettle(db: &Connection) -> rusqlite::Result<()> {
    db.execute("UPDATE claim SET is_settled = 0 WHERE foreign_messages != x''", [])?;
    Ok(())
}

/// Lets all sessions be counted again if other folders are selected than before: copies in others do not matter.
pub(crate) fn select(db: &Connection, places: &[PathBuf]) -> rusqlite::Result<()> {
    let places: Vec<_> = places.iter().map(|place| path_text::encode(place)).collect();
    let changed = db.execute(
        "INSERT INTO setting (name, value) VALUES ('counted folders', ?1)
         ON CONFLICT DO UPDATE SET value = ?1 WHERE value != ?1",
        [places.join("\0").into_bytes()],
    )?;
    if changed > 0 {
        db.execute("UPDATE claim SET is_settled = 0", [])?;
    }
    Ok(())
}

/// Counts the sessions with changed claims, and all that share something with them, among those that are meant.
///
/// Returns the main files of sessions for which other calls count than before: they must be read and settled again.
pub(crate) fn settle(
    db: &Connection,
    prices: &Prices,
    is_meant: &dyn Fn(&Path, bool) -> bool,
) -> rusqlite::Result<Vec<FileKey>> {
    let question = "SELECT EXISTS (SELECT 1 FROM claim INDEXED BY claim_unsettled WHERE NOT is_settled)";
    if !db.prepare_cached(question)?.query_row([], |row| row.get::<_, bool>(0))? {
        return Ok(Vec::new());
    }
    let all: Vec<Claim> = db
        .prepare_cached(&format!("SELECT {} FROM claim WHERE intact", Claim::COLUMNS))?
        .query_map([], Claim::read)?
        .collect::<rusqlite::Result<_>>()?;
    let touched = touched(&all);
    let mut changed = Vec::new();
    for group in groups(&touched) {
        let mut members = Vec::new();
        let is_alone = group.len() == 1;
        for claim in group {
            // Nothing shows the figures of other sessions now.
            let is_wanted = |member: &Member<'_>| is_alone || is_meant(&member.main.path, member.is_archived);
            match Member::of(db, claim)?.filter(is_wanted) {
                Some(member) => members.push(member),
                None => {
                    note(db, claim, &claim.foreign)?;
                }
            }
        }
        changed.extend(if members.len() > 1 {
            settle_several(db, members, prices)?
        } else {
            settle_alone(db, members, prices)?
        });
    }
    let mut delete = db.prepare_cached("DELETE FROM claim WHERE id = ?")?;
    for claim in touched.iter().filter(|claim| claim.session.is_none()) {
        delete.execute([claim.id])?;
    }
    Ok(changed)
}

/// A session that is counted.
struct Member<'c> {
    claim: &'c Claim,
    session: i64,
    /// Its id.
    name: String,
    main: FileKey,
    is_archived: bool,
}

impl<'c> Member<'c> {
    fn of(db: &Connection, claim: &'c Claim) -> rusqlite::Result<Option<Self>> {
        let Some(session) = claim.session else { return Ok(None) };
        let read = |row: &Row<'_>| {
            Ok(Self { claim, session, name: row.get(0)?, is_archived: row.get(1)?, main: key_at(row, 2)? })
        };
        db.prepare_cached(&format!(
            "SELECT n.name, s.is_archived, {PLACE} FROM session n JOIN source s ON s.id = n.main
             JOIN origin o ON o.id = s.origin WHERE n.id = ? AND n.intact AND s.intact AND o.intact"
        ))?
        .query_row([session], read)
        .optional()
    }
}

/// The claims that are not settled, and those that share something with them, directly or through others.
fn touched(all: &[Claim]) -> Vec<&Claim> {
    let (mut touched, mut others): (Vec<&Claim>, Vec<&Claim>) = all.iter().partition(|claim| !claim.is_settled);
    let mut keys: FxHashSet<u64> = FxHashSet::default();
    let mut news = 0;
    while let Some(new) = touched.get(news..).filter(|new| !new.is_empty() && !others.is_empty()) {
        keys.clear();
        keys.extend(new.iter().flat_map(|claim| claim.keys()));
        news = touched.len();
        let (found, left) = others.into_iter().partition(|claim| claim.keys().any(|key| keys.contains(&key)));
        others = left;
        touched.extend::<Vec<&Claim>>(found);
    }
    touched
}

/// The claims of sessions, in groups that share something.
fn groups<'c>(claims: &[&'c Claim]) -> Vec<Vec<&'c Claim>> {
    let claims: Vec<&Claim> = claims.iter().copied().filter(|claim| claim.session.is_some()).collect();
    let mut first: FxHashMap<u64, usize> = FxHashMap::default();
    let mut leaders: Vec<usize> = (0..claims.len()).collect();
    for (at, claim) in claims.iter().enumerate() {
        for key in claim.keys() {
            let other = *first.entry(key).or_insert(at);
            if other != at {
                let (one, other) = (leader(&mut leaders, at), leader(&mut leaders, other));
                if let Some(place) = leaders.get_mut(one.max(other)) {
                    *place = one.min(other);
                }
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<&Claim>> = BTreeMap::new();
    for (at, claim) in claims.into_iter().enumerate() {
        groups.entry(leader(&mut leaders, at)).or_default().push(claim);
    }
    groups.into_values().collect()
}

/// The first claim of a group. Shortens the path for later lookups.
fn leader(leaders: &mut [usize], mut at: usize) -> usize {
    while let Some(next) = leaders.get(at).copied().filter(|next| *next != at) {
        let after = leaders.get(next).copied().unwrap_or(next);
        if let Some(place) = leaders.get_mut(at) {
            *place = after;
        }
        at = after;
    }
    at
}

/// Everything that the session has counts for it, as it was counted when it was read.
fn settle_alone(db: &Connection, members: Vec<Member<'_>>, prices: &Prices) -> rusqlite::Result<Vec<FileKey>> {
    let mut changed = Vec::new();
    for Member { claim, session, main, .. } in members {
        if !claim.foreign.messages.is_empty()
            && let Some(ledger) = ledger_of(db, session)?
        {
            Bill::of(&ledger, prices).write(db, session)?;
        }
        changed.extend(note(db, claim, &Copied::default())?.then_some(main));
    }
    Ok(changed)
}

fn settle_several(db: &Connection, mut members: Vec<Member<'_>>, prices: &Prices) -> rusqlite::Result<Vec<FileKey>> {
    let mut same: FxHashMap<String, usize> = FxHashMap::default();
    for member in &members {
        *same.entry(member.name.clone()).or_default() += 1;
    }
    for member in &mut members {
        if same.get(&member.name).is_some_and(|times| *times > 1) {
            member.name = name_apart(&member.name, &member.main);
        }
    }
    // The order of rows depends on the history of the index.
    members.sort_by(|one, other| (&one.name, &one.main).cmp(&(&other.name, &other.main)));
    let mut ledgers = Vec::new();
    for member in &members {
        ledgers.push((&*member.name, ledger_of(db, member.session)?.unwrap_or_default()));
    }
    let shares = settle_together(ledgers, prices);
    let mut owners: FxHashMap<u64, u32> = FxHashMap::default();
    for (member, share) in members.iter().zip(&shares) {
        for call in &member.claim.all.calls {
            let owner = owners.entry(*call).or_insert(share.rank);
            *owner = share.rank.min(*owner);
        }
    }
    let mut changed = Vec::new();
    for (Member { claim, session, main, .. }, share) in members.into_iter().zip(shares) {
        let is_foreign = |call: &u64| owners.get(call).is_some_and(|owner| *owner != share.rank);
        let calls = claim.all.calls.iter().copied().filter(is_foreign).collect();
        Bill::from(share.summary).write(db, session)?;
        changed.extend(note(db, claim, &Copied { messages: share.foreign, calls })?.then_some(main));
    }
    Ok(changed)
}

/// Records what counts for other sessions. Returns whether other calls count than before.
fn note(db: &Connection, claim: &Claim, foreign: &Copied) -> rusqlite::Result<bool> {
    let has_other_calls = claim.foreign.calls != foreign.calls;
    if claim.foreign != *foreign || !claim.is_settled {
        let [messages, calls] = [bytes_of(&foreign.messages), bytes_of(&foreign.calls)];
        db.prepare_cached("UPDATE claim SET foreign_messages = ?2, foreign_calls = ?3, is_settled = ?4 WHERE id = ?1")?
            .execute(params![claim.id, messages, calls, !has_other_calls])?;
    }
    Ok(has_other_calls)
}

fn ledger_of(db: &Connection, session: i64) -> rusqlite::Result<Option<SessionLedger>> {
    let question = "SELECT ledger FROM skeleton WHERE session = ? AND intact";
    let read = |row: &Row<'_>| Ok(skeleton::read_ledger(row.get_ref(0)?.as_blob().unwrap_or_default()));
    Ok(db.prepare_cached(question)?.query_row([session], read).optional()?.flatten())
}

impl Index {
    /// What counts for other sessions although it is in the files of the session with this main file, as far as the
    /// index knows; `None` if the session is not indexed.
    pub fn copied(&self, main: &FileKey) -> Result<Option<Copied>, IndexError> {
        let mut statement = self.db.prepare_cached(
            "SELECT c.session FROM claim c JOIN session n ON n.id = c.session JOIN source s ON s.id = n.main
             WHERE s.origin = ? AND s.path = ? AND s.intact",
        )?;
        for (origin, Origin { tenant, machine, root }) in origins(&self.db)? {
            let Ok(path) = main.path.strip_prefix(&root) else { continue };
            if (&*tenant, &*machine) != (&*main.tenant, &*main.machine) {
                continue;
            }
            let session: Option<i64> =
                statement.query_row(params![origin, path_text::encode(path)], |row| row.get(0)).optional()?;
            if let Some(session) = session {
                return Ok(Some(known(&self.db, session)?));
            }
        }
        Ok(None)
    }

    /// The same for all sessions, by their main files.
    pub fn all_copied(&self) -> Result<HashMap<FileKey, Copied>, IndexError> {
        let mut statement = self.db.prepare_cached(&format!(
            "SELECT c.session, {PLACE} FROM claim c JOIN session n ON n.id = c.session JOIN source s ON s.id = n.main
             JOIN origin o ON o.id = s.origin WHERE s.intact AND o.intact"
        ))?;
        let rows = statement.query_map([], |row| Ok((row.get::<_, i64>(0)?, key_at(row, 1)?)))?;
        rows.map(|row| row.map_err(IndexError::from).and_then(|(session, key)| Ok((key, known(&self.db, session)?))))
            .collect()
    }
}

fn bytes_of(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn numbers_in(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks::<8>().0.iter().map(|number| u64::from_le_bytes(*number)).collect()
}
