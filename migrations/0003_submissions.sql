-- Files of operators: uploads, submissions, and the coverage that is predicted from towers.

-- A file as it was submitted, and its outcome. The row is the truth; the queue only carries it.
create table submission (
  id uuid primary key default gen_random_uuid(),
  provider_id integer not null references provider,
  -- Its operator's; null where it came from a command.
  token_id integer references access_token,
  -- Coverage, or the towers from which the service is to work it out.
  kind text not null default 'coverage' check (kind in ('coverage', 'towers')),
  processed_by text not null default 'operator' check (processed_by in ('operator', 'service')),
  state text not null default 'received' check (state in (
    'received', 'reading', 'loading', 'checking', 'ready', 'published', 'superseded', 'failed', 'withdrawn')),
  file_name text not null check (file_name <> ''),
  storage_key text not null check (storage_key <> ''),
  size_bytes bigint not null check (size_bytes >= 0),
  sha256 bytea not null check (octet_length(sha256) = 32),
  manifest jsonb not null check (jsonb_typeof(manifest) = 'object'),
  -- An operator's own words, so that versions can be told apart.
  note text not null default '' check (char_length(note) <= 500),
  progress jsonb,
  report jsonb,
  error jsonb,
  -- Why it does not publish itself: [{code, message}].
  blocking jsonb check (jsonb_typeof(blocking) = 'array' and jsonb_array_length(blocking) > 0),
  received_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  -- When the rows of `tower` were made of the file.
  towers_read_at timestamptz,
  finished_at timestamptz,
  -- Counts changes.
  revision bigint not null default 1,
  check ((state = 'failed') = (error is not null)),
  check (state in ('received', 'reading', 'loading', 'checking') or finished_at is not null),
  check (kind = 'coverage' or processed_by = 'service')
);
create index submission_unfinished on submission (received_at)
  where state in ('received', 'reading', 'loading', 'checking', 'ready');
create index submission_of_provider on submission (provider_id, received_at desc);
create index submission_by_file on submission (sha256, provider_id);
create index submission_newest on submission (received_at desc);

-- Every API process that somebody watches a submission through hears of its changes.
create function count_submission_change() returns trigger language plpgsql as $$
begin
  new.revision = old.revision + 1;
  return new;
end $$;
create trigger submission_change_counted before update on submission
  for each row execute function count_submission_change();
create function announce_submission() returns trigger language plpgsql as $$
begin
  perform pg_notify('submission', new.id::text);
  return null;
end $$;
create trigger submission_announced after update on submission
  for each row execute function announce_submission();

-- A file that comes in piece by piece, and may be described only once it is there.
create table upload (
  id uuid primary key,
  token_id integer not null references access_token,
  -- The submission whose file this is, where it is described anew: what is made of the file stays of its provider and kind.
  reuses uuid references submission,
  file_name text not null check (file_name <> ''),
  -- Null where it is described later.
  manifest jsonb,
  again boolean not null default false,
  -- Those of a file that is not submitted yet: given while it was still coming in, or for the submission whose file is used again.
  -- A form goes on with them.
  answers jsonb,
  -- It is to be submitted with these answers as soon as it is whole and nothing else is to be asked.
  submits boolean not null default false,
  -- The note of the submission then.
  note text not null default '',
  size_bytes bigint check (size_bytes >= 0),
  -- Once it is complete and stored.
  storage_key text,
  sha256 bytea check (octet_length(sha256) = 32),
  -- Its contents, or why they cannot be told.
  inspection jsonb,
  error jsonb,
  submission_id uuid references submission,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  -- The lease of the request that writes to it.
  writer uuid,
  writer_until timestamptz,
  check ((storage_key is null) = (sha256 is null)),
  check (storage_key is null or size_bytes is not null),
  check (not submits or answers is not null)
);
create index upload_open on upload (expires_at) where submission_id is null;
create index upload_of_submission on upload (submission_id);

create table tower (
  submission_id uuid not null references submission,
  number integer not null check (number > 0),
  name text,
  geom geometry(Point, 4326) not null,
  height_m double precision not null check (height_m >= 0),
  -- Null: all round.
  azimuth_deg double precision check (azimuth_deg >= 0 and azimuth_deg <= 360),
  beam_width_deg double precision not null check (beam_width_deg > 0 and beam_width_deg <= 360),
  power_dbm double precision not null,
  frequency_mhz double precision not null check (frequency_mhz > 0),
  bandwidth_min_mbps double precision,
  bandwidth_max_mbps double precision,
  bandwidth_up_min_mbps double precision,
  bandwidth_up_max_mbps double precision,
  primary key (submission_id, number)
);

-- The coverage that staff worked out from an operator's towers.
create table prediction (
  submission_id uuid primary key references submission,
  token_id integer references access_token,
  file_name text not null check (file_name <> ''),
  storage_key text not null,
  size_bytes bigint not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  -- Completes the submission's own manifest.
  manifest jsonb not null,
  -- Why it could not be used; another may be attached then.
  error jsonb,
  attached_at timestamptz not null default clock_timestamp()
);

-- The service's own model of a submission's towers, where workers have terrain. Without a row, it is left to staff.
create table modelling (
  submission_id uuid primary key references submission,
  -- `waiting` for a worker, or one is at it; `declined`: staff decide, for the reason; `cancelled`: staff attached a prediction.
  state text not null check (state in ('waiting', 'done', 'declined', 'cancelled')),
  -- Increases with each request, so that what was worked out for an earlier one is not taken for it.
  run integer not null default 1,
  -- As in a manifest.
  parameters jsonb not null,
  -- {code, message}
  reason jsonb,
  report jsonb,
  -- The strongest signal, a GeoTIFF.
  storage_key text,
  size_bytes bigint,
  -- The same as a PNG, for pages.
  picture_key text,
  requested_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  check ((state = 'declined') = (reason is not null)),
  check (state <> 'done' or report is not null),
  check ((report is null) = (storage_key is null) and (storage_key is null) = (size_bytes is null)
    and (storage_key is null) = (picture_key is null))
);
create index modelling_waiting on modelling (requested_at) where state = 'waiting';

-- Signals around sites that were worked out, by a hash of all that they depend on.
create table predicted_site (
  digest bytea primary key check (octet_length(digest) = 32),
  storage_key text not null,
  size_bytes bigint not null,
  used_at timestamptz not null default clock_timestamp()
);
create index predicted_site_use on predicted_site (used_at);
