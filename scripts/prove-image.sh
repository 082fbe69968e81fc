#!/usr/bin/env bash
# Proves the image without a docker engine: performs the Dockerfile's own steps in a private mount namespace, then runs its
# entry point on a read-only root as its user without capabilities. Needs root on Linux; nothing outside a temporary folder
# is written. What it cannot do here (the base image, its packages) it says.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(uname -s)" != Linux ] || [ "$(id -u)" != 0 ]; then
  echo "prove-image: needs root on Linux, for mounts of its own: sudo bash scripts/prove-image.sh" >&2
  exit 2
fi
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
# All mounts end with the namespace; without --fork the processes of the proof would outlive it.
unshare --mount --pid --fork --kill-child --propagation private node scripts/image/prove.mjs "$work"
