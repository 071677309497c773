#!/usr/bin/env bash
# mmpOS runs this with the arguments of the miner profile: any options of `headframe miner`, above all -P.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 1
# The profile may name another address; mmp-stats.sh finds it in the ready file.
bind=(--api-bind "${HEADFRAME_API_BIND:-127.0.0.1:3333}")
for word in "$@"; do
  case $word in --api-bind | --api-bind=* | --api-port | --api-port=*) bind=() ;; esac
done
# Replaces this shell, so that the stop signal reaches the miner.
exec "$here/program/headframe" miner --headless --datadir "$here/data" --ready-file "$here/data/ready.json" \
  "${bind[@]}" "$@"
