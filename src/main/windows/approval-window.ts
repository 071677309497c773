// The approval window: its own renderer process and preload, the only window that may decide requests. It never takes
// the focus by itself, and closing it rejects the displayed request.
import { join } from 'node:path'
import { BrowserWindow, screen } from 'electron'
import { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { SHOWN_QUEUE } from '../../contract/contract'
import { type ApprovalQueue, isOver, maySeizeFocus, refusedOnClose } from '../../host/signer/approval-queue'
import { pageUrl, type WindowFiles } from './dashboard-window'
import { tellDisturbed } from './ipc'
import { secureContents, securePreferences } from './window-security'

/** Until a page whose process ended is shown again, so that a crashing page doesn't loop. */
const RELOAD_MS = 1_000

/** How long the outcome of the last request stays visible. */
const OUTCOME_MS = 1_500

interface ApprovalWindowDeps {
  readonly queue: ApprovalQueue
  readonly clock: Clock
  readonly log: Logger
  /** Requests are waiting and the window has appeared, without the focus. */
  readonly onArrived: () => void
  /** The window whose display to use; null when there is none. */
  readonly beside: () => BrowserWindow | null
}

export class ApprovalWindow {
  readonly browserWindow: BrowserWindow
  readonly #deps: ApprovalWindowDeps
  readonly #held = new Disposables()
  #closing = false
  /** Last reported by the page. */
  #shown: string | null = null
  /** The user opened it: it doesn't close by itself. */
  #kept = false

  constructor(files: WindowFiles & { readonly icon: string }, deps: ApprovalWindowDeps) {
    this.#deps = deps
    this.browserWindow = new BrowserWindow({
      width: 560,
      height: 720,
      minWidth: 480,
      minHeight: 560,
      show: false,
      alwaysOnTop: true,
      fullscreenable: false,
      maximizable: false,
      title: 'Headframe: approval',
      icon: files.icon,
      webPreferences: { ...securePreferences(join(files.preloadDir, 'approval.cjs')), backgroundThrottling: false },
    })
    this.browserWindow.setContentProtection(true)
    this.browserWindow.setMenu(null)
    const page = pageUrl(files, 'approval.html')
    secureContents(this.browserWindow.webContents, { page })
    this.browserWindow.loadURL(page).catch((error: unknown) => {
      if (!this.#closing) deps.log.error('approval page did not load', { error })
    })
    this.browserWindow.on('close', (event) => {
      if (this.#closing) return
      event.preventDefault()
      this.#refuseShown()
    })
    this.browserWindow.webContents.on('render-process-gone', () => this.#startOver())
    this.#held.add(deps.queue.onChanged(() => this.#follow()))
    this.#follow()
  }

  /** The page now shows this request, or the list of all (`SHOWN_QUEUE`): closing that rejects none. Null = none. */
  showing(id: string | null): void {
    this.#shown = id
  }

  /** The user is done: closes, unless a request came meanwhile. A page that closes itself couldn't be shown again. */
  left(): void {
    if (this.browserWindow.isDestroyed() || this.#deps.queue.waiting().length > 0) return
    this.#kept = false
    this.browserWindow.hide()
  }

  /** Opened by the user from the menu: pending requests, or else vault and policies. Stays open until closed. */
  open(): void {
    if (this.browserWindow.isDestroyed()) return
    this.#kept = true
    this.#place()
    this.browserWindow.show()
    this.browserWindow.focus()
  }

  /**
   * The screen was locked, or the computer is going to sleep: the window closes, so that nothing in it stays armed, and
   * a typed password is gone. This rejects nothing; a request that comes meanwhile opens it again as usual.
   */
  userLeft(): void {
    if (this.browserWindow.isDestroyed()) return
    this.#kept = false
    tellDisturbed(this.browserWindow)
    this.browserWindow.hide()
  }

  /** Pending requests are displayed again, without the focus: they have to be reviewed as if they were new. */
  userCameBack(): void {
    if (this.browserWindow.isDestroyed()) return
    this.#follow()
    tellDisturbed(this.browserWindow)
  }

  /** For the end of the program; the signer's own stop rejects pending requests. */
  close(): void {
    this.#closing = true
    this.#held.dispose()
    if (!this.browserWindow.isDestroyed()) this.browserWindow.destroy()
  }

  #follow(): void {
    if (this.browserWindow.isDestroyed()) return
    if (this.#deps.queue.waiting().length === 0) {
      if (isOver(this.#deps.queue) && this.browserWindow.isVisible() && !this.#kept) this.#hideLater()
      return
    }
    if (this.browserWindow.isVisible()) return
    this.#place()
    const { queue, beside, onArrived } = this.#deps
    if (maySeizeFocus(queue.waiting(), queue.own(), beside()?.isFocused() ?? false)) {
      this.browserWindow.show()
      this.browserWindow.focus()
      return
    }
    this.browserWindow.showInactive()
    this.browserWindow.flashFrame(true)
    onArrived()
  }

  /** Centered on the dashboard's display. */
  #place(): void {
    const other = this.#deps.beside()
    if (other === null || this.browserWindow.isVisible()) return
    const { workArea } = screen.getDisplayMatching(other.getBounds())
    const { width, height } = this.browserWindow.getBounds()
    const x = Math.round(workArea.x + Math.max(0, workArea.width - width) / 2)
    const y = Math.round(workArea.y + Math.max(0, workArea.height - height) / 2)
    this.browserWindow.setPosition(x, y)
  }

  #hideLater(): void {
    this.#held.add(
      this.#deps.clock.setTimeout(() => {
        if (this.browserWindow.isDestroyed() || this.#kept) return
        if (isOver(this.#deps.queue)) this.browserWindow.hide()
      }, OUTCOME_MS),
    )
  }

  /** A crash rejects like closing does; without a new page nothing could be decided anymore. */
  #startOver(): void {
    if (this.#closing) return
    this.#refuseShown()
    this.#shown = null
    this.#held.add(
      this.#deps.clock.setTimeout(() => {
        if (!this.browserWindow.isDestroyed()) this.browserWindow.webContents.reload()
      }, RELOAD_MS),
    )
  }

  #refuseShown(): void {
    this.#kept = false
    const waiting = this.#deps.queue.waiting()
    if (waiting.length === 0 || this.#shown === SHOWN_QUEUE) this.browserWindow.hide()
    const refused = refusedOnClose(waiting, this.#shown)
    if (refused === null) return
    this.#deps.queue.reject(refused).catch((error: unknown) => {
      this.#deps.log.warn('request was not refused on close', { error })
    })
  }
}
