// Persists locally submitted transactions: a file with one transaction per line (hex of its bytes), appended to on
// arrival and rewritten periodically without those that are gone.
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { messageOf } from '../../base/errors'
import { fromHex, toHex } from '../../base/hex'
import { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { type AnyTransaction, decodeTransaction } from '../model/transaction'
import type { PoolTransaction } from './pool-transaction'
import type { TxPool } from './tx-pool'

/** The refusal of a transaction whose nonce is used: it, or another in its place, is in a block. */
const GONE = 'nonce too low'

interface JournalOptions {
  /** absolute */
  readonly file: string
  /** Rewrite interval, ms. */
  readonly rotateMs: number
}

export class LocalJournal {
  readonly #held = new Disposables()
  /** Null while nothing can be written. */
  #open: number | null = null
  #isTorn = false
  #isTold = false

  constructor(
    private readonly options: JournalOptions,
    private readonly deps: { readonly pool: TxPool; readonly clock: Clock; readonly log: Logger },
  ) {}

  /** Loads the file into the pool, then keeps the file current. A file that can't be read or written is only logged. */
  start(): void {
    const { pool, clock } = this.deps
    if (!this.#load()) return
    this.#rotate()
    this.#held.add(pool.events.on('localAdded', (entry) => this.#append(entry)))
    this.#held.add(clock.setInterval(() => this.#rotate(), this.options.rotateMs))
  }

  stop(): void {
    this.#held.dispose()
    this.#close()
  }

  /** False when a file exists that can't be read or kept: it is left alone then. */
  #load(): boolean {
    const { pool, log } = this.deps
    const lines = this.#lines()
    if (lines === null) return false
    const transactions = lines.flatMap((line) => {
      const raw = fromHex(line)
      const tx = raw === null ? null : decodeTransaction(raw)
      return tx?.ok === true ? [tx.value] : []
    })
    const refusals = new Map<string, AnyTransaction[]>()
    for (const tx of transactions) {
      const added = pool.add(tx, { local: true })
      if (!added.ok) refusals.set(added.error, [...(refusals.get(added.error) ?? []), tx])
    }
    const [gone, refused] = [refusals.get(GONE)?.length ?? 0, [...refusals.values()].flat().length]
    if (transactions.length > 0) log.info('own transactions loaded', { taken: transactions.length - refused, gone })
    for (const [reason, [first, ...others]] of refusals)
      if (reason !== GONE && first !== undefined)
        log.warn('own transactions are not taken again', {
          reason,
          transactions: 1 + others.length,
          first: toHex(first.hash),
        })
    return lines.length === transactions.length || this.#keepUnreadable(lines.length - transactions.length)
  }

  /** The journal may be named wrongly: what isn't understood is never overwritten. False when that can't be avoided. */
  #keepUnreadable(lines: number): boolean {
    const { file } = this.options
    const kept = `${file}.unreadable`
    try {
      copyFileSync(file, kept)
    } catch (error: unknown) {
      this.#tell(error)
      return false
    }
    const message = 'lines of the journal of own transactions cannot be read; the file is kept beside it'
    this.deps.log.warn(message, { file, lines, kept })
    return true
  }

  /** A complete file ends with a line break: anything after the last one counts as an invalid line. */
  #lines(): readonly string[] | null {
    const { file } = this.options
    try {
      const lines = existsSync(file) ? readFileSync(file, 'latin1').split('\n') : ['']
      const rest = lines.pop()
      return rest === '' ? lines : [...lines, 'cut']
    } catch (error: unknown) {
      this.#tell(error)
      return null
    }
  }

  /** The new file replaces the old one only once it is on disk; until then the old one is used. */
  #rotate(): void {
    const { file } = this.options
    const next = `${file}.new`
    try {
      mkdirSync(dirname(file), { recursive: true })
      const handle = openSync(next, 'w', 0o600)
      try {
        writeAll(handle, this.deps.pool.localTransactions().map(lineOf).join(''))
        fsyncSync(handle)
      } finally {
        closeSync(handle)
      }
      this.#close() // not every system renames over an open file
      renameSync(next, file)
      this.#isTorn = false
      this.#isTold = false
    } catch (error: unknown) {
      this.#tell(error)
    }
    try {
      this.#open ??= openSync(this.options.file, 'a', 0o600)
    } catch (error: unknown) {
      this.#tell(error)
    }
  }

  /** Written to the operating system before the sender gets its answer: no crash of this program loses it. */
  #append(entry: PoolTransaction): void {
    if (this.#open === null) return
    try {
      writeAll(this.#open, this.#isTorn ? `\n${lineOf(entry)}` : lineOf(entry))
      this.#isTorn = false
    } catch (error: unknown) {
      this.#isTorn = true // a partial line may be there: the next one starts on a new line
      this.#tell(error)
    }
  }

  #close(): void {
    if (this.#open !== null) closeSync(this.#open)
    this.#open = null
  }

  /** Reported once until the file was written whole again: a full disk stays full for a while. */
  #tell(error: unknown): void {
    if (this.#isTold) return
    this.#isTold = true
    const fields = { file: this.options.file, error: messageOf(error) }
    this.deps.log.warn('own transactions are not kept for the next start', fields)
  }
}

function lineOf({ tx }: PoolTransaction): string {
  return `${toHex(tx.raw)}\n`
}

/** `writeSync` may write less than requested. */
function writeAll(handle: number, text: string): void {
  const bytes = Buffer.from(text, 'latin1')
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at)
}
