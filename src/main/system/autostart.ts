// Start at login: a desktop entry on Linux, the system's own list elsewhere.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { app } from 'electron'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { textOrNull } from '../../files/text-or-null'
import { AUTOSTART_MARK, autostartEntry, autostartFile } from './autostart-entry'

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
    } else if (textOrNull(file)?.startsWith(AUTOSTART_MARK) === true) rmSync(file)
  } catch (error) {
    log.warn('start at login could not be changed', { file, error: messageOf(error) })
  }
}
