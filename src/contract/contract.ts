// The whole contract between the backend and a UI: one definition, three transports (Electron IPC, WebSocket, in memory).
import type { WireSpec } from '../base/wire/define'
import { appCalls, appEvents } from './app'
import { minerCalls, minerEvents } from './miner'
import { nodeCalls, nodeEvents } from './node'
import { sightCalls } from './sight'
import { signerCalls, signerEvents } from './signer'
import { signerToolsCalls, signerToolsEvents } from './signer-tools'

export const contract = {
  calls: { ...appCalls, ...nodeCalls, ...minerCalls, ...signerCalls, ...signerToolsCalls, ...sightCalls },
  events: { ...appEvents, ...nodeEvents, ...minerEvents, ...signerEvents, ...signerToolsEvents },
} as const satisfies WireSpec

export type Contract = typeof contract

/** Path of the WebSocket on the control port; its first message is `{"t":"hello","token":string|null}` within 2 s. */
export const CHANNEL_PATH = '/ui/v1/channel'

/** Name of the object that a preload script exposes to its page. */
export const BRIDGE_NAME = 'headframe'

/** What that object is: a transport for whole frames, nothing else. */
export interface PreloadBridge {
  readonly send: (frame: unknown) => void
  readonly onMessage: (listener: (frame: unknown) => void) => void
  readonly onClose: (listener: (reason: string) => void) => void
  /** `dashboard` or `approval`. */
  readonly window: string
  /** Only in the approval window: tells which request is on the screen, so that closing the window refuses that one. */
  readonly showing?: (id: string | null) => void
  /** Only in the approval window: the user is done with it. It goes unless something waits, and is kept for the next request. */
  readonly leave?: () => void
  /** Only in the approval window: calls the listener when the user went away or came back (lock, sleep). One listener. */
  readonly onDisturbed?: (listener: () => void) => void
}
