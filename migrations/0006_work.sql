-- Jobs of workers, and the files that rows name.

-- A row for each step that was begun and is not over.
create table work (
  kind text not null check (kind in ('inspect', 'read-towers', 'predict', 'load', 'compare', 'publish',
    'archive', 'discard', 'draw', 'rollback', 'bulk-lookup')),
  -- Of the submission, upload, file of positions or dataset.
  id text not null,
  -- Processes that began it, each written before its work began and removed when that ended, however it ended. One that
  -- is here and no longer at work was killed.
  processes uuid[] not null default '{}',
  -- It took longer than the second slot of a worker allows: it waits for the first, behind everybody else's.
  slow boolean not null default false,
  -- How often it failed for a reason that may pass, and when it is tried again.
  failures integer not null default 0 check (failures >= 0),
  retry_at timestamptz,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (kind, id)
);

-- A worker ends whatever it does to a row that nobody wants any more: it hears the id.
create function announce_cancelled_work() returns trigger language plpgsql as $$
begin
  perform pg_notify('work_cancelled', old.id::text);
  return null;
end $$;
create trigger submission_cancelled after update of state on submission
  for each row when (old.state = 'ready' and new.state <> 'ready' or new.state in ('withdrawn', 'failed'))
  execute function announce_cancelled_work();
create trigger upload_cancelled after delete on upload
  for each row execute function announce_cancelled_work();
create trigger upload_described after update of submission_id on upload
  for each row when (new.submission_id is not null) execute function announce_cancelled_work();
create trigger bulk_job_cancelled after delete on bulk_job
  for each row execute function announce_cancelled_work();

-- Every stored file that a row names. A stored file that is not here is an orphan and is removed: a table that names files has
-- to be added.
create view stored_file as
  select storage_key from submission
  union all select storage_key from prediction
  -- While it comes in, an upload is stored under its id.
  union all select coalesce(storage_key, id::text) from upload
  union all select storage_key from bulk_job
  union all select storage_key from bulk_job_part
  union all select storage_key from modelling where storage_key is not null
  union all select picture_key from modelling where picture_key is not null
  union all select storage_key from predicted_site;
