-- A provider's coverage with a technology may come in parts, each under a name of its own: its scope. A publication
-- replaces what is published of its scope, and lookups answer from all of them.

alter table dataset
  -- A region, "planned", a product; most have none. As it was written.
  add column scope text not null default ''
    check (char_length(scope) <= 60 and scope = btrim(scope) and scope !~ '[[:cntrl:]]'),
  -- The same for scopes that differ in case only. Written by the program: what lower case is depends on a database's locale.
  add column scope_key text not null default '',
  add constraint dataset_scope_key check ((scope_key = '') = (scope = '')),
  -- The other scopes' datasets that were published when it was compared: what they cover is not lost with it.
  add column compared_beside integer[] not null default '{}',
  -- Since when somebody waits for it to be compared with what is published now.
  add column comparison_wanted_at timestamptz;

drop index dataset_published;
create unique index dataset_published on dataset (provider_id, technology_id, scope_key) where state = 'published';
drop index dataset_versions;
create index dataset_versions on dataset (provider_id, technology_id, scope_key, id);

-- The tiers of all of them are in the memory of every process. The program knows the same number.
create function limit_scopes() returns trigger language plpgsql as $$
begin
  if (
    select count(*) from dataset d
    where d.provider_id = new.provider_id and d.technology_id = new.technology_id and d.state = 'published'
  ) > 50 then
    raise exception 'a provider has at most 50 scopes of a technology published' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger scope_limit after insert or update of state on dataset
  for each row when (new.state = 'published') execute function limit_scopes();

-- Comparing is work of its own, beside the loading of new files.
alter table work
  drop constraint work_kind_check,
  add constraint work_kind_check check (kind in ('ingest', 'compare', 'inspect', 'bulk', 'rollback', 'overview'));
create trigger comparison_cancelled after update of state on submission
  for each row when (old.state = 'ready' and new.state <> 'ready') execute function announce_cancelled_work('compare');
