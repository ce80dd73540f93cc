/** The tables of the state database. What stands here was released: a change is one more version, at the end. */

export const versions: readonly string[] = [
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
]
