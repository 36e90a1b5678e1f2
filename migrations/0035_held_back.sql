-- Invoices that lack what the law asks for are held back, and issued by staff once it is there: for what was billed until then.
alter table invoice drop constraint invoice_occasion_check,
  add constraint invoice_occasion_check check (occasion in ('month', 'plan_start', 'held_back'));

-- A statement is kept as it was e-mailed, by the number of its message.
alter table paper drop constraint paper_kind_check,
  add constraint paper_kind_check check (kind in ('invoice', 'credit_note', 'receipt', 'statement'));
