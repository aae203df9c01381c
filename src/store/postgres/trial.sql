-- What a create of ANIMALS animals does, taken back: it takes the lock of creates and needs room in each table and index, and then a commit
-- waits for the disk and the standbys. A trial takes no identifier from the sequence and publishes nothing. Names have the largest size.
-- Pages of keys are in random order, so only many keys are likely to meet a full one.
DO $$ BEGIN
  PERFORM wait_at_commit(), pg_logical_emit_message(true, 'petstore', '');
  BEGIN
    PERFORM set_config('lock_timeout', '2s', true), pg_advisory_xact_lock(1346720852, 'pets'::regclass::oid::integer);
    INSERT INTO pets SELECT (SELECT coalesce(max(id), 0) FROM pets) + n, repeat('x', 4 * 255), 0,
      (ARRAY['available', 'pending', 'sold'])[n % 3 + 1] FROM generate_series(1, ANIMALS + 2) AS n;
    INSERT INTO idempotency SELECT coalesce((SELECT max(key_id) FROM idempotency), ''), encode(sha256(random()::text::bytea), 'base64'),
      0, extract(epoch FROM clock_timestamp()) * 1000 FROM generate_series(1, ANIMALS + 100) AS n;
    RAISE SQLSTATE 'PTRIA';
  EXCEPTION WHEN SQLSTATE 'PTRIA' THEN NULL;
  END;
END $$
