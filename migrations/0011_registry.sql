-- The registry: which names are taken, which are about to be released, and who may ask. Times are instants; what has to
-- do with days and hours is reckoned in Pacific/Auckland.

-- Names are registered under a zone; answers are in their order. The top level is one of them.
create table zone (
  name text collate "C" primary key check (name ~ '^[a-z0-9-]+(\.[a-z0-9-]+)*$'),
  position smallint not null unique,
  -- Letters that names may have besides a to z, digits and the hyphen. A name with others can be in the register, but not be
  -- registered. By default the vowels of Māori with macrons, as .nz sells them.
  letters text not null default 'āēīōū' check (letters is nfc normalized and letters !~ '[\x01-\x7f[:space:]]')
);
insert into zone (position, name) values
  (1, 'nz'), (2, 'ac.nz'), (3, 'co.nz'), (4, 'cri.nz'), (5, 'geek.nz'), (6, 'gen.nz'), (7, 'health.nz'),
  (8, 'iwi.nz'), (9, 'kiwi.nz'), (10, 'maori.nz'), (11, 'mil.nz'), (12, 'net.nz'), (13, 'org.nz'),
  (14, 'school.nz'), (15, 'govt.nz'), (16, 'parliament.nz');

-- The code and status of an availability entry, by what was found out about the name. The codes are those of the whois protocol.
create table domain_status (
  finding text primary key check (finding in (
    -- of a name that can be looked up
    'active', 'pending_release', 'available',
    -- a zone is not a name that anyone could register
    'zone_itself',
    -- characters that no name has; a form that no name has (lengths, hyphens, empty labels); not right under a zone
    'characters', 'form', 'no_zone')),
  code text not null check (code ~ '^[0-9]{3}$'),
  status text not null check (status <> '')
);
insert into domain_status (finding, code, status) values
  ('active', '200', 'Active'),
  ('pending_release', '210', 'PendingRelease'),
  ('available', '220', 'Available'),
  ('zone_itself', '440', 'Request Denied'),
  ('characters', '500', 'Invalid characters in query string'),
  ('form', '501', 'Invalid domain name'),
  ('no_zone', '502', 'Domain name is not in a managed zone');

-- API processes keep the two tables in memory.
create function announce_registry_terms() returns trigger language plpgsql as $$
begin
  perform pg_notify('registry_terms', '');
  return null;
end $$;
create trigger zone_announced after insert or update or delete or truncate on zone
  for each statement execute function announce_registry_terms();
create trigger domain_status_announced after insert or update or delete or truncate on domain_status
  for each statement execute function announce_registry_terms();

-- The register: every name that is taken. A name that is not here can be registered.
create table domain (
  -- Lower case, and Punycode for an IDN.
  name text collate "C" primary key check (name ~ '^[a-z0-9.-]+$' and length(name) <= 253),
  registered timestamptz not null check (isfinite(registered)),
  -- When it was cancelled, which it can be for 90 days until it is released.
  cancelled timestamptz check (isfinite(cancelled) and cancelled >= registered),
  -- 90 days by the calendar: the same time of day in New Zealand, whether or not the clocks have changed meanwhile.
  release_date timestamptz generated always as
    ((cancelled at time zone 'Pacific/Auckland' + interval '90 days') at time zone 'Pacific/Auckland') stored
);
create index domain_release on domain (release_date) where cancelled is not null;

-- The daily runs of release-domains. One run a date, however often the job is started.
create table release_run (
  scheduled_for timestamptz primary key check (isfinite(scheduled_for)),
  ran_at timestamptz not null default clock_timestamp(),
  released integer not null default 0 check (released >= 0)
);

-- The history: each cancellation that ended in a release. It ends so once.
create table released_domain (
  name text collate "C" not null,
  registered timestamptz not null,
  cancelled timestamptz not null,
  release_date timestamptz not null,
  scheduled_for timestamptz not null references release_run,
  primary key (name, registered, cancelled),
  check (release_date < scheduled_for)
);
-- Names of a run stay PendingRelease until the end of its window: lookups find them by their names, and the droplist has all.
create index released_domain_of_run on released_domain (scheduled_for, name);

-- Imports of the register, and what each of them changed.
create table register_import (
  id integer generated always as identity primary key,
  file_name text not null,
  changes_only boolean not null,
  summary jsonb not null check (jsonb_typeof(summary) = 'object'),
  imported_at timestamptz not null default clock_timestamp()
);

-- One row. When the cancelled names that the droplist is made of last changed, in whole seconds and never twice the same:
-- it becomes an HTTP date. (The droplist also changes as time goes by.)
create table droplist_state (
  one boolean primary key default true check (one),
  modified_at timestamptz not null check (modified_at = date_trunc('second', modified_at))
);
insert into droplist_state (modified_at) values (date_trunc('second', clock_timestamp()));

-- Registrars are known by their addresses.
create table registrar (
  id integer generated always as identity primary key,
  name text not null check (name = btrim(name) and name <> ''),
  created_at timestamptz not null default now()
);
create unique index registrar_name on registrar (lower(name));

create table registrar_network (
  registrar_id integer not null references registrar on delete cascade,
  -- An IPv4 network is written as one, not mapped into IPv6. A network of half the world is a slip of the pen.
  network cidr not null check (
    not network <<= '::ffff:0:0/96' and masklen(network) >= case family(network) when 4 then 8 else 16 end),
  created_at timestamptz not null default now(),
  -- Made by the demo, of callers on this machine.
  local_only boolean not null default false,
  primary key (registrar_id, network)
);

create function announce_registrar_network() returns trigger language plpgsql as $$
begin
  perform pg_notify('registrar_network', '');
  return null;
end $$;
create trigger registrar_network_announced after insert or update or delete or truncate on registrar_network
  for each statement execute function announce_registrar_network();
