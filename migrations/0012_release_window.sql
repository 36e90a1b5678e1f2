-- Names that a run of release-domains has released stay PendingRelease until the end of its window: lookups find those of a
-- run by their names, and the droplist has all of them.
create index released_domain_of_run on released_domain (scheduled_for, name);
drop index released_domain_run;
