// The whole contract between the backend and a UI: one definition, three transports (Electron IPC, WebSocket, in
// memory).
import type { WireSpec } from '../base/wire/define'
import { appCalls, appEvents, sightCalls } from './app'
import { minerCalls, minerEvents } from './miner'
import { nodeCalls, nodeEvents } from './node'
import { signerCalls, signerEvents } from './signer'
import { signerToolsCalls, signerToolsEvents } from './signer-tools'

export const contract = {
  calls: { ...appCalls, ...nodeCalls, ...minerCalls, ...signerCalls, ...signerToolsCalls, ...sightCalls },
  events: { ...appEvents, ...nodeEvents, ...minerEvents, ...signerEvents, ...signerToolsEvents },
} as const satisfies WireSpec

export type Contract = typeof contract

/** Path of the WebSocket on the control port; its first message is `{"t":"hello","token":string|null}` within 2 s. */
export const CHANNEL_PATH = '/ui/v1/channel'

export const BRIDGE_NAME = 'headframe'

/** Reported in place of a request's id while the list of all waiting requests is on screen. */
export const SHOWN_QUEUE = 'queue'

/** The type of that object: a transport for whole frames, nothing else. */
export interface PreloadBridge {
  readonly send: (frame: unknown) => void
  readonly onMessage: (listener: (frame: unknown) => void) => void
  readonly onClose: (listener: (reason: string) => void) => void
  /** `dashboard` or `approval`. */
  readonly window: string
  /**
   * Approval window only: reports which request is on screen, so that closing the window rejects that one; `SHOWN_QUEUE`
   * for the list of all, which it only hides.
   */
  readonly showing?: (id: string | null) => void
  /** Approval window only: the user is done. The window closes unless a request waits, and is kept for the next one. */
  readonly leave?: () => void
  /** Approval window only: calls the listener when the user leaves or returns (lock, sleep). One listener. */
  readonly onDisturbed?: (listener: () => void) => void
}
