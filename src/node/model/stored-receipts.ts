// A block's stored receipts, read in place: outcomes without their logs, and logs one at a time. A block may have over a
// million logs; as objects they would take a hundred times their bytes.
import { bigintFromBytes, concatBytes } from '../../base/bytes'
import { encodedList, encodeRlp, rlpInteger } from '../codec/rlp'
import { BloomWriter, type Log } from './bloom'

/** A receipt without its logs. */
interface StoredOutcome {
  readonly type: 0 | 1
  readonly succeeded: boolean
  /** Gas used by the block's transactions up to and including this one. */
  readonly cumulativeGasUsed: bigint
  readonly gasUsed: bigint
  /** 20 bytes; null unless a contract was created. */
  readonly contractAddress: Uint8Array | null
  /** Where its logs lie, without the list's prefix. */
  readonly logsAt: number
  readonly logsEnd: number
}

/** A place between two logs of a block, from which reading can continue. */
export interface LogPlace {
  /** Index in the block. */
  readonly transaction: number
  /** Logs of the block before it. */
  readonly log: number
  /** In the stored bytes; 0 = at the transaction's first log. */
  readonly at: number
}

const ADDRESS_BYTES = 20
const TOPIC_BYTES = 32
/** With its prefix. */
const TOPIC_ITEM = TOPIC_BYTES + 1

/** A log inside the stored bytes. Valid until the next one is read. */
export class StoredLog {
  #address = 0
  #topics = 0
  /** At most 4. */
  topicCount = 0
  #data = 0
  /** Where the next one begins. */
  end = 0
  /** Over the block. */
  index = 0

  constructor(private readonly bytes: Buffer) {}

  /** Moves to the log at this offset. @throws RangeError when there is none */
  read(at: number, index: number): void {
    const { bytes } = this
    this.end = itemEnd(bytes, at)
    this.#address = payloadAt(bytes, at) + 1
    const topics = this.#address + ADDRESS_BYTES
    this.#topics = payloadAt(bytes, topics)
    const data = itemEnd(bytes, topics)
    this.topicCount = (data - this.#topics) / TOPIC_ITEM
    this.#data = payloadAt(bytes, data)
    this.index = index
  }

  /** Its 20 bytes, a character each. */
  addressName(): string {
    return this.bytes.toString('latin1', this.#address, this.#address + ADDRESS_BYTES)
  }

  /** Its 32 bytes, a character each. */
  topicName(position: number): string {
    const at = this.#topics + position * TOPIC_ITEM + 1
    return this.bytes.toString('latin1', at, at + TOPIC_BYTES)
  }

  /** JSON members `address`, `topics` and `data`. */
  members(): string {
    const { bytes } = this
    let topics = ''
    for (let i = 0; i < this.topicCount; i++) {
      const at = this.#topics + i * TOPIC_ITEM + 1
      topics += `${i === 0 ? '' : ','}"0x${bytes.toString('hex', at, at + TOPIC_BYTES)}"`
    }
    const address = bytes.toString('hex', this.#address, this.#address + ADDRESS_BYTES)
    return `"address":"0x${address}","topics":[${topics}],"data":"0x${bytes.toString('hex', this.#data, this.end)}"`
  }

  /** As an object of its own. */
  copy(): Log {
    const { bytes } = this
    const slice = (from: number, to: number): Uint8Array => Uint8Array.from(bytes.subarray(from, to))
    const topics = Array.from({ length: this.topicCount }, (_, i) => this.#topics + i * TOPIC_ITEM + 1)
    return {
      address: slice(this.#address, this.#address + ADDRESS_BYTES),
      topics: topics.map((at) => slice(at, at + TOPIC_BYTES)),
      data: slice(this.#data, this.end),
    }
  }

  /** Adds address and topics. */
  addTo(bloom: BloomWriter): void {
    bloom.add(this.addressName())
    for (let i = 0; i < this.topicCount; i++) bloom.add(this.topicName(i))
  }
}

/** The logs of an RLP list of them; each is the same object. @throws RangeError when they are damaged */
export function* logsIn(list: Uint8Array): Generator<StoredLog> {
  const bytes = Buffer.from(list.buffer, list.byteOffset, list.byteLength)
  const log = new StoredLog(bytes)
  const end = itemEnd(bytes, 0)
  let index = 0
  for (let at = payloadAt(bytes, 0); at < end; at = log.end) {
    log.read(at, index++)
    yield log
  }
}

/** One block's receipts in stored form. */
export class StoredReceipts {
  readonly outcomes: readonly StoredOutcome[]
  readonly #bytes: Buffer

  /** @throws RangeError when they are damaged */
  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const outcomes: StoredOutcome[] = []
    const end = itemEnd(this.#bytes, 0)
    for (let at = payloadAt(this.#bytes, 0); at < end; at = itemEnd(this.#bytes, at)) outcomes.push(this.#outcome(at))
    this.outcomes = outcomes
  }

  /** Bytes of one receipt's logs. */
  logBytes(transaction: number): number {
    const outcome = this.outcomes[transaction]
    return outcome === undefined ? 0 : outcome.logsEnd - outcome.logsAt
  }

  /** Logs of the block before those of this transaction. */
  logsBefore(transaction: number): number {
    let count = 0
    for (const { logsAt, logsEnd } of this.outcomes.slice(0, transaction))
      for (let at = logsAt; at < logsEnd; at = itemEnd(this.#bytes, at)) count++
    return count
  }

  /** One transaction's logs; each is the same object. @param place where to begin */
  *logs(place: LogPlace): Generator<StoredLog> {
    const outcome = this.outcomes[place.transaction]
    if (outcome === undefined) return
    const log = new StoredLog(this.#bytes)
    let index = place.log
    for (let at = place.at === 0 ? outcome.logsAt : place.at; at < outcome.logsEnd; at = log.end) {
      log.read(at, index++)
      yield log
    }
  }

  /** 256 bytes: of one transaction's logs. */
  bloom(transaction: number): Uint8Array {
    const bloom = new BloomWriter()
    for (const log of this.logs({ transaction, log: 0, at: 0 })) log.addTo(bloom)
    return bloom.bytes
  }

  /** The bytes that the receipt root covers: logs are stored as they are encoded there. */
  encoded(transaction: number): Uint8Array {
    const outcome = this.outcomes[transaction]
    if (outcome === undefined) throw new RangeError(`no receipt ${transaction}`)
    const logs = this.#bytes.subarray(outcome.logsAt, outcome.logsEnd)
    const list = encodedList([
      encodeRlp(rlpInteger(outcome.succeeded ? 1 : 0)),
      encodeRlp(rlpInteger(outcome.cumulativeGasUsed)),
      encodeRlp(this.bloom(transaction)),
      encodedList([logs]),
    ])
    return outcome.type === 0 ? list : concatBytes(Uint8Array.of(outcome.type), list)
  }

  #outcome(at: number): StoredOutcome {
    const bytes = this.#bytes
    let next = payloadAt(bytes, at)
    const field = (): Uint8Array => {
      const start = payloadAt(bytes, next)
      next = itemEnd(bytes, next)
      return bytes.subarray(start, next)
    }
    const [type, status, cumulative, gas, contract] = [field(), field(), field(), field(), field()]
    return {
      type: type[0] === 1 ? 1 : 0,
      succeeded: status[0] === 1,
      cumulativeGasUsed: bigintFromBytes(cumulative),
      gasUsed: bigintFromBytes(gas),
      contractAddress: contract.length === 0 ? null : Uint8Array.from(contract),
      logsAt: payloadAt(bytes, next),
      logsEnd: itemEnd(bytes, next),
    }
  }
}

/** Where the payload of the RLP item at `at` begins. */
function payloadAt(bytes: Uint8Array, at: number): number {
  const prefix = bytes[at] ?? 0
  if (prefix < 0x80) return at
  const short = prefix - (prefix < 0xc0 ? 0x80 : 0xc0)
  return short < 56 ? at + 1 : at + short - 54
}

/** Where it ends. @throws RangeError when that is outside the bytes */
function itemEnd(bytes: Uint8Array, at: number): number {
  const prefix = bytes[at] ?? 0
  let end = at + 1
  if (prefix >= 0x80) {
    const short = prefix - (prefix < 0xc0 ? 0x80 : 0xc0)
    const start = payloadAt(bytes, at)
    let length = short
    if (short >= 56) {
      length = 0
      for (let i = at + 1; i < start; i++) length = length * 256 + (bytes[i] ?? 0)
    }
    end = start + length
  }
  if (at >= bytes.length || end > bytes.length) throw new RangeError('stored receipts are damaged: unexpected end')
  return end
}
