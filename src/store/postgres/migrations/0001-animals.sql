CREATE TABLE pets (
  id bigint PRIMARY KEY,
  name text NOT NULL,
  category_id bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('available', 'pending', 'sold'))
);

CREATE INDEX pets_by_status ON pets (status, id);

-- A sequence assigns identifiers before the commit, so a late commit could appear behind a client that is paging. Instead,
-- each addition locks this row until its commit: identifiers become visible in the order they were assigned.
CREATE TABLE pet_counter (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  last_id bigint NOT NULL
);

INSERT INTO pet_counter (last_id) VALUES (0);
