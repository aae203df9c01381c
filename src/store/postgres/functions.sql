-- The first step of store_pets: adds animals, which have no identifiers yet. A retry with the same idempotency key, in this call or a later
-- one, gets the animal that the first request added.
-- The lock is held until the commit, so animals become visible in the order of their identifiers. Each statement sees what the last
-- holder of the lock committed, which needs READ COMMITTED. New identifiers are higher than any that the caller has seen. On another
-- timeline the server may have lost commits whose identifiers other instances have returned, so a million are skipped. Generic plans
-- suffice: each lookup has an index, which must be used for an empty table too, because the plan is kept while the table grows.
CREATE OR REPLACE FUNCTION assign_pets(additions pets[], key_ids text[], keys text[], lifetime_ms bigint, highest_seen bigint)
RETURNS TABLE (pet pets, replayed boolean) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
  timeline text := left(pg_walfile_name(pg_current_wal_insert_lsn()), 8);
  known_timeline text;
  copy_mark text;
  last_id bigint;
  next_id bigint;
  now_ms bigint;
  keyed record;
BEGIN
  PERFORM set_config('lock_timeout', '2s', true), pg_advisory_xact_lock(1346720852, 'pets'::regclass::oid::integer);
  now_ms := extract(epoch FROM clock_timestamp()) * 1000;
  last_id := greatest((SELECT last_value FROM pet_ids), (SELECT max(id) FROM pets), highest_seen);
  SELECT max(value) FILTER (WHERE name = 'timeline'), max(value) FILTER (WHERE name = 'copy_mark')
    INTO known_timeline, copy_mark FROM meta;
  IF copy_mark IS NOT NULL THEN
    RAISE EXCEPTION 'The database is part of a copy' USING ERRCODE = 'object_not_in_prerequisite_state';
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
  DELETE FROM idempotency WHERE ctid = ANY (ARRAY(SELECT ctid FROM idempotency
    WHERE created_at <= now_ms - lifetime_ms ORDER BY created_at LIMIT 2 * cardinality(keys)));
  INSERT INTO idempotency SELECT key_id, key, id, now_ms FROM unnest(key_ids, keys, additions) AS new (key_id, key, id)
    WHERE key IS NOT NULL AND id > last_id
    ON CONFLICT (key_id, key) DO UPDATE SET pet_id = excluded.pet_id, created_at = excluded.created_at;
  PERFORM setval('pet_ids', next_id);
  RETURN QUERY SELECT CASE WHEN id < 0 THEN additions[-id] ELSE new END, id <= last_id FROM unnest(additions) AS new;
END $$;

-- Settings for a commit that waits for the disk, and for the standbys that the operator chose. A warning says if that wait was cancelled.
CREATE OR REPLACE FUNCTION wait_at_commit() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('client_min_messages', 'warning', true);
  IF current_setting('synchronous_commit') = 'off' THEN PERFORM set_config('synchronous_commit', 'on', true); END IF;
END $$;

-- Shows all animals up to an identifier. A lock keeps a slower call from hiding them again. A crash that loses this also empties recovered.
CREATE OR REPLACE FUNCTION publish(highest bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(1346720853, 'pets'::regclass::oid::integer);
  PERFORM setval('durable', highest) FROM durable WHERE last_value < highest;
END $$;

-- After a crash or a promotion nothing is published: publishes what the server still has. While nothing is published, nobody has added
-- more (store_pets calls this first), so there is no need to wait for a standby, which may be gone for long.
CREATE OR REPLACE PROCEDURE publish_recovered() LANGUAGE plpgsql AS $$
DECLARE
  highest bigint := (SELECT coalesce(max(id), 0) FROM pets);
BEGIN
  PERFORM set_config('synchronous_commit', 'local', true), pg_logical_emit_message(true, 'petstore', '');
  COMMIT;
  PERFORM set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(1346720853, 'pets'::regclass::oid::integer);
  IF EXISTS (SELECT FROM recovered) THEN RETURN; END IF;
  PERFORM setval('durable', highest);
  INSERT INTO recovered DEFAULT VALUES;
END $$;

-- Adds animals. The first commit does not wait, so the lock is released immediately. The second one waits for the disk and the standbys,
-- together with those of other calls; its server process is the same, which a crash would have ended. Then the animals are published.
-- A wait for a standby can be cancelled, by a timeout too, and only the client is warned of it. So with standbys, the client publishes.
-- A failure whose detail is not "not stored" may have come after the first commit.
CREATE OR REPLACE PROCEDURE store_pets(animals json, key_ids text[], keys text[],
  lifetime_ms bigint, highest_seen bigint, OUT ids bigint[], OUT replays json[], OUT unpublished bigint) LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM recovered) THEN CALL publish_recovered(); END IF;
  PERFORM set_config('synchronous_commit', 'off', true);
  BEGIN
    SELECT array_agg((pet).id), max((pet).id), array_agg(
        CASE WHEN replayed THEN (SELECT json_object_agg(key, value) FROM json_each_text(row_to_json(pet))) END)
      INTO ids, unpublished, replays
      FROM assign_pets(ARRAY(SELECT new FROM json_populate_recordset(NULL::pets, animals) AS new),
        key_ids, keys, lifetime_ms, highest_seen);
  EXCEPTION WHEN query_canceled OR OTHERS THEN
    RAISE EXCEPTION USING ERRCODE = SQLSTATE, MESSAGE = SQLERRM, DETAIL = 'not stored';
  END;
  COMMIT;
  PERFORM wait_at_commit(), pg_logical_emit_message(true, 'petstore', '');
  COMMIT;
  IF current_setting('synchronous_standby_names') = '' THEN
    PERFORM publish(unpublished);
    unpublished := NULL;
  END IF;
END $$;
