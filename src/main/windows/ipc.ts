// The contract's frames between our windows and the backend. A message counts only when it comes from the main frame of
// one of our windows while that frame shows our own page.
import { type BrowserWindow, type IpcMainEvent, ipcMain } from 'electron'
import { z } from 'zod'
import type { Disposable } from '../../base/disposable'
import type { Logger } from '../../base/logger'
import type { Transport } from '../../base/wire/define'
import {
  ATTACH_CHANNEL,
  CLOSED_CHANNEL,
  DISTURBED_CHANNEL,
  FRAME_CHANNEL,
  LEAVE_CHANNEL,
  SHOWING_CHANNEL,
} from '../../base/wire/ipc-channels'
import { isSamePage } from './page-address'

/** What the approval window may report as displayed: ids are 32 hex digits. */
const showingSchema = z.string().max(64).nullable()

interface IpcWindow {
  readonly browserWindow: BrowserWindow
  /** file: URL of the page it shows. */
  readonly page: string
  /** Called each time the page (re)loads and asks to be served. */
  readonly attach: (transport: Transport) => void
  /** Called with the id of the displayed request, null for none; approval window only. */
  readonly onShowing?: (id: string | null) => void
  /** The user is done with the window; approval window only. */
  readonly onLeave?: () => void
}

/** The user left or returned: the approval window's page clears passwords and starts over. */
export function tellDisturbed({ webContents }: BrowserWindow): void {
  webContents.send(DISTURBED_CHANNEL)
}

interface Session {
  deliver: (frame: unknown) => void
  readonly ended: ((reason: string) => void)[]
}

/** Serves the windows added to it until it is disposed. */
export class IpcBridge implements Disposable {
  readonly #log: Logger
  readonly #windows = new Map<number, IpcWindow>()
  readonly #sessions = new Map<number, Session>()
  readonly #onFrame = (event: IpcMainEvent, frame: unknown): void => {
    if (this.#sender(event) !== null) this.#sessions.get(event.sender.id)?.deliver(frame)
  }
  readonly #onAttach = (event: IpcMainEvent): void => {
    const window = this.#sender(event)
    if (window !== null) this.#open(window)
  }
  readonly #onShowing = (event: IpcMainEvent, id: unknown): void => {
    const window = this.#sender(event)
    const parsed = showingSchema.safeParse(id)
    if (parsed.success) window?.onShowing?.(parsed.data)
  }

  readonly #onLeave = (event: IpcMainEvent): void => this.#sender(event)?.onLeave?.()

  constructor(log: Logger) {
    this.#log = log
    ipcMain.on(FRAME_CHANNEL, this.#onFrame)
    ipcMain.on(ATTACH_CHANNEL, this.#onAttach)
    ipcMain.on(SHOWING_CHANNEL, this.#onShowing)
    ipcMain.on(LEAVE_CHANNEL, this.#onLeave)
  }

  add(window: IpcWindow): void {
    const { webContents } = window.browserWindow
    const id = webContents.id
    this.#windows.set(id, window)
    webContents.once('destroyed', () => {
      this.#end(id, 'window closed')
      this.#windows.delete(id)
    })
    webContents.on('render-process-gone', (_event, details) => {
      this.#log.error('window process is gone', { reason: details.reason })
      this.#end(id, 'window process is gone')
    })
  }

  dispose(): void {
    ipcMain.removeListener(FRAME_CHANNEL, this.#onFrame)
    ipcMain.removeListener(ATTACH_CHANNEL, this.#onAttach)
    ipcMain.removeListener(SHOWING_CHANNEL, this.#onShowing)
    ipcMain.removeListener(LEAVE_CHANNEL, this.#onLeave)
    for (const id of [...this.#sessions.keys()]) this.#end(id, 'program ends')
    this.#windows.clear()
  }

  #sender(event: IpcMainEvent): IpcWindow | null {
    const window = this.#windows.get(event.sender.id)
    const frame = event.senderFrame
    // A frame that navigated away between sending and now is null in newer versions.
    const isOurs = window !== undefined && frame !== null && frame === event.sender.mainFrame
    if (isOurs && isSamePage(frame.url, window.page)) return window
    this.#log.warn('message from a foreign frame dropped', { url: frame?.url ?? '' })
    return null
  }

  #open(window: IpcWindow): void {
    const { webContents } = window.browserWindow
    const id = webContents.id
    this.#end(id, 'page loaded again')
    const session: Session = { deliver: () => undefined, ended: [] }
    this.#sessions.set(id, session)
    window.attach({
      send: (frame) => {
        if (this.#sessions.get(id) === session && !webContents.isDestroyed()) webContents.send(FRAME_CHANNEL, frame)
      },
      onMessage: (listener) => {
        session.deliver = listener
      },
      onClose: (listener) => void session.ended.push(listener),
      close: () => {
        if (this.#sessions.get(id) !== session) return
        if (!webContents.isDestroyed()) webContents.send(CLOSED_CHANNEL, 'backend stopped')
        this.#end(id, 'closed')
      },
    })
  }

  #end(id: number, reason: string): void {
    const session = this.#sessions.get(id)
    if (session === undefined) return
    this.#sessions.delete(id)
    for (const listener of session.ended) listener(reason)
  }
}
