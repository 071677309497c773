#!/usr/bin/env bash
# HiveOS runs this in the miner's folder. It exits when the miner does.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 1
# shellcheck source=/dev/null
. "${CUSTOM_MANIFEST:-$here/h-manifest.conf}"

mapfile -t words < "$CUSTOM_CONFIG_FILENAME.words"
mkdir -p "$(dirname "$CUSTOM_LOG_BASENAME")" || exit 1
data=$(dirname "$CUSTOM_CONFIG_FILENAME")/data
set -o pipefail
"$here/program/headframe" miner --headless --datadir "$data" --config "$CUSTOM_CONFIG_FILENAME" \
  --api-bind "${HEADFRAME_API_BIND:-127.0.0.1:3333}" "${words[@]}" 2>&1 | tee --append "$CUSTOM_LOG_BASENAME.log"
