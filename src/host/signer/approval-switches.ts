// Approval permissions granted by the user at the machine, stored in the data directory: deciding remotely, which
// expires, and keeping an account unlocked for some minutes.
import { join } from 'node:path'
import { z } from 'zod'
import type { Disposable } from '../../base/disposable'
import { messageOf, reasonOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import type { Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import { Mutex } from '../../base/mutex'
import type { Clock } from '../../base/time'
import { REMOTE_CONSENT } from '../../contract/signer'
import { KeptJson } from '../../files/json-file'
import { HostError } from '../errors'

/** Remote deciding must be permitted again after this long. */
export const REMOTE_LASTS_MS = 30 * 86_400_000
/** Interval of checking for its expiry; a single timer can't run that long. */
const LOOK_MS = 60_000

const fileSchema = z.object({
  /** UTC ms; null = off. */
  remoteUntil: z.number().int().nullable(),
  /** Also without encryption. */
  isPlain: z.boolean(),
  keepUnlocked: z.boolean(),
})

type Switches = z.infer<typeof fileSchema>

type RemoteMode = 'off' | 'encrypted' | 'plain'

const OFF: Switches = { remoteUntil: null, isPlain: false, keepUnlocked: false }

interface ApprovalSwitchesDeps {
  readonly dataDir: string
  /** Whether the operator set a token: otherwise anyone could see who waits. */
  readonly hasToken: boolean
  readonly onKeepUnlocked: (isOn: boolean) => void
  readonly clock: Clock
  readonly log: Logger
}

export class ApprovalSwitches implements Service {
  readonly name = 'approval-switches'
  readonly events = new Emitter<{ changed: null }>()
  readonly #file: string
  readonly #kept: KeptJson<Switches>
  readonly #changes = new Mutex()
  #switches = OFF
  #looking: Disposable | null = null

  constructor(private readonly deps: ApprovalSwitchesDeps) {
    this.#file = join(deps.dataDir, 'approvals.json')
    this.#kept = new KeptJson(this.#file, fileSchema, deps)
  }

  /** A file that can't be used is moved aside, and everything is off. */
  async start(): Promise<void> {
    this.#switches = (await this.#kept.load()) ?? OFF
    this.deps.onKeepUnlocked(this.#switches.keepUnlocked)
    this.#looking = this.deps.clock.setInterval(() => void this.#endIfOver(), LOOK_MS)
    this.events.emit('changed', null)
  }

  async stop(): Promise<void> {
    this.#looking?.dispose()
    this.#looking = null
    await this.#changes.run(async () => undefined)
  }

  get hasToken(): boolean {
    return this.deps.hasToken
  }

  get keepUnlocked(): boolean {
    return this.#switches.keepUnlocked
  }

  /** Current, even between the expiry and the next check. */
  remote(): { readonly mode: RemoteMode; readonly expiresAt: number | null } {
    const { remoteUntil, isPlain } = this.#switches
    const { clock, hasToken } = this.deps
    // Setting the clock back must not extend it.
    const isOn = remoteUntil !== null && hasToken && remoteUntil > clock.now()
    if (!isOn || remoteUntil > clock.now() + REMOTE_LASTS_MS) return { mode: 'off', expiresAt: null }
    return { mode: isPlain ? 'plain' : 'encrypted', expiresAt: remoteUntil }
  }

  admits({ isEncrypted }: { readonly isEncrypted: boolean }): boolean {
    const { mode } = this.remote()
    return mode === 'plain' || (mode === 'encrypted' && isEncrypted)
  }

  /** @throws HostError HOST_REMOTE_NEEDS_TOKEN, HOST_REMOTE_NEEDS_CONSENT, HOST_SWITCHES_UNWRITABLE */
  async setRemote(mode: RemoteMode, consent: string): Promise<void> {
    const { clock, hasToken, log } = this.deps
    if (mode !== 'off' && !hasToken) throw new HostError('HOST_REMOTE_NEEDS_TOKEN', undefined)
    if (mode === 'plain' && consent.trim() !== REMOTE_CONSENT) {
      throw new HostError('HOST_REMOTE_NEEDS_CONSENT', { word: REMOTE_CONSENT })
    }
    const remoteUntil = mode === 'off' ? null : clock.now() + REMOTE_LASTS_MS
    await this.#change({ remoteUntil, isPlain: mode === 'plain' })
    log.warn('remote approvals switched', { mode })
  }

  /** @throws HostError HOST_SWITCHES_UNWRITABLE */
  async setKeepUnlocked(isOn: boolean): Promise<void> {
    await this.#change({ keepUnlocked: isOn })
    this.deps.log.info('setting to keep accounts unlocked switched', { isOn })
  }

  async #endIfOver(): Promise<void> {
    if (this.#switches.remoteUntil === null || this.remote().mode !== 'off') return
    this.deps.log.info('remote approvals expired')
    const over = { remoteUntil: null, isPlain: false }
    this.#switches = { ...this.#switches, ...over }
    try {
      // On disk too: a start with an earlier clock must not find them on.
      await this.#change(over)
    } catch (error) {
      this.deps.log.warn('expired remote approvals could not be removed', { error: messageOf(error) })
      this.events.emit('changed', null)
    }
  }

  /** In effect once it is on disk; one after the other, so that none undoes another. */
  #change(change: Partial<Switches>): Promise<void> {
    return this.#changes.run(async () => {
      const switches = { ...this.#switches, ...change }
      try {
        await this.#kept.save(switches)
      } catch (error) {
        throw new HostError('HOST_SWITCHES_UNWRITABLE', { file: this.#file, reason: reasonOf(error) })
      }
      this.#switches = switches
      this.deps.onKeepUnlocked(switches.keepUnlocked)
      this.events.emit('changed', null)
    })
  }
}
