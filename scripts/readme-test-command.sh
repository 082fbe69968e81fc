#!/usr/bin/env bash
# Runs the test command exactly as the README prints it, so that the README cannot go stale unnoticed. `npm ci` has been
# run by the caller; only what stands behind the last `&&` is left to do.
set -euo pipefail
command=$(grep -m1 -oE '^npm ci && npm test$' README.md) || { echo "README.md no longer says: npm ci && npm test" >&2; exit 1; }
eval "${command##*&& }"
