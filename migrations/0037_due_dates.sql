-- An invoice that credit has paid falls due all the same, once the payment that the credit came from is reversed.
alter table invoice
  drop constraint invoice_due_check,
  add constraint invoice_due_check check (due_on is not null or due_cents = 0);
