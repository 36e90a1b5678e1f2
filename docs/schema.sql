-- The schema that all migrations give. Written by npm run schema: do not edit.

create table access_token (
  id integer generated always as identity not null,
  role text not null,
  provider_id integer,
  customer_id integer,
  name text not null,
  token_sha256 bytea not null,
  hint text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone default now() + '1 year'::interval not null,
  revoked_at timestamp with time zone,
  local_only boolean default false not null,
  constraint access_token_pkey PRIMARY KEY (id),
  constraint access_token_token_sha256_key UNIQUE (token_sha256),
  constraint access_token_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint access_token_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint access_token_check CHECK (expires_at > created_at),
  constraint access_token_name_check CHECK (name = btrim(name) AND name <> ''::text),
  constraint access_token_owner_check CHECK ((role = 'operator'::text) = (provider_id IS NOT NULL) AND (role = 'customer'::text) = (customer_id IS NOT NULL)),
  constraint access_token_role_check CHECK (role = ANY (ARRAY['operator'::text, 'staff'::text, 'customer'::text])),
  constraint access_token_token_sha256_check CHECK (octet_length(token_sha256) = 32)
);

create table address (
  id text collate "C" not null,
  street_id integer not null,
  number integer not null,
  label text not null,
  lng integer not null,
  lat integer not null,
  postcode text,
  constraint address_pkey PRIMARY KEY (id),
  constraint address_street_id_fkey FOREIGN KEY (street_id) REFERENCES street(id),
  constraint address_id_check CHECK (id ~ '^[A-Za-z0-9_.-]{1,60}$'::text),
  constraint address_lat_check CHECK (lat >= '-900000000'::integer AND lat <= 900000000),
  constraint address_lng_check CHECK (lng >= '-1800000000'::integer AND lng <= 1800000000),
  constraint address_number_check CHECK (number >= 0 AND number <= 9999999),
  constraint address_postcode_check CHECK (postcode ~ '^[0-9]{4}$'::text)
);
CREATE INDEX address_number ON address USING btree (street_id, number);
CREATE INDEX address_place ON address USING btree (((lat / 100000)), lng);

create table address_alias (
  system text collate "C" not null,
  alias text collate "C" not null,
  address_id text collate "C" not null,
  constraint address_alias_pkey PRIMARY KEY (system, alias),
  constraint address_alias_alias_check CHECK (alias ~ '^[A-Za-z0-9_.-]{1,60}$'::text),
  constraint address_alias_system_check CHECK (system ~ '^[a-z][a-z0-9_-]{0,29}$'::text)
);
CREATE INDEX address_alias_of ON address_alias USING btree (address_id);

create table address_gone (
  id text collate "C" not null,
  gone_at timestamp with time zone default clock_timestamp() not null,
  constraint address_gone_pkey PRIMARY KEY (id)
);

create table address_import (
  id uuid default gen_random_uuid() not null,
  state text default 'received'::text not null,
  file_name text not null,
  size_bytes bigint not null,
  storage_key text,
  options jsonb default '{}'::jsonb not null,
  progress jsonb,
  report jsonb,
  error jsonb,
  actor text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  finished_at timestamp with time zone,
  constraint address_import_pkey PRIMARY KEY (id),
  constraint address_import_check CHECK ((state = 'failed'::text) = (error IS NOT NULL)),
  constraint address_import_check1 CHECK ((state = 'done'::text) = (report IS NOT NULL)),
  constraint address_import_check2 CHECK ((state <> 'received'::text) = (finished_at IS NOT NULL)),
  constraint address_import_options_check CHECK (jsonb_typeof(options) = 'object'::text),
  constraint address_import_report_check CHECK (jsonb_typeof(report) = 'object'::text),
  constraint address_import_size_bytes_check CHECK (size_bytes >= 0),
  constraint address_import_state_check CHECK (state = ANY (ARRAY['received'::text, 'done'::text, 'failed'::text, 'cancelled'::text])),
  constraint address_import_storage_key_check CHECK (storage_key <> ''::text)
);
CREATE INDEX address_import_unfinished ON address_import USING btree (created_at) WHERE (state = 'received'::text);
CREATE TRIGGER address_import_cancelled AFTER UPDATE OF state ON address_import FOR EACH ROW WHEN ((new.state = 'cancelled'::text)) EXECUTE FUNCTION announce_cancelled_work();

create table address_list (
  only_row boolean default true not null,
  version bigint default 0 not null,
  is_empty boolean default true not null,
  changed_at timestamp with time zone default clock_timestamp() not null,
  premises_version bigint default 0 not null,
  next_premises integer default 0 not null,
  constraint address_list_pkey PRIMARY KEY (only_row),
  constraint address_list_only_row_check CHECK (only_row)
);
CREATE TRIGGER address_list_changed AFTER UPDATE ON address_list FOR EACH ROW WHEN ((new.version <> old.version)) EXECUTE FUNCTION announce_address_list();

create table allocation (
  id bigint generated always as identity not null,
  from_entry bigint,
  from_credit_note integer,
  from_invoice integer,
  to_invoice integer,
  to_entry bigint,
  to_credit_note integer,
  amount_cents bigint not null,
  on_day date not null,
  at timestamp with time zone default clock_timestamp() not null,
  by_name text not null,
  constraint allocation_pkey PRIMARY KEY (id),
  constraint allocation_from_credit_note_fkey FOREIGN KEY (from_credit_note) REFERENCES credit_note(number),
  constraint allocation_from_entry_fkey FOREIGN KEY (from_entry) REFERENCES ledger_entry(id),
  constraint allocation_from_invoice_fkey FOREIGN KEY (from_invoice) REFERENCES invoice(number),
  constraint allocation_to_credit_note_fkey FOREIGN KEY (to_credit_note) REFERENCES credit_note(number),
  constraint allocation_to_entry_fkey FOREIGN KEY (to_entry) REFERENCES ledger_entry(id),
  constraint allocation_to_invoice_fkey FOREIGN KEY (to_invoice) REFERENCES invoice(number),
  constraint allocation_amount_cents_check CHECK (amount_cents <> 0),
  constraint allocation_check CHECK (num_nonnulls(from_entry, from_credit_note, from_invoice) = 1),
  constraint allocation_check1 CHECK (num_nonnulls(to_invoice, to_entry, to_credit_note) = 1)
);
CREATE INDEX allocation_from_credit_note ON allocation USING btree (from_credit_note) WHERE (from_credit_note IS NOT NULL);
CREATE INDEX allocation_from_entry ON allocation USING btree (from_entry) WHERE (from_entry IS NOT NULL);
CREATE INDEX allocation_from_invoice ON allocation USING btree (from_invoice) WHERE (from_invoice IS NOT NULL);
CREATE INDEX allocation_to_credit_note ON allocation USING btree (to_credit_note) WHERE (to_credit_note IS NOT NULL);
CREATE INDEX allocation_to_entry ON allocation USING btree (to_entry) WHERE (to_entry IS NOT NULL);
CREATE INDEX allocation_to_invoice ON allocation USING btree (to_invoice) WHERE (to_invoice IS NOT NULL);
CREATE TRIGGER allocation_kept BEFORE DELETE OR UPDATE ON allocation FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER allocation_not_emptied BEFORE TRUNCATE ON allocation FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER allocation_stops_reminders AFTER INSERT ON allocation FOR EACH ROW EXECUTE FUNCTION settled_stops_reminders();
CREATE TRIGGER allocation_within BEFORE INSERT ON allocation FOR EACH ROW EXECUTE FUNCTION allocate_what_is_left();

create table api_key (
  id integer generated always as identity not null,
  customer_id integer not null,
  key_sha256 bytea not null,
  hint text not null,
  label text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  replaced_by integer,
  revoked_at timestamp with time zone,
  origin text,
  local_only boolean default false not null,
  constraint api_key_pkey PRIMARY KEY (id),
  constraint api_key_key_sha256_key UNIQUE (key_sha256),
  constraint api_key_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint api_key_replaced_by_fkey FOREIGN KEY (replaced_by) REFERENCES api_key(id),
  constraint api_key_key_sha256_check CHECK (octet_length(key_sha256) = 32),
  constraint api_key_label_check CHECK (label = btrim(label)),
  constraint api_key_origin_check CHECK (origin ~ '^https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?$'::text)
);
CREATE INDEX api_key_customer ON api_key USING btree (customer_id);
CREATE TRIGGER api_key_announced AFTER INSERT OR DELETE OR UPDATE ON api_key FOR EACH ROW EXECUTE FUNCTION announce_api_key();

create table audit_event (
  id bigint generated always as identity not null,
  at timestamp with time zone default clock_timestamp() not null,
  actor_kind text not null,
  token_id integer,
  actor_name text not null,
  address text,
  action text not null,
  provider_id integer,
  customer_id integer,
  submission_id uuid,
  dataset_id integer,
  details jsonb default '{}'::jsonb not null,
  constraint audit_event_pkey PRIMARY KEY (id),
  constraint audit_event_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint audit_event_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint audit_event_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES submission(id),
  constraint audit_event_token_id_fkey FOREIGN KEY (token_id) REFERENCES access_token(id),
  constraint audit_event_action_check CHECK (action <> ''::text),
  constraint audit_event_actor_kind_check CHECK (actor_kind = ANY (ARRAY['operator'::text, 'staff'::text, 'customer'::text, 'command'::text, 'service'::text]))
);
CREATE INDEX audit_event_customer ON audit_event USING btree (customer_id, id);
CREATE INDEX audit_event_provider ON audit_event USING btree (provider_id, id);
CREATE INDEX audit_event_submission ON audit_event USING btree (submission_id, id);
CREATE TRIGGER audit_event_kept BEFORE DELETE OR UPDATE ON audit_event FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table bank_file (
  id integer generated always as identity not null,
  name text not null,
  bank text not null,
  account text not null,
  known integer not null,
  debits integer not null,
  zeros integer not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  created_by text not null,
  constraint bank_file_pkey PRIMARY KEY (id)
);

create table bank_layout (
  id integer generated always as identity not null,
  name text not null,
  headings text[] not null,
  columns jsonb not null,
  dates text,
  created_at timestamp with time zone default clock_timestamp() not null,
  created_by text not null,
  constraint bank_layout_pkey PRIMARY KEY (id),
  constraint bank_layout_headings_key UNIQUE (headings),
  constraint bank_layout_columns_check CHECK (jsonb_typeof(columns) = 'object'::text),
  constraint bank_layout_dates_check CHECK (dates = ANY (ARRAY['dmy'::text, 'mdy'::text, 'ymd'::text])),
  constraint bank_layout_name_check CHECK (name <> ''::text AND length(name) <= 100)
);
CREATE UNIQUE INDEX bank_layout_name ON bank_layout USING btree (lower(name));

create table bank_line (
  id integer generated always as identity not null,
  file_id integer not null,
  line integer not null,
  identity text not null,
  on_day date not null,
  amount_cents bigint not null,
  payer text not null,
  particulars text not null,
  code text not null,
  reference text not null,
  details text not null,
  constraint bank_line_pkey PRIMARY KEY (id),
  constraint bank_line_identity_key UNIQUE (identity),
  constraint bank_line_file_id_fkey FOREIGN KEY (file_id) REFERENCES bank_file(id) ON DELETE CASCADE,
  constraint bank_line_amount_cents_check CHECK (amount_cents > 0)
);
CREATE INDEX bank_line_day ON bank_line USING btree (on_day);
CREATE INDEX bank_line_file ON bank_line USING btree (file_id);
CREATE TRIGGER bank_line_kept BEFORE UPDATE ON bank_line FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_line_open AFTER INSERT ON bank_line FOR EACH ROW EXECUTE FUNCTION bank_line_opens();

create table bank_match (
  line_id integer not null,
  entry_id bigint,
  at timestamp with time zone default clock_timestamp() not null,
  by_name text not null,
  constraint bank_match_pkey PRIMARY KEY (line_id),
  constraint bank_match_entry_id_key UNIQUE (entry_id),
  constraint bank_match_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES payment(entry_id),
  constraint bank_match_line_id_fkey FOREIGN KEY (line_id) REFERENCES bank_line(id)
);
CREATE TRIGGER bank_match_kept BEFORE UPDATE ON bank_match FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bank_match_open AFTER INSERT OR DELETE ON bank_match FOR EACH ROW EXECUTE FUNCTION bank_line_opens();

create table billing_contact (
  id integer generated always as identity not null,
  customer_id integer,
  provider_id integer,
  address text default ''::text not null,
  contact text default ''::text not null,
  email text default ''::text not null,
  constraint billing_contact_pkey PRIMARY KEY (id),
  constraint billing_contact_customer_id_key UNIQUE (customer_id),
  constraint billing_contact_provider_id_key UNIQUE (provider_id),
  constraint billing_contact_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint billing_contact_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint billing_contact_address_check CHECK (length(address) <= 500),
  constraint billing_contact_check CHECK (num_nonnulls(customer_id, provider_id) = 1),
  constraint billing_contact_contact_check CHECK (length(contact) <= 200),
  constraint billing_contact_email_check CHECK (length(email) <= 254 AND email !~ '[[:space:]<>]'::text)
);

create table billing_setting (
  name text not null,
  value jsonb not null,
  changed_at timestamp with time zone default clock_timestamp() not null,
  changed_by text not null,
  constraint billing_setting_pkey PRIMARY KEY (name),
  constraint billing_setting_name_check CHECK (name <> ''::text)
);

create table billing_terms (
  from_month date not null,
  free_queries integer not null,
  overage_cents integer not null,
  gst_percent integer not null,
  first_processing_cents integer not null,
  later_processing_cents integer not null,
  constraint billing_terms_pkey PRIMARY KEY (from_month),
  constraint billing_terms_first_processing_cents_check CHECK (first_processing_cents >= 0),
  constraint billing_terms_free_queries_check CHECK (free_queries >= 0),
  constraint billing_terms_from_month_check CHECK (EXTRACT(day FROM from_month) = 1::numeric),
  constraint billing_terms_gst_percent_check CHECK (gst_percent >= 0 AND gst_percent <= 100),
  constraint billing_terms_later_processing_cents_check CHECK (later_processing_cents >= 0),
  constraint billing_terms_overage_cents_check CHECK (overage_cents >= 0),
  constraint billing_terms_processing_check CHECK (first_processing_cents > 0 AND later_processing_cents > 0) NOT VALID
);
CREATE TRIGGER billing_terms_kept BEFORE DELETE OR UPDATE ON billing_terms FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table books_export (
  id integer generated always as identity not null,
  from_day date not null,
  to_day date not null,
  made_at timestamp with time zone not null,
  made_by text not null,
  taken_back_at timestamp with time zone,
  taken_back_by text,
  reason text,
  constraint books_export_pkey PRIMARY KEY (id),
  constraint books_export_check CHECK (to_day >= from_day),
  constraint books_export_check1 CHECK (num_nonnulls(taken_back_at, taken_back_by, reason) = ANY (ARRAY[0, 3])),
  constraint books_export_reason_check CHECK (reason <> ''::text AND length(reason) <= 300)
);
CREATE TRIGGER books_export_kept BEFORE DELETE ON books_export FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER books_export_taken_back_once BEFORE UPDATE ON books_export FOR EACH ROW WHEN ((old.taken_back_at IS NOT NULL)) EXECUTE FUNCTION refuse_change();

create table books_export_item (
  export_id integer not null,
  invoice integer,
  credit_note integer,
  entry bigint,
  constraint books_export_item_credit_note_key UNIQUE (credit_note),
  constraint books_export_item_entry_key UNIQUE (entry),
  constraint books_export_item_invoice_key UNIQUE (invoice),
  constraint books_export_item_credit_note_fkey FOREIGN KEY (credit_note) REFERENCES credit_note(number),
  constraint books_export_item_entry_fkey FOREIGN KEY (entry) REFERENCES payment(entry_id),
  constraint books_export_item_export_id_fkey FOREIGN KEY (export_id) REFERENCES books_export(id),
  constraint books_export_item_invoice_fkey FOREIGN KEY (invoice) REFERENCES invoice(number),
  constraint books_export_item_check CHECK (num_nonnulls(invoice, credit_note, entry) = 1)
);
CREATE INDEX books_export_item_export ON books_export_item USING btree (export_id);

create table books_file (
  export_id integer not null,
  "position" smallint not null,
  kind text not null,
  documents integer not null,
  lines integer not null,
  total_cents bigint not null,
  bytes bytea not null,
  constraint books_file_pkey PRIMARY KEY (export_id, "position"),
  constraint books_file_export_id_fkey FOREIGN KEY (export_id) REFERENCES books_export(id),
  constraint books_file_check CHECK (lines >= documents),
  constraint books_file_documents_check CHECK (documents > 0),
  constraint books_file_kind_check CHECK (kind = ANY (ARRAY['invoices'::text, 'credit_notes'::text, 'payments'::text])),
  constraint books_file_position_check CHECK ("position" > 0)
);
CREATE TRIGGER books_file_kept BEFORE DELETE OR UPDATE ON books_file FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER books_file_not_emptied BEFORE TRUNCATE ON books_file FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table bulk_job (
  id uuid default gen_random_uuid() not null,
  api_key_id integer not null,
  state text default 'queued'::text not null,
  input_format text not null,
  output_format text not null,
  storage_key text not null,
  size_bytes bigint not null,
  entries integer,
  cost jsonb,
  error jsonb,
  created_at timestamp with time zone default clock_timestamp() not null,
  finished_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  idempotency_key text,
  request_sha256 bytea,
  names_addresses boolean default false not null,
  held_at timestamp with time zone,
  constraint bulk_job_pkey PRIMARY KEY (id),
  constraint bulk_job_api_key_id_idempotency_key_key UNIQUE (api_key_id, idempotency_key),
  constraint bulk_job_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_key(id),
  constraint bulk_job_check CHECK ((state = 'failed'::text) = (error IS NOT NULL)),
  constraint bulk_job_check1 CHECK ((state = ANY (ARRAY['done'::text, 'failed'::text])) = (finished_at IS NOT NULL)),
  constraint bulk_job_check2 CHECK ((idempotency_key IS NULL) = (request_sha256 IS NULL)),
  constraint bulk_job_cost_check CHECK (jsonb_typeof(cost) = 'object'::text),
  constraint bulk_job_entries_check CHECK (entries >= 0),
  constraint bulk_job_idempotency_key_check CHECK (length(idempotency_key) >= 1 AND length(idempotency_key) <= 255),
  constraint bulk_job_input_format_check CHECK (input_format = ANY (ARRAY['csv'::text, 'ndjson'::text])),
  constraint bulk_job_output_format_check CHECK (output_format = ANY (ARRAY['csv'::text, 'ndjson'::text, 'json'::text])),
  constraint bulk_job_request_sha256_check CHECK (length(request_sha256) = 32),
  constraint bulk_job_size_bytes_check CHECK (size_bytes > 0),
  constraint bulk_job_state_check CHECK (state = ANY (ARRAY['quoted'::text, 'queued'::text, 'running'::text, 'done'::text, 'failed'::text])),
  constraint bulk_job_storage_key_check CHECK (storage_key <> ''::text)
);
CREATE INDEX bulk_job_expiry ON bulk_job USING btree (expires_at);
CREATE INDEX bulk_job_of_key ON bulk_job USING btree (api_key_id);
CREATE INDEX bulk_job_unfinished ON bulk_job USING btree (created_at) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE TRIGGER bulk_job_cancelled AFTER DELETE ON bulk_job FOR EACH ROW EXECUTE FUNCTION announce_cancelled_work();

create table bulk_job_part (
  job_id uuid not null,
  number integer not null,
  storage_key text not null,
  size_bytes bigint not null,
  coordinates integer not null,
  good integer not null,
  read_bytes bigint not null,
  answered_at timestamp with time zone default billing_now() not null,
  constraint bulk_job_part_pkey PRIMARY KEY (job_id, number),
  constraint bulk_job_part_job_id_fkey FOREIGN KEY (job_id) REFERENCES bulk_job(id) ON DELETE CASCADE,
  constraint bulk_job_part_check CHECK (good >= 0 AND good <= coordinates),
  constraint bulk_job_part_coordinates_check CHECK (coordinates > 0),
  constraint bulk_job_part_number_check CHECK (number > 0),
  constraint bulk_job_part_read_bytes_check CHECK (read_bytes > 0),
  constraint bulk_job_part_size_bytes_check CHECK (size_bytes > 0)
);

create table cap (
  id bigint generated always as identity not null,
  customer_id integer not null,
  set_by text not null,
  queries bigint,
  budget_cents bigint,
  only_warns boolean not null,
  settled_at timestamp with time zone not null,
  constraint cap_pkey PRIMARY KEY (id),
  constraint cap_customer_id_set_by_key UNIQUE (customer_id, set_by),
  constraint cap_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint cap_budget_cents_check CHECK (budget_cents >= 0 AND budget_cents <= '100000000000'::bigint),
  constraint cap_check CHECK (num_nonnulls(queries, budget_cents) = 1),
  constraint cap_queries_check CHECK (queries >= 0 AND queries <= '1000000000000'::bigint),
  constraint cap_set_by_check CHECK (set_by = ANY (ARRAY['customer'::text, 'staff'::text]))
);
CREATE TRIGGER cap_announced AFTER INSERT OR DELETE ON cap FOR EACH ROW EXECUTE FUNCTION announce_keys_of_customer();

create table catalog (
  one boolean default true not null,
  version bigint not null,
  constraint catalog_pkey PRIMARY KEY (one),
  constraint catalog_one_check CHECK (one)
);
CREATE TRIGGER catalog_announced AFTER UPDATE ON catalog FOR EACH ROW EXECUTE FUNCTION announce_catalog();

create table coverage (
  tier_id integer not null,
  geom geometry(Polygon,4326) not null,
  digest uuid not null,
  constraint coverage_tier_id_fkey FOREIGN KEY (tier_id) REFERENCES tier(id),
  constraint coverage_geom_check CHECK (NOT st_isempty(geom))
);
CREATE INDEX coverage_box ON coverage USING gist (box(geom));
CREATE INDEX coverage_tier ON coverage USING btree (tier_id);

create table coverage_archive (
  tier_id integer not null,
  geom geometry(Polygon,4326) not null,
  digest uuid not null,
  constraint coverage_archive_tier_id_fkey FOREIGN KEY (tier_id) REFERENCES tier(id),
  constraint coverage_archive_geom_check CHECK (NOT st_isempty(geom))
);
CREATE INDEX coverage_archive_box ON coverage_archive USING gist (box(geom));
CREATE INDEX coverage_archive_tier ON coverage_archive USING btree (tier_id);

create table coverage_change (
  dataset_id integer not null,
  change text not null,
  geom geometry(Polygon,4326) not null,
  constraint coverage_change_dataset_id_fkey FOREIGN KEY (dataset_id) REFERENCES dataset(id) ON DELETE CASCADE,
  constraint coverage_change_change_check CHECK (change = ANY (ARRAY['gained'::text, 'lost'::text, 'unchanged'::text]))
);
CREATE INDEX coverage_change_box ON coverage_change USING gist (box(geom));
CREATE INDEX coverage_change_dataset ON coverage_change USING btree (dataset_id);

create table coverage_export (
  id uuid default gen_random_uuid() not null,
  provider_id integer not null,
  technology_id smallint,
  day date,
  format text not null,
  by_staff boolean not null,
  actor text not null,
  state text default 'queued'::text not null,
  dataset_ids integer[],
  progress jsonb,
  error jsonb,
  storage_key text,
  file_name text,
  size_bytes bigint,
  areas integer,
  premises integer,
  created_at timestamp with time zone default clock_timestamp() not null,
  finished_at timestamp with time zone,
  expires_at timestamp with time zone,
  constraint coverage_export_pkey PRIMARY KEY (id),
  constraint coverage_export_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint coverage_export_technology_id_fkey FOREIGN KEY (technology_id) REFERENCES technology(id),
  constraint coverage_export_areas_check CHECK (areas >= 0),
  constraint coverage_export_check CHECK ((state = 'failed'::text) = (error IS NOT NULL)),
  constraint coverage_export_check1 CHECK ((state = 'done'::text) = (storage_key IS NOT NULL AND file_name IS NOT NULL AND size_bytes IS NOT NULL)),
  constraint coverage_export_check2 CHECK ((state <> 'queued'::text) = (finished_at IS NOT NULL AND expires_at IS NOT NULL)),
  constraint coverage_export_dataset_ids_check CHECK (dataset_ids <> '{}'::integer[]),
  constraint coverage_export_format_check CHECK (format = ANY (ARRAY['geopackage'::text, 'geojson'::text, 'flatgeobuf'::text, 'geoparquet'::text, 'csv'::text])),
  constraint coverage_export_premises_check CHECK (premises >= 0),
  constraint coverage_export_size_bytes_check CHECK (size_bytes > 0),
  constraint coverage_export_state_check CHECK (state = ANY (ARRAY['queued'::text, 'done'::text, 'failed'::text])),
  constraint coverage_export_storage_key_check CHECK (storage_key <> ''::text)
);
CREATE INDEX coverage_export_expiry ON coverage_export USING btree (expires_at);
CREATE INDEX coverage_export_of_provider ON coverage_export USING btree (provider_id, created_at);
CREATE TRIGGER coverage_export_cancelled AFTER DELETE ON coverage_export FOR EACH ROW EXECUTE FUNCTION announce_cancelled_work();

create table coverage_overview (
  dataset_id integer not null,
  z smallint not null,
  x integer not null,
  y integer not null,
  cells bytea not null,
  constraint coverage_overview_pkey PRIMARY KEY (dataset_id, z, x, y),
  constraint coverage_overview_dataset_id_fkey FOREIGN KEY (dataset_id) REFERENCES dataset(id) ON DELETE CASCADE
);

create table credit_left (
  account text not null,
  from_entry bigint,
  from_credit_note integer,
  from_invoice integer,
  on_day date not null,
  left_cents bigint not null,
  constraint credit_left_from_credit_note_key UNIQUE (from_credit_note),
  constraint credit_left_from_entry_key UNIQUE (from_entry),
  constraint credit_left_from_invoice_key UNIQUE (from_invoice),
  constraint credit_left_from_credit_note_fkey FOREIGN KEY (from_credit_note) REFERENCES credit_note(number),
  constraint credit_left_from_entry_fkey FOREIGN KEY (from_entry) REFERENCES ledger_entry(id),
  constraint credit_left_from_invoice_fkey FOREIGN KEY (from_invoice) REFERENCES invoice(number),
  constraint credit_left_check CHECK (num_nonnulls(from_entry, from_credit_note, from_invoice) = 1),
  constraint credit_left_left_cents_check CHECK (left_cents > 0)
);
CREATE INDEX credit_left_account ON credit_left USING btree (account);

create table credit_note (
  number integer not null,
  customer_id integer,
  provider_id integer,
  account text generated always as (
CASE
    WHEN customer_id IS NULL THEN 'operator:'::text || provider_id::text
    ELSE 'customer:'::text || customer_id::text
END) stored,
  invoice_number integer not null,
  undoes integer,
  reason text not null,
  issuer_id integer,
  recipient text not null,
  recipient_address text default ''::text not null,
  recipient_contact text default ''::text not null,
  issued_on date not null,
  gst_percent integer not null,
  subtotal_cents bigint not null,
  gst_cents bigint not null,
  total_cents bigint not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  created_by text not null,
  constraint credit_note_pkey PRIMARY KEY (number),
  constraint credit_note_undoes_key UNIQUE (undoes),
  constraint credit_note_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint credit_note_invoice_number_fkey FOREIGN KEY (invoice_number) REFERENCES invoice(number),
  constraint credit_note_issuer_id_fkey FOREIGN KEY (issuer_id) REFERENCES invoice_issuer(id),
  constraint credit_note_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint credit_note_undoes_fkey FOREIGN KEY (undoes) REFERENCES credit_note(number),
  constraint credit_note_check CHECK (total_cents = (subtotal_cents + gst_cents)),
  constraint credit_note_check1 CHECK (num_nonnulls(customer_id, provider_id) = 1),
  constraint credit_note_number_check CHECK (number > 0),
  constraint credit_note_reason_check CHECK (reason <> ''::text AND length(reason) <= 500),
  constraint credit_note_sign_check CHECK (
CASE
    WHEN undoes IS NULL THEN subtotal_cents > 0 AND gst_cents >= 0
    ELSE subtotal_cents < 0 AND gst_cents <= 0
END)
);
CREATE INDEX credit_note_account ON credit_note USING btree (account, number);
CREATE INDEX credit_note_invoice ON credit_note USING btree (invoice_number);
CREATE TRIGGER credit_note_kept BEFORE DELETE OR UPDATE ON credit_note FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER credit_note_not_emptied BEFORE TRUNCATE ON credit_note FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER credit_note_source AFTER INSERT ON credit_note FOR EACH ROW EXECUTE FUNCTION source_added();

create table credit_note_counter (
  one boolean default true not null,
  last integer default 0 not null,
  constraint credit_note_counter_pkey PRIMARY KEY (one),
  constraint credit_note_counter_last_check CHECK (last >= 0),
  constraint credit_note_counter_one_check CHECK (one)
);

create table credit_note_line (
  credit_note_number integer not null,
  "position" smallint not null,
  entry_id bigint not null,
  constraint credit_note_line_pkey PRIMARY KEY (credit_note_number, "position"),
  constraint credit_note_line_entry_id_key UNIQUE (entry_id),
  constraint credit_note_line_credit_note_number_fkey FOREIGN KEY (credit_note_number) REFERENCES credit_note(number),
  constraint credit_note_line_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES ledger_entry(id),
  constraint credit_note_line_position_check CHECK ("position" > 0)
);
CREATE TRIGGER credit_note_line_kept BEFORE DELETE OR UPDATE ON credit_note_line FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER credit_note_line_made AFTER INSERT ON credit_note_line FOR EACH ROW EXECUTE FUNCTION credit_note_entry_made();
CREATE TRIGGER credit_note_line_not_emptied BEFORE TRUNCATE ON credit_note_line FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table customer (
  id integer generated always as identity not null,
  name text not null,
  created_at timestamp with time zone default billing_now() not null,
  free_queries integer not null,
  overage_allowed boolean default false not null,
  cancelled_on date,
  closes_at timestamp with time zone,
  code text not null,
  constraint customer_pkey PRIMARY KEY (id),
  constraint customer_code UNIQUE (code),
  constraint customer_check CHECK ((cancelled_on IS NULL) = (closes_at IS NULL)),
  constraint customer_free_queries_check CHECK (free_queries >= 0),
  constraint customer_name_check CHECK (name = btrim(name) AND name <> ''::text)
);
CREATE UNIQUE INDEX customer_name ON customer USING btree (lower(name));
CREATE TRIGGER customer_code_given BEFORE INSERT ON customer FOR EACH ROW EXECUTE FUNCTION give_account_code();
CREATE TRIGGER customer_free_queries BEFORE INSERT ON customer FOR EACH ROW EXECUTE FUNCTION give_free_queries();
CREATE TRIGGER customer_keys_announced AFTER UPDATE OF overage_allowed, free_queries, closes_at ON customer FOR EACH ROW EXECUTE FUNCTION announce_keys_of_customer();

create table customer_plan (
  id integer generated always as identity not null,
  customer_id integer not null,
  plan text not null,
  begins date not null,
  ends date,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint customer_plan_pkey PRIMARY KEY (id),
  constraint customer_plan_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint customer_plan_plan_fkey FOREIGN KEY (plan) REFERENCES plan(name),
  constraint customer_plan_check CHECK (ends > begins),
  constraint customer_plan_int4range_daterange_excl EXCLUDE USING gist (int4range(customer_id, customer_id, '[]'::text) WITH &&, daterange(begins, ends) WITH &&)
);
CREATE TRIGGER customer_plan_announced AFTER INSERT OR DELETE OR UPDATE ON customer_plan FOR EACH ROW EXECUTE FUNCTION announce_keys_of_customer();

create table dataset (
  id integer generated always as identity not null,
  submission_id uuid not null,
  provider_id integer not null,
  technology_id smallint not null,
  scope text default ''::text not null,
  scope_key text default ''::text not null,
  state text default 'loading'::text not null,
  area_km2 double precision,
  covered_m2 double precision,
  created_at timestamp with time zone default clock_timestamp() not null,
  published_at timestamp with time zone,
  superseded_at timestamp with time zone,
  rows_removed_at timestamp with time zone,
  overview_at timestamp with time zone,
  compared_at timestamp with time zone,
  compared_with integer,
  change jsonb,
  lost_areas jsonb,
  compared_beside integer[] default '{}'::integer[] not null,
  comparison_wanted_at timestamp with time zone,
  rollback_replaces integer,
  premises_version bigint,
  premises_covered integer,
  premises_change jsonb,
  premises_compared bigint,
  constraint dataset_pkey PRIMARY KEY (id),
  constraint dataset_submission_id_technology_id_key UNIQUE (submission_id, technology_id),
  constraint dataset_compared_with_fkey FOREIGN KEY (compared_with) REFERENCES dataset(id),
  constraint dataset_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint dataset_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES submission(id),
  constraint dataset_technology_id_fkey FOREIGN KEY (technology_id) REFERENCES technology(id),
  constraint dataset_area_km2_check CHECK (area_km2 >= 0::double precision),
  constraint dataset_check CHECK (state <> 'published'::text OR published_at IS NOT NULL AND superseded_at IS NULL),
  constraint dataset_check1 CHECK (state <> 'superseded'::text OR superseded_at IS NOT NULL),
  constraint dataset_check2 CHECK (rows_removed_at IS NULL OR (state = ANY (ARRAY['superseded'::text, 'withdrawn'::text]))),
  constraint dataset_check3 CHECK (change IS NULL OR compared_with IS NOT NULL AND compared_at IS NOT NULL),
  constraint dataset_covered_m2_check CHECK (covered_m2 >= 0::double precision),
  constraint dataset_premises_covered_check CHECK (premises_covered >= 0),
  constraint dataset_scope_check CHECK (char_length(scope) <= 60 AND scope = btrim(scope) AND scope !~ '[[:cntrl:]]'::text),
  constraint dataset_scope_key CHECK ((scope_key = ''::text) = (scope = ''::text)),
  constraint dataset_state_check CHECK (state = ANY (ARRAY['loading'::text, 'ready'::text, 'published'::text, 'superseded'::text, 'restoring'::text, 'withdrawn'::text]))
);
CREATE UNIQUE INDEX dataset_published ON dataset USING btree (provider_id, technology_id, scope_key) WHERE (state = 'published'::text);
CREATE INDEX dataset_versions ON dataset USING btree (provider_id, technology_id, scope_key, id);
CREATE TRIGGER premises_counted AFTER UPDATE OF premises_version ON dataset FOR EACH ROW EXECUTE FUNCTION void_premises_change();
CREATE TRIGGER publication_noted AFTER INSERT OR UPDATE OF state ON dataset FOR EACH ROW EXECUTE FUNCTION note_publication();
CREATE TRIGGER scope_limit AFTER INSERT OR UPDATE OF state ON dataset FOR EACH ROW WHEN ((new.state = 'published'::text)) EXECUTE FUNCTION limit_scopes();

create table dataset_exclusion (
  dataset_id integer not null,
  exclusion_id integer not null,
  taken_m2 double precision not null,
  constraint dataset_exclusion_pkey PRIMARY KEY (dataset_id, exclusion_id),
  constraint dataset_exclusion_dataset_id_fkey FOREIGN KEY (dataset_id) REFERENCES dataset(id) ON DELETE CASCADE,
  constraint dataset_exclusion_exclusion_id_fkey FOREIGN KEY (exclusion_id) REFERENCES exclusion(id),
  constraint dataset_exclusion_taken_m2_check CHECK (taken_m2 >= 0::double precision)
);
CREATE INDEX dataset_exclusion_by_exclusion ON dataset_exclusion USING btree (exclusion_id);

create table demo_part (
  name text not null,
  made_at timestamp with time zone default clock_timestamp() not null,
  constraint demo_part_pkey PRIMARY KEY (name),
  constraint demo_part_name_check CHECK (name <> ''::text)
);

create table domain (
  name text collate "C" not null,
  registered timestamp with time zone not null,
  cancelled timestamp with time zone,
  release_date timestamp with time zone generated always as ((((cancelled AT TIME ZONE 'Pacific/Auckland'::text) + '90 days'::interval) AT TIME ZONE 'Pacific/Auckland'::text)) stored,
  constraint domain_pkey PRIMARY KEY (name),
  constraint domain_check CHECK (isfinite(cancelled) AND cancelled >= registered),
  constraint domain_name_check CHECK (name ~ '^[a-z0-9.-]+$'::text AND length(name) <= 253),
  constraint domain_registered_check CHECK (isfinite(registered))
);
CREATE INDEX domain_release ON domain USING btree (release_date) WHERE (cancelled IS NOT NULL);

create table domain_status (
  finding text not null,
  code text not null,
  status text not null,
  constraint domain_status_pkey PRIMARY KEY (finding),
  constraint domain_status_code_check CHECK (code ~ '^[0-9]{3}$'::text),
  constraint domain_status_finding_check CHECK (finding = ANY (ARRAY['active'::text, 'pending_release'::text, 'available'::text, 'zone_itself'::text, 'characters'::text, 'form'::text, 'no_zone'::text])),
  constraint domain_status_status_check CHECK (status <> ''::text)
);
CREATE TRIGGER domain_status_announced AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON domain_status FOR EACH STATEMENT EXECUTE FUNCTION announce_registry_terms();

create table droplist_state (
  one boolean default true not null,
  modified_at timestamp with time zone not null,
  constraint droplist_state_pkey PRIMARY KEY (one),
  constraint droplist_state_modified_at_check CHECK (modified_at = date_trunc('second'::text, modified_at)),
  constraint droplist_state_one_check CHECK (one)
);

create table exclusion (
  id integer generated always as identity not null,
  provider_id integer not null,
  technology_id smallint,
  drawn jsonb not null,
  address_id text,
  address text,
  geom geometry(Polygon,4326) not null,
  km2 double precision not null,
  reason text not null,
  until date,
  created_at timestamp with time zone default clock_timestamp() not null,
  created_by text not null,
  removed_at timestamp with time zone,
  removed_by text,
  removed_because text,
  constraint exclusion_pkey PRIMARY KEY (id),
  constraint exclusion_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint exclusion_technology_id_fkey FOREIGN KEY (technology_id) REFERENCES technology(id),
  constraint exclusion_check CHECK (removed_at >= created_at),
  constraint exclusion_check1 CHECK ((address_id IS NULL) = (address IS NULL)),
  constraint exclusion_check2 CHECK ((removed_at IS NULL) = (removed_by IS NULL)),
  constraint exclusion_check3 CHECK (removed_because IS NULL OR removed_at IS NOT NULL),
  constraint exclusion_geom_check CHECK (NOT st_isempty(geom)),
  constraint exclusion_km2_check CHECK (km2 > 0::double precision),
  constraint exclusion_reason_check CHECK (char_length(reason) >= 1 AND char_length(reason) <= 300 AND reason = btrim(reason) AND reason !~ '[[:cntrl:]]'::text),
  constraint exclusion_removed_because_check CHECK (char_length(removed_because) <= 300)
);
CREATE INDEX exclusion_box ON exclusion USING gist (box(geom));
CREATE INDEX exclusion_of_provider ON exclusion USING btree (provider_id, id DESC);

create table invoice (
  number integer not null,
  customer_id integer,
  provider_id integer,
  account text generated always as (
CASE
    WHEN customer_id IS NULL THEN 'operator:'::text || provider_id::text
    ELSE 'customer:'::text || customer_id::text
END) stored,
  month date not null,
  occasion text default 'month'::text not null,
  closed_month date generated always as (
CASE occasion
    WHEN 'month'::text THEN month
    ELSE NULL::date
END) stored,
  issuer_id integer,
  recipient text not null,
  recipient_address text default ''::text not null,
  recipient_contact text default ''::text not null,
  issued_on date not null,
  due_on date,
  usage jsonb,
  subtotal_cents bigint not null,
  gst_percent integer not null,
  gst_cents bigint not null,
  total_cents bigint not null,
  previous integer,
  brought_forward_cents bigint not null,
  due_cents bigint not null,
  carried_forward_cents bigint not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint invoice_pkey PRIMARY KEY (number),
  constraint invoice_carried UNIQUE (number, account, carried_forward_cents),
  constraint invoice_followed_once UNIQUE (previous),
  constraint invoice_closed_month_fkey FOREIGN KEY (closed_month) REFERENCES month_close(month),
  constraint invoice_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint invoice_issuer_id_fkey FOREIGN KEY (issuer_id) REFERENCES invoice_issuer(id),
  constraint invoice_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint invoice_balance_check CHECK ((due_cents - carried_forward_cents) = (total_cents - brought_forward_cents)),
  constraint invoice_brought_forward_cents_check CHECK (brought_forward_cents >= 0),
  constraint invoice_carried_forward_cents_check CHECK (carried_forward_cents >= 0),
  constraint invoice_check CHECK (due_on >= issued_on),
  constraint invoice_check1 CHECK (total_cents = (subtotal_cents + gst_cents)),
  constraint invoice_check2 CHECK (num_nonnulls(customer_id, provider_id) = 1),
  constraint invoice_credit_used CHECK (due_cents = 0 OR carried_forward_cents = 0),
  constraint invoice_due_cents_check CHECK (due_cents >= 0),
  constraint invoice_due_check CHECK (due_on IS NOT NULL OR due_cents = 0),
  constraint invoice_not_zero CHECK (subtotal_cents <> 0),
  constraint invoice_number_check CHECK (number > 0),
  constraint invoice_occasion_check CHECK (occasion = ANY (ARRAY['month'::text, 'plan_start'::text, 'held_back'::text])),
  constraint invoice_order_check CHECK (previous < number),
  constraint invoice_usage_check CHECK (jsonb_typeof(usage) = 'object'::text),
  constraint invoice_usage_of_month_check CHECK ((usage IS NOT NULL) = (customer_id IS NOT NULL AND occasion = 'month'::text))
);
CREATE INDEX invoice_by_account ON invoice USING btree (account, number);
CREATE UNIQUE INDEX invoice_first_of_account ON invoice USING btree (account) WHERE (previous IS NULL);
CREATE INDEX invoice_month ON invoice USING btree (month);
CREATE UNIQUE INDEX invoice_of_customer ON invoice USING btree (customer_id, month) WHERE (occasion = 'month'::text);
CREATE UNIQUE INDEX invoice_of_provider ON invoice USING btree (provider_id, month) WHERE (occasion = 'month'::text);
CREATE CONSTRAINT TRIGGER invoice_credit_allocated AFTER INSERT ON invoice DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION invoice_uses_credit();
CREATE TRIGGER invoice_kept BEFORE DELETE OR UPDATE ON invoice FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoice_not_emptied BEFORE TRUNCATE ON invoice FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoice_source AFTER INSERT ON invoice FOR EACH ROW EXECUTE FUNCTION source_added();

create table invoice_counter (
  one boolean default true not null,
  last integer default 0 not null,
  constraint invoice_counter_pkey PRIMARY KEY (one),
  constraint invoice_counter_last_check CHECK (last >= 0),
  constraint invoice_counter_one_check CHECK (one)
);

create table invoice_issuer (
  id integer generated always as identity not null,
  name text not null,
  address text not null,
  gst_number text not null,
  payment text not null,
  since timestamp with time zone default clock_timestamp() not null,
  constraint invoice_issuer_pkey PRIMARY KEY (id)
);
CREATE TRIGGER invoice_issuer_kept BEFORE DELETE OR UPDATE ON invoice_issuer FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoice_issuer_not_emptied BEFORE TRUNCATE ON invoice_issuer FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table invoice_line (
  invoice_number integer not null,
  "position" smallint not null,
  entry_id bigint not null,
  constraint invoice_line_pkey PRIMARY KEY (invoice_number, "position"),
  constraint invoice_line_entry_id_key UNIQUE (entry_id),
  constraint invoice_line_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES ledger_entry(id),
  constraint invoice_line_invoice_number_fkey FOREIGN KEY (invoice_number) REFERENCES invoice(number),
  constraint invoice_line_position_check CHECK ("position" > 0)
);
CREATE TRIGGER invoice_line_closes AFTER INSERT ON invoice_line FOR EACH ROW EXECUTE FUNCTION open_entry_invoiced();
CREATE TRIGGER invoice_line_kept BEFORE DELETE OR UPDATE ON invoice_line FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoice_line_not_emptied BEFORE TRUNCATE ON invoice_line FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table ledger_entry (
  id bigint generated always as identity not null,
  customer_id integer,
  provider_id integer,
  kind text not null,
  month date not null,
  description text not null,
  quantity bigint not null,
  unit_price_cents integer not null,
  amount_cents bigint not null,
  cause text not null,
  source jsonb default '{}'::jsonb not null,
  customer_plan_id integer,
  processing_fee_id integer,
  corrects bigint,
  booked_at timestamp with time zone default clock_timestamp() not null,
  booked_by text not null,
  settles boolean default false not null,
  on_credit_note boolean default false not null,
  constraint ledger_entry_pkey PRIMARY KEY (id),
  constraint ledger_entry_cause_key UNIQUE (cause),
  constraint ledger_entry_corrects_fkey FOREIGN KEY (corrects) REFERENCES ledger_entry(id),
  constraint ledger_entry_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint ledger_entry_customer_plan_id_fkey FOREIGN KEY (customer_plan_id) REFERENCES customer_plan(id),
  constraint ledger_entry_processing_fee_id_fkey FOREIGN KEY (processing_fee_id) REFERENCES processing_fee(id),
  constraint ledger_entry_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint ledger_entry_cause_check CHECK (cause <> ''::text),
  constraint ledger_entry_check CHECK (amount_cents = (quantity * unit_price_cents)),
  constraint ledger_entry_check1 CHECK (num_nonnulls(customer_id, provider_id) = 1),
  constraint ledger_entry_check2 CHECK ((kind = 'plan_fee'::text) = (customer_plan_id IS NOT NULL)),
  constraint ledger_entry_corrects_check CHECK ((kind = ANY (ARRAY['waiver'::text, 'reversal'::text])) = (corrects IS NOT NULL)),
  constraint ledger_entry_credit_note_check CHECK (NOT on_credit_note OR kind = 'reversal'::text AND NOT settles),
  constraint ledger_entry_description_check CHECK (description <> ''::text),
  constraint ledger_entry_fee_check CHECK (
CASE kind
    WHEN 'processing_fee'::text THEN processing_fee_id IS NOT NULL
    WHEN 'waiver'::text THEN processing_fee_id IS NOT NULL
    WHEN 'reversal'::text THEN true
    ELSE processing_fee_id IS NULL
END),
  constraint ledger_entry_kind_check CHECK (kind = ANY (ARRAY['plan_fee'::text, 'overage'::text, 'adjustment'::text, 'processing_fee'::text, 'waiver'::text, 'credit'::text, 'charge'::text, 'reversal'::text, 'payment'::text, 'refund'::text, 'write_off'::text])),
  constraint ledger_entry_month_check CHECK (EXTRACT(day FROM month) = 1::numeric),
  constraint ledger_entry_quantity_check CHECK (quantity <> 0),
  constraint ledger_entry_settles_check CHECK (
CASE
    WHEN kind = ANY (ARRAY['payment'::text, 'refund'::text, 'write_off'::text]) THEN settles
    ELSE kind = 'reversal'::text OR NOT settles
END),
  constraint ledger_entry_sign_check CHECK (
CASE kind
    WHEN 'waiver'::text THEN amount_cents < 0
    WHEN 'credit'::text THEN amount_cents < 0
    WHEN 'payment'::text THEN amount_cents < 0
    WHEN 'write_off'::text THEN amount_cents < 0
    WHEN 'charge'::text THEN amount_cents > 0
    WHEN 'refund'::text THEN amount_cents > 0
    WHEN 'adjustment'::text THEN true
    WHEN 'reversal'::text THEN amount_cents <> 0
    ELSE amount_cents >= 0
END),
  constraint ledger_entry_source_check CHECK (jsonb_typeof(source) = 'object'::text)
);
CREATE INDEX ledger_entry_corrects ON ledger_entry USING btree (corrects) WHERE (corrects IS NOT NULL);
CREATE INDEX ledger_entry_customer ON ledger_entry USING btree (customer_id, id);
CREATE INDEX ledger_entry_fee ON ledger_entry USING btree (processing_fee_id);
CREATE INDEX ledger_entry_plan ON ledger_entry USING btree (customer_plan_id);
CREATE INDEX ledger_entry_plan_fee ON ledger_entry USING btree (month, customer_plan_id) WHERE (kind = 'plan_fee'::text);
CREATE INDEX ledger_entry_provider ON ledger_entry USING btree (provider_id, id);
CREATE INDEX ledger_entry_queries ON ledger_entry USING btree (customer_id, month) WHERE (kind = ANY (ARRAY['overage'::text, 'adjustment'::text]));
CREATE INDEX ledger_entry_settles ON ledger_entry USING btree ((
CASE
    WHEN (customer_id IS NULL) THEN ('operator:'::text || (provider_id)::text)
    ELSE ('customer:'::text || (customer_id)::text)
END)) WHERE settles;
CREATE TRIGGER ledger_entry_corrected BEFORE INSERT ON ledger_entry FOR EACH ROW WHEN ((new.corrects IS NOT NULL)) EXECUTE FUNCTION correct_what_is_left();
CREATE TRIGGER ledger_entry_kept BEFORE DELETE OR UPDATE ON ledger_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entry_not_emptied BEFORE TRUNCATE ON ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entry_open AFTER INSERT ON ledger_entry FOR EACH ROW WHEN (((NOT new.settles) AND (NOT new.on_credit_note))) EXECUTE FUNCTION open_entry_added();
CREATE TRIGGER ledger_entry_opens_bank_line AFTER INSERT ON ledger_entry FOR EACH ROW WHEN ((new.settles AND (new.corrects IS NOT NULL))) EXECUTE FUNCTION payment_of_line_reversed();
CREATE TRIGGER ledger_entry_settling BEFORE INSERT ON ledger_entry FOR EACH ROW WHEN ((new.corrects IS NOT NULL)) EXECUTE FUNCTION reverse_what_settles();

create table mail_message (
  id bigint generated always as identity not null,
  customer_id integer,
  provider_id integer,
  account text generated always as (
CASE
    WHEN customer_id IS NULL THEN 'operator:'::text || provider_id::text
    ELSE 'customer:'::text || customer_id::text
END) stored not null,
  event text not null,
  template text not null,
  invoice_number integer,
  address text,
  subject text not null,
  content jsonb not null,
  message_id uuid default gen_random_uuid() not null,
  off_token uuid default gen_random_uuid() not null,
  state text not null,
  attempt uuid,
  attempts integer default 0 not null,
  data_begun_at timestamp with time zone,
  retry_at timestamp with time zone,
  reason text default ''::text not null,
  queued_on timestamp with time zone not null,
  queued_at timestamp with time zone default clock_timestamp() not null,
  sent_at timestamp with time zone,
  paper jsonb,
  constraint mail_message_pkey PRIMARY KEY (id),
  constraint mail_message_account_event_key UNIQUE (account, event),
  constraint mail_message_message_id_key UNIQUE (message_id),
  constraint mail_message_off_token_key UNIQUE (off_token),
  constraint mail_message_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint mail_message_invoice_number_fkey FOREIGN KEY (invoice_number) REFERENCES invoice(number),
  constraint mail_message_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint mail_message_address_check CHECK (address <> ''::text),
  constraint mail_message_attempts_check CHECK (attempts >= 0),
  constraint mail_message_check CHECK (num_nonnulls(customer_id, provider_id) = 1),
  constraint mail_message_check1 CHECK ((state = ANY (ARRAY['no_address'::text, 'cancelled'::text])) OR address IS NOT NULL),
  constraint mail_message_check2 CHECK ((state = 'sending'::text) <= (attempt IS NOT NULL)),
  constraint mail_message_check3 CHECK ((state = 'sent'::text) = (sent_at IS NOT NULL)),
  constraint mail_message_content_check CHECK (jsonb_typeof(content) = 'array'::text),
  constraint mail_message_event_check CHECK (event <> ''::text AND length(event) <= 200),
  constraint mail_message_reason_check CHECK (length(reason) <= 1000),
  constraint mail_message_state_check CHECK (state = ANY (ARRAY['no_address'::text, 'queued'::text, 'sending'::text, 'sent'::text, 'uncertain'::text, 'failed'::text, 'cancelled'::text])),
  constraint mail_message_subject_check CHECK (subject <> ''::text AND length(subject) <= 300),
  constraint mail_message_template_check CHECK (template ~ '^[a-z_]+$'::text)
);
CREATE INDEX mail_message_due ON mail_message USING btree (COALESCE(retry_at, '-infinity'::timestamp with time zone), id) WHERE (state = 'queued'::text);
CREATE INDEX mail_message_of_invoice ON mail_message USING btree (invoice_number) WHERE (invoice_number IS NOT NULL);
CREATE INDEX mail_message_open ON mail_message USING btree (state) WHERE (state <> ALL (ARRAY['sent'::text, 'cancelled'::text]));
CREATE INDEX mail_message_state ON mail_message USING btree (state, id);
CREATE TRIGGER mail_message_announced AFTER INSERT OR UPDATE OF state ON mail_message FOR EACH ROW WHEN ((new.state = 'queued'::text)) EXECUTE FUNCTION announce_mail();

create table mail_opt_out (
  address text not null,
  topic text not null,
  at timestamp with time zone default clock_timestamp() not null,
  account text not null,
  constraint mail_opt_out_pkey PRIMARY KEY (account, address, topic),
  constraint mail_opt_out_address_check CHECK (address = lower(address)),
  constraint mail_opt_out_topic_check CHECK (topic ~ '^[a-z]+$'::text)
);

create table modelling (
  submission_id uuid not null,
  state text not null,
  run integer default 1 not null,
  parameters jsonb not null,
  reason jsonb,
  report jsonb,
  storage_key text,
  size_bytes bigint,
  picture_key text,
  requested_at timestamp with time zone default clock_timestamp() not null,
  finished_at timestamp with time zone,
  constraint modelling_pkey PRIMARY KEY (submission_id),
  constraint modelling_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES submission(id),
  constraint modelling_check CHECK ((state = 'declined'::text) = (reason IS NOT NULL)),
  constraint modelling_check1 CHECK (state <> 'done'::text OR report IS NOT NULL),
  constraint modelling_check2 CHECK ((report IS NULL) = (storage_key IS NULL) AND (storage_key IS NULL) = (size_bytes IS NULL) AND (storage_key IS NULL) = (picture_key IS NULL)),
  constraint modelling_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'done'::text, 'declined'::text, 'cancelled'::text]))
);
CREATE INDEX modelling_waiting ON modelling USING btree (requested_at) WHERE (state = 'waiting'::text);

create table month_close (
  month date not null,
  closed_at timestamp with time zone default clock_timestamp() not null,
  closed_by text not null,
  constraint month_close_pkey PRIMARY KEY (month),
  constraint month_close_month_check CHECK (EXTRACT(day FROM month) = 1::numeric)
);
CREATE TRIGGER month_close_in_order BEFORE INSERT ON month_close FOR EACH ROW EXECUTE FUNCTION close_in_order();
CREATE TRIGGER month_close_kept BEFORE DELETE OR UPDATE ON month_close FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER month_close_not_emptied BEFORE TRUNCATE ON month_close FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table open_bank_line (
  line_id integer not null,
  constraint open_bank_line_pkey PRIMARY KEY (line_id),
  constraint open_bank_line_line_id_fkey FOREIGN KEY (line_id) REFERENCES bank_line(id) ON DELETE CASCADE
);

create table open_entry (
  entry_id bigint not null,
  constraint open_entry_pkey PRIMARY KEY (entry_id),
  constraint open_entry_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES ledger_entry(id)
);

create table open_invoice (
  number integer not null,
  left_cents bigint not null,
  constraint open_invoice_pkey PRIMARY KEY (number),
  constraint open_invoice_number_fkey FOREIGN KEY (number) REFERENCES invoice(number),
  constraint open_invoice_left_cents_check CHECK (left_cents > 0)
);

create table order_stop (
  id integer generated always as identity not null,
  provider_id integer not null,
  kind text not null,
  technology_id smallint,
  scope text,
  scope_key text,
  bandwidth_min_mbps numeric(10,3),
  bandwidth_max_mbps numeric(10,3),
  bandwidth_up_min_mbps numeric(10,3),
  bandwidth_up_max_mbps numeric(10,3),
  area jsonb,
  tower_name text,
  tower_lng double precision,
  tower_lat double precision,
  from_day date not null,
  until_day date,
  reason text default ''::text not null,
  created_by text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint order_stop_pkey PRIMARY KEY (id),
  constraint order_stop_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint order_stop_technology_id_fkey FOREIGN KEY (technology_id) REFERENCES technology(id),
  constraint order_stop_check CHECK (isfinite(until_day) AND until_day >= from_day),
  constraint order_stop_check1 CHECK (technology_id IS NOT NULL OR kind = 'area'::text),
  constraint order_stop_check2 CHECK ((kind = 'area'::text) = (scope IS NULL) AND (scope IS NULL) = (scope_key IS NULL)),
  constraint order_stop_check3 CHECK ((kind = 'tier'::text) = (num_nulls(bandwidth_min_mbps, bandwidth_max_mbps, bandwidth_up_min_mbps, bandwidth_up_max_mbps) = 0) AND (kind = 'tier'::text) = (num_nonnulls(bandwidth_min_mbps, bandwidth_max_mbps, bandwidth_up_min_mbps, bandwidth_up_max_mbps) = 4)),
  constraint order_stop_check4 CHECK ((kind = 'area'::text) = (area IS NOT NULL)),
  constraint order_stop_check5 CHECK ((kind = 'tower'::text) = (tower_lng IS NOT NULL) AND (tower_lng IS NULL) = (tower_lat IS NULL)),
  constraint order_stop_check6 CHECK (kind = 'tower'::text OR tower_name IS NULL),
  constraint order_stop_from_day_check CHECK (isfinite(from_day)),
  constraint order_stop_kind_check CHECK (kind = ANY (ARRAY['tower'::text, 'tier'::text, 'area'::text])),
  constraint order_stop_reason_check CHECK (char_length(reason) <= 200)
);
CREATE INDEX order_stop_of_provider ON order_stop USING btree (provider_id, id DESC);
CREATE TRIGGER order_stop_announced AFTER INSERT OR DELETE OR UPDATE ON order_stop FOR EACH STATEMENT EXECUTE FUNCTION announce_order_stop();
CREATE TRIGGER order_stop_limit AFTER INSERT ON order_stop FOR EACH ROW EXECUTE FUNCTION limit_order_stops();

create table paper (
  kind text not null,
  number bigint not null,
  bytes bytea not null,
  sha256 bytea generated always as (sha256(bytes)) stored not null,
  made_at timestamp with time zone default clock_timestamp() not null,
  constraint paper_pkey PRIMARY KEY (kind, number),
  constraint paper_bytes_check CHECK (length(bytes) >= 1 AND length(bytes) <= 20000000),
  constraint paper_kind_check CHECK (kind = ANY (ARRAY['invoice'::text, 'credit_note'::text, 'receipt'::text, 'statement'::text])),
  constraint paper_number_check CHECK (number > 0)
);
CREATE TRIGGER paper_kept BEFORE DELETE OR UPDATE ON paper FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER paper_not_emptied BEFORE TRUNCATE ON paper FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table payment (
  entry_id bigint not null,
  on_day date not null,
  method text,
  particulars text default ''::text not null,
  code text default ''::text not null,
  reference text default ''::text not null,
  gst_cents bigint,
  constraint payment_pkey PRIMARY KEY (entry_id),
  constraint payment_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES ledger_entry(id),
  constraint payment_code_check CHECK (length(code) <= 12),
  constraint payment_method_check CHECK (method = ANY (ARRAY['bank_transfer'::text, 'card'::text, 'cash'::text, 'other'::text])),
  constraint payment_particulars_check CHECK (length(particulars) <= 12),
  constraint payment_reference_check CHECK (length(reference) <= 12)
);
CREATE INDEX payment_day ON payment USING btree (on_day);
CREATE TRIGGER payment_kept BEFORE DELETE OR UPDATE ON payment FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payment_not_emptied BEFORE TRUNCATE ON payment FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payment_source AFTER INSERT ON payment FOR EACH ROW EXECUTE FUNCTION source_added();

create table plan (
  name text not null,
  label text not null,
  "position" smallint not null,
  bundled_queries integer not null,
  price_cents integer not null,
  offered boolean default true not null,
  constraint plan_pkey PRIMARY KEY (name),
  constraint plan_position_key UNIQUE ("position"),
  constraint plan_bundled_queries_check CHECK (bundled_queries > 0),
  constraint plan_label_check CHECK (label <> ''::text),
  constraint plan_name_check CHECK (name ~ '^[a-z][a-z0-9-]*$'::text),
  constraint plan_price_cents_check CHECK (price_cents > 0)
);
CREATE TRIGGER plan_kept BEFORE UPDATE ON plan FOR EACH ROW EXECUTE FUNCTION refuse_other_terms();

create table plan_before_notice (
  customer_id integer not null,
  plan text not null,
  begins date not null,
  ends date,
  constraint plan_before_notice_pkey PRIMARY KEY (customer_id, begins),
  constraint plan_before_notice_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint plan_before_notice_plan_fkey FOREIGN KEY (plan) REFERENCES plan(name),
  constraint plan_before_notice_check CHECK (ends > begins)
);

create table predicted_site (
  digest bytea not null,
  storage_key text not null,
  size_bytes bigint not null,
  used_at timestamp with time zone default clock_timestamp() not null,
  constraint predicted_site_pkey PRIMARY KEY (digest),
  constraint predicted_site_digest_check CHECK (octet_length(digest) = 32)
);
CREATE INDEX predicted_site_use ON predicted_site USING btree (used_at);

create table prediction (
  submission_id uuid not null,
  token_id integer,
  file_name text not null,
  storage_key text not null,
  size_bytes bigint not null,
  sha256 bytea not null,
  manifest jsonb not null,
  error jsonb,
  attached_at timestamp with time zone default clock_timestamp() not null,
  constraint prediction_pkey PRIMARY KEY (submission_id),
  constraint prediction_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES submission(id),
  constraint prediction_token_id_fkey FOREIGN KEY (token_id) REFERENCES access_token(id),
  constraint prediction_file_name_check CHECK (file_name <> ''::text),
  constraint prediction_sha256_check CHECK (octet_length(sha256) = 32)
);

create table premises (
  number integer not null,
  lng integer not null,
  lat integer not null,
  constraint premises_pkey PRIMARY KEY (number),
  constraint premises_number_check CHECK (number >= 0)
);
CREATE UNIQUE INDEX premises_place ON premises USING btree (((lat / 100000)), lng, lat);

create table premises_change (
  dataset_id integer not null,
  change text not null,
  premises bytea not null,
  speeds bytea not null,
  suburbs jsonb not null,
  constraint premises_change_pkey PRIMARY KEY (dataset_id, change),
  constraint premises_change_dataset_id_fkey FOREIGN KEY (dataset_id) REFERENCES dataset(id) ON DELETE CASCADE,
  constraint premises_change_change_check CHECK (change = ANY (ARRAY['gained'::text, 'lost'::text, 'faster'::text, 'slower'::text]))
);

create table processing_fee (
  id integer generated always as identity not null,
  provider_id integer not null,
  submission_id uuid not null,
  kind text not null,
  amount_cents integer not null,
  accrued_at timestamp with time zone default billing_now() not null,
  constraint processing_fee_pkey PRIMARY KEY (id),
  constraint processing_fee_submission_id_key UNIQUE (submission_id),
  constraint processing_fee_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint processing_fee_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES submission(id),
  constraint processing_fee_amount_cents_check CHECK (amount_cents > 0),
  constraint processing_fee_kind_check CHECK (kind = ANY (ARRAY['first'::text, 'later'::text]))
);
CREATE UNIQUE INDEX processing_fee_first ON processing_fee USING btree (provider_id) WHERE (kind = 'first'::text);
CREATE INDEX processing_fee_provider ON processing_fee USING btree (provider_id, accrued_at);

create table processing_fee_event (
  id integer generated always as identity not null,
  fee_id integer not null,
  state text not null,
  reason text default ''::text not null,
  at timestamp with time zone default clock_timestamp() not null,
  token_id integer,
  actor_name text not null,
  constraint processing_fee_event_pkey PRIMARY KEY (id),
  constraint processing_fee_event_fee_id_fkey FOREIGN KEY (fee_id) REFERENCES processing_fee(id),
  constraint processing_fee_event_token_id_fkey FOREIGN KEY (token_id) REFERENCES access_token(id),
  constraint processing_fee_event_check CHECK (state = 'paid'::text OR reason <> ''::text),
  constraint processing_fee_event_state_check CHECK (state = ANY (ARRAY['paid'::text, 'unpaid'::text, 'waived'::text, 'unwaived'::text]))
);
CREATE INDEX processing_fee_event_fee ON processing_fee_event USING btree (fee_id, id);
CREATE TRIGGER processing_fee_event_kept BEFORE DELETE OR UPDATE ON processing_fee_event FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table proposed_exclusion (
  id integer generated always as identity not null,
  dataset_id integer not null,
  layer text not null,
  feature double precision not null,
  name text,
  drawn jsonb not null,
  km2 double precision not null,
  takes_km2 double precision,
  constraint proposed_exclusion_pkey PRIMARY KEY (id),
  constraint proposed_exclusion_dataset_id_fkey FOREIGN KEY (dataset_id) REFERENCES dataset(id) ON DELETE CASCADE,
  constraint proposed_exclusion_km2_check CHECK (km2 > 0::double precision),
  constraint proposed_exclusion_name_check CHECK (name <> ''::text),
  constraint proposed_exclusion_takes_km2_check CHECK (takes_km2 > 0::double precision)
);
CREATE INDEX proposed_exclusion_of_dataset ON proposed_exclusion USING btree (dataset_id);

create table provider (
  id integer generated always as identity not null,
  name text not null,
  url text default ''::text not null,
  wholesale_network text default 'No'::text not null,
  description text default ''::text not null,
  area_served text[] default '{}'::text[] not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  profile_saved_at timestamp with time zone,
  code text not null,
  constraint provider_pkey PRIMARY KEY (id),
  constraint provider_code UNIQUE (code),
  constraint provider_area_served CHECK (cardinality(area_served) <= 100),
  constraint provider_description CHECK (char_length(description) <= 2000),
  constraint provider_name_check CHECK (name = btrim(name) AND name <> ''::text),
  constraint provider_url CHECK (url = ''::text OR url ~* '^https?://[^/]'::text AND char_length(url) <= 500),
  constraint provider_wholesale_network_check CHECK (wholesale_network = ANY (ARRAY['Yes'::text, 'No'::text, 'Both'::text]))
);
CREATE UNIQUE INDEX provider_name ON provider USING btree (lower(name));
CREATE TRIGGER provider_changes_catalog AFTER UPDATE ON provider FOR EACH ROW EXECUTE FUNCTION provider_changes_catalog();
CREATE TRIGGER provider_code_given BEFORE INSERT ON provider FOR EACH ROW EXECUTE FUNCTION give_account_code();
CREATE TRIGGER provider_revision_counted BEFORE UPDATE ON provider FOR EACH ROW EXECUTE FUNCTION count_provider_revision();

create table publication (
  id bigint generated always as identity not null,
  dataset_id integer not null,
  published_at timestamp with time zone not null,
  superseded_at timestamp with time zone,
  constraint publication_pkey PRIMARY KEY (id),
  constraint publication_dataset_id_fkey FOREIGN KEY (dataset_id) REFERENCES dataset(id),
  constraint publication_check CHECK (superseded_at >= published_at)
);
CREATE INDEX publication_by_time ON publication USING btree (published_at);
CREATE UNIQUE INDEX publication_current ON publication USING btree (dataset_id) WHERE (superseded_at IS NULL);

create table query_hold (
  id bigint generated always as identity not null,
  customer_id integer not null,
  queries integer not null,
  until timestamp with time zone not null,
  begun integer default 0 not null,
  month date not null,
  constraint query_hold_pkey PRIMARY KEY (id),
  constraint free_hold_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint free_hold_check CHECK (begun >= 0 AND begun <= queries),
  constraint free_hold_queries_check CHECK (queries > 0),
  constraint query_hold_month_check CHECK (EXTRACT(day FROM month) = 1::numeric)
);
CREATE INDEX query_hold_customer ON query_hold USING btree (customer_id);

create table region (
  layer_id integer not null,
  number integer not null,
  name text not null,
  outline jsonb not null,
  constraint region_pkey PRIMARY KEY (layer_id, number),
  constraint region_layer_id_name_key UNIQUE (layer_id, name),
  constraint region_layer_id_fkey FOREIGN KEY (layer_id) REFERENCES region_layer(id) ON DELETE CASCADE,
  constraint region_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 200),
  constraint region_number_check CHECK (number > 0),
  constraint region_outline_check CHECK (jsonb_typeof(outline) = 'array'::text)
);

create table region_area (
  layer_id integer not null,
  number integer not null,
  areas bytea not null,
  constraint region_area_layer_id_number_fkey FOREIGN KEY (layer_id, number) REFERENCES region(layer_id, number) ON DELETE CASCADE
);
CREATE INDEX region_area_of ON region_area USING btree (layer_id, number);

create table region_layer (
  id integer generated always as identity not null,
  name text not null,
  file_name text not null,
  report jsonb not null,
  imported_at timestamp with time zone default clock_timestamp() not null,
  constraint region_layer_pkey PRIMARY KEY (id),
  constraint region_layer_name_key UNIQUE (name),
  constraint region_layer_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 60 AND name = btrim(name) AND name !~ '[[:cntrl:]]'::text),
  constraint region_layer_report_check CHECK (jsonb_typeof(report) = 'object'::text)
);

create table register_import (
  id integer generated always as identity not null,
  file_name text not null,
  changes_only boolean not null,
  summary jsonb not null,
  imported_at timestamp with time zone default clock_timestamp() not null,
  constraint register_import_pkey PRIMARY KEY (id),
  constraint register_import_summary_check CHECK (jsonb_typeof(summary) = 'object'::text)
);

create table registrar (
  id integer generated always as identity not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  constraint registrar_pkey PRIMARY KEY (id),
  constraint registrar_name_check CHECK (name = btrim(name) AND name <> ''::text)
);
CREATE UNIQUE INDEX registrar_name ON registrar USING btree (lower(name));

create table registrar_network (
  registrar_id integer not null,
  network cidr not null,
  created_at timestamp with time zone default now() not null,
  local_only boolean default false not null,
  constraint registrar_network_pkey PRIMARY KEY (registrar_id, network),
  constraint registrar_network_registrar_id_fkey FOREIGN KEY (registrar_id) REFERENCES registrar(id) ON DELETE CASCADE,
  constraint registrar_network_network_check CHECK (NOT network::inet <<= '::ffff:0.0.0.0/96'::inet AND masklen(network::inet) >=
CASE family(network::inet)
    WHEN 4 THEN 8
    ELSE 16
END)
);
CREATE TRIGGER registrar_network_announced AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON registrar_network FOR EACH STATEMENT EXECUTE FUNCTION announce_registrar_network();

create table rehearsal (
  one boolean default true not null,
  began_at timestamp with time zone default clock_timestamp() not null,
  ahead_ms bigint default 0 not null,
  constraint rehearsal_pkey PRIMARY KEY (one),
  constraint rehearsal_ahead_ms_check CHECK (ahead_ms >= 0),
  constraint rehearsal_one_check CHECK (one)
);

create table release_run (
  scheduled_for timestamp with time zone not null,
  ran_at timestamp with time zone default clock_timestamp() not null,
  released integer default 0 not null,
  constraint release_run_pkey PRIMARY KEY (scheduled_for),
  constraint release_run_released_check CHECK (released >= 0),
  constraint release_run_scheduled_for_check CHECK (isfinite(scheduled_for))
);

create table released_domain (
  name text collate "C" not null,
  registered timestamp with time zone not null,
  cancelled timestamp with time zone not null,
  release_date timestamp with time zone not null,
  scheduled_for timestamp with time zone not null,
  constraint released_domain_pkey PRIMARY KEY (name, registered, cancelled),
  constraint released_domain_scheduled_for_fkey FOREIGN KEY (scheduled_for) REFERENCES release_run(scheduled_for),
  constraint released_domain_check CHECK (release_date < scheduled_for)
);
CREATE INDEX released_domain_of_run ON released_domain USING btree (scheduled_for, name);

create table reminder_stop (
  invoice_number integer not null,
  at timestamp with time zone default clock_timestamp() not null,
  by_name text not null,
  constraint reminder_stop_pkey PRIMARY KEY (invoice_number),
  constraint reminder_stop_invoice_number_fkey FOREIGN KEY (invoice_number) REFERENCES invoice(number)
);

create table schema_migration (
  number integer not null,
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone default clock_timestamp() not null,
  constraint schema_migration_pkey PRIMARY KEY (number)
);

create table service_secret (
  one boolean default true not null,
  secret bytea not null,
  constraint service_secret_pkey PRIMARY KEY (one),
  constraint service_secret_one_check CHECK (one),
  constraint service_secret_secret_check CHECK (octet_length(secret) = 32)
);

create table session (
  session_sha256 bytea not null,
  token_id integer not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  expires_at timestamp with time zone not null,
  constraint session_pkey PRIMARY KEY (session_sha256),
  constraint session_token_id_fkey FOREIGN KEY (token_id) REFERENCES access_token(id),
  constraint session_session_sha256_check CHECK (octet_length(session_sha256) = 32)
);
CREATE INDEX session_expiry ON session USING btree (expires_at);

create table street (
  id integer generated always as identity not null,
  road text not null,
  suburb text default ''::text not null,
  town text default ''::text not null,
  authority text default ''::text not null,
  addresses integer default 0 not null,
  lng integer default 0 not null,
  lat integer default 0 not null,
  postcodes text[] default '{}'::text[] not null,
  version bigint default 0 not null,
  constraint street_pkey PRIMARY KEY (id),
  constraint street_road_suburb_town_authority_key UNIQUE (road, suburb, town, authority),
  constraint street_road_check CHECK (road <> ''::text)
);
CREATE INDEX street_version ON street USING btree (version);

create table submission (
  id uuid default gen_random_uuid() not null,
  provider_id integer not null,
  token_id integer,
  kind text default 'coverage'::text not null,
  processed_by text default 'operator'::text not null,
  state text default 'received'::text not null,
  file_name text not null,
  storage_key text not null,
  size_bytes bigint not null,
  sha256 bytea not null,
  manifest jsonb not null,
  note text default ''::text not null,
  progress jsonb,
  report jsonb,
  error jsonb,
  blocking jsonb,
  received_at timestamp with time zone default clock_timestamp() not null,
  started_at timestamp with time zone,
  towers_read_at timestamp with time zone,
  finished_at timestamp with time zone,
  revision bigint default 1 not null,
  remakes uuid,
  constraint submission_pkey PRIMARY KEY (id),
  constraint submission_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES provider(id),
  constraint submission_remakes_fkey FOREIGN KEY (remakes) REFERENCES submission(id),
  constraint submission_token_id_fkey FOREIGN KEY (token_id) REFERENCES access_token(id),
  constraint submission_blocking_check CHECK (jsonb_typeof(blocking) = 'array'::text AND jsonb_array_length(blocking) > 0),
  constraint submission_check CHECK ((state = 'failed'::text) = (error IS NOT NULL)),
  constraint submission_check1 CHECK ((state = ANY (ARRAY['received'::text, 'reading'::text, 'loading'::text, 'checking'::text])) OR finished_at IS NOT NULL),
  constraint submission_check2 CHECK (kind = 'coverage'::text OR processed_by = 'service'::text),
  constraint submission_file_name_check CHECK (file_name <> ''::text),
  constraint submission_kind_check CHECK (kind = ANY (ARRAY['coverage'::text, 'towers'::text])),
  constraint submission_manifest_check CHECK (jsonb_typeof(manifest) = 'object'::text),
  constraint submission_note_check CHECK (char_length(note) <= 500),
  constraint submission_processed_by_check CHECK (processed_by = ANY (ARRAY['operator'::text, 'service'::text])),
  constraint submission_sha256_check CHECK (octet_length(sha256) = 32),
  constraint submission_size_bytes_check CHECK (size_bytes >= 0),
  constraint submission_state_check CHECK (state = ANY (ARRAY['received'::text, 'reading'::text, 'loading'::text, 'checking'::text, 'ready'::text, 'published'::text, 'superseded'::text, 'failed'::text, 'withdrawn'::text])),
  constraint submission_storage_key_check CHECK (storage_key <> ''::text)
);
CREATE INDEX submission_by_file ON submission USING btree (sha256, provider_id);
CREATE INDEX submission_newest ON submission USING btree (received_at DESC);
CREATE INDEX submission_of_provider ON submission USING btree (provider_id, received_at DESC);
CREATE INDEX submission_remakes ON submission USING btree (remakes) WHERE (remakes IS NOT NULL);
CREATE INDEX submission_unfinished ON submission USING btree (received_at) WHERE (state = ANY (ARRAY['received'::text, 'reading'::text, 'loading'::text, 'checking'::text, 'ready'::text]));
CREATE TRIGGER submission_announced AFTER UPDATE ON submission FOR EACH ROW EXECUTE FUNCTION announce_submission();
CREATE TRIGGER submission_cancelled AFTER UPDATE OF state ON submission FOR EACH ROW WHEN ((((old.state = 'ready'::text) AND (new.state <> 'ready'::text)) OR (new.state = ANY (ARRAY['withdrawn'::text, 'failed'::text])))) EXECUTE FUNCTION announce_cancelled_work();
CREATE TRIGGER submission_change_counted BEFORE UPDATE ON submission FOR EACH ROW EXECUTE FUNCTION count_submission_change();

create table technology (
  id smallint not null,
  name text not null,
  label text not null,
  nominal_rank smallint not null,
  set_id integer not null,
  plausible_mbps integer default 10000 not null,
  constraint technology_pkey PRIMARY KEY (id),
  constraint technology_label_key UNIQUE (label),
  constraint technology_name_key UNIQUE (name),
  constraint technology_nominal_rank_key UNIQUE (nominal_rank),
  constraint technology_set_id_key UNIQUE (set_id),
  constraint technology_label_check CHECK (label <> ''::text),
  constraint technology_name_check CHECK (name ~ '^[a-z][a-z0-9_]*$'::text),
  constraint technology_plausible_mbps_check CHECK (plausible_mbps > 0)
);
CREATE TRIGGER technology_changes_catalog AFTER INSERT OR UPDATE ON technology FOR EACH STATEMENT EXECUTE FUNCTION technology_changes_catalog();

create table technology_word (
  word text not null,
  technology_id smallint not null,
  is_code boolean default false not null,
  constraint technology_word_pkey PRIMARY KEY (word),
  constraint technology_word_technology_id_fkey FOREIGN KEY (technology_id) REFERENCES technology(id),
  constraint technology_word_word_check CHECK (word ~ '^[a-z0-9]+( [a-z0-9]+)*$'::text AND char_length(word) <= 60)
);
CREATE INDEX technology_word_technology ON technology_word USING btree (technology_id);

create table tier (
  id integer generated always as identity not null,
  dataset_id integer not null,
  availability text not null,
  bandwidth_min_mbps numeric(10,3) not null,
  bandwidth_max_mbps numeric(10,3) not null,
  bandwidth_up_min_mbps numeric(10,3) not null,
  bandwidth_up_max_mbps numeric(10,3) not null,
  planned_date date,
  constraint tier_pkey PRIMARY KEY (id),
  constraint tier_dataset_id_availability_bandwidth_min_mbps_bandwidth_m_key UNIQUE NULLS NOT DISTINCT (dataset_id, availability, bandwidth_min_mbps, bandwidth_max_mbps, bandwidth_up_min_mbps, bandwidth_up_max_mbps, planned_date),
  constraint tier_dataset_id_fkey FOREIGN KEY (dataset_id) REFERENCES dataset(id) ON DELETE CASCADE,
  constraint tier_availability_check CHECK (availability = ANY (ARRAY['available'::text, 'underway'::text, 'planned'::text])),
  constraint tier_check CHECK (bandwidth_min_mbps >= 0::numeric AND bandwidth_min_mbps <= bandwidth_max_mbps AND bandwidth_max_mbps <= 1000000::numeric),
  constraint tier_check1 CHECK (bandwidth_up_min_mbps >= 0::numeric AND bandwidth_up_min_mbps <= bandwidth_up_max_mbps AND bandwidth_up_max_mbps <= 1000000::numeric),
  constraint tier_check2 CHECK (planned_date IS NULL OR availability <> 'available'::text AND isfinite(planned_date))
);
CREATE TRIGGER tier_limit AFTER INSERT ON tier REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_tiers();

create table tier_premises (
  tier_id integer not null,
  covered integer not null,
  premises bytea not null,
  constraint tier_premises_pkey PRIMARY KEY (tier_id),
  constraint tier_premises_tier_id_fkey FOREIGN KEY (tier_id) REFERENCES tier(id) ON DELETE CASCADE,
  constraint tier_premises_covered_check CHECK (covered >= 0)
);

create table tower (
  submission_id uuid not null,
  number integer not null,
  name text,
  geom geometry(Point,4326) not null,
  height_m double precision not null,
  azimuth_deg double precision,
  beam_width_deg double precision not null,
  power_dbm double precision not null,
  frequency_mhz double precision not null,
  bandwidth_min_mbps double precision,
  bandwidth_max_mbps double precision,
  bandwidth_up_min_mbps double precision,
  bandwidth_up_max_mbps double precision,
  constraint tower_pkey PRIMARY KEY (submission_id, number),
  constraint tower_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES submission(id),
  constraint tower_azimuth_deg_check CHECK (azimuth_deg >= 0::double precision AND azimuth_deg <= 360::double precision),
  constraint tower_beam_width_deg_check CHECK (beam_width_deg > 0::double precision AND beam_width_deg <= 360::double precision),
  constraint tower_frequency_mhz_check CHECK (frequency_mhz > 0::double precision),
  constraint tower_height_m_check CHECK (height_m >= 0::double precision),
  constraint tower_number_check CHECK (number > 0)
);

create table tower_ground (
  submission_id uuid not null,
  run integer not null,
  towers integer[] not null,
  name text,
  lng double precision not null,
  lat double precision not null,
  west double precision not null,
  north double precision not null,
  d_lng double precision not null,
  d_lat double precision not null,
  left_pixel integer not null,
  top_pixel integer not null,
  words integer not null,
  height integer not null,
  served bytea not null,
  constraint tower_ground_pkey PRIMARY KEY (submission_id, run, towers),
  constraint tower_ground_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES submission(id),
  constraint tower_ground_d_lat_check CHECK (d_lat > 0::double precision),
  constraint tower_ground_d_lng_check CHECK (d_lng > 0::double precision),
  constraint tower_ground_height_check CHECK (height > 0),
  constraint tower_ground_left_pixel_check CHECK (left_pixel >= 0 AND (left_pixel % 32) = 0),
  constraint tower_ground_top_pixel_check CHECK (top_pixel >= 0),
  constraint tower_ground_towers_check CHECK (cardinality(towers) > 0),
  constraint tower_ground_words_check CHECK (words > 0)
);

create table tower_trial (
  submission_id uuid not null,
  run integer default 1 not null,
  state text not null,
  towers jsonb not null,
  sites jsonb,
  result jsonb,
  against text,
  reason jsonb,
  requested_at timestamp with time zone default clock_timestamp() not null,
  finished_at timestamp with time zone,
  constraint tower_trial_pkey PRIMARY KEY (submission_id),
  constraint tower_trial_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES submission(id) ON DELETE CASCADE,
  constraint tower_trial_check CHECK ((state = 'done'::text) = (result IS NOT NULL) AND (state = 'done'::text) = (against IS NOT NULL)),
  constraint tower_trial_check1 CHECK ((state = 'failed'::text) = (reason IS NOT NULL)),
  constraint tower_trial_check2 CHECK ((state = 'waiting'::text) = (finished_at IS NULL)),
  constraint tower_trial_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'done'::text, 'failed'::text]))
);
CREATE INDEX tower_trial_waiting ON tower_trial USING btree (requested_at) WHERE (state = 'waiting'::text);

create table upload (
  id uuid not null,
  token_id integer not null,
  reuses uuid,
  file_name text not null,
  manifest jsonb,
  again boolean default false not null,
  answers jsonb,
  submits boolean default false not null,
  note text default ''::text not null,
  size_bytes bigint,
  storage_key text,
  sha256 bytea,
  inspection jsonb,
  error jsonb,
  submission_id uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  expires_at timestamp with time zone not null,
  writer uuid,
  writer_until timestamp with time zone,
  constraint upload_pkey PRIMARY KEY (id),
  constraint upload_reuses_fkey FOREIGN KEY (reuses) REFERENCES submission(id),
  constraint upload_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES submission(id),
  constraint upload_token_id_fkey FOREIGN KEY (token_id) REFERENCES access_token(id),
  constraint upload_check CHECK ((storage_key IS NULL) = (sha256 IS NULL)),
  constraint upload_check1 CHECK (storage_key IS NULL OR size_bytes IS NOT NULL),
  constraint upload_check2 CHECK (NOT submits OR answers IS NOT NULL),
  constraint upload_file_name_check CHECK (file_name <> ''::text),
  constraint upload_sha256_check CHECK (octet_length(sha256) = 32),
  constraint upload_size_bytes_check CHECK (size_bytes >= 0)
);
CREATE INDEX upload_of_submission ON upload USING btree (submission_id);
CREATE INDEX upload_open ON upload USING btree (expires_at) WHERE (submission_id IS NULL);
CREATE TRIGGER upload_cancelled AFTER DELETE ON upload FOR EACH ROW EXECUTE FUNCTION announce_cancelled_work();
CREATE TRIGGER upload_described AFTER UPDATE OF submission_id ON upload FOR EACH ROW WHEN ((new.submission_id IS NOT NULL)) EXECUTE FUNCTION announce_cancelled_work();

create table usage_damage (
  host text not null,
  file text not null,
  process uuid,
  reason text not null,
  found_at timestamp with time zone default clock_timestamp() not null,
  constraint usage_damage_pkey PRIMARY KEY (host, file),
  constraint usage_damage_reason_check CHECK (reason <> ''::text)
);

create table usage_flush (
  process uuid not null,
  sequence bigint not null,
  flushed_at timestamp with time zone default clock_timestamp() not null,
  constraint usage_flush_pkey PRIMARY KEY (process),
  constraint usage_flush_sequence_check CHECK (sequence >= 0)
);
CREATE INDEX usage_flush_age ON usage_flush USING btree (flushed_at);

create table usage_hour (
  key_id integer not null,
  hour timestamp with time zone not null,
  queries bigint not null,
  constraint usage_hour_pkey PRIMARY KEY (key_id, hour),
  constraint usage_hour_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_key(id),
  constraint usage_hour_hour_check CHECK (isfinite(hour) AND (EXTRACT(epoch FROM hour)::bigint % 3600::bigint) = 0),
  constraint usage_hour_queries_check CHECK (queries > 0)
);
CREATE INDEX usage_hour_by_hour ON usage_hour USING btree (hour);
CREATE TRIGGER usage_hour_added AFTER INSERT ON usage_hour REFERENCING NEW TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION add_counted_usage();
CREATE TRIGGER usage_hour_changed AFTER UPDATE ON usage_hour REFERENCING OLD TABLE AS counted_before NEW TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION add_changed_usage();
CREATE TRIGGER usage_hour_kept BEFORE DELETE ON usage_hour FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER usage_hour_not_emptied BEFORE TRUNCATE ON usage_hour FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table usage_month (
  customer_id integer not null,
  month date not null,
  queries bigint not null,
  closed_queries bigint default 0 not null,
  uncharged bigint default 0 not null,
  constraint usage_month_pkey PRIMARY KEY (customer_id, month),
  constraint usage_month_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint usage_month_check CHECK (uncharged >= 0 AND uncharged <= queries),
  constraint usage_month_closed_queries_check CHECK (closed_queries >= 0),
  constraint usage_month_month_check CHECK (EXTRACT(day FROM month) = 1::numeric),
  constraint usage_month_queries_check CHECK (queries >= 0)
);
CREATE INDEX usage_month_by_month ON usage_month USING btree (month);
CREATE INDEX usage_month_changed ON usage_month USING btree (customer_id, month) WHERE (closed_queries <> queries);

create table usage_total (
  customer_id integer not null,
  queries bigint not null,
  uncharged bigint default 0 not null,
  constraint usage_total_pkey PRIMARY KEY (customer_id),
  constraint usage_total_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint usage_total_check CHECK (uncharged >= 0 AND uncharged <= queries),
  constraint usage_total_queries_check CHECK (queries >= 0)
);

create table work (
  kind text not null,
  id text not null,
  processes uuid[] default '{}'::uuid[] not null,
  slow boolean default false not null,
  failures integer default 0 not null,
  retry_at timestamp with time zone,
  changed_at timestamp with time zone default clock_timestamp() not null,
  constraint work_pkey PRIMARY KEY (kind, id),
  constraint work_failures_check CHECK (failures >= 0),
  constraint work_kind_check CHECK (kind = ANY (ARRAY['inspect'::text, 'read-towers'::text, 'predict'::text, 'load'::text, 'compare'::text, 'publish'::text, 'archive'::text, 'discard'::text, 'draw'::text, 'rollback'::text, 'bulk-lookup'::text, 'import-addresses'::text, 'count-premises'::text, 'export-coverage'::text]))
);

create table zone (
  name text collate "C" not null,
  "position" smallint not null,
  letters text default 'āēīōū'::text not null,
  moderated boolean default false not null,
  constraint zone_pkey PRIMARY KEY (name),
  constraint zone_position_key UNIQUE ("position"),
  constraint zone_letters_check CHECK ((letters IS NFC NORMALIZED) AND letters !~ '[\x01-\x7f[:space:]]'::text),
  constraint zone_name_check CHECK (name ~ '^[a-z0-9-]+(\.[a-z0-9-]+)*$'::text)
);
CREATE TRIGGER zone_announced AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON zone FOR EACH STATEMENT EXECUTE FUNCTION announce_registry_terms();

create view receivable_source as
 SELECT
        CASE
            WHEN e.customer_id IS NULL THEN 'operator:'::text || e.provider_id::text
            ELSE 'customer:'::text || e.customer_id::text
        END AS account,
    e.id AS from_entry,
    NULL::integer AS from_credit_note,
    NULL::integer AS from_invoice,
    - e.amount_cents AS amount_cents,
    p.on_day
   FROM ledger_entry e
     JOIN payment p ON p.entry_id = e.id
  WHERE e.settles AND e.amount_cents < 0
UNION ALL
 SELECT credit_note.account,
    NULL::bigint AS from_entry,
    credit_note.number AS from_credit_note,
    NULL::integer AS from_invoice,
    credit_note.total_cents AS amount_cents,
    credit_note.issued_on AS on_day
   FROM credit_note
  WHERE credit_note.total_cents > 0
UNION ALL
 SELECT invoice.account,
    NULL::bigint AS from_entry,
    NULL::integer AS from_credit_note,
    invoice.number AS from_invoice,
    - invoice.total_cents AS amount_cents,
    invoice.issued_on AS on_day
   FROM invoice
  WHERE invoice.total_cents < 0;

create view receivable_target as
 SELECT invoice.account,
    invoice.number AS to_invoice,
    NULL::bigint AS to_entry,
    NULL::integer AS to_credit_note,
    invoice.total_cents AS amount_cents,
    invoice.issued_on AS on_day
   FROM invoice
  WHERE invoice.total_cents > 0
UNION ALL
 SELECT
        CASE
            WHEN e.customer_id IS NULL THEN 'operator:'::text || e.provider_id::text
            ELSE 'customer:'::text || e.customer_id::text
        END AS account,
    NULL::integer AS to_invoice,
    e.id AS to_entry,
    NULL::integer AS to_credit_note,
    e.amount_cents,
    p.on_day
   FROM ledger_entry e
     JOIN payment p ON p.entry_id = e.id
  WHERE e.settles AND e.amount_cents > 0
UNION ALL
 SELECT credit_note.account,
    NULL::integer AS to_invoice,
    NULL::bigint AS to_entry,
    credit_note.number AS to_credit_note,
    - credit_note.total_cents AS amount_cents,
    credit_note.issued_on AS on_day
   FROM credit_note
  WHERE credit_note.total_cents < 0;

create view stored_file as
 SELECT submission.storage_key
   FROM submission
UNION ALL
 SELECT prediction.storage_key
   FROM prediction
UNION ALL
 SELECT COALESCE(upload.storage_key, upload.id::text) AS storage_key
   FROM upload
UNION ALL
 SELECT bulk_job.storage_key
   FROM bulk_job
UNION ALL
 SELECT bulk_job_part.storage_key
   FROM bulk_job_part
UNION ALL
 SELECT modelling.storage_key
   FROM modelling
  WHERE modelling.storage_key IS NOT NULL
UNION ALL
 SELECT modelling.picture_key AS storage_key
   FROM modelling
  WHERE modelling.picture_key IS NOT NULL
UNION ALL
 SELECT predicted_site.storage_key
   FROM predicted_site
UNION ALL
 SELECT address_import.storage_key
   FROM address_import
  WHERE address_import.storage_key IS NOT NULL
UNION ALL
 SELECT coverage_export.storage_key
   FROM coverage_export
  WHERE coverage_export.storage_key IS NOT NULL;

CREATE OR REPLACE FUNCTION public.account_code(name text, letters integer, id integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select rpad(left(regexp_replace(upper(normalize(name, NFKD)), '[^A-Z]', '', 'g'), letters), letters, 'X')
    || case when id < 10 then '0' else '' end || id
$function$;

CREATE OR REPLACE FUNCTION public.add_changed_usage()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('covermap usage sums', 0));
  perform add_usages(array_agg(customer_id), array_agg(day), array_agg(queries)) from (
    select k.customer_id, (n.hour at time zone 'Pacific/Auckland')::date as day, sum(n.queries)::bigint as queries
    from (select key_id, hour, queries from counted union all select key_id, hour, -queries from counted_before) as n
    join api_key k on k.id = n.key_id
    group by 1, 2 order by 1, 2) as sums
  where queries <> 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.add_counted_usage()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('covermap usage sums', 0));
  perform add_usages(array_agg(customer_id), array_agg(day), array_agg(queries)) from (
    select k.customer_id, (n.hour at time zone 'Pacific/Auckland')::date as day, sum(n.queries)::bigint as queries
    from counted n join api_key k on k.id = n.key_id
    group by 1, 2 order by 1, 2) as sums;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.add_usage(of_customer integer, of_day date, added bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  asked bigint;
  past bigint = 0;
begin
  insert into usage_total as t (customer_id, queries) values (of_customer, added)
  on conflict (customer_id) do update set queries = t.queries + excluded.queries
  returning t.queries - t.uncharged into asked;
  if added > 0 and not may_owe(of_customer, of_day) then
    select greatest(0, least(added, asked - c.free_queries)) into past from customer c where c.id = of_customer;
    if past > 0 then
      update usage_total set uncharged = uncharged + past where customer_id = of_customer;
    end if;
  end if;
  insert into usage_month as m (customer_id, month, queries, uncharged)
  values (of_customer, date_trunc('month', of_day)::date, added, past)
  on conflict (customer_id, month)
  do update set queries = m.queries + excluded.queries, uncharged = m.uncharged + excluded.uncharged;
end $function$;

CREATE OR REPLACE FUNCTION public.add_usages(customers integer[], days date[], added bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  -- Whose queries may be past the free ones, which depends on what was added before: these are added one by one.
  limited integer[] = array(
    select distinct n.customer_id
    from unnest(customers, days, added) as n (customer_id, day, queries) join customer c on c.id = n.customer_id
    where n.queries > 0 and not c.overage_allowed and not exists (
      select from customer_plan p
      where p.customer_id = c.id and p.begins <= n.day and (p.ends is null or p.ends > n.day)));
begin
  insert into usage_total as t (customer_id, queries)
  select n.customer_id, sum(n.queries)
  from unnest(customers, added) as n (customer_id, queries)
  where n.customer_id <> all (limited)
  group by 1 order by 1
  on conflict (customer_id) do update set queries = t.queries + excluded.queries;
  insert into usage_month as m (customer_id, month, queries)
  select n.customer_id, date_trunc('month', n.day)::date, sum(n.queries)
  from unnest(customers, days, added) as n (customer_id, day, queries)
  where n.customer_id <> all (limited)
  group by 1, 2 order by 1, 2
  on conflict (customer_id, month) do update set queries = m.queries + excluded.queries;
  perform add_usage(n.customer_id, n.day, n.queries)
  from unnest(customers, days, added) with ordinality as n (customer_id, day, queries, number)
  where n.customer_id = any (limited)
  order by n.number;
end $function$;

CREATE OR REPLACE FUNCTION public.allocate_what_is_left()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  source receivable_source;
  target receivable_target;
  used bigint;
  met bigint;
  between_them bigint;
begin
  perform from ledger_entry where id in (new.from_entry, new.to_entry) order by id for no key update;
  perform from credit_note where number in (new.from_credit_note, new.to_credit_note) order by number for no key update;
  perform from invoice where number in (new.from_invoice, new.to_invoice) order by number for no key update;
  -- Each by its own index.
  if new.from_entry is not null then
    select * into source from receivable_source where from_entry = new.from_entry;
    select coalesce(sum(amount_cents), 0) into used from allocation where from_entry = new.from_entry;
  elsif new.from_credit_note is not null then
    select * into source from receivable_source where from_credit_note = new.from_credit_note;
    select coalesce(sum(amount_cents), 0) into used from allocation where from_credit_note = new.from_credit_note;
  else
    select * into source from receivable_source where from_invoice = new.from_invoice;
    select coalesce(sum(amount_cents), 0) into used from allocation where from_invoice = new.from_invoice;
  end if;
  if new.to_invoice is not null then
    select * into target from receivable_target where to_invoice = new.to_invoice;
    select coalesce(sum(a.amount_cents), 0), coalesce(sum(a.amount_cents) filter (where
        (a.from_entry, a.from_credit_note, a.from_invoice) is not distinct from (new.from_entry, new.from_credit_note, new.from_invoice)), 0)
      into met, between_them from allocation a where a.to_invoice = new.to_invoice;
  elsif new.to_entry is not null then
    select * into target from receivable_target where to_entry = new.to_entry;
    select coalesce(sum(a.amount_cents), 0), coalesce(sum(a.amount_cents) filter (where
        (a.from_entry, a.from_credit_note, a.from_invoice) is not distinct from (new.from_entry, new.from_credit_note, new.from_invoice)), 0)
      into met, between_them from allocation a where a.to_entry = new.to_entry;
  else
    select * into target from receivable_target where to_credit_note = new.to_credit_note;
    select coalesce(sum(a.amount_cents), 0), coalesce(sum(a.amount_cents) filter (where
        (a.from_entry, a.from_credit_note, a.from_invoice) is not distinct from (new.from_entry, new.from_credit_note, new.from_invoice)), 0)
      into met, between_them from allocation a where a.to_credit_note = new.to_credit_note;
  end if;
  if source.account is distinct from target.account or source.account is null or new.on_day < greatest(source.on_day, target.on_day) then
    raise exception 'what settles is of another account, or of a later day'
      using errcode = 'check_violation', constraint = 'allocation_account';
  end if;
  used = used + new.amount_cents;
  met = met + new.amount_cents;
  if used > source.amount_cents or met > target.amount_cents or between_them + new.amount_cents < 0 then
    raise exception 'more is settled than is left' using errcode = 'check_violation', constraint = 'allocation_left';
  end if;
  delete from credit_left where from_entry = new.from_entry;
  delete from credit_left where from_credit_note = new.from_credit_note;
  delete from credit_left where from_invoice = new.from_invoice;
  if used < source.amount_cents then
    insert into credit_left values (source.account, source.from_entry, source.from_credit_note, source.from_invoice, source.on_day,
      source.amount_cents - used);
  end if;
  if new.to_invoice is not null then
    delete from open_invoice where number = new.to_invoice;
    if met < target.amount_cents then
      insert into open_invoice values (new.to_invoice, target.amount_cents - met);
    end if;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_address_list()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('address_list', new.version::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_api_key()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('api_key', encode(coalesce(new.key_sha256, old.key_sha256), 'hex'));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_cancelled_work()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('work_cancelled', old.id::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_catalog()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('catalog', new.version::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_keys_of_customer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('api_key', encode(k.key_sha256, 'hex')) from api_key k
  where k.customer_id in (
    case tg_table_name when 'customer' then (to_jsonb(new)->>'id')::integer
    else (coalesce(to_jsonb(new), to_jsonb(old))->>'customer_id')::integer end);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_mail()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('mail', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_order_stop()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('order_stop', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_registrar_network()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('registrar_network', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_registry_terms()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('registry_terms', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_submission()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('submission', new.id::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.area_to_equator(latitude double precision)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select 20204149992330.75 * (
    sin(radians(latitude)) / (1 - 0.00669437999014 * sin(radians(latitude)) ^ 2)
    + ln((1 + 0.0818191908426134 * sin(radians(latitude))) / (1 - 0.0818191908426134 * sin(radians(latitude))))
      / (2 * 0.0818191908426134)
  )
$function$;

CREATE OR REPLACE FUNCTION public.bank_line_opens()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_table_name = 'bank_line' then
    insert into open_bank_line (line_id) values (new.id);
  elsif tg_op = 'INSERT' then
    delete from open_bank_line where line_id = new.line_id;
  else
    insert into open_bank_line (line_id) values (old.line_id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.billing_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
AS $function$
  select clock_timestamp() + coalesce((select make_interval(secs => ahead_ms / 1000.0) from rehearsal), interval '0')
$function$;

CREATE OR REPLACE FUNCTION public.close_in_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from month_close)
      and (select max(month) from month_close) <> (new.month - interval '1 month')::date then
    raise exception '% does not follow the month that was closed last', new.month using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.correct_what_is_left()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  original ledger_entry;
  remaining bigint;
begin
  select * into original from ledger_entry where id = new.corrects for no key update;
  remaining = entry_left(original);
  if (original.customer_id, original.provider_id) is distinct from (new.customer_id, new.provider_id) then
    raise exception 'entry % is of another account', new.corrects using errcode = 'check_violation';
  end if;
  if remaining = 0 or sign(new.amount_cents) = sign(original.amount_cents) or abs(new.amount_cents) > abs(remaining) then
    raise exception 'of entry % there are % cents left', new.corrects, remaining
      using errcode = 'check_violation', constraint = 'ledger_entry_left';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.count_provider_revision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.name, new.url, new.wholesale_network, new.description, new.area_served)
    is distinct from (old.name, old.url, old.wholesale_network, old.description, old.area_served) then
    new.revision := old.revision + 1;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.count_submission_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.revision = old.revision + 1;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.coverage_area_m2(geom geometry)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when st_ymax(geom) - st_ymin(geom) > 0.25 then (
      select sum(case when ring.path[1] = 0 then ring.m2 else -ring.m2 end)
      from st_dump(geom) as part
      cross join lateral (
        select rings.path, abs(sum(
          -- The mean along the edge, by three points of Gauss and Legendre: over 30 degrees of latitude exact to 1e-8.
          radians(next_x - x) * (
            5 * area_to_equator((y + next_y) / 2 - sqrt(0.15) * (next_y - y))
            + 8 * area_to_equator((y + next_y) / 2)
            + 5 * area_to_equator((y + next_y) / 2 + sqrt(0.15) * (next_y - y))
          ) / 18)) as m2
        from st_dumprings(part.geom) as rings
        cross join lateral (
          select st_x(vertex.geom) as x, st_y(vertex.geom) as y,
            st_x(lead(vertex.geom) over along) as next_x, st_y(lead(vertex.geom) over along) as next_y
          from st_dumppoints(st_exteriorring(rings.geom)) as vertex
          window along as (order by vertex.path[1])
        ) as edge
        where next_x is not null
        group by rings.path
      ) as ring
      where st_dimension(part.geom) = 2
    )
    else (
      select st_area(geom) * pi() * pi() / 32400 * 6378137.0 * 6378137.0 * (1 - e2) * cos(latitude)
        / ((1 - e2 * sin(latitude) ^ 2) ^ 2)
      from (select radians(st_y(st_centroid(geom))) as latitude, 0.00669437999014 as e2) as at_centroid
    )
  end
$function$;

CREATE OR REPLACE FUNCTION public.credit_note_entry_made()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not (select on_credit_note from ledger_entry where id = new.entry_id) then
    raise exception 'entry % is of no credit note', new.entry_id using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.entry_left(entry ledger_entry)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when exists (select from ledger_entry o where o.id = entry.corrects and o.corrects is not null) then 0
    else entry.amount_cents + coalesce((
      select sum(c.amount_cents + coalesce((select sum(u.amount_cents) from ledger_entry u where u.corrects = c.id), 0))
      from ledger_entry c where c.corrects = entry.id), 0)
  end::bigint
$function$;

CREATE OR REPLACE FUNCTION public.free_left(of_customer integer)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select c.free_queries - coalesce(t.queries - t.uncharged, 0) - held_queries(c.id, null)
  from customer c left join usage_total t on t.customer_id = c.id
  where c.id = of_customer
$function$;

CREATE OR REPLACE FUNCTION public.give_account_code()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.code = coalesce(new.code, account_code(new.name, case tg_table_name when 'customer' then 3 else 4 end, new.id));
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.give_free_queries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.free_queries = coalesce(new.free_queries, (
    select free_queries from billing_terms
    where from_month <= (now() at time zone 'Pacific/Auckland')::date order by from_month desc limit 1));
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.held_queries(of_customer integer, of_month date)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((
      select sum(case when h.until > clock_timestamp() then h.queries else h.begun end)
      from query_hold h where h.customer_id = of_customer and (of_month is null or h.month = of_month)), 0)::bigint
    -- What a file is answered with is counted when all of it is there.
    + coalesce((
      select sum(j.entries) from bulk_job j join api_key k on k.id = j.api_key_id
      where k.customer_id = of_customer and j.state in ('queued', 'running') and (of_month is null or j.held_at is null
        or date_trunc('month', j.held_at at time zone 'Pacific/Auckland')::date = of_month)), 0)::bigint
$function$;

CREATE OR REPLACE FUNCTION public.invoice_uses_credit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.total_cents > 0 and new.total_cents - new.due_cents >
      coalesce((select sum(amount_cents) from allocation where to_invoice = new.number), 0) then
    raise exception 'the credit that invoice % uses is not allocated to it', new.number
      using errcode = 'check_violation', constraint = 'invoice_uses_credit';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.limit_order_stops()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- One at a time for each provider: two at once would not see each other.
  perform from provider where id = new.provider_id for no key update;
  if (
    select count(*) from order_stop s
    where s.provider_id = new.provider_id
      and coalesce(s.until_day >= (clock_timestamp() at time zone 'Pacific/Auckland')::date, true)
  ) > 200 then
    raise exception 'a provider has at most 200 stops' using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.limit_scopes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (
    select count(*) from dataset d
    where d.provider_id = new.provider_id and d.technology_id = new.technology_id and d.state = 'published'
  ) > 50 then
    raise exception 'a provider has at most 50 scopes of a technology published' using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.limit_tiers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select from (select distinct dataset_id from added) as a
    where (select count(*) from tier t where t.dataset_id = a.dataset_id) > 500
  ) then
    raise exception 'a dataset has at most 500 tiers' using errcode = 'check_violation';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.may_owe(of_customer integer, of_day date)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select c.overage_allowed or exists (
    select from customer_plan p
    where p.customer_id = c.id and p.begins <= of_day and (p.ends is null or p.ends > of_day))
  from customer c where c.id = of_customer
$function$;

CREATE OR REPLACE FUNCTION public.note_publication()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.state = 'published' and (tg_op = 'INSERT' or old.state <> 'published') then
    insert into publication (dataset_id, published_at) values (new.id, new.published_at);
  elsif tg_op = 'UPDATE' and old.state = 'published' and new.state <> 'published' then
    update publication set superseded_at = greatest(new.superseded_at, published_at)
    where dataset_id = new.id and superseded_at is null;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.open_entry_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  root bigint;
  family bigint[];
begin
  insert into open_entry (entry_id) values (new.id);
  if new.corrects is not null then
    select coalesce(o.corrects, o.id) into root from ledger_entry o where o.id = new.corrects;
    family = array(
      select e.id from open_entry p join ledger_entry e on e.id = p.entry_id
      where e.id = root or e.corrects = root or e.corrects in (select id from ledger_entry where corrects = root));
    if (select sum(amount_cents) from ledger_entry where id = any(family)) = 0 then
      delete from open_entry where entry_id = any(family);
    end if;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.open_entry_invoiced()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from open_entry where entry_id = new.entry_id;
  if not found then
    raise exception 'entry % is not open', new.entry_id using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.payment_of_line_reversed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from bank_match where entry_id = new.corrects;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.provider_changes_catalog()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old is distinct from new then
    update catalog set version = version + 1;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% rows are only ever added', tg_table_name;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_other_terms()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.name, old.bundled_queries, old.price_cents) is distinct from (new.name, new.bundled_queries, new.price_cents) then
    raise exception 'the terms of a plan do not change: add another plan, and stop offering this one';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.reverse_what_settles()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  original ledger_entry;
begin
  select * into original from ledger_entry where id = new.corrects;
  if new.settles <> original.settles or (new.settles and new.amount_cents <> -original.amount_cents) then
    raise exception 'entry % is not reversed as a whole by what settles', new.corrects
      using errcode = 'check_violation', constraint = 'ledger_entry_settles_check';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.settled_stops_reminders()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.to_invoice is not null and not exists (select from open_invoice where number = new.to_invoice) then
    update mail_message set state = 'cancelled', retry_at = null, reason = 'The invoice is settled.'
    where invoice_number = new.to_invoice and template = 'reminder' and state in ('queued', 'no_address', 'failed');
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.source_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_table_name = 'payment' then
    insert into credit_left (account, from_entry, on_day, left_cents)
      select account, from_entry, on_day, amount_cents from receivable_source where from_entry = new.entry_id;
  elsif tg_table_name = 'credit_note' then
    insert into credit_left (account, from_credit_note, on_day, left_cents)
      select account, from_credit_note, on_day, amount_cents from receivable_source where from_credit_note = new.number;
  elsif new.total_cents < 0 then
    insert into credit_left (account, from_invoice, on_day, left_cents)
      values (new.account, new.number, new.issued_on, -new.total_cents);
  else
    insert into open_invoice (number, left_cents) values (new.number, new.total_cents);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.technology_changes_catalog()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update catalog set version = version + 1;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.void_premises_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update dataset set premises_compared = null
  where state in ('loading', 'ready') and (id = new.id or compared_with = new.id or new.id = any (compared_beside));
  return null;
end $function$;
