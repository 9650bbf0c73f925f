//! Sample sessions for the tests of the browser.

use index::catalogue::{Session, Used};
use ledger::Money;
use story::{Counts, SessionStatus, StateReason};

/// A session that was last active this many minutes after noon of 2026-08-08, in UTC.
pub(crate) fn session(id: i64, title: &str, project: &str, minutes: i64) -> Session {
    const NOON: i64 = 1_786_190_400_000;
    let number = u32::try_from(id).unwrap();
    let session_id = format!("{id:08x}-5a1b-4c00-9e21-7d1de0c11e47");
    Session {
        id,
        name: session_id.clone(),
        stem: session_id.clone(),
        session_id: Some(session_id),
        path: format!("/home/ana/.claude/projects/p/{id}.jsonl").into(),
        title: title.to_owned(),
        project: (!project.is_empty()).then(|| project.to_owned()),
        folder: (!project.is_empty()).then(|| project.to_owned()),
        branch: Some("main".to_owned()),
        models: vec!["claude-opus-4".to_owned()],
        first: Some(NOON),
        last: Some(NOON + minutes * 60_000),
        active_ms: 1000,
        waiting_ms: 0,
        counts: Counts { turns: number * 3, ..Counts::default() },
        status: Some(SessionStatus {
            reason: if id % 2 == 0 { StateReason::Finished } else { StateReason::Gone },
            since: Some(NOON),
            is_certain: true,
        }),
        used: Used {
            tokens: 120_000,
            cost: Money::from_picodollars(3_410_000_000_000),
            is_low: false,
            is_partial: false,
        },
        ..Session::default()
    }
}
