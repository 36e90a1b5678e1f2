-- When tokens end, what answers this machine only, and what the demo made once and does not make again.

alter table access_token
  -- Those that there are already have a year from now.
  add column expires_at timestamptz not null default now() + interval '1 year' check (expires_at > created_at),
  -- A token that everybody knows: good for callers on this machine, and for nobody else.
  add column local_only boolean not null default false;
alter table registrar_network add column local_only boolean not null default false;
alter table api_key add column local_only boolean not null default false;
update access_token set local_only = true
where token_sha256 in (sha256('operator-demo'), sha256('staff-demo'), sha256('customer-demo'));
update api_key set local_only = true where key_sha256 = sha256('demo');

update registrar_network n set local_only = true from registrar r
where r.id = n.registrar_id and r.name = 'Demo' and n.network in ('127.0.0.0/8', '::1/128')
  and exists (select from api_key where key_sha256 = sha256('demo'));

create table demo_part (
  name text primary key check (name <> ''),
  made_at timestamptz not null default clock_timestamp()
);
insert into demo_part (name)
select name from unnest(array['key', 'registrar', 'operator', 'staff', 'customer']) as name
where exists (select from api_key where key_sha256 = sha256('demo'));
