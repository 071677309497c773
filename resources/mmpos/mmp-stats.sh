#!/usr/bin/env bash
# mmpOS's agent runs this with the number of devices and the log file, and reads one JSON object; nothing while the
# miner doesn't answer. A CPU comes before the GPUs, which are identified by their decimal bus number.
set -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 1
# shellcheck source=/dev/null
. "$here/mmp-external.conf"
data=$here/data
# The running program's address is in its ready file. It hands out its token over a socket, to its owner and root only.
read -r pid bind < <(jq -r '"\(.pid) \(.api // "")"' "$data/ready.json" 2> /dev/null)
# Another program may answer in its place.
[ -n "$bind" ] && kill -0 "$pid" 2> /dev/null || exit 1
ask=(curl --silent --fail --max-time "${API_TIMEOUT:-5}" "http://$bind/api/v1/summary")

summary() {
  # The token of a former run is of no use.
  if [ -f "$data/stats-token" ]; then
    "${ask[@]}" --header "@$data/stats-token" && return
    rm -f "$data/stats-token"
  fi
  "${ask[@]}" && return
  local token
  token=$(timeout 10 "$here/program/headframe" link --json --datadir "$data" 2> /dev/null | jq -r '.links[0] // empty')
  [[ $token == *"#token="* ]] || return
  token=${token#*"#token="}
  # In a file of its owner, since everyone can read a command line.
  (umask 077; printf 'Authorization: Bearer %b\n' "${token//%/\\x}" > "$data/stats-token")
  "${ask[@]}" --header "@$data/stats-token"
}

summary |
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
