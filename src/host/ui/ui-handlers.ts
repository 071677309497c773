// What a trade contributes to the UI: its calls, and its state events with how to read and observe them.
import type { Disposable } from '../../base/disposable'
import type { CallName, EventName, Handlers, PayloadOf } from '../../base/wire/define'
import type { WireServer } from '../../base/wire/server'
import { type Contract, contract } from '../../contract/contract'
import type { ViewScope } from '../control-port/access-guard'
import { HostError } from '../errors'

/** A connection's access beyond reading. */
export interface UiAccess {
  readonly control: boolean
  readonly approve: boolean
  /** True when signing in with a token would give this connection more access. */
  readonly canSignIn: boolean
  /** It is on this computer's own screen, so it may name local files; absent = same as `approve`. */
  readonly isHere?: boolean
  /** True for a command of the owner's. */
  readonly isCommand?: boolean
  /** Asks the user through something no page can press; missing = the connection's token covers its access. */
  readonly confirm?: (question: MachineQuestion) => Promise<boolean>
  /** Opens the system dialog, starting at a folder; null = nothing was chosen. Missing = we have no screen. */
  readonly pickFolder?: (start: string) => Promise<string | null>
  /** It uses a read-only link; missing or null = it doesn't. */
  readonly view?: ViewScope | null
  /** For a connection from another computer; missing = it is local. */
  readonly remote?: RemotePeer
}

/** What a compromised page must not do by itself, though it may request it. */
export type MachineQuestion =
  | { readonly kind: 'remote'; readonly mode: 'encrypted' | 'plain' }
  | { readonly kind: 'keepUnlocked' }
  /** As on the command line, secrets masked. */
  | { readonly kind: 'setting'; readonly name: string; readonly value: string }

interface RemotePeer {
  readonly isEncrypted: boolean
  /** Whether it may decide requests now; evaluated each time, since that permission expires. */
  readonly mayDecide: () => boolean
}

/** Whether this connection is on this computer's own screen. */
export function isHere({ approve, isHere = approve }: UiAccess): boolean {
  return isHere
}

/** @throws HostError HOST_NOT_CONFIRMED when the user declined, outside of any page */
export async function confirmed({ confirm }: UiAccess, question: MachineQuestion): Promise<void> {
  if (confirm !== undefined && !(await confirm(question))) throw new HostError('HOST_NOT_CONFIRMED', undefined)
}

/** Whether this connection may decide requests now. */
export function mayDecide({ approve, remote }: UiAccess): boolean {
  return approve || remote?.mayDecide() === true
}

export interface UiTopic {
  readonly name: string
  readonly maxRate: number
  /** Calls `changed` whenever the value may have changed. */
  watch(changed: () => void): Disposable
  /** Sends what this connection may see now. @param isNewest asked once read: false where a later reading was sent */
  send(server: WireServer<Contract>, access: UiAccess, isNewest?: () => boolean): Promise<void>
}

interface TopicSource<N extends EventName<Contract>> {
  read(access: UiAccess): PayloadOf<Contract, N> | Promise<PayloadOf<Contract, N>>
  watch(changed: () => void): Disposable
}

/** A state event of the contract, bound to the source of its value. */
export function topic<N extends EventName<Contract>>(name: N, source: TopicSource<N>): UiTopic {
  return {
    name,
    maxRate: contract.events[name].maxRate,
    watch: (changed) => source.watch(changed),
    send: async (server, access, isNewest = () => true) => {
      const value = await source.read(access)
      if (isNewest()) server.emit(name, value)
    },
  }
}

/** The calls named `Prefix.…`. */
export type CallsOf<Prefix extends string> = Pick<
  Handlers<Contract>,
  Extract<CallName<Contract>, `${Prefix}.${string}`>
>

/** Some of the contract's calls; the compiler infers which. */
export function uiCalls<N extends CallName<Contract>>(calls: Pick<Handlers<Contract>, N>): Pick<Handlers<Contract>, N> {
  return calls
}

/** @throws HostError HOST_SERVICE_OFF */
export function off(service: string): never {
  throw new HostError('HOST_SERVICE_OFF', { service })
}

export interface UiHandlers<Prefix extends string> {
  readonly calls: (access: UiAccess) => CallsOf<Prefix>
  readonly topics: readonly UiTopic[]
}

export interface UiParts {
  readonly app: UiHandlers<'app'>
  readonly node: UiHandlers<'node'>
  readonly miner: UiHandlers<'miner'>
  readonly signer: UiHandlers<'signer'>
}
