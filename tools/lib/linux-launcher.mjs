// The script that is `headframe` in the desktop packages of Linux; the name of the binary behind it.

export const LINUX_BINARY = 'headframe-desktop'

/**
 * The window where there is a display and it is asked for; everything else on the program's own Node, which needs none. Where
 * Chromium would refuse to run, at once and for whoever clicked an icon without a word, the script says what to do instead.
 */
export const LAUNCHER = `#!/bin/sh
# Opens the window where there is a display; every other command runs without one.
here=$(dirname "$(readlink -f "$0")")
window=yes
sandbox=yes
# Inside an AppImage the folder is its runtime's, in a place where others may write beside it.
image=
[ "$APPDIR" != "$here" ] || image=yes
[ -n "$DISPLAY$WAYLAND_DISPLAY" ] || window=no
case "\${1:-run}" in
  run | headframe:* | -*) ;;
  *) window=no ;;
esac
for word in "$@"; do
  case "$word" in
    --) break ;;
    --headless | --headless=true | --help | -h | --version | -v) window=no ;;
    --no-sandbox) sandbox=no ;;
  esac
done

# On the terminal, or in a box where there is none.
refuse() {
  echo "headframe: $1" >&2
  [ -t 2 ] || for box in 'zenity --error --no-markup --text' 'kdialog --error' xmessage 'notify-send Headframe'; do
    command -v "\${box%% *}" >/dev/null || continue
    $box "$1" >/dev/null 2>&1 &
    break
  done
  exit 1
}

# Chromium's sandbox stands on its helper, where that is root's and may act as root, or on user namespaces.
can_sandbox() {
  if [ -n "$(find "$here/chrome-sandbox" -user root -perm -4001 2>/dev/null)" ]; then
    case ",$(findmnt -no OPTIONS -T "$here" 2>/dev/null)," in
      *,nosuid,*) ;;
      *) return 0 ;;
    esac
  fi
  command -v unshare >/dev/null || return 0
  unshare --user --map-root-user true 2>/dev/null && return 0
  # A profile of AppArmor may give this program what it gives no other.
  case "$(ELECTRON_RUN_AS_NODE=1 "$here/${LINUX_BINARY}" -p 'require("fs").readFileSync("/proc/self/attr/current","utf8")' 2>/dev/null)" in
    '' | unconfined*) return 1 ;;
  esac
}

case "\${1:-run}" in
  run | node | miner | signer | headframe:* | -*)
    [ -n "$image" ] || [ ! -e "$here.update" ] || ELECTRON_RUN_AS_NODE=1 "$here/${LINUX_BINARY}" "$here/resources/app.asar/out/main/place-update.cjs" ;;
esac
# Behind an update, whose helper is not set up yet.
if [ "$window$sandbox" = yesyes ]; then
  [ "$(id -u)" != 0 ] ||
    refuse 'the window does not open for root. Start Headframe as another user, or with --headless.'
  if ! can_sandbox; then
    [ -z "$image" ] || refuse "this system gives Chromium's sandbox no user namespaces, and an AppImage can't set its helper up.
Install the Debian or RPM package, or start with --headless."
    refuse "this system gives Chromium's sandbox no user namespaces, so the window cannot open. Set its helper up once:
sudo chown root:root '$here/chrome-sandbox' && sudo chmod 4755 '$here/chrome-sandbox'
Or install the Debian package, which does that, or start with --headless."
  fi
fi
[ "$window" = no ] || exec "$here/${LINUX_BINARY}" "$@"
ELECTRON_RUN_AS_NODE=1 exec "$here/${LINUX_BINARY}" "$here/resources/app.asar/out/main/cli.cjs" "$@"
`
