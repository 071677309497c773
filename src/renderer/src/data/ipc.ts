// The desktop window's way to the backend: frames over the bridge that the preload script put on the page.
import { z } from 'zod'
import type { Transport } from '../../../base/wire/define'
import { BRIDGE_NAME, type PreloadBridge } from '../../../contract/contract'
import type { Backend } from './backend'
import { BackendLink } from './link'

const functionSchema = z.custom<(...args: never[]) => void>((value) => typeof value === 'function')
const bridgeSchema = z.object({
  send: functionSchema,
  onMessage: functionSchema,
  onClose: functionSchema,
  window: z.string(),
  showing: functionSchema.optional(),
  onDisturbed: functionSchema.optional(),
})

/** The bridge of this page, or null in a browser. */
export function findBridge(page: object): PreloadBridge | null {
  const candidate: unknown = Reflect.get(page, BRIDGE_NAME)
  return bridgeSchema.safeParse(candidate).success ? (candidate as PreloadBridge) : null
}

/** A backend over IPC. The main process outlives its windows, so a closed bridge is not tried again. */
export function createIpcBackend(bridge: PreloadBridge, now: () => number): Backend {
  const link = new BackendLink()
  const transport: Transport = {
    send: (message) => bridge.send(message),
    onMessage: (listener) => bridge.onMessage(listener),
    onClose: (listener) => bridge.onClose(listener),
    close: () => undefined,
  }
  link.attach(transport, (reason) =>
    link.setConnection({ kind: 'lost', since: now(), retryAt: Number.POSITIVE_INFINITY, reason }),
  )
  return {
    call: (name, params) => link.call(name, params),
    on: (name, listener) => link.on(name, listener),
    connection: () => link.connection(),
    onConnection: (listener) => link.onConnection(listener),
    signIn: () => undefined,
    retry: () => undefined,
    close: () => link.detach(),
  }
}
