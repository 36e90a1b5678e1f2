-- What only this service knows: codes made with it cannot be made by anybody else. The first process that needs it makes it.

create table service_secret (
  one boolean primary key default true check (one),
  secret bytea not null check (octet_length(secret) = 32)
);
