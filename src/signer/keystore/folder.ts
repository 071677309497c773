// The keystore folder: recognizing key files, detecting external changes, and writing new files atomically.
import {
  closeSync,
  constants,
  type FSWatcher,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
  watch,
} from 'node:fs'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Disposable } from '../../base/disposable'
import { isSystemCode, messageOf, reasonOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { type LowerAddress, toBareHex } from '../../base/hex'
import { notText, utf8Text } from '../../base/language/readable-text'
import { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { renameDurably, replaceDurably, writeDurably } from '../../files/durable-file'
import { makeOwnerFolder } from '../../native/system/owner-folder'
import { KeystoreError } from '../errors'
import { type FileLock, withFileLock } from '../file-lock'
import { claimOf, MAX_KEY_FILE_LENGTH } from './v3-file'

/** A key file, judged by its form only: whether it opens is known only with its password. */
export interface KeyEntry {
  readonly address: LowerAddress
  readonly file: string
}

/** A file that looks like a key and can't be read as one, and why. */
export interface KeyProblem {
  readonly file: string
  readonly reason: string
}

/** The folder's content, both lists in order of file name. */
interface FolderContent {
  readonly keys: readonly KeyEntry[]
  readonly problems: readonly KeyProblem[]
}

interface KeyFolderOptions {
  readonly path: string
  /** Polling interval for external changes; 1000 keeps the promised 3 s. */
  readonly pollMs: number
  /** File that keeps what a large folder's files were, for the next start; null or missing = none. */
  readonly listing?: string | null
}

interface KeyFolderDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly randomBytes: (length: number) => Uint8Array
  /** Reports changes where the system can; missing = the system's. */
  readonly watch?: typeof watch
}

interface KnownFile {
  /** Size, change times and inode: the same stamp means the same content. Empty: it is looked at again each time. */
  readonly stamp: string
  readonly key: KeyEntry | null
  readonly problem: KeyProblem | null
}

interface FolderStamp {
  readonly text: string
  readonly inode: string
  /** UTC ms */
  readonly changedAt: number
}

/** Folder of removed key files: scans skip folders. */
const ASIDE = 'forgotten'

const LOCK = '.headframe.lock'

const LOOKS_PER_POLL = 40
/** Polls from one such look to the next while the system reports changes: some folders' never arrive. */
const POLLS_PER_LOOK = 15
const COLLECT_MS = 100
const LISTED_FROM = 256

/** What a listing keeps of the folder, and one after the other the four members of its rows. */
const listingShape = z.object({ path: z.string(), inode: z.string(), files: z.custom<unknown[]>(Array.isArray) })
const ROW = 4
const ADDRESS = /^0x[0-9a-f]{40}$/

/** What a name gets for bytes that aren't UTF-8. */
const REPLACED = '\ufffd'
const DOT = 0x2e

const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const NOT_SCANNED = { text: '', inode: '', changedAt: 0, at: 0 } as const

/** Timestamps of some file systems have a resolution of two seconds. */
const RACY_MS = 2_100

/**
 * Scan rules: every regular file with a valid address counts, and every link to one that only this user or root can
 * change (a mounted secret, for example); other links to files are problems. Names with a leading dot or a trailing `~`,
 * and everything else, don't count.
 */
export class KeyFolder {
  readonly events = new Emitter<{ contentChanged: FolderContent }>()
  #known = new Map<string, KnownFile>()
  #content: FolderContent = { keys: [], problems: [] }
  #held = new Disposables()
  #scan: Promise<void> = Promise.resolve()
  #nextLook = 0
  #polls = 0
  #scanned: FolderStamp & { readonly at: number } = NOT_SCANNED
  /** Null where the system doesn't report changes. */
  #watcher: FSWatcher | null = null
  #watched = ''
  readonly #reported = new Set<string>()
  #collecting: Disposable | null = null
  #reads = 0

  constructor(
    private readonly options: KeyFolderOptions,
    private readonly deps: KeyFolderDeps,
  ) {}

  get path(): string {
    return this.options.path
  }

  /** @throws KeystoreError KEYSTORE_UNREADABLE when the folder can't be created or read */
  async start(): Promise<void> {
    const { path, pollMs } = this.options
    try {
      const exposed = makeOwnerFolder(path)
      if (exposed !== '') this.deps.log.warn('other users may read the keystore', { path, reason: exposed })
      await readdir(path)
    } catch (cause) {
      throw new KeystoreError('KEYSTORE_UNREADABLE', { path, reason: reasonOf(cause) }, { cause })
    }
    await this.#readListing()
    await this.#refreshAll()
    this.#held.add(this.deps.clock.setInterval(() => void this.#poll(), pollMs))
    this.#held.add({ dispose: () => this.#unwatch() })
  }

  async stop(): Promise<void> {
    this.#held.dispose()
    await this.#scan
    this.#unwatch()
  }

  content(): FolderContent {
    return this.#content
  }

  filesOf(address: LowerAddress): readonly string[] {
    return this.#content.keys.filter((key) => key.address === address).map((key) => key.file)
  }

  /**
   * Scans the folder; detects files that were added, removed or renamed. Scans never overlap; an unreadable folder
   * keeps its last content and is reported as a problem.
   */
  refresh(): Promise<void> {
    return this.#next(async () => undefined)
  }

  /** In turn: scans the folder if it has changed, else does this. */
  #next(otherwise: () => Promise<void>): Promise<void> {
    this.#scan = this.#scan.then(async () => ((await this.#isUntouched()) ? otherwise() : this.#rescan()))
    return this.#scan
  }

  /** Added, removed and renamed files change the folder itself; those written in place are reported, or looked for. */
  #poll(): Promise<void> {
    this.#polls += 1
    const isLooking = this.#watcher === null || this.#polls % POLLS_PER_LOOK === 0
    return this.#next(async () => (isLooking ? this.#lookAt(this.#nextFew()) : undefined))
  }

  /** In turn, so that a poll costs the same however many files there are. */
  #nextFew(): readonly string[] {
    const names = [...this.#known.keys()]
    const from = this.#nextLook < names.length ? this.#nextLook : 0
    this.#nextLook = from + LOOKS_PER_POLL
    return names.slice(from, this.#nextLook)
  }

  #watch(inode: string): void {
    if (this.#watched === inode) return
    this.#unwatch()
    this.#watched = inode
    try {
      const { watch: start = watch } = this.deps
      const watcher = start(this.options.path, { persistent: false }, (_kind, name) => this.#isReported(name))
      watcher.on('error', () => this.#unwatch())
      this.#watcher = watcher
    } catch (error) {
      this.deps.log.debug('the system does not report changes of the keystore', { reason: messageOf(error) })
    }
  }

  #unwatch(): void {
    this.#watcher?.close()
    this.#watcher = null
    this.#watched = ''
    this.#collecting?.dispose()
    this.#reported.clear()
  }

  #isReported(name: string | null): void {
    if (name !== null && !isCandidate(name)) return
    if (this.#reported.size === 0) {
      this.#collecting = this.deps.clock.setTimeout(() => void this.#lookAtReported(), COLLECT_MS)
    }
    this.#reported.add(name ?? '')
  }

  #lookAtReported(): Promise<void> {
    const names = [...this.#reported]
    this.#reported.clear()
    return this.#next(() => this.#lookAt(names))
  }

  async #lookAt(some: readonly string[]): Promise<void> {
    const isSame = some.every((name) => {
      const [now, before] = [this.#look(name), this.#known.get(name) ?? null]
      return now?.stamp === before?.stamp && now?.problem?.reason === before?.problem?.reason
    })
    if (!isSame) await this.#rescan()
  }

  /** Checks every file too: writing one in place doesn't change the folder itself. */
  #refreshAll(): Promise<void> {
    this.#scan = this.#scan.then(() => this.#rescan())
    return this.#scan
  }

  /** Since the last scan. What changed around the time of the scan may have been missed, so such a time proves nothing. */
  async #isUntouched(): Promise<boolean> {
    try {
      const stamp = await folderStamp(this.options.path)
      return stamp.text === this.#scanned.text && this.#scanned.at - stamp.changedAt > RACY_MS
    } catch {
      return false
    }
  }

  /** A key file's text. @throws KeystoreError KEYSTORE_UNREADABLE */
  async read(file: string): Promise<string> {
    const path = join(this.options.path, file)
    try {
      return readKeyText(isLink(path) ? trustedTarget(path) : path)
    } catch (cause) {
      throw new KeystoreError('KEYSTORE_UNREADABLE', { path, reason: reasonOf(cause) }, { cause })
    }
  }

  /**
   * Stores a new key file: hidden temporary file, read back, rename.
   * @param check runs before it gets its name; nothing is kept when it throws
   * @returns the file's name
   * @throws KeystoreError KEYSTORE_WRITE_FAILED, KEYSTORE_ACCOUNT_EXISTS (also when another process stored the same key
   * meanwhile), and what `check` throws
   */
  async add(address: LowerAddress, text: string, check: () => void = () => undefined): Promise<string> {
    const file = keyFileName(address, this.deps.clock.now(), this.deps.randomBytes(3))
    await this.#put(file, text, async () => {
      await this.#requireAbsent(address)
      check()
    })
    return file
  }

  /**
   * Replaces a key file's text. The old one stays until the new one was read back.
   * @param file a name from `content`
   * @throws KeystoreError KEYSTORE_WRITE_FAILED
   */
  replace(file: string, text: string): Promise<void> {
    return this.#put(file, text)
  }

  /**
   * Moves a key file to the folder `forgotten` below this one, which scans skip. Nothing is deleted or overwritten.
   * @param file a name from `content`
   * @returns its new path, relative to this folder
   * @throws KeystoreError KEYSTORE_WRITE_FAILED
   */
  async setAside(file: string): Promise<string> {
    const { path } = this.options
    const keptIn = await this.#attempt(file, async () => {
      await mkdir(join(path, ASIDE), { recursive: true, mode: 0o700 })
      const taken = new Set(await readdir(join(path, ASIDE)))
      let name = file
      for (let count = 2; taken.has(name); count++) name = `${file}.${count}`
      await renameDurably(join(path, file), join(path, ASIDE, name))
      return join(ASIDE, name)
    })
    await this.refresh()
    return keptIn
  }

  /** @param allowed runs under the folder's lock, right before the file gets its name: throwing aborts */
  async #put(file: string, text: string, allowed: () => Promise<void> = async () => undefined): Promise<void> {
    const temporary = join(this.options.path, `.${file}.tmp${toBareHex(this.deps.randomBytes(4))}`)
    try {
      await this.#attempt(file, () => writeDurably(temporary, text))
      await this.#attempt(file, async () => {
        if ((await readFile(temporary, 'utf8')) !== text) throw new Error('the disk returns something else')
      })
      await withFileLock(this.#lockFor(file), async () => {
        await allowed()
        await this.#attempt(file, () => renameDurably(temporary, join(this.options.path, file)))
      })
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    await this.refresh()
  }

  /** Held for the last step only: the slow derivations run before. */
  #lockFor(file: string): FileLock {
    return {
      file: join(this.options.path, LOCK),
      clock: this.deps.clock,
      failure: (reason, cause) => new KeystoreError('KEYSTORE_WRITE_FAILED', { file, reason }, { cause }),
    }
  }

  async #requireAbsent(address: LowerAddress): Promise<void> {
    await this.#refreshAll()
    if (this.filesOf(address).length > 0) throw new KeystoreError('KEYSTORE_ACCOUNT_EXISTS', { address })
  }

  async #attempt<T>(file: string, run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (cause) {
      throw new KeystoreError('KEYSTORE_WRITE_FAILED', { file, reason: reasonOf(cause) }, { cause })
    }
  }

  async #rescan(): Promise<void> {
    try {
      await this.#scanOnce()
    } catch (error) {
      this.#scanned = NOT_SCANNED
      const problem: KeyProblem = { file: '', reason: `folder cannot be read: ${messageOf(error)}` }
      this.#publish({ keys: this.#content.keys, problems: [problem] })
    }
  }

  async #scanOnce(): Promise<void> {
    const at = this.deps.clock.now()
    const stamp = await folderStamp(this.options.path)
    this.#watch(stamp.inode)
    const names = (await readdir(this.options.path)).filter(isCandidate).sort(byCodeUnit)
    const odd = await unnamable(this.options.path, names)
    const next = new Map<string, KnownFile>()
    const room = Buffer.alloc(MAX_KEY_FILE_LENGTH + 1)
    this.#reads = 0
    for (const [at, name] of names.entries()) {
      const known = this.#look(name, room)
      if (known !== null) next.set(name, known)
      if (at % LISTED_FROM === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    this.#known = next
    this.#scanned = { ...stamp, at }
    const files = [...next.values()]
    this.#publish({
      keys: files.flatMap((file) => (file.key === null ? [] : [file.key])),
      problems: [...files.flatMap((file) => (file.problem === null ? [] : [file.problem])), ...odd],
    })
    if (this.#reads > 0 && next.size >= LISTED_FROM) await this.#writeListing(stamp.inode, at)
  }

  /** Without a promise per step: there may be thousands. Null for what is no key file. */
  #look(name: string, room = Buffer.alloc(MAX_KEY_FILE_LENGTH + 1)): KnownFile | null {
    const path = `${this.options.path}${sep}${name}`
    const before = this.#known.get(name)
    try {
      const own = lstatSync(path)
      const isLinked = own.isSymbolicLink()
      const found = isLinked ? statSync(path) : own
      if (!found.isFile()) return null
      const stamp = isLinked ? `${stampOf(found)}:link` : stampOf(found)
      if (before?.stamp === stamp) return before
      this.#reads += 1
      const { address, fault } = claimOf(readKeyText(isLinked ? trustedTarget(path) : path, room))
      return knownAs(name, stamp, address, fault)
    } catch (error) {
      if (isSystemCode(error, 'ENOENT') && !isLink(path)) return null
      return knownAs(name, '', null, messageOf(error))
    }
  }

  /** What an earlier start found. Each file's stamp is compared before its row counts. */
  async #readListing(): Promise<void> {
    const { path, listing = null } = this.options
    if (listing === null) return
    try {
      const kept = listingShape.parse(JSON.parse(await readFile(listing, 'utf8')))
      const { inode } = await folderStamp(path)
      if (kept.path !== path || kept.inode !== inode) return
      for (let at = 0; at < kept.files.length; at += ROW) {
        const [file, known] = keptRow(kept.files.slice(at, at + ROW))
        this.#known.set(file, known)
      }
    } catch (error) {
      this.#known.clear()
      if (isSystemCode(error, 'ENOENT')) return
      this.deps.log.warn('the kept listing of the keystore is not used', { file: listing, reason: messageOf(error) })
    }
  }

  /** Without links, whose file may be another next time, and without files that were changed around the time of the scan. */
  async #writeListing(inode: string, at: number): Promise<void> {
    const { path, listing = null } = this.options
    if (listing === null) return
    const files = [...this.#known].flatMap(([file, { stamp, key, problem }]) => {
      const [, , ...times] = stamp.split(':').map(Number)
      const isKept = times.length === 2 && times.every((time) => at - time > RACY_MS)
      return isKept ? [file, stamp, key?.address ?? null, problem?.reason ?? null] : []
    })
    try {
      await mkdir(dirname(listing), { recursive: true, mode: 0o700 })
      await replaceDurably(listing, JSON.stringify({ path, inode, files }))
    } catch (error) {
      this.deps.log.warn('the listing of the keystore could not be saved', { file: listing, reason: messageOf(error) })
    }
  }

  #publish(content: FolderContent): void {
    if (isDeepStrictEqual(content, this.#content)) return
    this.#content = content
    this.deps.log.debug('keystore content changed', {
      keys: content.keys.length,
      problems: content.problems.length,
    })
    this.events.emit('contentChanged', content)
  }
}

/**
 * The family's name for a key file: `UTC--2024-01-01T00-00-00.000000000Z--<40 hex>`.
 * @param nowMs UTC ms
 * @param noise 3 bytes for the digits below a millisecond, so that simultaneous files differ
 */
export function keyFileName(address: LowerAddress, nowMs: number, noise: Uint8Array): string {
  const iso = new Date(nowMs).toISOString()
  const below = (((noise[0] ?? 0) << 16) | ((noise[1] ?? 0) << 8) | (noise[2] ?? 0)) % 1_000_000
  const stamp = `${iso.slice(0, -1).replaceAll(':', '-')}${String(below).padStart(6, '0')}Z`
  return `UTC--${stamp}--${address.slice(2)}`
}

async function folderStamp(path: string): Promise<FolderStamp> {
  const { ino, mtimeMs, ctimeMs } = await stat(path)
  return { text: `${ino}:${mtimeMs}:${ctimeMs}`, inode: String(ino), changedAt: Math.max(mtimeMs, ctimeMs) }
}

function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino}:${size}:${mtimeMs}:${ctimeMs}`
}

function isCandidate(name: string): boolean {
  return !name.startsWith('.') && !name.endsWith('~')
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/** With a valid address it is an account even when its content is broken: listed, and reported as a problem too. */
function knownAs(file: string, stamp: string, address: string | null, fault: string | null): KnownFile {
  return {
    stamp,
    key: address === null ? null : { address, file },
    problem: fault === null ? null : { file, reason: fault },
  }
}

/** Name, stamp, address and fault of a file: never more is believed. @throws Error when it has another form */
function keptRow([file, stamp, address, fault]: readonly unknown[]): readonly [string, KnownFile] {
  const isNamed = typeof file === 'string' && typeof stamp === 'string'
  const isAddress = address === null || (typeof address === 'string' && ADDRESS.test(address))
  if (!isNamed || !isAddress || (fault !== null && typeof fault !== 'string')) throw new Error('a row has another form')
  return [file, knownAs(file, stamp, address, fault)]
}

/** Files whose names aren't UTF-8: by the names that a listing gives them they can't be opened. */
async function unnamable(path: string, names: readonly string[]): Promise<readonly KeyProblem[]> {
  if (!names.some((name) => name.includes(REPLACED))) return []
  const all = await readdir(path, { encoding: 'buffer', withFileTypes: true })
  const odd = all.filter((entry) => !entry.isDirectory() && utf8Text(entry.name) === null && entry.name[0] !== DOT)
  return odd.map(({ name }) => ({
    file: notText(name),
    reason: 'its name is not UTF-8, so that it is not read: rename it',
  }))
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

/** If only this user and root can change link and file: others could exchange a key. @throws Error that says why not */
function trustedTarget(path: string): string {
  const link = lstatSync(path)
  const target = targetOf(path)
  const file = lstatSync(target)
  const own = process.getuid?.()
  if (own === undefined) return target // Windows: only administrators make links there
  for (const { uid } of [link, file]) {
    if (uid !== own && uid !== 0) throw new Error('a link that is not read: another user owns it or its file')
  }
  if ((file.mode & 0o022) !== 0) throw new Error('a link that is not read: others may write its file')
  return target
}

function targetOf(path: string): string {
  try {
    return realpathSync(path)
  } catch (cause) {
    throw new Error('a link to a file that does not exist', { cause })
  }
}

/** Reads at most one character more than a key file may have. Never follows a link that replaced the file. */
function readKeyText(path: string, room = Buffer.alloc(MAX_KEY_FILE_LENGTH + 1)): string {
  const file = openSync(path, READ_ONLY)
  try {
    return room.toString('utf8', 0, readSync(file, room, 0, room.length, 0))
  } finally {
    closeSync(file)
  }
}
