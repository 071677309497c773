// The desktop window's way to the backend: frames over the bridge that the preload script exposes on the page.
import { z } from 'zod'
import type { Clock } from '../../../base/time'
import type { Transport } from '../../../base/wire/define'
import { BRIDGE_NAME, type PreloadBridge } from '../../../contract/contract'
import type { Backend } from './backend'
import { BackendLink } from './link'
import { utcOf, watchSilence } from './silence'

const functionSchema = z.custom<(...args: never[]) => void>((value) => typeof value === 'function')
const bridgeSchema = z.object({
  send: functionSchema,
  onMessage: functionSchema,
  onClose: functionSchema,
  window: z.string(),
  showing: functionSchema.optional(),
  onDisturbed: functionSchema.optional(),
})

/** This page's bridge, or null in a browser. */
export function findBridge(page: object): PreloadBridge | null {
  const candidate: unknown = Reflect.get(page, BRIDGE_NAME)
  return bridgeSchema.safeParse(candidate).success ? (candidate as PreloadBridge) : null
}

/**
 * A backend over IPC. The main process outlives its windows, so a closed bridge is not retried. If something blocks the
 * main process and the bridge goes silent, the first message brings contact back.
 */
export function createIpcBackend(bridge: PreloadBridge, clock: Clock): Backend {
  const link = new BackendLink()
  const pipe = { heardAt: clock.monotonic(), isSilent: false }
  const transport: Transport = {
    send: (message) => bridge.send(message),
    onMessage: (listener) =>
      bridge.onMessage((message) => {
        pipe.heardAt = clock.monotonic()
        listener(message)
        if (!pipe.isSilent) return
        pipe.isSilent = false
        link.setConnection({ kind: 'open' })
      }),
    onClose: (listener) => bridge.onClose(listener),
    close: () => undefined,
  }
  const lost = (since: number, reason: string): void =>
    link.setConnection({ kind: 'lost', since, retryAt: Number.POSITIVE_INFINITY, reason })
  const watch = watchSilence({
    clock,
    heardAt: () => pipe.heardAt,
    ask: () => link.call('app.info', {}).catch(() => undefined), // any answer will do
    onGone: () => {
      if (pipe.isSilent) return
      pipe.isSilent = true
      lost(utcOf(pipe.heardAt, clock), 'silent')
    },
  })
  link.attach(transport, (reason) => {
    watch.dispose()
    lost(clock.now(), reason)
  })
  return {
    call: (name, params) => link.call(name, params),
    on: (name, listener) => link.on(name, listener),
    connection: () => link.connection(),
    onConnection: (listener) => link.onConnection(listener),
    unread: () => link.unread(),
    onUnread: (listener) => link.onUnread(listener),
    signIn: () => undefined,
    retry: () => undefined,
    close: () => {
      watch.dispose()
      link.detach()
    },
  }
}
