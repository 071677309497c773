// Checks for and fetches newer versions: for the running program and for `headframe update`.
import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf, reasonOf } from '../../base/errors'
import { Disposables, type Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { readJson, writeJson } from '../../files/json-file'
import { HostError } from '../errors'
import { releaseKeys } from '../release/release-keys'
import { isNewer } from '../release/release-version'
import { MAX_SIGNATURE_BYTES, MAX_SUMS_BYTES, SUMS } from '../release/verify-release'
import { boundedGet, boundedText } from './bounded-get'
import { type OwnPackage, waitingFolder } from './own-package'
import { fileFor, MAX_NOTICE_BYTES, readNotice, type UpdateFile, type UpdateNotice } from './update-notice'
import { copyFrom, forgetWaiting, keepWaiting, readWaiting, type WaitingUpdate } from './waiting-update'

interface UpdateSource {
  /** Of `update.json`. */
  readonly url: string
  readonly keyFile: string | null
}

interface FetchDeps {
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * The newest signed description. @param seen signing time of the newest ever seen, seconds since 1970; 0: none
 * @throws HostError HOST_RELEASE_NO_KEY, HOST_RELEASE_KEY_FILE, HOST_RELEASE_SIGNATURE, HOST_UPDATE_*
 */
async function fetchNotice({ url, keyFile }: UpdateSource, seen: number, deps: FetchDeps): Promise<UpdateNotice> {
  const keys = await releaseKeys(keyFile) // without a key no host is contacted
  const bytes = await boundedText({ ...deps, url, maxBytes: MAX_NOTICE_BYTES })
  const signature = await boundedText({ ...deps, url: beside(url, null, '.minisig'), maxBytes: MAX_SIGNATURE_BYTES })
  const notice = readNotice({ bytes, signature: signature.toString('utf8'), address: url, keys })
  if (notice.signedAt >= seen) return notice
  throw new HostError('HOST_UPDATE_REPLAYED', { signed: dayOf(notice.signedAt), seen: dayOf(seen) })
}

interface DownloadDeps {
  /** Called with the bytes received of the package. */
  readonly onBytes: (done: number) => void
}

/** Downloads a package, its sums and their signature. @returns its name @throws HostError HOST_UPDATE_UNREACHABLE */
function downloadFrom(url: string, { name, bytes }: UpdateFile, deps: FetchDeps & DownloadDeps) {
  return async (folder: string): Promise<string> => {
    // The small ones first: if they are missing nothing large is fetched in vain.
    const small = { [SUMS]: MAX_SUMS_BYTES, [`${SUMS}.minisig`]: MAX_SIGNATURE_BYTES }
    for (const [file, maxBytes] of Object.entries(small))
      await toFile(join(folder, file), beside(url, file), maxBytes, () => undefined)
    let done = 0
    await toFile(join(folder, name), beside(url, name), bytes, (count) => {
      done += count
      deps.onBytes(done)
    })
    return name
  }

  async function toFile(
    path: string,
    address: string,
    maxBytes: number,
    onBytes: (count: number) => void,
  ): Promise<void> {
    const handle = openSync(path, 'wx', 0o600)
    const take = (part: Buffer): void => {
      writeSync(handle, part)
      onBytes(part.length)
    }
    try {
      await boundedGet({ ...deps, url: address, maxBytes, take })
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  }
}

/** @param name null: the same file. The query string stays: some hosts need it. */
function beside(url: string, name: string | null, ending = ''): string {
  const address = new URL(url)
  const folder = address.pathname.replace(/[^/]*$/, '')
  address.pathname = name === null ? `${address.pathname}${ending}` : `${folder}${encodeURIComponent(name)}`
  return address.href
}

function dayOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 10)
}

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
    readonly options: UpdatesOptions,
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

  /** Null when there is nothing newer. @throws HostError HOST_UPDATE_*, and as `fetchNotice` */
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

  /** Downloads what was found. @throws HostError HOST_UPDATE_NO_PACKAGE, HOST_UPDATE_OTHER_VERSION, as `keepWaiting` */
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
      return readJson(this.#file, stateSchema) ?? { seen: 0, lookedAt: 0 }
    } catch (error) {
      throw this.#unusable(error)
    }
  }

  /** @throws HostError HOST_UPDATE_RECORD */
  #keep(state: UpdateState): void {
    try {
      mkdirSync(this.options.dataDir, { recursive: true, mode: 0o700 })
      writeJson(this.#file, state)
    } catch (error) {
      throw this.#unusable(error)
    }
  }

  #unusable(cause: unknown): Error {
    return new HostError('HOST_UPDATE_RECORD', { file: this.#file, reason: reasonOf(cause) }, { cause })
  }
}
