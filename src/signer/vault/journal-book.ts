// The content of a vault's journal: encrypted records, each bound to the one before and numbered. Pure: it is given the
// file's text and returns what is to be written. The key process holds it, and the program that holds the file may lie:
// nothing older than what a signature rests on, and no other branch of it, is ever read again.
// A line: `{"n":NUMBER,"iv":"…","c":"…"}`, AES-256-GCM. A file begins with a record that stands for all before it.

import { createCipheriv, createDecipheriv } from 'node:crypto'
import { z } from 'zod'
import { jsonOrNull } from '../../base/json-text'
import { COMPACT_AFTER, type JournalReading, type MadeRecord } from '../vault-wire'

const IV_BYTES = 12
const TAG_BYTES = 16
/** Chain text of the first record of a file, which has none before it. */
const FIRST = 'first'
/** A restored file's version is above any that a running program may have reached since the last seal. */
const RESTORED_STEP = 1_000
/** A file of a summary and one record. */
const NEW_VERSION = 2

const lineShape = z.strictObject({ n: z.number().int().positive(), iv: z.string(), c: z.string() })
const recordShape = z.union([
  z.strictObject({ s: z.string(), r: z.unknown() }),
  z.strictObject({ all: z.record(z.string(), z.unknown()) }),
  z.strictObject({ restored: z.number() }),
])
type JournalRecord = z.infer<typeof recordShape>

/** What the records mean. */
export interface JournalPart {
  reset(): void
  /** @throws Error when the record makes no sense */
  apply(record: unknown): void
  /** What stands for everything applied; `restore` gets it. */
  snapshot(): unknown
  restore(snapshot: unknown): void
}

/** A record's place in the chain. */
export interface RecordPlace {
  readonly version: number
  /** Of the record, base64. */
  readonly tag: string
}

interface JournalBookOptions {
  /** 32 bytes; kept. */
  readonly key: Uint8Array
  readonly randomBytes: (length: number) => Uint8Array
  readonly name: string
  readonly part: JournalPart
  /** What `ends` said of the same journal before. */
  readonly ends?: readonly RecordPlace[]
}

class JournalFault extends Error {
  constructor(readonly reading: Extract<JournalReading, { readonly fault: string }>) {
    super(reading.fault)
  }
}

export class JournalBook {
  #place: RecordPlace & { readonly records: number } = NOTHING
  #tags = new Map<number, string>()
  /** Any of these must be in the text: the last end that was read, or what a signature rests on. Empty = nothing yet. */
  #anchors: readonly RecordPlace[]
  /** Number of the last record that accepts an older file; only who has the key makes one. */
  #restored = 0
  #isRead = false

  constructor(private readonly options: JournalBookOptions) {
    this.#anchors = options.ends ?? []
  }

  /** Any of these is in every text that is read from now on; empty = anything is. */
  get ends(): readonly RecordPlace[] {
    return this.#anchors
  }

  get place(): RecordPlace {
    return this.#place
  }

  get isRead(): boolean {
    return this.#isRead
  }

  has({ version, tag }: RecordPlace): boolean {
    return this.#tags.get(version) === tag
  }

  /**
   * Reads the whole text in place of what was read before.
   * @param text an unfinished last line is left out: it was never acknowledged
   * @param vouched lowest version that isn't an older file; null = nothing vouches for any
   */
  read(text: string, vouched: number | null): JournalReading {
    try {
      const bytes = this.#apply(text)
      const { version } = this.#place
      if (vouched === null && version > NEW_VERSION && this.#anchors.length === 0) throw fault('unvouched', { version })
      const wanted = Math.max(vouched ?? 0, ...this.#anchors.map((anchor) => anchor.version))
      const isKnown = this.#anchors.length === 0 || this.#anchors.some((anchor) => this.has(anchor))
      const isOther = !isKnown && this.#restored <= wanted
      if (version < wanted || isOther) throw fault('older', { version, wanted })
      this.#isRead = true
      if (version > 0) this.#anchors = [this.#place]
      return { version, bytes, records: this.#place.records }
    } catch (error) {
      if (error instanceof JournalFault) return error.reading
      throw error
    }
  }

  /** Adds a record, which counts at once. The caller has read the journal. */
  add(record: unknown): MadeRecord {
    return this.#add({ s: this.options.name, r: record }, this.#place.version + 1)
  }

  /** The present content as a file of one record; the version stays. */
  compacted(): MadeRecord {
    const before = this.#anchors
    const line = this.#summary(this.#place.version)
    this.#anchors = [...before, this.#place]
    return { text: line, isWhole: true, version: this.#place.version }
  }

  get isLong(): boolean {
    return this.#place.records >= COMPACT_AFTER
  }

  /** From now on a text without this record is refused: something rests on it. */
  hold(place: RecordPlace): void {
    if (this.#anchors.every(({ version }) => place.version > version)) this.#anchors = [place]
  }

  /** Accepts a text although it is older: from then on it is the newest. @returns also the version before */
  restore(text: string, vouched: number | null): JournalReading & { readonly made?: MadeRecord } {
    try {
      const highest = Math.max(vouched ?? 0, ...this.#anchors.map(({ version }) => version))
      const bytes = this.#apply(text)
      this.#isRead = true
      const { version, records } = this.#place
      const made = this.#add({ restored: version }, Math.max(highest, version) + RESTORED_STEP + 1)
      this.#anchors = [this.#place]
      return { version, bytes, records, made }
    } catch (error) {
      if (error instanceof JournalFault) return error.reading
      throw error
    }
  }

  /** @returns bytes of the whole lines */
  #apply(text: string): number {
    this.#isRead = false
    this.#place = NOTHING
    this.#tags = new Map()
    this.#restored = 0
    this.options.part.reset()
    let at = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
      const { record, version, tag } = this.#opened(text.slice(at, end))
      this.#take(record, version)
      this.#put({ version, tag })
      at = end + 1
    }
    return Buffer.byteLength(text.slice(0, at))
  }

  #put({ version, tag }: RecordPlace): void {
    this.#tags.set(version, tag)
    this.#place = { version, tag, records: this.#place.records + 1 }
  }

  #opened(line: string): RecordPlace & { readonly record: JournalRecord } {
    const { version, tag, records } = this.#place
    const record = records + 1
    const parsed = lineShape.safeParse(jsonOrNull(line))
    if (!parsed.success) throw fault('form', { record })
    const { n, iv, c } = parsed.data
    if (n <= version) throw fault('number', { record, version: n, wanted: version + 1 })
    const sealed = Buffer.from(c, 'base64')
    const own = sealed.subarray(-TAG_BYTES)
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.options.key, Buffer.from(iv, 'base64'))
      decipher.setAAD(Buffer.from(`${n}:${tag}`)).setAuthTag(own)
      const plain = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
      const opened = recordShape.parse(JSON.parse(plain.toString('utf8')))
      return { record: opened, tag: own.toString('base64'), version: n }
    } catch {
      throw fault('changed', { record })
    }
  }

  #take(record: JournalRecord, version: number): void {
    const { name, part } = this.options
    try {
      if ('s' in record && record.s === name) part.apply(record.r)
      else if ('all' in record) {
        if (this.#place.records > 0) throw fault('summary', { record: this.#place.records + 1 })
        if (Object.hasOwn(record.all, name)) part.restore(record.all[name])
      } else if ('restored' in record) this.#restored = version
    } catch (error) {
      throw error instanceof JournalFault ? error : fault('meaning', { record: this.#place.records + 1, version })
    }
  }

  #add(record: JournalRecord, version: number): MadeRecord {
    // A new file begins with what the part holds now: nothing, or what it took over from an earlier program's.
    const isNew = this.#place.records === 0
    // Whoever failed to write the last one reads the file again first.
    if (!isNew) this.hold(this.#place)
    const begin = isNew ? this.#summary(1) : ''
    const n = Math.max(version, this.#place.version + 1)
    const { line, tag } = this.#sealed(record, n, this.#place.tag)
    this.#take(record, n)
    this.#put({ version: n, tag })
    return { text: `${begin}${line}`, isWhole: isNew, version: n }
  }

  #summary(version: number): string {
    const { name, part } = this.options
    const { line, tag } = this.#sealed({ all: { [name]: part.snapshot() } }, version, FIRST)
    this.#place = { version, tag, records: 1 }
    this.#tags.set(version, tag)
    return line
  }

  #sealed(record: JournalRecord, n: number, previous: string): { readonly line: string; readonly tag: string } {
    const { key, randomBytes } = this.options
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(`${n}:${previous}`))
    const text = Buffer.concat([cipher.update(JSON.stringify(record), 'utf8'), cipher.final()])
    const tag = cipher.getAuthTag()
    const c = Buffer.concat([text, tag]).toString('base64')
    return {
      line: `${JSON.stringify({ n, iv: Buffer.from(iv).toString('base64'), c })}\n`,
      tag: tag.toString('base64'),
    }
  }
}

const NOTHING = { version: 0, tag: FIRST, records: 0 }

type FaultName = Extract<JournalReading, { readonly fault: string }>['fault']

function fault(
  name: FaultName,
  { record = 0, version = 0, wanted = 0 }: { readonly record?: number; readonly version?: number; wanted?: number },
): JournalFault {
  return new JournalFault({ fault: name, record, version, wanted })
}
