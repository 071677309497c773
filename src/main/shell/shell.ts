// The shell's own in-process connection to the backend: what it shows (tray, badge, progress, notifications) and the
// few things it does (pause, resume, lock). Like the dashboard, it can't decide requests.

import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { createWireClient, type WireClient } from '../../base/wire/client'
import { memoryTransportPair } from '../../base/wire/memory'
import { type Contract, contract } from '../../contract/contract'
import type { SupportBundleView } from '../../contract/logs'
import type { BlockRowView, NodeHeadView } from '../../contract/node'
import type { Backend } from '../../host/backend'
import { NO_FACTS, type ShellFacts } from './shell-facts'

// Our own blocks that were once the head, and which of them the chain replaced.

/** Longer branches are exceptional; older blocks aren't tracked. */
const DEPTH = 64

export class OwnBlocks {
  readonly #own = new Map<number, string>()
  #head: { readonly number: number; readonly hash: string } | null = null

  /** Processes the next head. True when it doesn't build on the previous one, so that the chain has to be examined. */
  saw({ head, coinbase }: Pick<NodeHeadView, 'head' | 'coinbase'>): boolean {
    if (head === null || head.hash === this.#head?.hash) return false
    const before = this.#head
    this.#head = { number: head.number, hash: head.hash }
    if (coinbase !== null && head.miner.toLowerCase() === coinbase.toLowerCase()) this.#add(head)
    // Several blocks between two events aren't a reorganisation; the chain tells.
    return before !== null && head.parentHash !== before.hash && this.#own.size > 0
  }

  /** Our heights that are no longer on this chain; each is reported once. @param chain newest first, without gaps */
  lost(chain: readonly Pick<BlockRowView, 'number' | 'hash'>[]): readonly number[] {
    const lowest = chain[chain.length - 1]?.number ?? Number.POSITIVE_INFINITY
    const highest = chain[0]?.number ?? -1
    const canonical = new Map(chain.map(({ number, hash }) => [number, hash]))
    const gone = [...this.#own].filter(
      ([number, hash]) => number >= lowest && number <= highest && canonical.get(number) !== hash,
    )
    for (const [number] of gone) this.#own.delete(number)
    return gone.map(([number]) => number)
  }

  #add({ number, hash }: BlockRowView): void {
    this.#own.set(number, hash)
    for (const known of this.#own.keys()) if (known <= number - DEPTH) this.#own.delete(known)
  }
}

interface ShellDeps {
  readonly ui: Backend['ui']
  readonly clock: Clock
  readonly log: Logger
}

interface ShellEvents {
  factsChanged: ShellFacts
}

const SHELL_ACCESS = { control: true, approve: false, canSignIn: false }
/** Only for locking, the one action here that requires an approver. */
const LOCK_ACCESS = { control: false, approve: true, canSignIn: false }
/** Reevaluates lasting conditions without a change: a pool that stays away. */
const LOOK_MS = 5_000
/** How deep a branch is searched. */
const BRANCH_BLOCKS = 64

export class Shell implements Disposable {
  readonly events = new Emitter<ShellEvents>()
  readonly #deps: ShellDeps
  readonly #client: WireClient<Contract>
  readonly #held = new Disposables()
  readonly #own = new OwnBlocks()
  #facts: ShellFacts = NO_FACTS

  constructor(deps: ShellDeps) {
    this.#deps = deps
    this.#client = this.#attach(SHELL_ACCESS)
    this.#held.defer(() => this.#client.close())
    const client = this.#client
    const follow = (subscription: Disposable): void => void this.#held.add(subscription)
    follow(client.on('miner.devices', ({ devices }) => this.#set({ devices })))
    follow(client.on('miner.status', (status) => this.#set({ status })))
    follow(client.on('miner.incidents', ({ open }) => this.#set({ incidents: open })))
    follow(client.on('app.status', ({ services }) => this.#set({ services })))
    follow(client.on('signer.requests', ({ waitingCount }) => this.#set({ waitingApprovals: waitingCount })))
    follow(client.on('signer.vault', ({ state }) => this.#set({ isVaultOpen: state === 'open' })))
    follow(
      client.on('node.sync', (sync) => this.#set({ syncFraction: syncFraction(sync), blocksBehind: behind(sync) })),
    )
    follow(client.on('node.balances', (balances) => this.#set({ balances })))
    follow(client.on('miner.reports', ({ reports }) => this.#set({ reportAt: reports[0]?.to ?? 0 })))
    follow(client.on('app.disk', (disk) => this.#set({ disk })))
    follow(
      client.on('node.head', (view) => {
        if (this.#own.saw(view)) this.#do(this.#lookForSideBlocks())
      }),
    )
    this.#held.add(deps.clock.setInterval(() => this.#set({}), LOOK_MS))
  }

  get facts(): ShellFacts {
    return this.#facts
  }

  /** @param forSeconds null = until resumed */
  pause(device: number | null, forSeconds: number | null): void {
    this.#do(this.#client.call('miner.pause', { device, ...(forSeconds === null ? {} : { forSeconds }) }))
  }

  resume(device: number | null): void {
    this.#do(this.#client.call('miner.resume', { device }))
  }

  lockSigner(): void {
    const client = this.#attach(LOCK_ACCESS)
    this.#do(client.call('signer.vaultLock', {}).finally(() => client.close()))
  }

  /** For support: versions, settings without secrets, the last log lines. */
  async supportBundle(): Promise<SupportBundleView> {
    return this.#client.call('app.supportBundle', {})
  }

  dispose(): void {
    this.#held.dispose()
  }

  #attach(access: { control: boolean; approve: boolean; canSignIn: boolean }): WireClient<Contract> {
    const [near, far] = memoryTransportPair()
    const client = createWireClient(contract, near)
    this.#deps.ui.attach(far, access)
    return client
  }

  async #lookForSideBlocks(): Promise<void> {
    const { blocks } = await this.#client.call('node.blocks', { from: null, count: BRANCH_BLOCKS })
    const sideBlocks = this.#own.lost(blocks)
    if (sideBlocks.length > 0) this.#set({ sideBlocks: [...this.#facts.sideBlocks, ...sideBlocks] })
  }

  #set(part: Partial<ShellFacts>): void {
    this.#facts = { ...this.#facts, ...part }
    this.events.emit('factsChanged', this.#facts)
  }

  #do(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#deps.log.warn('desktop shell action failed', { error: messageOf(error) }))
  }
}

/** A sync's distance from the best peer. */
function behind({ phase, currentBlock, highestBlock }: { phase: string; currentBlock: number; highestBlock: number }) {
  return phase === 'off' || phase === 'idle' ? 0 : Math.max(0, highestBlock - currentBlock)
}

/** Fraction of a sync done; null while there is none. */
function syncFraction(sync: {
  readonly phase: string
  readonly startingBlock: number
  readonly currentBlock: number
  readonly highestBlock: number
}): number | null {
  const { phase, startingBlock, currentBlock, highestBlock } = sync
  const isRunning = phase === 'headers' || phase === 'bodies' || phase === 'importing'
  if (!isRunning || highestBlock <= startingBlock) return null
  return Math.min(1, Math.max(0, (currentBlock - startingBlock) / (highestBlock - startingBlock)))
}
