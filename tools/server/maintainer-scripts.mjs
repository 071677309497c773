// What dpkg and rpm run when headframe-server comes, is replaced, and goes. POSIX shell; each may run again after a failure.

export const TRADES = ['node', 'miner', 'signer']
export const PACKAGE = 'headframe-server'

const NAMES = TRADES.join(' ')
const UNITS = TRADES.map((trade) => `headframe-${trade}.service`).join(' ')

/** The one question, at a purge. The answer no is the default: keys cannot be made again. */
export const TEMPLATES = `Template: ${PACKAGE}/purge-data
Type: boolean
Default: false
Description: Delete all Headframe keys and chain data?
 The folders /var/lib/headframe-node, /var/lib/headframe-miner and /var/lib/headframe-signer hold keystores, the
 signer's master seed, chain data and logs. Without a backup, deleted keys cannot be restored and
 their coins are lost.
 .
 If you refuse, the folders stay as they are.
`

/** What lintian finds and is meant. */
export const LINTIAN_OVERRIDES = `# The only question comes at a purge: nothing is to be asked before the package is unpacked.
${PACKAGE}: no-debconf-config
# The official Node, as its project builds it: no Debian before 13 has one that is new enough.
${PACKAGE}: embedded-library
${PACKAGE}: hardening-no-pie
`

/** Users and folders are made once; units are known but start only when the administrator enables them. */
export const POSTINST = `#!/bin/sh
set -e
if [ "$1" = configure ] || [ "$1" = abort-upgrade ] || [ "$1" = abort-deconfigure ] || [ "$1" = abort-remove ]; then
  for trade in ${NAMES}; do
    user="headframe-$trade"
    home="/var/lib/$user"
    adduser --system --group --quiet --home "$home" --no-create-home "$user"
    [ -d "$home" ] || install -d -m 0700 -o "$user" -g "$user" "$home"
  done
  for group in video render; do
    if getent group "$group" >/dev/null; then adduser --quiet headframe-miner "$group" >/dev/null; fi
  done
  for unit in ${UNITS}; do
    deb-systemd-helper unmask "$unit" >/dev/null || true
    deb-systemd-helper update-state "$unit" >/dev/null || true
  done
  if [ -d /run/systemd/system ]; then
    systemctl --system daemon-reload >/dev/null || true
    if [ -n "$2" ]; then
      for unit in ${UNITS}; do
        if systemctl --quiet is-active "$unit"; then deb-systemd-invoke restart "$unit" >/dev/null || true; fi
      done
    fi
  fi
fi
`

export const PRERM = `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  deb-systemd-invoke stop ${UNITS} >/dev/null || true
fi
`

/** Nobody asked, or answered no: everything below /var/lib stays, with the users that own it. */
export const POSTRM = `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl --system daemon-reload >/dev/null || true; fi
if [ "$1" = purge ]; then
  if command -v deb-systemd-helper >/dev/null; then deb-systemd-helper purge ${UNITS} >/dev/null || true; fi
  if [ -e /usr/share/debconf/confmodule ]; then
    . /usr/share/debconf/confmodule
    db_input high ${PACKAGE}/purge-data || true
    db_go || true
    db_get ${PACKAGE}/purge-data || RET=false
    if [ "$RET" = true ]; then
      for trade in ${NAMES}; do
        rm -rf "/var/lib/headframe-$trade"
        deluser --quiet --system "headframe-$trade" || true
      done
    fi
    db_purge
  fi
fi
`

/** By the sections of a spec file; $1 counts the versions that are installed afterwards. rpm has no purge: data always stays. */
export const RPM_SCRIPTS = {
  pre: `for trade in ${NAMES}; do
  user="headframe-$trade"
  getent group "$user" >/dev/null || groupadd --system "$user"
  getent passwd "$user" >/dev/null ||
    useradd --system --gid "$user" --home-dir "/var/lib/$user" --no-create-home --shell /sbin/nologin "$user"
done
for group in video render; do
  if getent group "$group" >/dev/null; then usermod --append --groups "$group" headframe-miner; fi
done`,
  post: `for trade in ${NAMES}; do
  user="headframe-$trade"
  [ -d "/var/lib/$user" ] || install -d -m 0700 -o "$user" -g "$user" "/var/lib/$user"
done
if [ -d /run/systemd/system ]; then systemctl daemon-reload || :; fi`,
  preun: `if [ "$1" = 0 ] && [ -d /run/systemd/system ]; then systemctl --no-reload disable --now ${UNITS} || :; fi`,
  postun: `if [ -d /run/systemd/system ]; then
  systemctl daemon-reload || :
  if [ "$1" != 0 ]; then systemctl try-restart ${UNITS} || :; fi
fi`,
}
