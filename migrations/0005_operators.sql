-- What operators and staff do: who they are, files on their way in, checks before a publication, work of the service,
-- what is owed for it, and who did what.

-- Operators act for one provider, staff for any. Only a hash of a token is kept.
create table access_token (
  id integer generated always as identity primary key,
  role text not null check (role in ('operator', 'staff')),
  provider_id integer references provider,
  name text not null check (name = btrim(name) and name <> ''),
  token_sha256 bytea not null unique check (octet_length(token_sha256) = 32),
  -- The first characters, so that people can tell tokens apart.
  hint text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  check ((role = 'operator') = (provider_id is not null))
);

-- A browser that has shown a token. It is good as long as the token is.
create table session (
  session_sha256 bytea primary key check (octet_length(session_sha256) = 32),
  token_id integer not null references access_token,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index session_expiry on session (expires_at);

alter table submission
  -- Whose it is; null where it came from a command.
  add column token_id integer references access_token,
  -- What the file is: coverage, or the towers from which the service is to work it out.
  add column kind text not null default 'coverage' check (kind in ('coverage', 'towers')),
  add column processed_by text not null default 'operator' check (processed_by in ('operator', 'service')),
  -- When the rows of `tower` were made of the file.
  add column towers_read_at timestamptz,
  -- Why it does not publish itself: [{code, message}].
  add column blocking jsonb check (jsonb_typeof(blocking) = 'array' and jsonb_array_length(blocking) > 0),
  -- Counts changes.
  add column revision bigint not null default 1,
  add check (kind = 'coverage' or processed_by = 'service');
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
  file_name text not null check (file_name <> ''),
  -- What was said of it when it began, if anything.
  manifest jsonb,
  again boolean not null default false,
  size_bytes bigint check (size_bytes >= 0),
  -- Once it is complete and stored.
  storage_key text,
  sha256 bytea check (octet_length(sha256) = 32),
  -- What is in it, or why that cannot be told.
  inspection jsonb,
  error jsonb,
  submission_id uuid references submission,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  -- Which request is writing to it, and until when it is believed to.
  writer uuid,
  writer_until timestamptz,
  check ((storage_key is null) = (sha256 is null)),
  check (storage_key is null or size_bytes is not null)
);
create index upload_open on upload (expires_at) where submission_id is null;
create index upload_of_submission on upload (submission_id);

-- The coverage that staff worked out from an operator's towers.
create table prediction (
  submission_id uuid primary key references submission,
  token_id integer references access_token,
  file_name text not null check (file_name <> ''),
  storage_key text not null,
  size_bytes bigint not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  -- What it says beside the submission's own manifest.
  manifest jsonb not null,
  -- Why it could not be used; another may be attached then.
  error jsonb,
  attached_at timestamptz not null default clock_timestamp()
);

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

-- A dataset that is being made current again is `restoring` while its rows come back.
alter table dataset
  drop constraint dataset_state_check,
  add constraint dataset_state_check
    check (state in ('loading', 'ready', 'published', 'superseded', 'restoring', 'withdrawn')),
  -- Its rows are gone for good, or about to be.
  add column rows_removed_at timestamptz,
  -- What it was last compared with (null: with nothing, as nothing was published), and the areas, if they could be told.
  add column compared_at timestamptz,
  add column compared_with integer references dataset,
  add column change jsonb,
  add check (rows_removed_at is null or state in ('superseded', 'withdrawn')),
  add check (change is null or (compared_with is not null and compared_at is not null));

-- Where a dataset gains and loses beside the one that it was compared with.
create table coverage_change (
  dataset_id integer not null references dataset on delete cascade,
  change text not null check (change in ('gained', 'lost', 'unchanged')),
  geom geometry(Polygon, 4326) not null
);
create index coverage_change_geom on coverage_change using gist (geom);
create index coverage_change_dataset on coverage_change (dataset_id);

-- What an operator owes for coverage that the service worked out: once a submission, when it is first published.
create table processing_fee (
  id integer generated always as identity primary key,
  provider_id integer not null references provider,
  submission_id uuid not null unique references submission,
  kind text not null check (kind in ('first', 'later')),
  -- Without GST.
  amount_cents integer not null check (amount_cents > 0),
  accrued_at timestamptz not null default clock_timestamp()
);
create unique index processing_fee_first on processing_fee (provider_id) where kind = 'first';
create index processing_fee_provider on processing_fee (provider_id, accrued_at);

-- Who did what, when, from where. Rows are only ever added.
create table audit_event (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor_kind text not null check (actor_kind in ('operator', 'staff', 'command', 'service')),
  token_id integer references access_token,
  actor_name text not null,
  address text,
  action text not null check (action <> ''),
  provider_id integer references provider,
  submission_id uuid references submission,
  -- Not a reference: a dataset that was never published may go.
  dataset_id integer,
  details jsonb not null default '{}'
);
create index audit_event_submission on audit_event (submission_id, id);
create index audit_event_provider on audit_event (provider_id, id);
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_event rows are only ever added';
end $$;
create trigger audit_event_kept before update or delete on audit_event
  for each row execute function refuse_audit_change();
