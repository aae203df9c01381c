-- Each addition leaves a dead version of the counter's row, and any long transaction keeps them all. An index on the value
-- finds the newest version without visiting the others. An index on the constant would visit all of them at every change.
ALTER TABLE pet_counter DROP CONSTRAINT pet_counter_pkey, ADD PRIMARY KEY (last_id);
