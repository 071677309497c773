// Checks for and fetches newer versions: for the running program and for `headframe update`.
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { isSystemCode, messageOf } from '../../base/errors'
import { jsonOrNull } from '../../base/json-text'
import { Disposables, type Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { replaceOwnerFile } from '../../files/owner-file'
import { HostError } from '../errors'
import { isNewer } from '../release/release-version'
import { downloadFrom, fetchNotice } from './fetch-update'
import { type OwnPackage, waitingFolder } from './own-package'
import { fileFor, type UpdateNotice } from './update-notice'
import { copyFrom, forgetWaiting, keepWaiting, readWaiting, type WaitingUpdate } from './waiting-update'

const LOOK_EVERY_MS = 24 * 3_600_000
/** A computer that slept may be a day further without a timer having fired. */
const ASK_CLOCK_MS = 600_000

const stateSchema = z.object({ seen: z.number().int().min(0), lookedAt: z.number().int().min(0) })
type UpdateState = z.infer<typeof stateSchema>

export interface UpdatesOptions {
  readonly check: 'manual' | 'daily' | 'never'
  /** Null: no update address is configured. */
  readonly url: string | null
  readonly keyFile: string | null
  /** Version of this program. */
  readonly running: string
  readonly own: OwnPackage
  readonly dataDir: string
}

/** The operation under way. */
interface UpdateWork {
  readonly kind: 'look' | 'fetch'
  readonly doneBytes: number
  /** As announced; 0 while nothing is being fetched. */
  readonly totalBytes: number
}

interface UpdatesDeps {
  readonly clock: Clock
  readonly log: Logger
}

export class Updates implements Service {
  readonly name = 'updates'
  readonly #held = new Disposables()
  readonly #end = new AbortController()
  #found: UpdateNotice | null = null
  #failure = ''
  #work: Promise<unknown> | null = null
  #shown: UpdateWork | null = null

  constructor(
    private readonly options: UpdatesOptions,
    private readonly deps: UpdatesDeps,
  ) {}

  /** Checks once a day, if enabled. */
  async start(): Promise<void> {
    const { check, url } = this.options
    if (check !== 'daily' || url === null) return
    let triedAt = Number.NEGATIVE_INFINITY
    const look = (): void => {
      const { clock, log } = this.deps
      const now = clock.now()
      if ([triedAt, this.lookedAt].some((at) => Math.abs(now - at) < LOOK_EVERY_MS)) return
      triedAt = now
      this.look(this.#end.signal).catch((error: unknown) => {
        if (!this.#end.signal.aborted) log.warn('update check failed', { reason: messageOf(error) })
      })
    }
    look()
    this.#held.add(this.deps.clock.setInterval(look, ASK_CLOCK_MS))
  }

  async stop(): Promise<void> {
    this.#held.dispose()
    this.#end.abort(new Error('the program ends'))
    await this.#work?.catch(() => undefined)
  }

  get running(): string {
    return this.options.running
  }

  get check(): UpdatesOptions['check'] {
    return this.options.check
  }

  get hasAddress(): boolean {
    return this.options.url !== null
  }

  get work(): UpdateWork | null {
    return this.#shown
  }

  /** The newest version found, if newer than this program. */
  get found(): UpdateNotice | null {
    return this.#found
  }

  /** Why the last check or download failed; empty: it didn't. */
  get failure(): string {
    return this.#failure
  }

  /** UTC ms of the last check, in earlier runs too; 0: never, or not known. */
  get lookedAt(): number {
    try {
      return this.#state().lookedAt
    } catch {
      return 0 // `look` says why
    }
  }

  /** @throws HostError HOST_UPDATE_WAITING */
  get waiting(): WaitingUpdate | null {
    return readWaiting(this.folder)
  }

  /** True: the next start installs the waiting package. False: the user does. */
  get isAutomatic(): boolean {
    return this.options.own.isReplaceable
  }

  /** Where a package waits. */
  get folder(): string {
    const { own, dataDir } = this.options
    return own.isReplaceable ? waitingFolder(own) : join(dataDir, 'update')
  }

  /** Like `look`, until the program ends. */
  lookNow(): Promise<UpdateNotice | null> {
    return this.look(this.#end.signal)
  }

  /** Like `fetch`, until the program ends; `failure` and `waiting` report the outcome. One at a time. */
  beginFetch(notice: UpdateNotice): void {
    if (this.#shown?.kind === 'fetch') return
    this.#shown = { kind: 'fetch', doneBytes: 0, totalBytes: 0 }
    this.fetch(notice, this.#end.signal).catch((error: unknown) => {
      this.deps.log.warn('update download failed', { version: notice.version, reason: messageOf(error) })
    })
  }

  /**
   * Checks for the newest version. @returns null when there is no newer one
   * @throws HostError HOST_UPDATE_OFF, HOST_UPDATE_NO_ADDRESS, HOST_UPDATE_RECORD and those of `fetchNotice`
   */
  look(signal: AbortSignal): Promise<UpdateNotice | null> {
    return this.#alone('look', async () => {
      const { url, keyFile, running } = this.options
      const { clock, log } = this.deps
      const { seen } = this.#state()
      // Recorded first: a failing host isn't contacted again at each start.
      this.#keep({ seen, lookedAt: clock.now() })
      const notice = await fetchNotice({ url: this.#address(url), keyFile }, seen, { clock, signal })
      this.#keep({ seen: notice.signedAt, lookedAt: clock.now() })
      const { version } = notice
      this.#found = isNewer(version, running) ? notice : null
      if (this.#found !== null) log.info('a newer version is available', { version, running })
      return this.#found
    })
  }

  /**
   * Downloads and verifies the package of the version found.
   * @throws HostError HOST_UPDATE_NO_PACKAGE, HOST_UPDATE_OTHER_VERSION and those of `keepWaiting`
   */
  fetch(notice: UpdateNotice, signal: AbortSignal): Promise<WaitingUpdate> {
    return this.#alone('fetch', async () => {
      const { url, keyFile, running, own } = this.options
      const { clock } = this.deps
      const file = fileFor(notice, own.kind)
      const onBytes = (doneBytes: number): void => {
        this.#shown = { kind: 'fetch', doneBytes, totalBytes: file.bytes }
      }
      onBytes(0)
      const fill = downloadFrom(this.#address(url), file, { clock, signal, onBytes })
      const trust = { keyFile, older: false, running, version: notice.version }
      return this.#taken(await keepWaiting(this.folder, trust, fill))
    })
  }

  /** A package from a file; no host is contacted. @throws as `keepWaiting` */
  takeFrom(file: string, older: boolean): Promise<WaitingUpdate> {
    const { keyFile, running } = this.options
    const trust = { keyFile, older, running, version: null }
    return this.#alone('fetch', async () => this.#taken(await keepWaiting(this.folder, trust, copyFrom(file))))
  }

  forget(): void {
    forgetWaiting(this.folder)
  }

  #taken(waiting: WaitingUpdate): WaitingUpdate {
    this.deps.log.info('an update will be installed at the next start', {
      version: waiting.version,
      file: waiting.file,
    })
    return waiting
  }

  /** @throws HostError HOST_UPDATE_OFF, HOST_UPDATE_NO_ADDRESS */
  #address(url: string | null): string {
    if (this.options.check === 'never') throw new HostError('HOST_UPDATE_OFF', undefined)
    if (url === null) throw new HostError('HOST_UPDATE_NO_ADDRESS', undefined)
    return url
  }

  /** One at a time: two would write into the same folder. */
  async #alone<T>(kind: UpdateWork['kind'], work: () => Promise<T>): Promise<T> {
    await this.#work?.catch(() => undefined)
    this.#shown = { kind, doneBytes: 0, totalBytes: 0 }
    const running = work()
    this.#work = running
    try {
      const result = await running
      this.#failure = ''
      return result
    } catch (error) {
      this.#failure = messageOf(error)
      throw error
    } finally {
      this.#shown = null
    }
  }

  get #file(): string {
    return join(this.options.dataDir, 'update.json')
  }

  /** @throws HostError HOST_UPDATE_RECORD: what was seen before isn't known */
  #state(): UpdateState {
    try {
      return stateSchema.parse(jsonOrNull(readFileSync(this.#file, 'utf8')))
    } catch (error) {
      if (isSystemCode(error, 'ENOENT')) return { seen: 0, lookedAt: 0 }
      throw this.#unusable(error)
    }
  }

  /** @throws HostError HOST_UPDATE_RECORD */
  #keep(state: UpdateState): void {
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 })
      replaceOwnerFile(this.#file, `${JSON.stringify(state)}\n`)
    } catch (error) {
      throw this.#unusable(error)
    }
  }

  #unusable(cause: unknown): Error {
    const reason = cause instanceof z.ZodError ? "it isn't a record of this program" : messageOf(cause)
    return new HostError('HOST_UPDATE_RECORD', { file: this.#file, reason }, { cause })
  }
}
