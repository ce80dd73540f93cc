/** The migrations of the state database, oldest first. They were released: a change is one more at the end. */

export const migrations: readonly string[] = [
  `
  CREATE TABLE connector (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    agent_id TEXT NOT NULL,
    consent_key BLOB NOT NULL
  ) STRICT;
  CREATE TABLE consents (
    id TEXT PRIMARY KEY,
    origin TEXT NOT NULL,
    issued_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    ended_at INTEGER
  ) STRICT;
  CREATE INDEX live_by_origin ON consents (origin, expires_at) WHERE ended_at IS NULL;
  CREATE INDEX live_by_end ON consents (expires_at) WHERE ended_at IS NULL;
  CREATE TABLE code_words (
    digest BLOB PRIMARY KEY,
    consent_id TEXT NOT NULL,
    used_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE counts (
    label TEXT NOT NULL,
    module TEXT NOT NULL,
    use_case TEXT NOT NULL,
    tag TEXT NOT NULL,
    day TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (label, module, use_case, tag, day)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE counter_batches (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    entries TEXT NOT NULL
  ) STRICT;
  `,
  `
  CREATE TABLE revision (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    number INTEGER NOT NULL
  ) STRICT;
  INSERT INTO revision (only_row, number) VALUES (1, 0);
  `,
  `
  CREATE TABLE identity_permissions (
    consent_id TEXT NOT NULL,
    module TEXT NOT NULL,
    PRIMARY KEY (consent_id, module)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE file_types (
    consent_id TEXT NOT NULL,
    entity TEXT NOT NULL,
    type TEXT NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (consent_id, entity, type)
  ) STRICT, WITHOUT ROWID;
  `,
]
