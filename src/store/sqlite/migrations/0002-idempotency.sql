-- The animal itself is the remembered answer and the fingerprint of the request.
CREATE TABLE idempotency (
  key_id TEXT NOT NULL,
  key TEXT NOT NULL,
  pet_id INTEGER NOT NULL REFERENCES pets (id),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (key_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_by_age ON idempotency (created_at);
