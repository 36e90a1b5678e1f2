-- Work has an end, and comes to everybody in turn.

-- What was begun and is not over: a row for each thing that is worked on, whatever kind of work that is.
create table work (
  kind text not null check (kind in ('ingest', 'inspect', 'bulk', 'rollback', 'overview')),
  -- Of the submission, upload, file of coordinates or dataset.
  id text not null,
  -- Processes that began it, each written before its work began and removed when that ended, however it ended. One that
  -- is here and no longer at work was killed.
  processes uuid[] not null default '{}',
  -- How often it failed for a reason that may pass, and when it is tried again.
  failures integer not null default 0 check (failures >= 0),
  retry_at timestamptz,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (kind, id)
);

-- When each provider, or customer, had its last turn.
create table work_turn (
  kind text not null,
  owner text not null,
  served_at timestamptz not null,
  primary key (kind, owner)
);

-- A worker stops what nobody wants any more when it hears of it: "<kind> <id>".
create function announce_cancelled_work() returns trigger language plpgsql as $$
begin
  perform pg_notify('work_cancelled', tg_argv[0] || ' ' || old.id);
  return null;
end $$;
create trigger submission_cancelled after update of state on submission
  for each row when (new.state = 'withdrawn') execute function announce_cancelled_work('ingest');
create trigger upload_cancelled after delete on upload
  for each row execute function announce_cancelled_work('inspect');
create trigger upload_described after update of submission_id on upload
  for each row when (new.submission_id is not null) execute function announce_cancelled_work('inspect');
create trigger bulk_job_cancelled after delete on bulk_job
  for each row execute function announce_cancelled_work('bulk');

-- Every stored file that a row names. A stored file that is not here belongs to nobody and is collected: a table that
-- names files has to be added.
create view stored_file as
  select storage_key from submission
  union all select storage_key from prediction
  -- While it comes in, an upload is stored under its id.
  union all select coalesce(storage_key, id::text) from upload
  union all select storage_key from bulk_job
  union all select storage_key from bulk_job_part;
