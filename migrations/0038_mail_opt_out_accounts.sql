-- What is turned off belongs to an account at an address: whoever enters another's address turns off nothing of theirs.
alter table mail_opt_out
  add column account text,
  drop constraint mail_opt_out_pkey;

-- Each account that has an address, or was written to at it, keeps what was turned off there.
insert into mail_opt_out (account, address, topic, at)
select a.account, o.address, o.topic, o.at
from mail_opt_out o
join (
  select account, lower(address) as address from mail_message where address is not null
  union
  select case when customer_id is null then 'operator:' || provider_id else 'customer:' || customer_id end, lower(email) from billing_contact
) as a on a.address = o.address;

delete from mail_opt_out where account is null;

alter table mail_opt_out
  alter column account set not null,
  add primary key (account, address, topic);
