-- Creates the database roles. A superuser runs it once per database: psql covermap < deploy/roles.sql. Then set each password:
-- \password covermap_owner, \password covermap_api, \password covermap_worker. Running it again is safe. grants.sql has their rights to
-- tables.
--
--   covermap_owner   owns the schema and all in it: migrations
--   covermap_api     reads and writes rows, and owns nothing
--   covermap_worker  the same, without access to accounts: tokens, sessions, new keys

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
  -- Batches are staged in temporary tables.
  execute format('grant temporary on database %I to covermap_api, covermap_worker, covermap_owner', current_database());
  -- For the queue's schema where there is no Redis.
  execute format('grant create on database %I to covermap_owner', current_database());
end $$;

create extension if not exists postgis;

revoke all on schema public from public;
grant all on schema public to covermap_owner;
grant usage on schema public to covermap_api, covermap_worker;
