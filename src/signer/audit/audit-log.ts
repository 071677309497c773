// The append-only record of requests, decisions and results: JSON lines, each naming the hash of the one before, so
// that a change or a removal inside shows. Never a password or a key.
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { messageOf } from '../../base/errors'
import type { Clock } from '../../base/time'
import { SignerError } from '../errors'
import type { Caller, RequestContent, RequestKind, RequestState } from '../requests/request'
import { FIRST_LINK, readAuditTail } from './audit-check'

export type AuditEntry =
  | {
      readonly type: 'request'
      readonly id: string
      readonly kind: RequestKind
      readonly caller: Caller
      readonly contentHash: string
      readonly content: RequestContent
    }
  | {
      readonly type: 'decision'
      readonly id: string
      readonly kind: RequestKind
      readonly contentHash: string
      readonly decision: 'approve' | 'reject'
    }
  | {
      readonly type: 'result'
      readonly id: string
      readonly kind: RequestKind
      readonly state: RequestState
      readonly error: string
      readonly detail: Readonly<Record<string, string>>
    }
  /** Refused before anybody was asked. */
  | { readonly type: 'refused'; readonly method: string; readonly caller: Caller; readonly error: string }
  /** Made by the program itself, without a request: the practice account of a first start. */
  | { readonly type: 'created'; readonly address: string; readonly file: string }
  /** A half-written last line, left by a crash, was cut off. */
  | { readonly type: 'repaired'; readonly cutBytes: number }

export class AuditLog {
  readonly #file: string
  readonly #clock: Clock
  #handle: FileHandle | null = null
  #previous = FIRST_LINK
  #next = 0
  #tail: Promise<void> = Promise.resolve()

  constructor(options: { readonly file: string }, deps: { readonly clock: Clock }) {
    this.#file = options.file
    this.#clock = deps.clock
  }

  /**
   * Makes the file (mode 0600) or goes on behind its last record.
   * @throws SignerError SIGNER_AUDIT_BROKEN, SIGNER_AUDIT_UNWRITABLE
   */
  async open(): Promise<void> {
    const handle = await this.#guard(() => open(this.#file, 'a+', 0o600))
    try {
      const tail = await readAuditTail(this.#file, handle)
      this.#previous = tail.hash
      this.#next = tail.records
      if (tail.cutBytes > 0) await this.#guard(() => handle.truncate(tail.goodBytes))
      this.#handle = handle
      if (tail.cutBytes > 0) await this.append({ type: 'repaired', cutBytes: tail.cutBytes })
    } catch (error) {
      this.#handle = null
      await handle.close()
      throw error
    }
  }

  /** Resolves when the record has been written. @throws SignerError SIGNER_AUDIT_UNWRITABLE, SIGNER_NOT_RUNNING */
  append(entry: AuditEntry): Promise<void> {
    const done = this.#tail.then(() => this.#write(entry))
    this.#tail = done.catch(() => undefined)
    return done
  }

  async close(): Promise<void> {
    await this.#tail
    const handle = this.#handle
    this.#handle = null
    await handle?.close()
  }

  async #write(entry: AuditEntry): Promise<void> {
    const handle = this.#handle
    if (handle === null) throw new SignerError('SIGNER_NOT_RUNNING', undefined)
    const record = { seq: this.#next, time: this.#clock.now(), ...entry, previous: this.#previous }
    const body = JSON.stringify(record)
    const hash = linkHash(body)
    await this.#guard(() => handle.appendFile(`${body.slice(0, -1)},"hash":"${hash}"}\n`))
    this.#previous = hash
    this.#next += 1
  }

  async #guard<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (cause) {
      throw new SignerError('SIGNER_AUDIT_UNWRITABLE', { file: this.#file, reason: messageOf(cause) }, { cause })
    }
  }
}

/** Hash of a record: SHA-256 of its line without the `hash` member, hex. */
export function linkHash(body: string): string {
  return createHash('sha256').update(body).digest('hex')
}
