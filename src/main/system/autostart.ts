// Start at login: a desktop entry on Linux, the system's own list elsewhere.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { app } from 'electron'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'

// The autostart entry of a Linux desktop, as text. Source: Desktop Entry Specification 1.5, "The Exec key"

/** First line of ours, so that a foreign file is never removed. */
const AUTOSTART_MARK = '# Written by Headframe; switched off in its settings.'

/** @param command executable and arguments, unquoted */
export function autostartEntry(command: readonly string[]): string {
  return [
    AUTOSTART_MARK,
    '[Desktop Entry]',
    'Type=Application',
    'Name=Headframe',
    `Exec=${command.map(quoted).join(' ')}`,
    'Icon=headframe',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
}

/** The file's path: `$XDG_CONFIG_HOME/autostart`, with the specification's default. */
export function autostartFile(environment: Readonly<Record<string, string | undefined>>, homeDir: string): string {
  const given = environment.XDG_CONFIG_HOME ?? ''
  const config = given.startsWith('/') ? given : `${homeDir}/.config`
  return `${config}/autostart/headframe.desktop`
}

/** Double quotes with their four special characters escaped, then the escapes of a string value; `%` is a field code. */
function quoted(argument: string): string {
  const bare = /^[A-Za-z0-9_@+=:,./-]+$/.test(argument)
  const text = bare ? argument : `"${argument.replace(/["`$\\]/g, '\\$&')}"`
  return text.replace(/\\/g, '\\\\').replace(/%/g, '%%').replace(/\n/g, '\\n')
}

/** Enables or disables it. @param command executable and arguments of such a start */
export function setAutostart(isOn: boolean, command: readonly string[], log: Logger): void {
  if (process.platform !== 'linux') {
    const [path = process.execPath, ...args] = command
    app.setLoginItemSettings({ openAtLogin: isOn, path, args })
    return
  }
  const file = autostartFile(process.env, homedir())
  try {
    if (isOn) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, autostartEntry(command))
    } else if (isOurs(file)) rmSync(file)
  } catch (error) {
    log.warn('start at login could not be changed', { file, error: messageOf(error) })
  }
}

function isOurs(file: string): boolean {
  try {
    return readFileSync(file, 'utf8').startsWith(AUTOSTART_MARK)
  } catch {
    return false // it doesn't exist
  }
}
