#!/bin/sh
# deploy/streets.sh: cuts streets, suburbs and a fine coastline of the service area (SERVICE_AREA, by default New Zealand's) out of Protomaps'
# newest build of OpenStreetMap, https://maps.protomaps.com/builds/, into basemap.pmtiles beside the checkout, for BASEMAP_FILE. An earlier file
# is replaced once the new one is whole. Needs curl, and `pmtiles` from https://github.com/protomaps/go-pmtiles/releases, one program, in the PATH.
set -eu
cd "$(dirname "$0")/.."
file=$(dirname "$PWD")/basemap.pmtiles
builds=https://build.protomaps.com
for tool in curl pmtiles; do
  command -v "$tool" > /dev/null || { echo "Install $tool first: see the head of $0" >&2; exit 1; }
done
IFS=, read -r south west north east <<AREA
${SERVICE_AREA:--47.5,166.2,-34.2,178.6}
AREA
# There is not one for each day, and old ones go.
ago=0
until [ "$ago" -gt 30 ]; do
  build=$builds/$(date -u -d "$ago days ago" +%Y%m%d).pmtiles
  if curl --silent --fail --head --output /dev/null "$build"; then
    trap 'rm -f "$file.$$"' EXIT
    pmtiles extract "$build" "$file.$$" --bbox="$west,$south,$east,$north"
    chmod 644 "$file.$$"
    mv -T "$file.$$" "$file"
    echo "$file is of $build. Set BASEMAP_FILE=$file, and restart the APIs."
    exit
  fi
  ago=$((ago + 1))
done
echo "$builds has no build of the last 30 days, or cannot be reached." >&2
exit 1
