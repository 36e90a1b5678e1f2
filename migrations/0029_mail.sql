-- E-mail that the service sends: what is told to whom, once each, and how far it has come.

alter table billing_contact
  -- Where invoices, reminders and alerts are sent; empty: nowhere.
  add column email text not null default '' check (length(email) <= 254 and email !~ '[[:space:]<>]');

-- What a person wants no e-mails of, at an address.
create table mail_opt_out (
  address text not null check (address = lower(address)),
  -- The group of templates that is turned off.
  topic text not null check (topic ~ '^[a-z]+$'),
  at timestamptz not null default clock_timestamp(),
  primary key (address, topic)
);

create table mail_message (
  id bigint generated always as identity primary key,
  customer_id integer references customer,
  provider_id integer references provider,
  account text not null generated always as
    (case when customer_id is null then 'operator:' || provider_id::text else 'customer:' || customer_id::text end) stored,
  -- What happened, as invoice:12: it is told once.
  event text not null check (event <> '' and length(event) <= 200),
  template text not null check (template ~ '^[a-z_]+$'),
  -- The invoice that a reminder is about: paid, it stops.
  invoice_number integer references invoice,
  -- Null where none was known.
  address text check (address <> ''),
  subject text not null check (subject <> '' and length(subject) <= 300),
  -- The words as they were when it was queued.
  content jsonb not null check (jsonb_typeof(content) = 'array'),
  message_id uuid not null unique default gen_random_uuid(),
  -- Turns its topic off.
  off_token uuid not null unique default gen_random_uuid(),
  -- `no_address`: it can be sent once there is one. `uncertain`: the mail server may have it, and has not said so. A person decides.
  state text not null check (state in ('no_address', 'queued', 'sending', 'sent', 'uncertain', 'failed', 'cancelled')),
  -- The attempt under way, or that became uncertain.
  attempt uuid,
  attempts integer not null default 0 check (attempts >= 0),
  -- When the mail server was given the text of the attempt: from then on it may have it.
  data_begun_at timestamptz,
  retry_at timestamptz,
  -- The mail server's sentence, or ours.
  reason text not null default '' check (length(reason) <= 1000),
  -- By billing's clock.
  queued_on timestamptz not null,
  -- Attempts end some days after this.
  queued_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  unique (account, event),
  check (num_nonnulls(customer_id, provider_id) = 1),
  check (state in ('no_address', 'cancelled') or address is not null),
  check ((state = 'sending') <= (attempt is not null)),
  check ((state = 'sent') = (sent_at is not null))
);
create index mail_message_due on mail_message (coalesce(retry_at, '-infinity'), id) where state = 'queued';
create index mail_message_open on mail_message (state) where state not in ('sent', 'cancelled');
create index mail_message_of_invoice on mail_message (invoice_number) where invoice_number is not null;
create index mail_message_state on mail_message (state, id);

create function announce_mail() returns trigger language plpgsql as $$
begin
  perform pg_notify('mail', '');
  return null;
end $$;
create trigger mail_message_announced after insert or update of state on mail_message
  for each row when (new.state = 'queued') execute function announce_mail();

-- A message of what was paid meanwhile is not sent: reminders end with their invoice, whatever settles it.
create function settled_stops_reminders() returns trigger language plpgsql as $$
begin
  if new.to_invoice is not null and not exists (select from open_invoice where number = new.to_invoice) then
    update mail_message set state = 'cancelled', retry_at = null, reason = 'The invoice is settled.'
    where invoice_number = new.to_invoice and template = 'reminder' and state in ('queued', 'no_address', 'failed');
  end if;
  return null;
end $$;
create trigger allocation_stops_reminders after insert on allocation for each row execute function settled_stops_reminders();

-- Invoices whose reminders staff have stopped.
create table reminder_stop (
  invoice_number integer primary key references invoice,
  at timestamptz not null default clock_timestamp(),
  by_name text not null
);
