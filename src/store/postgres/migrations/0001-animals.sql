CREATE TABLE pets (
  id bigint PRIMARY KEY,
  name text NOT NULL,
  category_id bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('available', 'pending', 'sold'))
);

CREATE INDEX pets_by_status ON pets (status, id);

-- A sequence hands out identifiers before commit, so a late commit could slip in behind a client that is paging.
-- Whoever adds animals holds this row until the commit instead: identifiers appear in the order in which they are given.
CREATE TABLE pet_counter (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  last_id bigint NOT NULL
);

INSERT INTO pet_counter (last_id) VALUES (0);
