#!/usr/bin/env bash
# HiveOS sources this before each start, with the flight sheet in CUSTOM_*. It writes the config file, and the flight
# sheet's extra command line words, one per line. Both are readable by their owner only, since they may contain a pool's
# password.

headframe_config() {
  local pools words umask_before
  # Nothing starts with the sheet before.
  rm -f "$CUSTOM_CONFIG_FILENAME" "$CUSTOM_CONFIG_FILENAME.words"
  # Several pools share one field, separated by spaces, commas or line breaks, in failover order. The wallet is the login
  # of each, taken literally; a worker follows the dot after an address or an account name.
  pools=$(jq -nr --arg urls "$CUSTOM_URL" --arg login "$CUSTOM_TEMPLATE" --arg password "$CUSTOM_PASS" '
    ($login | capture("^(?<user>0x[0-9a-fA-F]{40})[.](?<worker>[^@]+)$")
      // capture("^(?<user>[^./@:`]+)[.](?<worker>[^./@]+)$")
      // {user: $login}) as $names
    | [ $urls | splits("[\\s,]+") | select(. != "")
      | if test("^[a-z0-9+]+://"; "i") then . else "stratum://" + . end
      | if $login == "" or contains("@") or test("^(https?|getwork)://"; "i") then tojson
        else "{ " + ({url: .} + $names + (if $password == "" then {} else {password: $password} end)
          | to_entries | map(.key + " = " + (.value | tojson)) | join(", ")) + " }" end ]
    | "[" + join(", ") + "]"') || return 1
  # Quotes group words, as in a shell; nothing is executed.
  words=$(xargs -r -n 1 printf '%s\n' <<< "$CUSTOM_USER_CONFIG" && echo .) || {
    echo "headframe: a quote in the flight sheet's extra arguments isn't closed" >&2
    return 1
  }
  umask_before=$(umask)
  umask 077
  printf '[pool]\nurls = %s\n' "$pools" > "$CUSTOM_CONFIG_FILENAME"
  printf '%s' "${words%.}" > "$CUSTOM_CONFIG_FILENAME.words"
  umask "$umask_before"
}

headframe_config
