-- Stores the remembered answer itself: a statement that conflicts with a newly committed row cannot see its animal yet.
CREATE TABLE idempotency (
  key_id text NOT NULL,
  key text NOT NULL,
  pet_id bigint NOT NULL,
  name text NOT NULL,
  category_id bigint NOT NULL,
  status text NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (key_id, key)
);

CREATE INDEX idempotency_by_age ON idempotency (created_at);
