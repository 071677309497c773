// The dashboard: shows everything and decides nothing about keys. After a crash of its page, it offers to reload.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BrowserWindow, screen } from 'electron'
import type { Logger } from '../../base/logger'
import { MENU_EVENT, type MenuCommand } from '../../contract/menu'
import { markTitle } from '../../old-electron/window'
import type { ShellWords } from '../shell/words/words'
import { crashPageUrl, RELOAD_ADDRESS } from './crash-page'
import { secureContents, securePreferences } from './window-security'
import { readWindowState, type WindowState, writeWindowState } from './window-state'

export interface WindowFiles {
  /** Folder of the built pages. */
  readonly rendererDir: string
  /** Folder of the built preload scripts. */
  readonly preloadDir: string
}

interface DashboardWindowOptions extends WindowFiles {
  readonly stateFile: string
  readonly logsDir: string
  /** PNG of the program. */
  readonly icon: string
  /** False: it exists, but waits to be shown. */
  readonly isShown: boolean
}

interface DashboardWindowDeps {
  readonly log: Logger
  readonly words: ShellWords
  /** The user closes it. True = close; false = keep it open. */
  readonly onClose: () => boolean
}

const ZOOM_STEPS = [0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2] as const

/** file: URL of a page, by which its frames are recognized. */
export function pageUrl(files: WindowFiles, page: 'index.html' | 'approval.html'): string {
  return pathToFileURL(join(files.rendererDir, page)).href
}

export class DashboardWindow {
  readonly browserWindow: BrowserWindow
  readonly #options: DashboardWindowOptions
  readonly #deps: DashboardWindowDeps
  readonly #page: string
  #state: WindowState
  #hasCrashed = false

  /** Opens it at its last position, hidden until the first paint. */
  constructor(options: DashboardWindowOptions, deps: DashboardWindowDeps) {
    this.#options = options
    this.#deps = deps
    this.#page = pageUrl(options, 'index.html')
    this.#state = onScreen(readWindowState(options.stateFile))
    const window = newWindow(options, this.#state)
    this.browserWindow = window
    markTitle(window)
    secureContents(window.webContents, { page: this.#page, onAddress: (url) => this.#onAddress(url) })
    if (this.#state.maximized) window.maximize()
    if (!options.isShown) window.hide()
    else window.once('ready-to-show', () => window.show())
    window.webContents.on('did-finish-load', () => {
      // Also raised by the end of a window whose page is still loading.
      if (!window.isDestroyed()) window.webContents.setZoomFactor(this.#state.zoom)
    })
    window.webContents.on('render-process-gone', (_event, { reason }) => this.#crashed(reason))
    window.webContents.on('unresponsive', () => deps.log.warn('the window is not responding'))
    window.on('close', (event) => {
      this.store()
      if (!deps.onClose()) event.preventDefault()
    })
    this.#load(this.#page)
  }

  /** Brings it to the front, whether it was hidden, minimized or covered. */
  show(): void {
    if (this.browserWindow.isMinimized()) this.browserWindow.restore()
    this.browserWindow.show()
    this.browserWindow.focus()
  }

  /** Navigates. @param route our own or validated, such as `/gpus/1` */
  goTo(route: string): void {
    const { webContents } = this.browserWindow
    if (this.#hasCrashed) return
    const go = (): void => {
      if (this.browserWindow.isDestroyed()) return
      const script = `location.hash = ${JSON.stringify(route)}`
      webContents.executeJavaScript(script).catch((error: unknown) => {
        this.#deps.log.warn('the window could not open the page', { route, error })
      })
    }
    if (webContents.isLoading()) webContents.once('did-finish-load', go)
    else go()
  }

  /** A menu command for the page itself. */
  tell(command: MenuCommand): void {
    if (this.#hasCrashed) return
    const detail = JSON.stringify(command)
    const script = `dispatchEvent(new CustomEvent(${JSON.stringify(MENU_EVENT)}, { detail: ${detail} }))`
    this.browserWindow.webContents.executeJavaScript(script).catch((error: unknown) => {
      this.#deps.log.warn('the window did not receive the menu command', { error })
    })
  }

  /** @param step 1 = larger, -1 = smaller, 0 = as designed */
  zoom(step: -1 | 0 | 1): void {
    const now = this.#state.zoom
    const larger = ZOOM_STEPS.find((factor) => factor > now + 0.01) ?? 2
    const smaller = [...ZOOM_STEPS].reverse().find((factor) => factor < now - 0.01) ?? 0.5
    const zoom = step === 0 ? 1 : step > 0 ? larger : smaller
    this.#state = { ...this.#state, zoom }
    this.browserWindow.webContents.setZoomFactor(zoom)
    this.store()
  }

  /** Reloads the page, also after a crash. */
  reload(): void {
    this.#hasCrashed = false
    this.#loadNext(this.#page)
  }

  get isTrayExplained(): boolean {
    return this.#state.trayExplained
  }

  trayWasExplained(): void {
    this.#state = { ...this.#state, trayExplained: true }
    this.store()
  }

  /** Stores position, size and zoom for the next start. */
  store(): void {
    if (this.browserWindow.isDestroyed()) return
    const { x, y, width, height } = this.browserWindow.getNormalBounds()
    const maximized = this.browserWindow.isMaximized()
    this.#state = { ...this.#state, place: { x, y }, width, height, maximized }
    writeWindowState(this.#options.stateFile, this.#state, this.#deps.log)
  }

  #crashed(reason: string): void {
    if (reason === 'clean-exit') return
    this.#hasCrashed = true
    this.#loadNext(crashPageUrl({ reason, logsDir: this.#options.logsDir }, this.#deps.words))
  }

  /** Only the crash page has such a link: from any other page it is blocked as usual. */
  #onAddress(url: string): boolean {
    if (!this.#hasCrashed || url !== RELOAD_ADDRESS) return false
    this.reload()
    return true
  }

  /** Not from inside an event of the page being left. */
  #loadNext(url: string): void {
    setImmediate(() => {
      if (!this.browserWindow.isDestroyed()) this.#load(url)
    })
  }

  #load(url: string): void {
    // Rejects only when the window is closed while loading, or the page is missing; the latter is logged.
    this.browserWindow.loadURL(url).catch((error: unknown) => {
      if (!this.browserWindow.isDestroyed()) this.#deps.log.error('dashboard page did not load', { error })
    })
  }
}

function newWindow(options: DashboardWindowOptions, state: WindowState): BrowserWindow {
  return new BrowserWindow({
    ...state.place,
    width: state.width,
    height: state.height,
    minWidth: 480,
    minHeight: 400,
    show: false,
    title: 'Headframe',
    icon: options.icon,
    webPreferences: securePreferences(join(options.preloadDir, 'index.cjs')),
  })
}

/** Drops a stored position that is on no connected screen. */
function onScreen(state: WindowState): WindowState {
  if (state.place === null) return state
  const { x, y } = state.place
  const shown = screen.getAllDisplays().some(({ workArea }) => {
    const inWidth = x < workArea.x + workArea.width && x + state.width > workArea.x
    return inWidth && y < workArea.y + workArea.height && y >= workArea.y
  })
  return shown ? state : { ...state, place: null }
}
