"""The tables of a lab, and the number of this shape (`PRAGMA user_version`)."""

SCHEMA = 1
APPLICATION = 0x63726E66  # "crnf": other SQLite files are not taken for labs
MARK = "PRAGMA application_id = 0x63726E66"

TABLES = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE topics(
    id INTEGER PRIMARY KEY, topic TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL, description TEXT NOT NULL, narrative TEXT NOT NULL);

CREATE TABLE sources(
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, format TEXT NOT NULL, encoding TEXT NOT NULL,
    size INTEGER NOT NULL, modified_ns INTEGER NOT NULL);

CREATE TABLE documents(
    id INTEGER PRIMARY KEY, document TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
    format TEXT NOT NULL, body TEXT, fields TEXT NOT NULL,
    source INTEGER REFERENCES sources(id), offset INTEGER, length INTEGER, hash TEXT NOT NULL);

CREATE TABLE items(
    id TEXT PRIMARY KEY, topic INTEGER NOT NULL REFERENCES topics(id),
    document INTEGER NOT NULL REFERENCES documents(id), UNIQUE(topic, document)) WITHOUT ROWID;

CREATE TABLE queues(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK(kind IN ('pool','list','decide','repeat')), k INTEGER NOT NULL, overlap REAL NOT NULL,
    seed INTEGER NOT NULL, threshold INTEGER NOT NULL, gold_rate REAL NOT NULL,
    adaptive INTEGER NOT NULL, pool TEXT NOT NULL, asked TEXT NOT NULL, closed INTEGER NOT NULL);

CREATE TABLE members(
    queue INTEGER NOT NULL REFERENCES queues(id), item TEXT NOT NULL REFERENCES items(id), topic INTEGER NOT NULL,
    needed INTEGER NOT NULL, stratum TEXT NOT NULL, inclusion_probability REAL, position INTEGER NOT NULL,
    PRIMARY KEY(queue, item)) WITHOUT ROWID;
CREATE INDEX members_by_topic ON members(queue, topic, position);
CREATE INDEX members_by_item ON members(item);

CREATE TABLE gold(item TEXT PRIMARY KEY REFERENCES items(id), grade INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE users(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL CHECK(kind IN ('human','llm','import')),
    roles TEXT NOT NULL, password_hash TEXT, disabled INTEGER NOT NULL,
    settings TEXT NOT NULL, counts INTEGER NOT NULL);

CREATE TABLE sessions(
    token_hash TEXT PRIMARY KEY, user TEXT NOT NULL, csrf TEXT NOT NULL,
    made_ms INTEGER NOT NULL, seen_ms INTEGER NOT NULL, ended_ms INTEGER) WITHOUT ROWID;

CREATE TABLE tokens(
    token_hash TEXT PRIMARY KEY, purpose TEXT NOT NULL CHECK(purpose IN ('setup','invite')), roles TEXT NOT NULL,
    made_ms INTEGER NOT NULL, until_ms INTEGER NOT NULL, used_ms INTEGER) WITHOUT ROWID;

CREATE TABLE attempts(key TEXT NOT NULL, at_ms INTEGER NOT NULL);
CREATE INDEX attempts_by_key ON attempts(key, at_ms);

CREATE TABLE guidelines(hash TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE runs(name TEXT PRIMARY KEY, lists TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE requests(opaque TEXT PRIMARY KEY, item TEXT NOT NULL REFERENCES items(id)) WITHOUT ROWID;

CREATE TABLE leases(
    item TEXT NOT NULL REFERENCES items(id), assessor TEXT NOT NULL, round INTEGER NOT NULL,
    since_ms INTEGER NOT NULL, until_ms INTEGER NOT NULL, claim INTEGER NOT NULL,
    PRIMARY KEY(item, assessor)) WITHOUT ROWID;
CREATE INDEX leases_by_assessor ON leases(assessor, claim);
CREATE INDEX leases_by_end ON leases(until_ms);

CREATE TABLE events(
    id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, actor TEXT NOT NULL, role TEXT NOT NULL, kind TEXT NOT NULL,
    item TEXT, old TEXT, new TEXT, client_id TEXT, method TEXT, ms_active INTEGER, ms_away INTEGER,
    guideline TEXT, app_version TEXT NOT NULL);
CREATE UNIQUE INDEX events_by_client ON events(actor, client_id) WHERE client_id IS NOT NULL;
CREATE INDEX events_by_item ON events(item) WHERE item IS NOT NULL;
CREATE INDEX events_by_actor ON events(actor);
CREATE INDEX events_by_judge ON events(actor, id)
    WHERE kind IN ('judge','revise','cannot','later','flag','note','mark','undo');
CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_are_never_removed BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never removed'); END;
"""

DERIVED = """
CREATE TABLE current(
    item TEXT NOT NULL, assessor TEXT NOT NULL, round INTEGER NOT NULL,
    status TEXT NOT NULL CHECK(status IN ('judged','cannot','later')), grade INTEGER, note TEXT NOT NULL,
    marks TEXT NOT NULL, flag INTEGER NOT NULL, reason TEXT NOT NULL, event INTEGER NOT NULL, at_ms INTEGER NOT NULL,
    PRIMARY KEY(item, assessor, round)) WITHOUT ROWID;
CREATE INDEX current_by_assessor ON current(assessor, event);
CREATE INDEX current_later ON current(assessor, event) WHERE status = 'later';

CREATE TABLE progress(
    item TEXT PRIMARY KEY, judged INTEGER NOT NULL, cannot INTEGER NOT NULL, lowest INTEGER, highest INTEGER,
    state TEXT NOT NULL CHECK(state IN ('open','agreed','disputed','settled')), settled_grade INTEGER) WITHOUT ROWID;
CREATE INDEX progress_by_state ON progress(state);

CREATE TABLE counts(
    queue INTEGER NOT NULL, topic INTEGER NOT NULL, pairs INTEGER NOT NULL, open INTEGER NOT NULL,
    PRIMARY KEY(queue, topic)) WITHOUT ROWID;
"""
DERIVED_TABLES = ("current", "progress", "counts")
