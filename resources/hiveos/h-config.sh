#!/usr/bin/env bash
# HiveOS sources this before each start, with the flight sheet in CUSTOM_*. It writes the config file, and the flight
# sheet's extra command line words, one per line. Both are readable by their owner only, since they may contain a pool's
# password.

headframe_config() {
  local pools umask_before
  # Several pools share one field, separated by spaces or line breaks, in failover order. The wallet is the user of
  # each.
  pools=$(jq -cn --arg urls "$CUSTOM_URL" --arg user "$CUSTOM_TEMPLATE" --arg password "$CUSTOM_PASS" '
    [ $urls | splits("\\s+") | select(. != "")
      | if test("^[a-z0-9+]+://"; "i") then . else "stratum://" + . end
      | sub("[+]ssl://"; "+tls://"; "i")
      | capture("^(?<scheme>[^:]+://)(?<rest>.*)$")
      | .scheme
        + (if $user == "" or (.rest | contains("@")) or (.scheme | test("^(https?|getwork)"; "i")) then ""
           else ($user | @uri) + (if $password == "" then "" else ":" + ($password | @uri) end) + "@" end)
        + .rest ]') || return 1
  umask_before=$(umask)
  umask 077
  printf '[pool]\nurls = %s\n' "$pools" > "$CUSTOM_CONFIG_FILENAME"
  # Quotes group words, as in a shell; nothing is executed.
  xargs -r -n 1 printf '%s\n' <<< "$CUSTOM_USER_CONFIG" > "$CUSTOM_CONFIG_FILENAME.words"
  umask "$umask_before"
}

headframe_config
