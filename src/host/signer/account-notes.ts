// What the program records about accounts besides their key files: user-given names, whether there is a backup, the
// last use, and watched addresses. It never contains secrets.
import { z } from 'zod'
import { checksumAddress } from '../../base/checksum-address'
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { Disposables, type Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { KeptJson } from '../../files/json-file'
import type { SignerRequest } from '../../signer/model/request'
import type { SignerService } from '../../signer/signer-service'
import { HostError } from '../errors'

const MAX_WATCHED = 100
const MAX_ACCOUNTS = 10_000
const MAX_LABEL = 60

const ADDRESS = /^0x[0-9a-f]{40}$/
const address = z.string().regex(ADDRESS)

/**
 * `unknown`: it predates the program's records. `none`: it was added since, and no backup was made. `saved`: the file
 * was exported. `done`: a backup was read back and opened with its password. `old`: the password changed since, so a
 * backup opens with an earlier one.
 */
const backupStates = ['unknown', 'none', 'saved', 'done', 'old'] as const
type BackupState = (typeof backupStates)[number]

interface Note {
  readonly address: string
  readonly label: string
  readonly backup: BackupState
  readonly lastUsedAt: number | null
}

/** Looked at without being copied: there may be thousands. */
function isNote(value: unknown): boolean {
  const { address: of, label, backup, lastUsedAt } = Object(value)
  const isNamed = typeof of === 'string' && ADDRESS.test(of) && typeof label === 'string' && label.length <= MAX_LABEL
  return isNamed && backupStates.includes(backup) && (lastUsedAt === null || Number.isSafeInteger(lastUsedAt))
}

const note = z.custom<Note>(isNote)
const notesSchema = z.object({
  version: z.literal(1),
  accounts: z.array(note).max(MAX_ACCOUNTS),
  watched: z.array(z.object({ address, label: z.string().max(MAX_LABEL), addedAt: z.number().int() })).max(MAX_WATCHED),
})
type StoredNotes = z.infer<typeof notesSchema>

interface AccountNotesView {
  readonly accounts: readonly Note[]
  readonly watched: StoredNotes['watched']
}

interface AccountNotesDeps {
  readonly signer: SignerService
  readonly clock: Clock
  readonly log: Logger
}

export class AccountNotes implements Service {
  readonly name = 'account-notes'
  readonly events = new Emitter<{ changed: null }>()
  readonly #kept: KeptJson<StoredNotes>
  #notes: StoredNotes = { version: 1, accounts: [], watched: [] }
  #held = new Disposables()

  constructor(
    options: { readonly file: string },
    private readonly deps: AccountNotesDeps,
  ) {
    this.#kept = new KeptJson(options.file, notesSchema, deps)
  }

  /** After the signer's start: accounts present at the very first start predate the records. */
  async start(): Promise<void> {
    const kept = await this.#kept.load()
    if (kept !== null) this.#notes = kept
    this.#takeNew(kept === null ? 'unknown' : 'none')
    // A failure to save notes doesn't stop the program: a full disk is logged.
    if (kept === null) await this.#keepQuietly()
    const { events } = this.deps.signer
    this.#held = new Disposables()
    this.#held.add(events.on('accountsChanged', () => this.#takeNew('none')))
    this.#held.add(events.on('requestSettled', (request) => this.#settled(request)))
  }

  async stop(): Promise<void> {
    this.#held.dispose()
    await this.#keepQuietly()
  }

  view(): AccountNotesView {
    const own = this.#own()
    const { accounts, watched } = this.#notes
    return {
      accounts: accounts.filter((each) => own.has(each.address)).map(spelled),
      watched: watched.filter((each) => !own.has(each.address)).map(spelled),
    }
  }

  /** Addresses whose balances are shown besides the keystore's; EIP-55 spelling. */
  watched(): readonly string[] {
    return this.view().watched.map((each) => each.address)
  }

  /** An empty label removes the name. @throws HostError HOST_ADDRESS_NOT_LISTED */
  async label(given: string, label: string): Promise<void> {
    const lower = given.toLowerCase()
    const isOwn = this.#own().has(lower)
    const isWatched = this.#notes.watched.some((each) => each.address === lower)
    if (!isOwn && !isWatched) throw new HostError('HOST_ADDRESS_NOT_LISTED', { address: given })
    const watched = this.#notes.watched.map((each) => (each.address === lower ? { ...each, label } : each))
    await this.#keep({ ...(isOwn ? this.#changed(lower, { label }) : this.#notes), watched })
  }

  /** @throws HostError HOST_ADDRESS_LISTED, HOST_TOO_MANY_WATCHED */
  async watch(given: string, label: string): Promise<void> {
    const lower = given.toLowerCase()
    const { watched } = this.#notes
    const isThere = this.#own().has(lower) || watched.some((each) => each.address === lower)
    if (isThere) throw new HostError('HOST_ADDRESS_LISTED', { address: given })
    if (watched.length >= MAX_WATCHED) throw new HostError('HOST_TOO_MANY_WATCHED', { most: MAX_WATCHED })
    const added = { address: lower, label, addedAt: this.deps.clock.now() }
    await this.#keep({ ...this.#notes, watched: [...watched, added] })
  }

  async unwatch(given: string): Promise<void> {
    const watched = this.#notes.watched.filter((each) => each.address !== given.toLowerCase())
    await this.#keep({ ...this.#notes, watched })
  }

  /** The key file was exported; a verified backup stays verified. Never rejects. */
  async saved(given: string): Promise<void> {
    const lower = given.toLowerCase()
    if (this.#noteOf(lower).backup !== 'done') await this.#note(lower, { backup: 'saved' })
  }

  async proved(given: string): Promise<void> {
    await this.#keep(this.#changed(given.toLowerCase(), { backup: 'done' }))
  }

  /** Never rejects: the new password is in effect, whether or not this can be saved. */
  async passwordChanged(given: string): Promise<void> {
    const lower = given.toLowerCase()
    const { backup } = this.#noteOf(lower)
    if (backup === 'done' || backup === 'saved') await this.#note(lower, { backup: 'old' })
  }

  #own(): ReadonlySet<string> {
    return this.deps.signer.addresses()
  }

  #ofDevices(): ReadonlySet<string> {
    const accounts = this.deps.signer.accounts().accounts.filter(({ device }) => device !== undefined)
    return new Set(accounts.map(({ address }) => address.toLowerCase()))
  }

  #noteOf(lower: string): Note {
    const found = this.#notes.accounts.find((each) => each.address === lower)
    return found ?? { address: lower, label: '', backup: 'none', lastUsedAt: null }
  }

  #changed(lower: string, change: Partial<Note>): StoredNotes {
    const others = this.#notes.accounts.filter((each) => each.address !== lower)
    return { ...this.#notes, accounts: [...others, { ...this.#noteOf(lower), ...change }].slice(-MAX_ACCOUNTS) }
  }

  #takeNew(backup: BackupState): void {
    const known = new Set(this.#notes.accounts.map((each) => each.address))
    const fresh = [...this.#own()].filter((each) => !known.has(each))
    if (fresh.length > 0) {
      const ofDevices = this.#ofDevices()
      // A device's keys are backed up by its own seed phrase, not here.
      const stateOf = (each: string): BackupState => (ofDevices.has(each) ? 'unknown' : backup)
      const notes = fresh.map((each): Note => ({ address: each, label: '', backup: stateOf(each), lastUsedAt: null }))
      this.#notes = { ...this.#notes, accounts: [...this.#notes.accounts, ...notes].slice(-MAX_ACCOUNTS) }
      void this.#keepQuietly()
    }
    this.events.emit('changed', null)
  }

  #settled({ state, transaction, data }: SignerRequest): void {
    const signer = transaction?.from ?? data?.address ?? null
    if (state !== 'signed' || signer === null) return
    void this.#note(signer.toLowerCase(), { lastUsedAt: this.deps.clock.now() })
  }

  async #note(lower: string, change: Partial<Note>): Promise<void> {
    this.#notes = this.#changed(lower, change)
    this.events.emit('changed', null)
    await this.#keepQuietly()
  }

  /** In effect once it is on disk. */
  async #keep(notes: StoredNotes): Promise<void> {
    this.#notes = notes
    this.events.emit('changed', null)
    await this.#kept.save(notes)
  }

  async #keepQuietly(): Promise<void> {
    try {
      await this.#kept.save(this.#notes)
    } catch (error) {
      this.deps.log.warn('account notes could not be saved', { reason: messageOf(error) })
    }
  }
}

function spelled<T extends { readonly address: string }>(each: T): T {
  return { ...each, address: checksumAddress(each.address) }
}
