-- What was published when, coverage as it is seen from afar, and files of coordinates that are looked up.

-- When each dataset was what lookups answer from: a version that is taken back to is so more than once.
create table publication (
  id bigint generated always as identity primary key,
  dataset_id integer not null references dataset,
  published_at timestamptz not null,
  -- Null while it is published.
  superseded_at timestamptz check (superseded_at >= published_at)
);
create unique index publication_current on publication (dataset_id) where superseded_at is null;
create index publication_by_time on publication (published_at);
insert into publication (dataset_id, published_at, superseded_at)
select id, published_at, case when state <> 'published' then greatest(superseded_at, published_at) end
from dataset where published_at is not null and state in ('published', 'superseded', 'restoring')
order by published_at, id;

-- In the transaction of whoever publishes.
create function note_publication() returns trigger language plpgsql as $$
begin
  if new.state = 'published' and (tg_op = 'INSERT' or old.state <> 'published') then
    insert into publication (dataset_id, published_at) values (new.id, new.published_at);
  elsif tg_op = 'UPDATE' and old.state = 'published' and new.state <> 'published' then
    update publication set superseded_at = greatest(new.superseded_at, published_at)
    where dataset_id = new.id and superseded_at is null;
  end if;
  return null;
end $$;
create trigger publication_noted after insert or update of state on dataset
  for each row execute function note_publication();

-- Answers of earlier days are looked up in it.
create index coverage_archive_geom on coverage_archive using gist (geom);

-- A dataset on the grid of a screen, for tiles of so large a part of the country that its shapes are too many: what is
-- seen at each pixel, a byte each, compressed. core/coverage/tiles/overview.ts says what the bytes mean.
create table coverage_overview (
  dataset_id integer not null references dataset on delete cascade,
  z smallint not null,
  x integer not null,
  y integer not null,
  cells bytea not null,
  primary key (dataset_id, z, x, y)
);
-- When all of it was there.
alter table dataset add column overview_at timestamptz;

-- A file of coordinates to be looked up.
create table bulk_job (
  id uuid primary key default gen_random_uuid(),
  api_key_id integer not null references api_key,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  input_format text not null check (input_format in ('csv', 'ndjson')),
  output_format text not null check (output_format in ('csv', 'ndjson', 'json')),
  storage_key text not null check (storage_key <> ''),
  size_bytes bigint not null check (size_bytes > 0),
  error jsonb,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  -- When it is removed, its result too.
  expires_at timestamptz not null,
  check ((state = 'failed') = (error is not null)),
  check ((state in ('done', 'failed')) = (finished_at is not null))
);
create index bulk_job_unfinished on bulk_job (created_at) where state in ('queued', 'running');
create index bulk_job_expiry on bulk_job (expires_at);
create index bulk_job_of_key on bulk_job (api_key_id);

-- The answers to the coordinates that follow those of the parts before, in a file of their own. A job that starts again
-- goes on after the last part.
create table bulk_job_part (
  job_id uuid not null references bulk_job on delete cascade,
  number integer not null check (number > 0),
  storage_key text not null,
  size_bytes bigint not null check (size_bytes > 0),
  coordinates integer not null check (coordinates > 0),
  -- How many of them were answered: so many queries are counted.
  good integer not null check (good between 0 and coordinates),
  -- How much of the file has been read with it.
  read_bytes bigint not null check (read_bytes > 0),
  answered_at timestamptz not null default clock_timestamp(),
  primary key (job_id, number)
);
