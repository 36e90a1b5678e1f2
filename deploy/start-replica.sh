#!/bin/sh
# Starts a streaming replica in $PGDATA, and copies the primary first where there is none yet. The primary, and a role that may
# replicate, are named by PGHOST, PGPORT, PGUSER and PGPASSWORD; what is given is for PostgreSQL.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # A copy that was cut short is begun again.
  rm -rf "$PGDATA.copy"
  pg_basebackup --pgdata="$PGDATA.copy" --write-recovery-conf --wal-method=stream --checkpoint=fast
  rm -rf "$PGDATA"
  mv "$PGDATA.copy" "$PGDATA"
fi
exec postgres -D "$PGDATA" "$@"
