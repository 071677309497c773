#!/usr/bin/env bash
# HiveOS runs this in the miner's folder. It exits when the miner does.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 1
# shellcheck source=/dev/null
. "${CUSTOM_MANIFEST:-$here/h-manifest.conf}"

mkdir -p "$(dirname "$CUSTOM_LOG_BASENAME")" || exit 1
if [ ! -f "$CUSTOM_CONFIG_FILENAME" ] || [ ! -f "$CUSTOM_CONFIG_FILENAME.words" ]; then
  echo 'headframe: the flight sheet is not usable: check its extra arguments' | tee --append "$CUSTOM_LOG_BASENAME.log"
  exit 1
fi
mapfile -t words < "$CUSTOM_CONFIG_FILENAME.words"
data=$(dirname "$CUSTOM_CONFIG_FILENAME")/data
# The flight sheet's extra arguments may name another address; h-stats.sh finds it in the ready file.
bind=(--api-bind "${HEADFRAME_API_BIND:-127.0.0.1:3333}")
for word in "${words[@]}"; do
  case $word in --api-bind | --api-bind=* | --api-port | --api-port=*) bind=() ;; esac
done
set -o pipefail
"$here/program/headframe" miner --headless --datadir "$data" --config "$CUSTOM_CONFIG_FILENAME" \
  --ready-file "$data/ready.json" "${bind[@]}" "${words[@]}" 2>&1 | tee --append "$CUSTOM_LOG_BASENAME.log"
