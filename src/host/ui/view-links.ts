// Read-only links: created, listed, revoked. A token is returned once and stored as a hash, in a private file.
import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { Disposables, type Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { LINK_LIFETIMES, type LinkLifetime, type ViewLink, viewLinkSchema } from '../../contract/view-links'
import { readJson, writeJson } from '../../files/json-file'
import type { ViewScope } from '../control-port/access-guard'
import { HostError } from '../errors'

const MAX_LINKS = 50
const TOKEN_BYTES = 32
const ID_BYTES = 8
/** Interval of looking for expired links; a request with an expired one is refused immediately either way. */
const SWEEP_MS = 1_000

interface ViewLinksDeps {
  /** Absolute; in the data directory. */
  readonly file: string
  readonly clock: Clock
  readonly log: Logger
  readonly randomBytes: (length: number) => Uint8Array
}

interface ViewLinkWish {
  readonly label: string
  readonly lifetime: LinkLifetime
  readonly hides: boolean
}

export class ViewLinks implements Service {
  readonly name = 'view-links'
  readonly #ended = new Emitter<{ ended: string }>()
  readonly #held = new Disposables()
  #links: readonly StoredLink[] = []

  constructor(private readonly deps: ViewLinksDeps) {}

  /** An unreadable file gives no links: they have to be created again. */
  async start(): Promise<void> {
    const { clock, file, log } = this.deps
    try {
      const links = readJson(file, fileSchema)?.links ?? []
      this.#links = links.filter(({ expiresAt }) => expiresAt > clock.now())
    } catch (error: unknown) {
      log.warn('view links file cannot be read; no link is valid', { file, error: messageOf(error) })
    }
    this.#held.add(clock.setInterval(() => this.#sweep(), SWEEP_MS))
  }

  async stop(): Promise<void> {
    this.#held.dispose()
  }

  /** Those that are valid now, newest last. */
  list(): readonly ViewLink[] {
    const now = this.deps.clock.now()
    return this.#links.filter(({ expiresAt }) => expiresAt > now).map(({ hash: _secret, ...link }) => link)
  }

  /** @throws HostError HOST_LINK_REFUSED when there are too many or the file cannot be written */
  create({ label, lifetime, hides }: ViewLinkWish): { readonly link: ViewLink; readonly token: string } {
    const { clock, randomBytes, log } = this.deps
    if (this.list().length >= MAX_LINKS)
      throw new HostError('HOST_LINK_REFUSED', { reason: `there are ${MAX_LINKS} links already: revoke one first` })
    const token = Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url')
    const createdAt = clock.now()
    const link = {
      id: Buffer.from(randomBytes(ID_BYTES)).toString('hex'),
      label,
      hides,
      createdAt,
      expiresAt: createdAt + LINK_LIFETIMES[lifetime],
    }
    this.#store([...this.#links, { ...link, hash: digest(token).toString('hex') }])
    log.info('view link created', { link: link.id, label, lifetime, hides })
    return { link, token }
  }

  /** Revoking one that is already gone succeeds. @throws HostError HOST_LINK_REFUSED when the file can't be written */
  revoke(id: string): void {
    const kept = this.#links.filter((link) => link.id !== id)
    if (kept.length === this.#links.length) return
    this.#store(kept)
    this.deps.log.info('view link revoked', { link: id })
    this.#ended.emit('ended', id)
  }

  /** Null for an invalid token, or an expired link. Takes the same time wherever in the list it is. */
  find(token: string): ViewScope | null {
    const presented = digest(token)
    let found: StoredLink | null = null
    for (const link of this.#links) {
      if (timingSafeEqual(presented, Buffer.from(link.hash, 'hex'))) found = link
    }
    if (found === null || found.expiresAt <= this.deps.clock.now()) return null
    return { id: found.id, hides: found.hides, expiresAt: found.expiresAt }
  }

  /** Called with the id of each link that was revoked or has expired. */
  onEnded(listener: (id: string) => void): Disposable {
    return this.#ended.on('ended', listener)
  }

  #sweep(): void {
    const now = this.deps.clock.now()
    const over = this.#links.filter(({ expiresAt }) => expiresAt <= now)
    if (over.length === 0) return
    this.#links = this.#links.filter((link) => !over.includes(link))
    try {
      this.#write(this.#links)
    } catch (error: unknown) {
      // what stays in the file has expired: it grants nothing
      this.deps.log.warn('revoked view links could not be removed from their file', { error: messageOf(error) })
    }
    for (const { id } of over) this.#ended.emit('ended', id)
  }

  #store(links: readonly StoredLink[]): void {
    try {
      this.#write(links)
    } catch (error: unknown) {
      throw new HostError('HOST_LINK_REFUSED', { reason: `its file cannot be written: ${messageOf(error)}` })
    }
    this.#links = links
  }

  /** @throws the system's error */
  #write(links: readonly StoredLink[]): void {
    writeJson(this.deps.file, { version: 1, links })
  }
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest()
}

/** `hash`: SHA-256 of the token, 64 hex digits. */
const storedLinkSchema = viewLinkSchema.extend({ hash: z.string().regex(/^[0-9a-f]{64}$/) })
const fileSchema = z.object({ version: z.literal(1), links: z.array(storedLinkSchema).max(1_000) })

type StoredLink = z.infer<typeof storedLinkSchema>
