#!/usr/bin/env bash
# mmpOS runs this with the arguments of the miner profile: any options of `headframe miner`, above all -P.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 1
# Replaces this shell, so that the stop signal reaches the miner.
exec "$here/program/headframe" miner --headless --datadir "$here/data" \
  --api-bind "${HEADFRAME_API_BIND:-127.0.0.1:3333}" "$@"
