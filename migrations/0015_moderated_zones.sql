-- Names of a moderated zone are not for everybody: only those whom the zone is for may register one, after its moderator's consent.
-- That nobody has a name there says less than elsewhere. By default the moderated zones of .nz.
alter table zone add column moderated boolean not null default false;
update zone set moderated = true where name in ('cri.nz', 'govt.nz', 'health.nz', 'iwi.nz', 'mil.nz', 'parliament.nz');
