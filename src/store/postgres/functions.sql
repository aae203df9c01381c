-- Adds animals, which have no identifiers yet. A retry with the same idempotency key, in this call or a later one, gets the animal that
-- the first request added.
-- The lock is held until the commit, so animals become visible in the order of their identifiers. Each statement sees what the last
-- holder of the lock committed, which needs READ COMMITTED. New identifiers are higher than any that the caller has seen. On another
-- timeline the server may have lost commits whose identifiers other instances have returned, so a million are skipped. Generic plans
-- suffice: each lookup has an index, which must be used for an empty table too, because the plan is kept while the table grows.
CREATE OR REPLACE FUNCTION add_pets(additions pets[], key_ids text[], keys text[], lifetime_ms bigint, highest_seen bigint)
RETURNS TABLE (pet pets, replayed boolean) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
  timeline text := left(pg_walfile_name(pg_current_wal_insert_lsn()), 8);
  known_timeline text;
  moved_to text;
  last_id bigint;
  next_id bigint;
  now_ms bigint;
  keyed record;
  expired idempotency;
BEGIN
  PERFORM set_config('lock_timeout', '2s', true), set_config('client_min_messages', 'warning', true),
    pg_advisory_xact_lock(1346720852);
  IF current_setting('synchronous_commit') = 'off' THEN PERFORM set_config('synchronous_commit', 'on', true); END IF;
  now_ms := extract(epoch FROM clock_timestamp()) * 1000;
  last_id := greatest((SELECT last_value FROM pet_ids), (SELECT max(id) FROM pets), highest_seen);
  SELECT max(value) FILTER (WHERE name = 'timeline'), max(value) FILTER (WHERE name = 'moved_to')
    INTO known_timeline, moved_to FROM meta;
  IF moved_to IS NOT NULL THEN
    RAISE EXCEPTION 'A copy of the database to % was begun', moved_to USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  IF timeline <> known_timeline THEN
    last_id := last_id + 1048576;
    UPDATE meta SET value = timeline WHERE name = 'timeline';
  END IF;
  next_id := last_id;
  FOR keyed IN SELECT place, min(place) OVER (PARTITION BY key_id COLLATE "C", key COLLATE "C") AS first_place,
      (SELECT pets FROM pets WHERE id = (SELECT pet_id FROM idempotency AS old
        WHERE old.key_id = new.key_id AND old.key = new.key AND old.created_at > now_ms - lifetime_ms)) AS pet
    FROM unnest(key_ids, keys) WITH ORDINALITY AS new (key_id, key, place) WHERE key IS NOT NULL
  LOOP
    IF keyed.pet IS NOT NULL THEN additions[keyed.place] := keyed.pet;
    -- Not an identifier: where in this call the animal of the same key is.
    ELSIF keyed.place > keyed.first_place THEN additions[keyed.place].id := -keyed.first_place; END IF;
  END LOOP;
  FOR place IN 1 .. cardinality(additions) LOOP
    IF additions[place].id IS NULL THEN
      next_id := next_id + 1;
      additions[place].id := next_id;
    END IF;
  END LOOP;
  INSERT INTO pets SELECT * FROM unnest(additions) WHERE id > last_id;
  FOR expired IN SELECT * FROM idempotency WHERE created_at <= now_ms - lifetime_ms
    ORDER BY created_at LIMIT 2 * cardinality(keys)
  LOOP
    DELETE FROM idempotency WHERE key_id = expired.key_id AND key = expired.key;
  END LOOP;
  INSERT INTO idempotency SELECT key_id, key, id, now_ms FROM unnest(key_ids, keys, additions) AS new (key_id, key, id)
    WHERE key IS NOT NULL AND id > last_id
    ON CONFLICT (key_id, key) DO UPDATE SET pet_id = excluded.pet_id, created_at = excluded.created_at;
  PERFORM setval('pet_ids', next_id);
  RETURN QUERY SELECT CASE WHEN id < 0 THEN additions[-id] ELSE new END, id <= last_id FROM unnest(additions) AS new;
END $$;
