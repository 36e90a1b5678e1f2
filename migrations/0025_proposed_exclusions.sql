-- Areas of a file that say "no coverage" over others that are coverage: each may be made an exclusion of the dataset's technology. They come with a load
-- and go with its dataset.

create table proposed_exclusion (
  id integer generated always as identity primary key,
  dataset_id integer not null references dataset on delete cascade,
  layer text not null,
  -- The file's own number, of any size.
  feature double precision not null,
  name text check (name <> ''),
  -- As of an exclusion.
  drawn jsonb not null,
  km2 double precision not null check (km2 > 0),
  -- Of the dataset; null: not worked out in time.
  takes_km2 double precision check (takes_km2 > 0)
);
create index proposed_exclusion_of_dataset on proposed_exclusion (dataset_id);
