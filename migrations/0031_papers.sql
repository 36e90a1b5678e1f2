-- Papers stay as they were issued: with the issuer of that day, and with what was known of the recipient.

-- Who issues invoices, as an API process that started was configured: the newest row holds for what is issued from then on.
create table invoice_issuer (
  id integer generated always as identity primary key,
  name text not null,
  address text not null,
  gst_number text not null,
  payment text not null,
  since timestamptz not null default clock_timestamp()
);
create trigger invoice_issuer_kept before update or delete on invoice_issuer for each row execute function refuse_change();
create trigger invoice_issuer_not_emptied before truncate on invoice_issuer execute function refuse_change();

-- Null: it was issued before any issuer was known here, and is of the first that is.
alter table invoice add column issuer_id integer references invoice_issuer;

-- Invoices without a contact have shown the present one so far: what they show now, they keep.
alter table invoice disable trigger invoice_kept;
update invoice i set recipient_address = b.address, recipient_contact = b.contact
from billing_contact b
where i.recipient_address = '' and i.recipient_contact = '' and b.customer_id = i.customer_id;
update invoice i set recipient_address = coalesce(b.address, ''), recipient_contact = coalesce(nullif(b.contact, ''), p.url)
from provider p left join billing_contact b on b.provider_id = p.id
where i.recipient_address = '' and i.recipient_contact = '' and p.id = i.provider_id;
alter table invoice enable trigger invoice_kept;

create trigger invoice_not_emptied before truncate on invoice execute function refuse_change();
create trigger invoice_line_not_emptied before truncate on invoice_line execute function refuse_change();
create trigger month_close_not_emptied before truncate on month_close execute function refuse_change();
