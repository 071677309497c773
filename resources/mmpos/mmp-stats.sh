#!/usr/bin/env bash
# mmpOS's agent runs this with the number of devices and the log file, and reads one JSON object; nothing while the
# miner doesn't answer. A CPU comes before the GPUs, which are identified by their decimal bus number.
set -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 1
# shellcheck source=/dev/null
. "$here/mmp-external.conf"
curl --silent --fail --max-time "${API_TIMEOUT:-5}" "http://${HEADFRAME_API_BIND:-127.0.0.1:3333}/api/v1/summary" |
  jq --compact-output --arg name "$EXTERNAL_NAME" '
    def hex: explode | reduce .[] as $digit (0; . * 16 + (if $digit > 96 then $digit - 87 elif $digit > 64 then $digit - 55 else $digit - 48 end));
    def bus: [capture("(?<bus>[0-9a-fA-F]{2}):[0-9a-fA-F]{2}[.][0-7]$").bus | hex] | first;
    (.gpus | sort_by((.pci // "") != "")) as $devices
    | {
        busid: [$devices[] | ((.pci // "") | bus) // "cpu"],
        hash: [$devices[] | .hashrate.now // 0],
        units: "hs",
        air: [.shares.accepted, .shares.failed, .shares.rejected | tostring],
        shares: {
          accepted: [$devices[].shares.accepted],
          rejected: [$devices[].shares.rejected],
          invalid: [$devices[].shares.failed]
        },
        miner_name: $name,
        miner_version: .miner.version
      }'
