-- Published coverage as files: what an operator, or staff, asked for.

create table coverage_export (
  id uuid primary key default gen_random_uuid(),
  provider_id integer not null references provider,
  -- Null: all.
  technology_id smallint references technology,
  -- What was published at the end of this day in New Zealand; null: when a worker begins.
  day date,
  format text not null check (format in ('geopackage', 'geojson', 'flatgeobuf', 'geoparquet', 'csv')),
  -- Operators see those that they asked for themselves.
  by_staff boolean not null,
  -- Who asked for it, as the audit names people.
  actor text not null,
  -- `queued`: it waits for a worker, or is being written by one.
  state text not null default 'queued' check (state in ('queued', 'done', 'failed')),
  -- The versions in it: what is published later changes nothing. Null until a worker has begun.
  dataset_ids integer[] check (dataset_ids <> '{}'),
  -- How far it is, as `{"step": "writing", "percent": 40}`.
  progress jsonb,
  error jsonb,
  storage_key text check (storage_key <> ''),
  file_name text,
  size_bytes bigint check (size_bytes > 0),
  areas integer check (areas >= 0),
  -- Null where there are no addresses.
  premises integer check (premises >= 0),
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  -- When it is removed, its file too.
  expires_at timestamptz,
  check ((state = 'failed') = (error is not null)),
  check ((state = 'done') = (storage_key is not null and file_name is not null and size_bytes is not null)),
  check ((state <> 'queued') = (finished_at is not null and expires_at is not null))
);
create index coverage_export_of_provider on coverage_export (provider_id, created_at);
create index coverage_export_expiry on coverage_export (expires_at);
create trigger coverage_export_cancelled after delete on coverage_export
  for each row execute function announce_cancelled_work();

create or replace view stored_file as
  select storage_key from submission
  union all select storage_key from prediction
  -- While it comes in, an upload is stored under its id.
  union all select coalesce(storage_key, id::text) from upload
  union all select storage_key from bulk_job
  union all select storage_key from bulk_job_part
  union all select storage_key from modelling where storage_key is not null
  union all select picture_key from modelling where picture_key is not null
  union all select storage_key from predicted_site
  union all select storage_key from address_import where storage_key is not null
  union all select storage_key from coverage_export where storage_key is not null;
