-- Workers that have terrain model coverage from towers themselves.

alter table work
  drop constraint work_kind_check,
  add constraint work_kind_check
    check (kind in ('ingest', 'compare', 'inspect', 'bulk', 'rollback', 'overview', 'predict'));

-- What the service models of a submission's towers. Without a row, it is left to staff.
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

create or replace view stored_file as
  select storage_key from submission
  union all select storage_key from prediction
  -- While it comes in, an upload is stored under its id.
  union all select coalesce(storage_key, id::text) from upload
  union all select storage_key from bulk_job
  union all select storage_key from bulk_job_part
  union all select storage_key from modelling where storage_key is not null
  union all select picture_key from modelling where picture_key is not null
  union all select storage_key from predicted_site;

create trigger submission_modelling_cancelled after update of state on submission
  for each row when (new.state in ('withdrawn', 'failed')) execute function announce_cancelled_work('predict');
