// A start that first moves the data folder to another disk, which takes minutes: a small window shows progress.
// Chromium's own files are in the data folder, so this window keeps them elsewhere, and the start that follows is a new
// process.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { app, BrowserWindow } from 'electron'
import type { ResolvedConfig } from '../config/resolved-config'
import { settleDataFolder } from '../host/data-folder/change-at-start'
import type { ShellWords } from './shell/words/words'
import { textPageUrl } from './windows/text-page'

interface MovingRun {
  readonly config: ResolvedConfig
  /** @throws ConfigError */
  readonly load: () => ResolvedConfig
  readonly say: (line: string) => void
  readonly words: () => ShellWords
  /** Aborts when the program is to end: the move then waits for the next start. */
  readonly quit: AbortSignal
}

/** @throws HostError HOST_DATA_DIR_IN_USE; the signal's reason */
export async function moveInWindow({ config, load, say, words, quit }: MovingRun): Promise<void> {
  app.setPath('userData', mkdtempSync(join(tmpdir(), 'headframe-moving-')))
  await app.whenReady()
  const shown = words()
  const window = new BrowserWindow({
    width: 480,
    height: 220,
    resizable: false,
    maximizable: false,
    closable: false,
    title: shown.movingTitle,
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, javascript: false },
  })
  window.setMenuBarVisibility(false)
  window.on('page-title-updated', (event) => event.preventDefault())
  const page = textPageUrl([
    { tag: 'h1', text: shown.movingTitle },
    { tag: 'p', text: shown.movingText },
  ])
  await window.loadURL(page)
  const onShare = (share: number): void => {
    window.setTitle(`${shown.movingTitle} ${Math.floor(100 * share)}%`)
    window.setProgressBar(share)
  }
  try {
    await settleDataFolder(config, { load, say, onShare, signal: quit })
  } finally {
    window.destroy()
  }
}
