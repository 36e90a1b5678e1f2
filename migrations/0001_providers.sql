-- Providers, and the technologies that they offer.

create extension if not exists postgis;

-- More may be added: nothing else in the system lists them.
create table technology (
  id smallint primary key,
  name text not null unique check (name ~ '^[a-z][a-z0-9_]*$'),
  -- The name in version 1.0 of the API and in the providers list.
  label text not null unique check (label <> ''),
  -- Fastest first. Orders technologies that no provider's speed orders.
  nominal_rank smallint not null unique,
  -- The map tile layer, version 1.0's set_id.
  set_id integer not null unique
);
insert into technology (id, name, label, nominal_rank, set_id) values
  (1, 'fibre', 'Fibre', 1, 1),
  (2, 'cable', 'Cable', 2, 2),
  (3, 'vdsl', 'VDSL', 3, 3),
  (4, 'wireless', 'Wireless', 4, 4),
  (5, 'adsl', 'ADSL', 5, 5);

create table provider (
  id integer generated always as identity primary key,
  name text not null check (name = btrim(name) and name <> ''),
  -- Required before anything more is published.
  url text not null default ''
    constraint provider_url check (url = '' or (url ~* '^https?://[^/]' and char_length(url) <= 500)),
  wholesale_network text not null default 'No' check (wholesale_network in ('Yes', 'No', 'Both')),
  description text not null default '' constraint provider_description check (char_length(description) <= 2000),
  area_served text[] not null default '{}' constraint provider_area_served check (cardinality(area_served) <= 100),
  created_at timestamptz not null default now(),
  -- Counts changes of the profile: whoever changes it names the one that they saw.
  revision integer not null default 1,
  -- When it was saved by form or API, after which manifests change nothing of it; null where never.
  profile_saved_at timestamptz
);
create unique index provider_name on provider (lower(name));

create function count_provider_revision() returns trigger language plpgsql as $$
begin
  if (new.name, new.url, new.wholesale_network, new.description, new.area_served)
    is distinct from (old.name, old.url, old.wholesale_network, old.description, old.area_served) then
    new.revision := old.revision + 1;
  end if;
  return new;
end $$;
create trigger provider_revision_counted before update on provider
  for each row execute function count_provider_revision();

-- One row. Its version changes in the transaction that changes what is published, so a lookup that reads it together
-- with the coverage knows which catalog its rows belong to.
create table catalog (
  one boolean primary key default true check (one),
  version bigint not null
);
insert into catalog (version) values (1);

create function announce_catalog() returns trigger language plpgsql as $$
begin
  perform pg_notify('catalog', new.version::text);
  return null;
end $$;
create trigger catalog_announced after update on catalog for each row execute function announce_catalog();

-- A provider's name, address or kind shows in answers.
create function provider_changes_catalog() returns trigger language plpgsql as $$
begin
  if old is distinct from new then
    update catalog set version = version + 1;
  end if;
  return null;
end $$;
create trigger provider_changes_catalog after update on provider for each row execute function provider_changes_catalog();
