-- Times are milliseconds since 1970. The hash is the SHA-256 of the key, in hexadecimal; the key itself is stored nowhere.
CREATE TABLE api_keys (
  id text PRIMARY KEY,
  name text NOT NULL,
  hint text NOT NULL,
  hash text NOT NULL UNIQUE,
  created_at bigint NOT NULL,
  expires_at bigint,
  revoked_at bigint,
  last_used_at bigint
);
