//! Dumps the contents of an index, for comparison with another index.

use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::Value;

/// The contents of an index, in a fixed order.
pub(crate) fn index_contents(path: &Path) -> Vec<String> {
    let db = Connection::open(path).unwrap();
    db.execute_batch("CREATE VIRTUAL TABLE temp.word USING fts5vocab (main, text, instance)").unwrap();
    let questions = [
        "SELECT s.path, c.name, c.session_id, c.title, c.title_source, c.project, c.branch, c.models, c.first, c.last, c.active_ms, c.waiting_ms,
            c.turns, c.prompts, c.replies, c.calls, c.failed, c.agents, c.branches, c.compactions, c.last_turn, c.open_tool, c.open_since, c.open_latest, c.trouble, c.background, c.has_outcome, c.last_sign, c.copied_from,
            c.continued_in, c.tokens, c.cost, c.cost_quality, c.remnant
         FROM session c JOIN source s ON s.id = c.main",
        "SELECT c.name, t.number, s.path, t.line, t.at, t.prompt
         FROM turn t JOIN session c ON c.id = t.session LEFT JOIN source s ON s.id = t.source",
        "SELECT c.name, a.name, s.path, p.name, a.turn, a.kind, a.description, a.first, a.last, a.calls, a.failed,
            a.tokens, a.cost, a.cost_quality
         FROM agent a JOIN session c ON c.id = a.session LEFT JOIN source s ON s.id = a.source
         LEFT JOIN agent p ON p.session = a.session AND p.number = a.parent",
        "SELECT o.tenant, o.machine, o.root, s.path, c.name, s.agent
         FROM source s JOIN origin o ON o.id = s.origin JOIN session c ON c.id = s.session",
        "SELECT c.name, y.leaf, y.text FROM summary y JOIN session c ON c.id = y.session",
        "SELECT c.name, e.leaf FROM summarised e JOIN session c ON c.id = e.session
         WHERE e.leaf IN (SELECT leaf FROM summary)",
        "SELECT c.name, s.path, c.expected_failures, c.denied, c.interrupted, c.cancelled, hex(k.messages), hex(k.calls),
            hex(k.foreign_messages), hex(k.foreign_calls), k.is_settled
         FROM claim k LEFT JOIN session c ON c.id = k.session LEFT JOIN source s ON s.id = c.main",
        "SELECT c.name, hex(t.figures) FROM tools t JOIN session c ON c.id = t.session",
        "SELECT count(*) FROM skeleton k JOIN session c ON c.id = k.session",
        "SELECT s.path, c.name, s.agent, l.number, l.offset, l.length, l.at, n.text, l.role,
            m.text, b.text, l.is_error, l.is_unfinished
         FROM line l JOIN source s ON s.id = l.source JOIN session c ON c.id = s.session JOIN name n ON n.id = l.type
         LEFT JOIN name m ON m.id = l.model LEFT JOIN name b ON b.id = l.branch",
        "SELECT s.path, l.number, n.text FROM tool t JOIN line l ON l.id = t.line
         JOIN source s ON s.id = l.source JOIN name n ON n.id = t.name",
        "SELECT s.path, l.number, n.text, f.touch FROM file f JOIN line l ON l.id = f.line
         JOIN source s ON s.id = l.source JOIN name n ON n.id = f.path",
        "SELECT s.path, l.number, w.term, w.col, w.offset FROM temp.word w JOIN line l ON l.id = w.doc
         JOIN source s ON s.id = l.source",
    ];
    let mut contents = Vec::new();
    for question in questions {
        let mut statement = db.prepare(question).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let cells: Vec<_> = (0..columns).map(|at| format!("{:?}", row.get::<_, Value>(at).unwrap())).collect();
            contents.push(cells.join(" "));
        }
    }
    contents.sort();
    contents
}
