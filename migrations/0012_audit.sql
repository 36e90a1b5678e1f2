-- Actions of people, commands and the service. Rows are only ever added.
create table audit_event (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor_kind text not null check (actor_kind in ('operator', 'staff', 'customer', 'command', 'service')),
  token_id integer references access_token,
  actor_name text not null,
  address text,
  action text not null check (action <> ''),
  provider_id integer references provider,
  customer_id integer references customer,
  submission_id uuid references submission,
  -- Not a reference: a dataset that was never published may go.
  dataset_id integer,
  details jsonb not null default '{}'
);
create index audit_event_submission on audit_event (submission_id, id);
create index audit_event_provider on audit_event (provider_id, id);
create index audit_event_customer on audit_event (customer_id, id);
create trigger audit_event_kept before update or delete on audit_event
  for each row execute function refuse_change();
