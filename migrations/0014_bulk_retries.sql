-- A file that is sent again with its Idempotency-Key, because the answer to the first request was lost, is the job of that
-- request: it is looked up and paid once.
alter table bulk_job
  add column idempotency_key text check (length(idempotency_key) between 1 and 255),
  -- The SHA-256 of what was asked, options included: another file is not taken for the first.
  add column request_sha256 bytea check (length(request_sha256) = 32),
  add check ((idempotency_key is null) = (request_sha256 is null)),
  add unique (api_key_id, idempotency_key);
