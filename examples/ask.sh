#!/bin/sh
# What broadband is at a latitude and a longitude? Prints the answer of version 2.0.
set -eu
url=${COVERMAP_URL:-http://127.0.0.1:3000}
curl --silent --show-error --fail-with-body --retry 3 \
  --header "x-api-key: ${COVERMAP_KEY:-demo}" "$url/api/2.0/availability/$1/$2"
echo
