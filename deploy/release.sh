#!/bin/sh
# deploy/release.sh [commit]: makes a release of this checkout's HEAD, or of another commit, in a folder of its own beside the checkout, and
# points the symbolic link `current` at it once it is whole. What runs is not touched: a process goes on with the folder that it was started
# in, and is restarted by whoever runs this.
set -eu
cd "$(dirname "$0")/.."
home=$(dirname "$PWD")
commit=$(git rev-parse --short=12 --verify "${1:-HEAD}^{commit}")
release=$home/releases/$commit
if [ ! -e "$release/.whole" ]; then
  # What an earlier attempt left.
  rm -rf "$release"
  mkdir -p "$release"
  git archive "$commit" | tar -x -C "$release"
  (cd "$release" && npm ci --omit=dev && npm run build)
  touch "$release/.whole"
fi
# A rename replaces the link in one step; `ln -sf` alone takes it away first.
ln -sfn "releases/$commit" "$home/.next"
mv -T "$home/.next" "$home/current"
echo "$home/current is $commit"
