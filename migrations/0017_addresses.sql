-- The list of addresses of a country, such as LINZ's "NZ Addresses": streets, and the addresses on them.

-- The version of the list: each import that changes something takes the next one, and every process reads the streets that are newer than its own.
create table address_list (
  only_row boolean primary key default true check (only_row),
  version bigint not null default 0,
  -- False where nothing was imported yet: then nothing asks by address.
  is_empty boolean not null default true,
  changed_at timestamptz not null default clock_timestamp()
);
insert into address_list default values;

create function announce_address_list() returns trigger language plpgsql as $$
begin
  perform pg_notify('address_list', new.version::text);
  return null;
end $$;
create trigger address_list_changed after update on address_list
  for each row when (new.version <> old.version) execute function announce_address_list();

-- A road in a suburb of a town: "Rata Street, Ponsonby, Auckland". Where there is no suburb or no town, the text is empty.
create table street (
  id integer primary key generated always as identity,
  road text not null check (road <> ''),
  suburb text not null default '',
  town text not null default '',
  -- The territorial authority: the district or city around it.
  authority text not null default '',
  -- How many addresses it has, and the middle of them, in 1e-7 degrees. Streets without any stay until the next import.
  addresses integer not null default 0,
  lng integer not null default 0,
  lat integer not null default 0,
  -- Of its addresses, in order, where the list has postcodes.
  postcodes text[] not null default '{}',
  -- The version of the list that changed this row.
  version bigint not null default 0,
  unique (road, suburb, town, authority)
);
create index street_version on street (version);

create table address (
  -- As in the list: it stays what it is across imports.
  id text collate "C" primary key check (id ~ '^[A-Za-z0-9_.-]{1,60}$'),
  street_id integer not null references street,
  -- The number on the street, without unit and letters; 0 where it has none.
  number integer not null check (number between 0 and 9999999),
  -- All that stands before the road: "2/14A", "979-993".
  label text not null,
  -- In 1e-7 degrees of WGS 84, about a centimetre.
  lng integer not null check (lng between -1800000000 and 1800000000),
  lat integer not null check (lat between -900000000 and 900000000),
  -- Null where the list has none.
  postcode text check (postcode ~ '^[0-9]{4}$')
);
-- Addresses of a number on a street, which is how texts are matched.
create index address_number on address (street_id, number);
-- Bands of a hundredth of a degree, in each of which addresses lie from west to east: the nearest ones to a position, and those at one point.
create index address_place on address ((lat / 100000), lng);

-- Addresses that a later list no longer has: who asks for one is told so.
create table address_gone (
  id text collate "C" primary key,
  gone_at timestamptz not null default clock_timestamp()
);

-- Ids of other systems for the same addresses: asked for as `tlc:12345`.
create table address_alias (
  system text collate "C" not null check (system ~ '^[a-z][a-z0-9_-]{0,29}$'),
  alias text collate "C" not null check (alias ~ '^[A-Za-z0-9_.-]{1,60}$'),
  address_id text collate "C" not null,
  primary key (system, alias)
);
create index address_alias_of on address_alias (address_id);

-- Files of addresses that were imported, or are to be.
create table address_import (
  id uuid primary key default gen_random_uuid(),
  -- `received`: it waits for a worker, or is being read by one or by a command.
  state text not null default 'received' check (state in ('received', 'done', 'failed', 'cancelled')),
  file_name text not null,
  size_bytes bigint not null check (size_bytes >= 0),
  -- Null for a file that a command reads where it lies, and once the import has ended.
  storage_key text check (storage_key <> ''),
  -- What was asked for: names of columns, the other system, and what is accepted.
  options jsonb not null default '{}' check (jsonb_typeof(options) = 'object'),
  -- How far it is, as `{"step": "reading", "percent": 40}`.
  progress jsonb,
  -- What was read, taken, dropped and changed.
  report jsonb check (jsonb_typeof(report) = 'object'),
  error jsonb,
  -- Who imports it, as the audit names people.
  actor text not null,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  check ((state = 'failed') = (error is not null)),
  check ((state = 'done') = (report is not null)),
  check ((state <> 'received') = (finished_at is not null))
);
create index address_import_unfinished on address_import (created_at) where state = 'received';
create trigger address_import_cancelled after update of state on address_import
  for each row when (new.state = 'cancelled') execute function announce_cancelled_work();

alter table work drop constraint work_kind_check;
alter table work add constraint work_kind_check check (kind in ('inspect', 'read-towers', 'predict', 'load', 'compare', 'publish',
  'archive', 'discard', 'draw', 'rollback', 'bulk-lookup', 'import-addresses'));

create or replace view stored_file as
  select storage_key from submission
  union all select storage_key from prediction
  -- While it comes in, an upload is stored under its id.
  union all select coalesce(storage_key, id::text) from upload
  union all select storage_key from bulk_job
  union all select storage_key from bulk_job_part
  union all select storage_key from modelling where storage_key is not null
  union all select picture_key from modelling where picture_key is not null
  union all select storage_key from predicted_site
  union all select storage_key from address_import where storage_key is not null;

-- A file of positions that also names addresses: its answers name them, too.
alter table bulk_job add column names_addresses boolean not null default false;
