-- What the roles of roles.sql may do, run by covermap_owner after every migration: psql covermap < deploy/grants.sql

-- All but what belongs to PostGIS, of which the owner may grant nothing, and which everybody may read.
do $$
declare
  relation record;
begin
  for relation in
    select c.oid::regclass as name, c.relkind = 'S' as is_sequence
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and not exists (
        select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
      )
  loop
    execute format(
      case when relation.is_sequence then 'grant usage, select on sequence %s to covermap_api, covermap_worker'
      else 'grant select, insert, update, delete on table %s to covermap_api, covermap_worker' end,
      relation.name
    );
  end loop;
end $$;

-- Migrations are the owner's alone, and months are rehearsed in the demo alone.
revoke insert, update, delete on schema_migration, rehearsal from covermap_api, covermap_worker;
-- Workers open untrusted files: a compromised one must not reach accounts.
revoke all on access_token, session, service_secret from covermap_worker;
-- Whose upload it is that they inspect.
grant select (id, provider_id, role, name) on access_token to covermap_worker;
revoke insert, update, delete on api_key, customer, registrar, registrar_network, plan, billing_terms, invoice_issuer
  from covermap_worker;
