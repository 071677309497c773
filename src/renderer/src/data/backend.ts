// The pages' view of the backend: calls, events and the state of the connection. Pages don't know the transport.

import type { Disposable } from '../../../base/disposable'
import type { WireClient } from '../../../base/wire/client'
import type { Contract } from '../../../contract/contract'

export type ConnectionState =
  /** Before first contact; nothing was lost yet. */
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  /** Contact was lost at `since`; the next try starts at `retryAt` (both UTC ms). */
  | { readonly kind: 'lost'; readonly since: number; readonly retryAt: number; readonly reason: string }
  /** The backend wants a token, or refused the one it got. */
  | { readonly kind: 'signedOut'; readonly refused: boolean }

export interface Backend extends Pick<WireClient<Contract>, 'call' | 'on' | 'unread' | 'onUnread'> {
  connection(): ConnectionState
  onConnection(listener: () => void): Disposable
  /** Tries again with this token; `remember` keeps it on this device beyond the session. */
  signIn(token: string, remember: boolean): void
  /** Tries immediately instead of at `retryAt`. */
  retry(): void
  close(): void
}
