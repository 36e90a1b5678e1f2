-- Files of positions that are looked up.

create table bulk_job (
  id uuid primary key default gen_random_uuid(),
  api_key_id integer not null references api_key,
  -- `quoted`: it can be asked what it will cost before it is begun.
  state text not null default 'queued' check (state in ('quoted', 'queued', 'running', 'done', 'failed')),
  input_format text not null check (input_format in ('csv', 'ndjson')),
  output_format text not null check (output_format in ('csv', 'ndjson', 'json')),
  storage_key text not null check (storage_key <> ''),
  size_bytes bigint not null check (size_bytes > 0),
  -- Lines that are no heading and not empty: it costs so many queries at most.
  entries integer check (entries >= 0),
  -- The price of these when the file was received or begun.
  cost jsonb check (jsonb_typeof(cost) = 'object'),
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

-- The answers to the positions that follow those of the parts before, in a file of their own. A job that starts again
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
