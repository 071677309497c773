// The signer's callers: when they called, how often they were approved, and whether the user blocked them. A block
// lasts for a day, across restarts. Callers can make up their identity: this helps the user, it isn't a security
// boundary.
import { hash } from 'node:crypto'
import { z } from 'zod'
import type { Disposable } from '../base/disposable'
import { messageOf } from '../base/errors'
import { Emitter } from '../base/events'
import { Disposables, type Service } from '../base/lifecycle'
import type { Logger } from '../base/logger'
import type { Clock } from '../base/time'
import { KeptJson } from '../files/json-file'
import type { Caller, SignerRequest } from './model/request'
import type { SignerService } from './signer-service'

export const BLOCK_MS = 24 * 3_600_000
/** The least recently seen is dropped first; blocked ones last. */
const MAX_CALLERS = 200
const SAVE_AFTER_MS = 2_000

const text = z.string().max(256)
const knownCaller = z.object({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  transport: z.enum(['http', 'ipc', 'app']),
  /** Without its port. */
  host: text,
  origin: text,
  userAgent: text,
  /** Each: empty = unknown. */
  process: text,
  path: text,
  firstSeenAt: z.number().int(),
  lastSeenAt: z.number().int(),
  allowed: z.number().int(),
  denied: z.number().int(),
  blockedUntil: z.number().int().nullable(),
})
const bookSchema = z.object({ version: z.literal(1), callers: z.array(knownCaller).max(MAX_CALLERS) })

type KnownCaller = z.infer<typeof knownCaller>

interface CallerHistoryDeps {
  /** Looked up at startup; null in a run without one. */
  readonly signer: () => SignerService | null
  readonly clock: Clock
  readonly log: Logger
}

export class CallerHistory implements Service {
  readonly name = 'callers'
  readonly events = new Emitter<{ changed: null }>()
  readonly #kept: KeptJson<z.infer<typeof bookSchema>>
  #callers = new Map<string, KnownCaller>()
  #held = new Disposables()
  #saving: Disposable | null = null

  constructor(
    options: { readonly file: string },
    private readonly deps: CallerHistoryDeps,
  ) {
    this.#kept = new KeptJson(options.file, bookSchema, deps)
  }

  /** Before the signer's own start, so that no blocked caller gets in first. */
  async start(): Promise<void> {
    const kept = await this.#kept.load()
    this.#callers = new Map((kept?.callers ?? []).map((caller) => [caller.id, caller]))
    this.#held = new Disposables()
    const signer = this.deps.signer()
    if (signer === null) return
    this.#held.add(signer.events.on('requestSettled', (request) => this.#settled(request)))
    this.#held.add(signer.events.on('queueOverflowed', (caller) => this.#count(caller, 'denied')))
    this.#held.add(signer.events.on('requestRefused', ({ caller }) => this.#count(caller, 'denied')))
  }

  async stop(): Promise<void> {
    this.#held.dispose()
    if (this.#saving !== null) await this.#save()
  }

  callers(): readonly KnownCaller[] {
    return [...this.#callers.values()].sort((a, b) => b.lastSeenAt - a.lastSeenAt)
  }

  /** Called with each request; false when its caller is blocked, which counts as a rejection. */
  readonly admits = (caller: Caller): boolean => {
    if (caller.transport === 'app') return true
    const seen = this.#seen(caller)
    this.#put(seen)
    const { blockedUntil } = seen
    const isBlocked = blockedUntil !== null && this.deps.clock.now() < blockedUntil
    if (isBlocked) this.#count(caller, 'denied')
    return !isBlocked
  }

  /**
   * Blocks a caller for a day; its pending requests are rejected. Null when the caller is unknown.
   * @returns end of the block, UTC ms
   * @throws Error of the file system: a block that would not survive a restart is reported as a failure
   */
  async block(id: string): Promise<number | null> {
    const known = this.#callers.get(id)
    if (known === undefined) return null
    const until = this.deps.clock.now() + BLOCK_MS
    this.#put({ ...known, blockedUntil: until })
    await Promise.all([this.#rejectWaiting(id), this.#save()])
    return until
  }

  /** Lifts the block. @throws Error of the file system */
  async unblock(id: string): Promise<void> {
    const known = this.#callers.get(id)
    if (known === undefined) return
    this.#put({ ...known, blockedUntil: null })
    await this.#save()
  }

  async #rejectWaiting(id: string): Promise<void> {
    const signer = this.deps.signer()
    const waiting = (signer?.requests() ?? []).filter(({ state, caller }) => {
      return state === 'waiting' && caller.transport !== 'app' && idOf(caller) === id
    })
    const rejections = waiting.map(({ id: request, nonce, contentHash }) =>
      signer?.decide({ id: request, nonce, contentHash, decision: 'reject', password: null, accounts: null }),
    )
    for (const outcome of await Promise.allSettled(rejections)) {
      // It ended by itself meanwhile.
      if (outcome.status === 'rejected') this.deps.log.debug('request was not rejected', { error: outcome.reason })
    }
  }

  #settled({ caller, state }: SignerRequest): void {
    if (state === 'signed' || state === 'approved') this.#count(caller, 'allowed')
    if (state === 'rejected' || state === 'expired') this.#count(caller, 'denied')
  }

  #count(caller: Caller, what: 'allowed' | 'denied'): void {
    if (caller.transport === 'app') return
    const known = this.#seen(caller)
    this.#put({ ...known, [what]: known[what] + 1 })
  }

  #seen(caller: Caller): KnownCaller {
    const id = idOf(caller)
    const now = this.deps.clock.now()
    const before = this.#callers.get(id) ?? {
      firstSeenAt: now,
      allowed: 0,
      denied: 0,
      blockedUntil: null,
    }
    const { transport, userAgent, origin } = caller
    return {
      ...before,
      id,
      transport,
      host: hostOf(caller),
      lastSeenAt: now,
      origin: origin.slice(0, 256),
      userAgent: userAgent.slice(0, 256),
      process: (caller.process?.name ?? '').slice(0, 256),
      path: (caller.process?.path ?? '').slice(0, 256),
    }
  }

  #put(caller: KnownCaller): void {
    this.#callers.set(caller.id, caller)
    if (this.#callers.size > MAX_CALLERS) this.#forgetOne(caller.id)
    this.#saving ??= this.deps.clock.setTimeout(() => void this.#saveLater(), SAVE_AFTER_MS)
    this.events.emit('changed', null)
  }

  #forgetOne(except: string): void {
    const now = this.deps.clock.now()
    const rank = ({ blockedUntil, lastSeenAt }: KnownCaller): number =>
      blockedUntil !== null && now < blockedUntil ? Number.MAX_SAFE_INTEGER : lastSeenAt
    const [first] = [...this.#callers.values()].filter(({ id }) => id !== except).sort((a, b) => rank(a) - rank(b))
    if (first !== undefined) this.#callers.delete(first.id)
  }

  async #saveLater(): Promise<void> {
    try {
      await this.#save()
    } catch (error) {
      this.deps.log.warn('list of callers could not be saved', { reason: messageOf(error) })
    }
  }

  async #save(): Promise<void> {
    this.#saving?.dispose()
    this.#saving = null
    await this.#kept.save({ version: 1, callers: [...this.#callers.values()] })
  }
}

/** Same caller: by origin, else by program, else by self-reported name and machine. */
function idOf(caller: Caller): string {
  const { transport, userAgent, origin } = caller
  const named = caller.process?.path || caller.process?.name || ''
  const rest = named === '' ? ['words', transport, hostOf(caller), userAgent] : ['process', named]
  const parts = origin === '' ? rest : ['origin', origin]
  return hash('sha256', JSON.stringify(parts)).slice(0, 16)
}

function hostOf({ remote }: Caller): string {
  return remote.replace(/:\d+$/, '').slice(0, 256)
}
