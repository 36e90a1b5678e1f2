-- What staff decide about billing. billing/settings.ts has their names and defaults.
create table billing_setting (
  name text primary key check (name <> ''),
  value jsonb not null,
  changed_at timestamptz not null default clock_timestamp(),
  changed_by text not null
);
