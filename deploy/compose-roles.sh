#!/bin/sh
# PostgreSQL's image runs this when it creates the database. It creates the roles, with passwords from the environment, and lets the
# replica connect.
set -eu
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username=postgres --dbname=covermap --file=/covermap/roles.sql
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username=postgres --dbname=covermap \
  --set=owner="$COVERMAP_OWNER_PASSWORD" --set=api="$COVERMAP_API_PASSWORD" --set=worker="$COVERMAP_WORKER_PASSWORD" \
  --set=replica="$COVERMAP_REPLICA_PASSWORD" <<'SQL'
alter role covermap_owner password :'owner';
alter role covermap_api password :'api';
alter role covermap_worker password :'worker';
create role covermap_replica login replication password :'replica';
SQL
echo 'host replication covermap_replica all scram-sha-256' >> "$PGDATA/pg_hba.conf"
