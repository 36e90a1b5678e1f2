-- Work that took longer than the second slot of a worker allows: it waits for the first, behind everybody else's.
alter table work add column slow boolean not null default false;
