-- What was said of a file that is not submitted yet: while it was still coming in, or of the submission whose file is used
-- again. A form goes on with it.
alter table upload add column answers jsonb;
-- Whether it is to be submitted with these answers as soon as it is whole and nothing else is to be asked.
alter table upload add column submits boolean not null default false;
alter table upload add check (not submits or answers is not null);
-- What the submission is to be noted as then.
alter table upload add column note text not null default '';
