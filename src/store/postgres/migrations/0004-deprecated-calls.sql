-- Who still calls deprecated operations. A key may come from the settings, so it need not be in api_keys.
CREATE TABLE deprecated_calls (
  key_id text NOT NULL,
  operation text NOT NULL,
  calls bigint NOT NULL,
  last_at bigint NOT NULL,
  PRIMARY KEY (key_id, operation)
);
