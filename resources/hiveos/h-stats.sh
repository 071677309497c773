#!/usr/bin/env bash
# shellcheck disable=SC2034 # the agent reads them
# HiveOS sources this every few seconds and reads two variables: khs, the rig's kH/s, and stats, a JSON object.

khs=0
stats=null
headframe_summary=$(curl --silent --fail --max-time "${API_TIMEOUT:-5}" "http://${HEADFRAME_API_BIND:-127.0.0.1:3333}/api/v1/summary") &&
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
unset headframe_summary
