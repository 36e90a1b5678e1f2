#!/bin/sh
# deploy/release.sh [commit]: makes a release of this checkout's HEAD, or of another commit, in a folder of its own beside the checkout, and
# points the symbolic link `current` at it once it is whole. What runs is not touched: a process goes on with the folder that it was started
# in, and is restarted by whoever runs this.
set -eu
cd "$(dirname "$0")/.."
home=$(dirname "$PWD")
commit=$(git rev-parse --short=12 --verify "${1:-HEAD}^{commit}")
release=$home/releases/$commit
if [ ! -d "$release" ]; then
  mkdir -p "$home/releases"
  made=$(mktemp -d "$home/releases/.XXXXXX")
  trap 'rm -rf "$made"' EXIT
  chmod 755 "$made"
  git archive "$commit" | tar -x -C "$made"
  (cd "$made" && npm ci --omit=dev && npm run build)
  # Of two that make the same release at once, the first to end counts.
  mv -T "$made" "$release" 2> /dev/null || [ -d "$release" ]
fi
# A rename replaces the link in one step; `ln -sf` alone takes it away first.
ln -sfn "releases/$commit" "$home/.next.$$"
mv -T "$home/.next.$$" "$home/current"
echo "$home/current is $commit"
others=$(ls "$home/releases" | grep -vxF "$commit" | tr '\n' ' ')
[ -z "$others" ] || echo "Other releases, to remove once nothing runs from them: $others"
