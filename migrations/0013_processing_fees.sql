-- A fee of nothing cannot be accrued, and what would accrue it could not be published: fees are waived one by one instead. Rows of the past
-- never change, so they are not asked.
alter table billing_terms add constraint billing_terms_processing_check
  check (first_processing_cents > 0 and later_processing_cents > 0) not valid;
