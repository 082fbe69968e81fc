#!/usr/bin/env bash
# The steps of the Dockerfile without a docker engine: build, prune, lay out the image's tree read-only, and run it as a
# user without rights who may write to the data folder alone. Then health, logs and a clean stop on SIGTERM are looked at.
# Needs root (or a user who may `setpriv`/`chown`) for the last part; without it, it says so and runs as the caller.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'chmod -R u+w "$work" 2>/dev/null; rm -rf "$work"' EXIT
step() { printf '\n== %s\n' "$1"; }

step "stage 1: copy what the Dockerfile copies, npm ci, prune"
mkdir "$work/build"
cp package.json package-lock.json .npmrc tsconfig.json tsconfig.build.json "$work/build/"
cp -r scripts src strategies "$work/build/"
(cd "$work/build" && npm ci --loglevel=error && npm prune --omit=dev --ignore-scripts --loglevel=error)
test -f "$work/build/dist/src/main/ballast.js"
test ! -d "$work/build/node_modules/typescript"

step "stage 2: lay out /app read-only and /data writable"
app="$work/app" data="$work/data"
mkdir "$app" "$data"
cp -r "$work/build/node_modules" "$work/build/dist" "$work/build/package.json" "$app/"
cp -r config prompts "$app/"
chmod -R a+rX "$app" && chmod -R a-w "$app"
chmod 755 "$work"
as=()
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  chown 65534:65534 "$data"
  as=(setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs)
else
  echo "not root: running as $(id -un) instead of a user without rights"
fi

step "run: ballast run --config config/agent.yaml"
log="$work/log"
(cd "$app" && exec "${as[@]}" env -i PATH="$PATH" HOME=/nonexistent NODE_ENV=production BALLAST_DATA_DIR="$data" \
  node dist/src/main/ballast.js run --config config/agent.yaml) >"$log" 2>&1 &
pid=$!
for _ in $(seq 1 120); do grep -q '"evt":"agent.ready"' "$log" && break; sleep 0.5; done
grep -m1 '"evt":"agent.ready"' "$log" || { echo "never ready:"; tail -20 "$log"; exit 1; }

step "the health check of the image"
(cd "$app" && "${as[@]}" env BALLAST_DATA_DIR="$data" node dist/src/main/ballast.js status --health)

step "nothing outside the data folder was written"
test -z "$(find "$app" -newer "$log" -type f | head -1)"
ls "$data"

step "SIGTERM: a clean stop within 10 s"
began=$(date +%s)
kill -TERM "$pid"
wait "$pid"
took=$(($(date +%s) - began))
grep -m1 '"evt":"agent.stopped"' "$log"
test "$took" -le 10
echo "stopped in ${took} s with exit code 0"
