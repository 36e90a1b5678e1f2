-- Roles of the database, once for each database, by a superuser: psql covermap < deploy/roles.sql. Then give each a password:
-- \password covermap_owner, \password covermap_api, \password covermap_worker. It can be run again. What they may do with the tables is in
-- grants.sql.
--
--   covermap_owner   owns the schema and all in it: migrations
--   covermap_api     reads and writes rows, and owns nothing
--   covermap_worker  the same, without what accounts are made of: tokens, sessions, and new keys

do $$
declare
  role_name text;
begin
  foreach role_name in array array['covermap_owner', 'covermap_api', 'covermap_worker'] loop
    begin
      execute format('create role %I login', role_name);
    exception when duplicate_object or unique_violation then null;
    end;
  end loop;
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to covermap_owner, covermap_api, covermap_worker', current_database());
  -- Rows on their way into a table wait in temporary ones.
  execute format('grant temporary on database %I to covermap_api, covermap_worker, covermap_owner', current_database());
  -- For the queue's schema where there is no Redis.
  execute format('grant create on database %I to covermap_owner', current_database());
end $$;

create extension if not exists postgis;

revoke all on schema public from public;
grant all on schema public to covermap_owner;
grant usage on schema public to covermap_api, covermap_worker;
