-- Each step of the work has jobs of its own, whose priority gives each owner its turn.
drop table work_turn;

alter table work drop constraint work_kind_check;
update work set kind = case kind when 'bulk' then 'bulk-lookup' else 'draw' end where kind in ('bulk', 'overview');
update work set kind = case
    when s.state = 'withdrawn' then 'discard'
    when s.state = 'ready' then 'publish'
    when s.kind = 'towers' and s.towers_read_at is null then 'read-towers'
    else 'load' end
  from submission s where work.kind = 'ingest' and s.id::text = work.id;
delete from work where kind = 'ingest';
alter table work add constraint work_kind_check check (kind in ('inspect', 'read-towers', 'predict', 'load', 'compare', 'publish',
  'archive', 'discard', 'draw', 'rollback', 'bulk-lookup'));

-- A worker ends whatever it does to a row that nobody wants any more: it hears the id.
create or replace function announce_cancelled_work() returns trigger language plpgsql as $$
begin
  perform pg_notify('work_cancelled', old.id::text);
  return null;
end $$;
drop trigger if exists comparison_cancelled on submission;
drop trigger if exists submission_modelling_cancelled on submission;
create or replace trigger submission_cancelled after update of state on submission
  for each row when (old.state = 'ready' and new.state <> 'ready' or new.state in ('withdrawn', 'failed'))
  execute function announce_cancelled_work();
create or replace trigger upload_cancelled after delete on upload
  for each row execute function announce_cancelled_work();
create or replace trigger upload_described after update of submission_id on upload
  for each row when (new.submission_id is not null) execute function announce_cancelled_work();
create or replace trigger bulk_job_cancelled after delete on bulk_job
  for each row execute function announce_cancelled_work();
