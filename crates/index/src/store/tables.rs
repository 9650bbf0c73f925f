//! The definitions of the tables.

use story::Counts;

/// Adds a checksum that follows every change of a row, and the column `intact`: 1, or an error if the checksum is
/// wrong. Every query of such a table selects it.
macro_rules! sealed {
    ($columns:literal) => {
        concat!(
            "seal INTEGER AS (seal(",
            $columns,
            ")) STORED,
            intact INTEGER AS (is_sealed(seal, ",
            $columns,
            ")) VIRTUAL"
        )
    };
}

/// The definitions of all tables. A session has a column for each of its counts.
pub(super) fn tables() -> String {
    let columns = Counts::NAMES.map(|name| format!("{name} INTEGER NOT NULL DEFAULT 0,")).concat();
    TABLES.replace("{columns of counts}", &columns).replace("{counts}", &Counts::NAMES.join(", "))
}

const TABLES: &str = concat!(
    "
    -- The settings that figures were computed with.
    CREATE TABLE setting (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
    -- Types, models, branches, tools, paths: each is stored once.
    CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
    -- The origins of files. For this machine, tenant and machine are empty.
    CREATE TABLE origin (
        id INTEGER PRIMARY KEY,
        tenant TEXT NOT NULL,
        machine TEXT NOT NULL,
        root TEXT NOT NULL,
        ",
    sealed!("id, tenant, machine, root"),
    ",
        UNIQUE (tenant, machine, root));
    -- Files, and how far each has been read.
    CREATE TABLE source (
        id INTEGER PRIMARY KEY,
        origin INTEGER NOT NULL,
        -- Inside the root of its origin.
        path TEXT NOT NULL,
        mark BLOB NOT NULL,
        -- Facts from its first lines, to find sessions that copied from each other.
        head BLOB NOT NULL,
        -- The session to which it belongs.
        session INTEGER NOT NULL,
        -- The subagent whose file it is.
        agent TEXT,
        -- Whether it is gone from the disk.
        is_archived INTEGER NOT NULL DEFAULT 0,
        -- The first of its lines in the table of lines; the others have higher numbers.
        first INTEGER,
        ",
    sealed!("id, origin, path, mark, head, session, agent, is_archived, first"),
    ",
        UNIQUE (origin, path));
    CREATE INDEX source_by_session ON source (session, first);
    -- Prompt histories: how far each has been read, and where the prompts of each session are.
    CREATE TABLE history (
        id INTEGER PRIMARY KEY,
        origin INTEGER NOT NULL,
        -- Inside the root of its origin.
        path TEXT NOT NULL,
        state BLOB NOT NULL,
        ",
    sealed!("id, origin, path, state"),
    ",
        UNIQUE (origin, path));
    -- Sessions, with the facts from their stories and ledgers.
    CREATE TABLE session (
        id INTEGER PRIMARY KEY,
        -- Its own file, or that of one of its agents or its prompts if nothing else is left of it.
        main INTEGER NOT NULL UNIQUE,
        -- What is left of it, if it has no file of its own: 0 subagents, 1 prompts.
        remnant INTEGER,
        name TEXT NOT NULL DEFAULT '',
        -- Its id in Claude Code.
        session_id TEXT,
        -- The title in its own lines, and the number of its source.
        title TEXT,
        title_source INTEGER,
        -- The folder in which it ran, and the project of that folder.
        folder TEXT,
        project TEXT,
        -- The worktree of the project, if that is not the main one.
        worktree TEXT,
        branch TEXT,
        -- One per line.
        models TEXT NOT NULL DEFAULT '',
        first INTEGER,
        last INTEGER,
        active_ms INTEGER NOT NULL DEFAULT 0,
        waiting_ms INTEGER NOT NULL DEFAULT 0,
        -- The rows of `turn`: also those that only say what was copied, which count as no turn.
        turn_rows INTEGER NOT NULL DEFAULT 0,
        {columns of counts}
        -- The end of its story (catalogue/ending.rs): the state of its last turn, the tool of the open call that stands
        -- for all, the start of that call and of the latest one, an API problem, how much runs in the background,
        -- whether a run reported its outcome, and the time of the last sign.
        last_turn INTEGER,
        open_tool TEXT,
        open_since INTEGER,
        open_latest INTEGER,
        trouble INTEGER,
        background INTEGER NOT NULL DEFAULT 0,
        has_outcome INTEGER NOT NULL DEFAULT 0,
        last_sign INTEGER,
        -- The session it was copied from, and the session that continues it.
        copied_from TEXT,
        continued_in TEXT,
        tokens INTEGER NOT NULL DEFAULT 0,
        -- In picodollars, and the quality of that figure.
        cost INTEGER NOT NULL DEFAULT 0,
        cost_quality INTEGER NOT NULL DEFAULT 0,
        ",
    sealed!(
        "id, main, remnant, name, session_id, title, title_source, folder, project, worktree, branch, models, first, last, active_ms, waiting_ms, turn_rows, {counts}, last_turn, open_tool, open_since, open_latest, trouble, background,
        has_outcome, last_sign, copied_from, continued_in, tokens, cost, cost_quality"
    ),
    ");
    CREATE INDEX session_by_time ON session (last);
    CREATE INDEX session_by_name ON session (name);
    -- Summaries of other sessions in the lines of a session, each with the hash of the last entry that it covers.
    CREATE TABLE summary (
        session INTEGER NOT NULL,
        leaf INTEGER NOT NULL,
        text TEXT NOT NULL,
        ",
    sealed!("session, leaf, text"),
    ",
        PRIMARY KEY (session, leaf, text)) WITHOUT ROWID;
    CREATE INDEX summary_by_leaf ON summary (leaf);
    -- The sessions that have these entries, and the places of the entries there.
    CREATE TABLE summarised (
        session INTEGER NOT NULL,
        leaf INTEGER NOT NULL,
        place INTEGER NOT NULL,
        ",
    sealed!("session, leaf, place"),
    ",
        PRIMARY KEY (session, leaf)) WITHOUT ROWID;
    -- The state from which a story is extended and a cost recomputed, without reading the files again.
    CREATE TABLE skeleton (
        session INTEGER PRIMARY KEY,
        files BLOB NOT NULL,
        story BLOB,
        ledger BLOB NOT NULL,
        ",
    sealed!("session, files, story, ledger"),
    ");
    -- Turns of conversations, from 1, with the position and the first words of their prompts.
    CREATE TABLE turn (
        session INTEGER NOT NULL,
        number INTEGER NOT NULL,
        source INTEGER NOT NULL,
        line INTEGER NOT NULL,
        at INTEGER,
        prompt TEXT NOT NULL,
        ",
    sealed!("session, number, source, line, at, prompt"),
    ",
        PRIMARY KEY (session, number)) WITHOUT ROWID;
    -- Subagents, and the turns for which they worked.
    CREATE TABLE agent (
        session INTEGER NOT NULL,
        number INTEGER NOT NULL,
        name TEXT NOT NULL,
        -- Its file, if it has one.
        source INTEGER,
        -- The agent that started it.
        parent INTEGER,
        turn INTEGER,
        kind TEXT,
        description TEXT,
        first INTEGER,
        last INTEGER,
        calls INTEGER NOT NULL,
        failed INTEGER NOT NULL,
        tokens INTEGER NOT NULL,
        cost INTEGER NOT NULL,
        cost_quality INTEGER NOT NULL,
        ",
    sealed!(
        "session, number, name, source, parent, turn, kind, description, first, last, calls, failed, tokens,
        cost, cost_quality"
    ),
    ",
        PRIMARY KEY (session, number)) WITHOUT ROWID;
    -- Figures of the tools in a session: calls, errors and durations.
    CREATE TABLE tools (
        session INTEGER PRIMARY KEY,
        figures BLOB NOT NULL,
        ",
    sealed!("session, figures"),
    ");
    -- What identifies the messages and calls of a session in others: sorted 64-bit numbers. They find sessions that
    -- copied from each other.
    CREATE TABLE claim (
        id INTEGER PRIMARY KEY,
        -- None if the session is gone, or no longer has some of them: those who share them have to be counted again.
        session INTEGER UNIQUE,
        messages BLOB NOT NULL,
        calls BLOB NOT NULL,
        -- Those of them that count for another session.
        foreign_messages BLOB NOT NULL DEFAULT x'',
        foreign_calls BLOB NOT NULL DEFAULT x'',
        -- Whether the figures of all sessions that share some of them are up to date.
        is_settled INTEGER NOT NULL DEFAULT 0,
        ",
    sealed!("id, session, messages, calls, foreign_messages, foreign_calls, is_settled"),
    ");
    CREATE INDEX claim_unsettled ON claim (id) WHERE NOT is_settled;
    -- Lines with content, roughly in order of time.
    CREATE TABLE line (
        id INTEGER PRIMARY KEY,
        source INTEGER NOT NULL,
        number INTEGER NOT NULL,
        offset INTEGER NOT NULL,
        length INTEGER NOT NULL,
        at INTEGER,
        type INTEGER NOT NULL,
        role INTEGER,
        model INTEGER,
        branch INTEGER,
        is_error INTEGER NOT NULL,
        is_unfinished INTEGER NOT NULL);
    CREATE INDEX line_by_source ON line (source, number);
    -- The tools and files of lines.
    CREATE TABLE tool (name INTEGER NOT NULL, line INTEGER NOT NULL, PRIMARY KEY (name, line)) WITHOUT ROWID;
    CREATE INDEX tool_by_line ON tool (line);
    CREATE TABLE file (
        path INTEGER NOT NULL,
        line INTEGER NOT NULL,
        touch INTEGER NOT NULL,
        PRIMARY KEY (path, line, touch)) WITHOUT ROWID;
    CREATE INDEX file_by_line ON file (line);
    -- The words of the lines; their texts stay in the sessions.
    CREATE VIRTUAL TABLE text USING fts5 (
        said, replied, done, seen, thought,
        content = '', contentless_delete = 1, tokenize = \"ascii\");
"
);

/// The full-text table buffers this much instead of 1 MB before it writes, and merges its segments less often. Both
/// save work, and searches are hardly slower.
pub(super) const SETTINGS: &str = "
    INSERT INTO text (text, rank) VALUES ('hashsize', 33554432);
    INSERT INTO text (text, rank) VALUES ('automerge', 16);";
