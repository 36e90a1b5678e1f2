-- Keys of customers, tokens of operators, staff and customers. Only hashes of them are kept: a copy of these tables lets nobody in.

create table customer (
  id integer generated always as identity primary key,
  name text not null check (name = btrim(name) and name <> ''),
  created_at timestamptz not null default now(),
  -- Those of the terms when it was made, unless given.
  free_queries integer not null check (free_queries >= 0),
  -- Without a plan and past the free queries, a customer is refused unless staff allow overage: nobody owes by accident.
  overage_allowed boolean not null default false,
  -- When notice was given, and when the last plan and with it every key ends.
  cancelled_on date,
  closes_at timestamptz,
  check ((cancelled_on is null) = (closes_at is null))
);
create unique index customer_name on customer (lower(name));

create table api_key (
  id integer generated always as identity primary key,
  customer_id integer not null references customer,
  key_sha256 bytea not null unique check (octet_length(key_sha256) = 32),
  -- The first characters, so that people can tell keys apart.
  hint text not null,
  label text not null default '' check (label = btrim(label)),
  created_at timestamptz not null default now(),
  -- A key that was rotated still works for a while.
  expires_at timestamptz,
  replaced_by integer references api_key,
  revoked_at timestamptz,
  -- A key for pages of this origin, in whose source everybody can read it: it works in /embed alone, which they alone may frame.
  origin text check (origin ~ '^https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?$'),
  -- Known to everybody: works for callers on this machine, and for nobody else.
  local_only boolean not null default false
);
create index api_key_customer on api_key (customer_id);

-- Every API process caches keys in use and drops one when it hears of a change to it.
create function announce_api_key() returns trigger language plpgsql as $$
begin
  perform pg_notify('api_key', encode(coalesce(new.key_sha256, old.key_sha256), 'hex'));
  return null;
end $$;
create trigger api_key_announced after insert or update or delete on api_key
  for each row execute function announce_api_key();

-- The same where a customer may ask for more, or no more, from now on.
create function announce_keys_of_customer() returns trigger language plpgsql as $$
begin
  perform pg_notify('api_key', encode(k.key_sha256, 'hex')) from api_key k
  where k.customer_id in (
    case tg_table_name when 'customer' then (to_jsonb(new)->>'id')::integer
    else (coalesce(to_jsonb(new), to_jsonb(old))->>'customer_id')::integer end);
  return null;
end $$;
create trigger customer_keys_announced after update of overage_allowed, free_queries, closes_at on customer
  for each row execute function announce_keys_of_customer();

-- Operators act for one provider, customers for themselves, staff for any.
create table access_token (
  id integer generated always as identity primary key,
  role text not null check (role in ('operator', 'staff', 'customer')),
  provider_id integer references provider,
  customer_id integer references customer,
  name text not null check (name = btrim(name) and name <> ''),
  token_sha256 bytea not null unique check (octet_length(token_sha256) = 32),
  -- The first characters, so that people can tell tokens apart.
  hint text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '1 year',
  revoked_at timestamptz,
  -- Known to everybody: works for callers on this machine, and for nobody else.
  local_only boolean not null default false,
  check (expires_at > created_at),
  constraint access_token_owner_check
    check ((role = 'operator') = (provider_id is not null) and (role = 'customer') = (customer_id is not null))
);

-- A browser that has shown a token. It is active as long as the token is.
create table session (
  session_sha256 bytea primary key check (octet_length(session_sha256) = 32),
  token_id integer not null references access_token,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index session_expiry on session (expires_at);

-- Codes made with it cannot be made by anybody else. The first process that needs it makes it.
create table service_secret (
  one boolean primary key default true check (one),
  secret bytea not null check (octet_length(secret) = 32)
);

-- The parts of the demo that were made, so that none of them is made again.
create table demo_part (
  name text primary key check (name <> ''),
  made_at timestamptz not null default clock_timestamp()
);
