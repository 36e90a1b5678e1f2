-- The ground that a version covers in square metres, where overlapping areas count once; null until it has been worked out.
alter table dataset add covered_m2 double precision check (covered_m2 >= 0);
