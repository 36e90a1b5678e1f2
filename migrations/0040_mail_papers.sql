-- The paper that goes with an e-mail and has no number of its own, as it was when the e-mail was queued: what is booked before it is sent is not on it.
alter table mail_message add column paper jsonb;
