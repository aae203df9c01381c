CREATE TABLE meta (name text PRIMARY KEY, value text NOT NULL);

CREATE TABLE pets (
  id bigint PRIMARY KEY,
  name text NOT NULL,
  category_id bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('available', 'pending', 'sold'))
);
-- A third of the size of one index on (status, id), and faster to add to.
CREATE INDEX pets_available ON pets (id) WHERE status = 'available';
CREATE INDEX pets_pending ON pets (id) WHERE status = 'pending';
CREATE INDEX pets_sold ON pets (id) WHERE status = 'sold';

-- The highest identifier of the animals that no crash can take back; nothing above it is shown. A row instead of a sequence would have a
-- version for each batch while anybody holds a snapshot.
-- It comes before pet_ids, because pg_dump 18 reads sequences in this order: a restored horizon must not be above the last identifier.
CREATE SEQUENCE durable MINVALUE 0 START 0;

-- Holds the last assigned identifier; only assign_pets changes it.
CREATE SEQUENCE pet_ids MINVALUE 0 START 0;

-- Times are milliseconds since 1970. The hash is the SHA-256 of the key, in hexadecimal; the key itself is stored nowhere.
CREATE TABLE api_keys (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  hint text NOT NULL,
  hash text NOT NULL UNIQUE,
  created_at bigint NOT NULL,
  expires_at bigint,
  revoked_at bigint,
  last_used_at bigint,
  deprecated_calls bigint NOT NULL DEFAULT 0,
  deprecated_call_at bigint
);

CREATE TABLE idempotency (
  key_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  pet_id bigint NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (key_id, key)
);
CREATE INDEX idempotency_by_age ON idempotency (created_at);

-- Has a row while the sequence is right. A crash or a promotion empties it. The sequence itself is not unlogged, because PostgreSQL 15 to
-- 18 cannot read one after a promotion that comes before the first checkpoint.
CREATE UNLOGGED TABLE recovered (one boolean PRIMARY KEY DEFAULT true CHECK (one));
