-- The counter is locked and not changed any more: each change left a dead version of the row, and a long transaction of anyone keeps
-- them all in the way of the next. What comes next is told by the animals; the counter is the least that it may be.
-- VOLATILE, so that it sees what was committed while its statement waited for the lock.
CREATE FUNCTION latest_pet_id() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT coalesce(max(id), 0) FROM pets';
