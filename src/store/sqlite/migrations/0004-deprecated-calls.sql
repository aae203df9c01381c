-- Who still calls deprecated operations. A key may come from the settings, so it need not be in api_keys.
CREATE TABLE deprecated_calls (
  key_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  calls INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (key_id, operation)
) STRICT, WITHOUT ROWID;
