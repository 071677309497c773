// The dashboard: the window that shows everything and decides nothing about keys.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BrowserWindow, screen } from 'electron'
import type { Logger } from '../base/logger'
import { secureContents, securePreferences } from './window-security'
import { readWindowState, type WindowState, writeWindowState } from './window-state'

export interface WindowFiles {
  /** Folder of the built pages. */
  readonly rendererDir: string
  /** Folder of the built preload scripts. */
  readonly preloadDir: string
}

export interface DashboardWindowOptions extends WindowFiles {
  readonly stateFile: string
  readonly log: Logger
}

/** Path of the page in its file: form, by which its frames are recognised. */
export function pageUrl(files: WindowFiles, page: 'index.html' | 'approval.html'): string {
  return pathToFileURL(join(files.rendererDir, page)).href
}

/** Opens it where it last was, hidden until its first picture is drawn. */
export function openDashboardWindow(options: DashboardWindowOptions): BrowserWindow {
  const state = onScreen(readWindowState(options.stateFile))
  const window = new BrowserWindow({
    ...state.place,
    width: state.width,
    height: state.height,
    minWidth: 480,
    minHeight: 400,
    show: false,
    title: 'Headframe',
    webPreferences: securePreferences(join(options.preloadDir, 'index.cjs')),
  })
  const page = pageUrl(options, 'index.html')
  secureContents(window.webContents, page)
  if (state.maximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  window.on('close', () => {
    const { x, y, width, height } = window.getNormalBounds()
    writeWindowState(
      options.stateFile,
      { place: { x, y }, width, height, maximized: window.isMaximized() },
      options.log,
    )
  })
  // Rejects only when the window is closed while loading, or the page is missing; the second is logged.
  window.loadURL(page).catch((error: unknown) => options.log.error('dashboard page did not load', { error }))
  return window
}

/** Drops a stored place that no connected screen shows any more. */
function onScreen(state: WindowState): WindowState {
  if (state.place === null) return state
  const { x, y } = state.place
  const shown = screen.getAllDisplays().some(({ workArea }) => {
    const inWidth = x < workArea.x + workArea.width && x + state.width > workArea.x
    return inWidth && y < workArea.y + workArea.height && y >= workArea.y
  })
  return shown ? state : { ...state, place: null }
}
