-- What the roles of roles.sql may do, run by covermap_owner after every migration: psql covermap < deploy/grants.sql

grant select, insert, update, delete on all tables in schema public to covermap_api, covermap_worker;
grant usage, select on all sequences in schema public to covermap_api, covermap_worker;

-- Migrations are the owner's alone.
revoke insert, update, delete on schema_migration from covermap_api, covermap_worker;
-- Workers open untrusted files: a compromised one must not reach accounts.
revoke all on access_token, session, service_secret from covermap_worker;
-- Whose upload it is that they inspect.
grant select (id, provider_id, role, name) on access_token to covermap_worker;
revoke insert, update, delete on api_key, customer, registrar, registrar_network, plan, billing_terms, invoice_issuer
  from covermap_worker;
