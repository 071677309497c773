// Approval permissions granted by the user at the machine, stored in the data directory: deciding remotely, which
// expires, and keeping an account unlocked for some minutes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Disposable } from '../../base/disposable'
import { isSystemCode, messageOf, reasonOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import type { Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { REMOTE_CONSENT } from '../../contract/signer'
import { replaceOwnerFile } from '../../files/owner-file'
import { HostError } from '../errors'

/** Remote deciding must be permitted again after this long. */
export const REMOTE_LASTS_MS = 30 * 86_400_000
/** Interval of checking for its expiry; a single timer can't run that long. */
const LOOK_MS = 60_000
const FILE = 'approvals.json'

const fileSchema = z.object({
  /** UTC ms; null = off. */
  remoteUntil: z.number().int().nullable(),
  /** Also without encryption. */
  isPlain: z.boolean(),
  keepUnlocked: z.boolean(),
})

type Kept = z.infer<typeof fileSchema>

type RemoteMode = 'off' | 'encrypted' | 'plain'

const OFF: Kept = { remoteUntil: null, isPlain: false, keepUnlocked: false }

interface ApprovalSwitchesDeps {
  readonly dataDir: string
  /** Whether the operator set a token: otherwise anyone could see who waits. */
  readonly hasToken: boolean
  /** Called at startup and at each change. */
  readonly onKeepUnlocked: (isOn: boolean) => void
  readonly clock: Clock
  readonly log: Logger
}

export class ApprovalSwitches implements Service {
  readonly name = 'approval-switches'
  readonly events = new Emitter<{ changed: null }>()
  #kept: Kept = OFF
  #looking: Disposable | null = null

  constructor(private readonly deps: ApprovalSwitchesDeps) {}

  /** An invalid file switches everything off. */
  async start(): Promise<void> {
    this.#kept = this.#read()
    this.deps.onKeepUnlocked(this.#kept.keepUnlocked)
    this.#looking = this.deps.clock.setInterval(() => this.#endIfOver(), LOOK_MS)
    this.events.emit('changed', null)
  }

  async stop(): Promise<void> {
    this.#looking?.dispose()
    this.#looking = null
  }

  get hasToken(): boolean {
    return this.deps.hasToken
  }

  get keepUnlocked(): boolean {
    return this.#kept.keepUnlocked
  }

  /** Current, even between the expiry and the next check. */
  remote(): { readonly mode: RemoteMode; readonly expiresAt: number | null } {
    const { remoteUntil, isPlain } = this.#kept
    const { clock, hasToken } = this.deps
    // Setting the clock back must not extend it.
    const isOn = remoteUntil !== null && hasToken && remoteUntil > clock.now()
    if (!isOn || remoteUntil > clock.now() + REMOTE_LASTS_MS) return { mode: 'off', expiresAt: null }
    return { mode: isPlain ? 'plain' : 'encrypted', expiresAt: remoteUntil }
  }

  /** Whether a remote connection may decide now. */
  admits({ isEncrypted }: { readonly isEncrypted: boolean }): boolean {
    const { mode } = this.remote()
    return mode === 'plain' || (mode === 'encrypted' && isEncrypted)
  }

  /** @throws HostError HOST_REMOTE_NEEDS_TOKEN, HOST_REMOTE_NEEDS_CONSENT, HOST_SWITCHES_UNWRITABLE */
  setRemote(mode: RemoteMode, consent: string): void {
    const { clock, hasToken, log } = this.deps
    if (mode !== 'off' && !hasToken) throw new HostError('HOST_REMOTE_NEEDS_TOKEN', undefined)
    if (mode === 'plain' && consent.trim() !== REMOTE_CONSENT) {
      throw new HostError('HOST_REMOTE_NEEDS_CONSENT', { word: REMOTE_CONSENT })
    }
    const remoteUntil = mode === 'off' ? null : clock.now() + REMOTE_LASTS_MS
    this.#change({ ...this.#kept, remoteUntil, isPlain: mode === 'plain' })
    log.warn('remote approvals switched', { mode })
  }

  /** @throws HostError HOST_SWITCHES_UNWRITABLE */
  setKeepUnlocked(isOn: boolean): void {
    this.#change({ ...this.#kept, keepUnlocked: isOn })
    this.deps.log.info('setting to keep accounts unlocked switched', { isOn })
  }

  #endIfOver(): void {
    if (this.#kept.remoteUntil === null || this.remote().mode !== 'off') return
    this.deps.log.info('remote approvals expired')
    const kept = { ...this.#kept, remoteUntil: null, isPlain: false }
    try {
      // On disk too: a start with an earlier clock must not find them on.
      this.#change(kept)
    } catch (error) {
      this.#kept = kept
      this.deps.log.warn('expired remote approvals could not be removed', { error: messageOf(error) })
      this.events.emit('changed', null)
    }
  }

  #change(kept: Kept): void {
    this.#write(kept)
    this.#kept = kept
    this.deps.onKeepUnlocked(kept.keepUnlocked)
    this.events.emit('changed', null)
  }

  get #file(): string {
    return join(this.deps.dataDir, FILE)
  }

  #read(): Kept {
    try {
      return fileSchema.parse(JSON.parse(readFileSync(this.#file, 'utf8')))
    } catch (error) {
      if (!isSystemCode(error, 'ENOENT'))
        this.deps.log.warn('approval switches cannot be read and are off', { error: reasonOf(error) })
      return OFF
    }
  }

  /** Written atomically. */
  #write(kept: Kept): void {
    try {
      replaceOwnerFile(this.#file, JSON.stringify(kept))
    } catch (error) {
      throw new HostError('HOST_SWITCHES_UNWRITABLE', { file: this.#file, reason: reasonOf(error) })
    }
  }
}
