-- Exclusions: ground where an operator does not offer what its files say. What they cover is subtracted from every file that is loaded while they are
-- in force: from the moment they are made until they are removed, or to the end of a day.

create table exclusion (
  id integer generated always as identity primary key,
  provider_id integer not null references provider,
  -- Null: every technology.
  technology_id smallint references technology,
  -- As it was drawn: {"circle": {lat, lng, radius_m}} or {"polygon": [[[lng, lat], ...], ...]}; around an address, a circle.
  drawn jsonb not null,
  -- The address that it was put on, by its id in the list and as it read then.
  address_id text,
  address text,
  geom geometry(Polygon, 4326) not null check (not st_isempty(geom)),
  km2 double precision not null check (km2 > 0),
  reason text not null check (char_length(reason) between 1 and 300 and reason = btrim(reason) and reason !~ '[[:cntrl:]]'),
  -- The last day, in New Zealand, on which it is in force; null: for good.
  until date,
  created_at timestamptz not null default clock_timestamp(),
  created_by text not null,
  -- Rows stay: answers of earlier days tell what was excluded then.
  removed_at timestamptz check (removed_at >= created_at),
  removed_by text,
  removed_because text check (char_length(removed_because) <= 300),
  check ((address_id is null) = (address is null)),
  check ((removed_at is null) = (removed_by is null)),
  check (removed_because is null or removed_at is not null)
);
create index exclusion_of_provider on exclusion (provider_id, id desc);
create index exclusion_box on exclusion using gist (box(geom));

-- The exclusions that a dataset was made with, and how much of it each took, in square metres: overlapping areas each count.
create table dataset_exclusion (
  dataset_id integer not null references dataset on delete cascade,
  exclusion_id integer not null references exclusion,
  taken_m2 double precision not null check (taken_m2 >= 0),
  primary key (dataset_id, exclusion_id)
);
create index dataset_exclusion_by_exclusion on dataset_exclusion (exclusion_id);

-- The submission whose file is loaded again, as exclusions have changed since: it replaces what is published of that one, and nothing else.
alter table submission add column remakes uuid references submission;
create index submission_remakes on submission (remakes) where remakes is not null;
