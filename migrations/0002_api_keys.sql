-- Who may ask. Only a hash of a key is kept: a copy of this table lets nobody in.

create table customer (
  id integer generated always as identity primary key,
  name text not null check (name = btrim(name) and name <> ''),
  created_at timestamptz not null default now()
);
create unique index customer_name on customer (lower(name));

create table api_key (
  id integer generated always as identity primary key,
  customer_id integer not null references customer,
  key_sha256 bytea not null unique check (octet_length(key_sha256) = 32),
  -- The first characters, so that people can tell keys apart.
  hint text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index api_key_customer on api_key (customer_id);

-- Every API process keeps recent keys in memory and drops one when it hears of a change to it.
create function announce_api_key() returns trigger language plpgsql as $$
begin
  perform pg_notify('api_key', encode(coalesce(new.key_sha256, old.key_sha256), 'hex'));
  return null;
end $$;
create trigger api_key_announced after insert or update or delete on api_key
  for each row execute function announce_api_key();
