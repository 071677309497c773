#!/usr/bin/env bash
# shellcheck disable=SC2034 # the agent reads them
# HiveOS sources this every few seconds and reads two variables: khs, the rig's kH/s, and stats, a JSON object.

# The running program's address is in its ready file. It hands out its token over a socket, to its owner and root only.
headframe_ask() {
  local program=$1 data=$2 pid bind
  read -r pid bind < <(jq -r '"\(.pid) \(.api // "")"' "$data/ready.json" 2> /dev/null)
  # Another program may answer in its place.
  [ -n "$bind" ] && kill -0 "$pid" 2> /dev/null || return
  local ask=(curl --silent --fail --max-time "${API_TIMEOUT:-5}" "http://$bind/api/v1/summary")
  # The token of a former run is of no use.
  if [ -f "$data/stats-token" ]; then
    "${ask[@]}" --header "@$data/stats-token" && return
    rm -f "$data/stats-token"
  fi
  "${ask[@]}" && return
  local token
  token=$(timeout 10 "$program" link --json --datadir "$data" 2> /dev/null | jq -r '.links[0] // empty')
  [[ $token == *"#token="* ]] || return
  token=${token#*"#token="}
  # In a file of its owner, since everyone can read a command line.
  (umask 077; printf 'Authorization: Bearer %b\n' "${token//%/\\x}" > "$data/stats-token")
  "${ask[@]}" --header "@$data/stats-token"
}

khs=0
stats=null
headframe_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
headframe_data=${CUSTOM_CONFIG_FILENAME:+$(dirname "$CUSTOM_CONFIG_FILENAME")}
headframe_summary=$(headframe_ask "$headframe_dir/program/headframe" "${headframe_data:-$headframe_dir}/data") &&
  khs=$(jq '(.hashrate.now // 0) / 1000' <<< "$headframe_summary") &&
  stats=$(jq --compact-output '
    def hex: explode | reduce .[] as $digit (0; . * 16 + (if $digit > 96 then $digit - 87 elif $digit > 64 then $digit - 55 else $digit - 48 end));
    # The bus of 0000:0a:00.0 is 10; a CPU has none.
    def bus: capture("(?<bus>[0-9a-fA-F]{2}):[0-9a-fA-F]{2}[.][0-7]$").bus | hex;
    {
      hs: [.gpus[] | (.hashrate.now // 0) / 1000],
      hs_units: "khs",
      temp: [.gpus[] | .temperature.core // 0],
      fan: [.gpus[] | .fan // 0],
      uptime: .miner.uptime,
      ver: .miner.version,
      ar: [.shares.accepted, .shares.rejected, .shares.failed, ([.gpus[].shares.failed | tostring] | join(";"))],
      algo: .miner.algorithm,
      bus_numbers: [.gpus[] | (.pci // "") | [bus] | first]
    }' <<< "$headframe_summary")
unset headframe_summary headframe_dir headframe_data
unset -f headframe_ask
