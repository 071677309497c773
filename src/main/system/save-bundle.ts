// Saves the support bundle where the user chooses; nothing is sent anywhere.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { app, dialog } from 'electron'
import { messageOf } from '../../base/errors'
import type { Shell } from '../shell/shell'
import type { ShellWords } from '../shell/words/english'

export async function saveBundle(shell: Pick<Shell, 'supportBundle'>, words: ShellWords): Promise<void> {
  const { name, text } = await shell.supportBundle()
  const { filePath, canceled } = await dialog.showSaveDialog({
    defaultPath: join(app.getPath('documents'), name),
    filters: [{ name: 'Text', extensions: ['txt'] }],
  })
  if (canceled || filePath === undefined || filePath === '') return
  try {
    await writeFile(filePath, text, { mode: 0o600 })
  } catch (error) {
    // Electron's error box would halt mining until it is closed.
    await dialog.showMessageBox({ type: 'error', message: words.bundleFailed, detail: messageOf(error) })
  }
}
