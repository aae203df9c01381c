CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- AUTOINCREMENT never reuses an identifier, even if the last row is removed by hand.
CREATE TABLE pets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  category_id INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('available', 'pending', 'sold'))
) STRICT;

CREATE INDEX pets_by_status ON pets (status, id);

-- Times are milliseconds since 1970. The hash is the SHA-256 of the key, in hexadecimal; the key itself is stored nowhere.
CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  hint TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER,
  deprecated_calls INTEGER NOT NULL DEFAULT 0,
  deprecated_call_at INTEGER
) STRICT;

-- The key is a keyed hash of the idempotency key that the client sent. The animal is the stored response.
CREATE TABLE idempotency (
  key_id TEXT NOT NULL,
  key TEXT NOT NULL,
  pet_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (key_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_by_age ON idempotency (created_at);
