// Decodes logs with a known signature: the event's name and its values. An interpretation: any contract may write any
// log. Pure.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { toHex } from '../../../../../base/hex'
import type { LogView } from '../../../../../contract/explorer'
import { spelledAddress } from '../../../format/bytes-text'

/** Well-known events of tokens and of contracts that have an owner; a value is `type name`, indexed ones with a `*`. */
const EVENTS = [
  'Transfer(address* from,address* to,uint256 amount)',
  'Transfer(address* from,address* to,uint256* tokenId)',
  'Approval(address* owner,address* spender,uint256 amount)',
  'Approval(address* owner,address* approved,uint256* tokenId)',
  'ApprovalForAll(address* owner,address* operator,bool approved)',
  'TransferSingle(address* operator,address* from,address* to,uint256 id,uint256 amount)',
  'Deposit(address* to,uint256 amount)',
  'Withdrawal(address* from,uint256 amount)',
  'OwnershipTransferred(address* from,address* to)',
  'Paused(address account)',
  'Unpaused(address account)',
]

type ValueType = 'address' | 'uint256' | 'bool'

interface EventField {
  readonly name: string
  readonly type: ValueType
  readonly isIndexed: boolean
}

interface KnownEvent {
  readonly topic: string
  readonly signature: string
  readonly fields: readonly EventField[]
}

export interface LogValue {
  readonly name: string
  readonly type: ValueType
  /** An address with its checksum, a decimal number, `true` or `false`. */
  readonly value: string
}

interface LogWords {
  /** `Transfer(address,address,uint256)` */
  readonly signature: string
  readonly values: readonly LogValue[]
}

const known: readonly KnownEvent[] = EVENTS.map(readEvent)

function readEvent(text: string): KnownEvent {
  const [, name = '', list = ''] = /^(\w+)\((.*)\)$/.exec(text) ?? []
  const fields = list.split(',').map((part): EventField => {
    const [type = '', field = ''] = part.split(' ')
    return { name: field, type: type.replace('*', '') as ValueType, isIndexed: type.endsWith('*') }
  })
  const signature = `${name}(${fields.map(({ type }) => type).join(',')})`
  return { signature, fields, topic: toHex(keccak_256(new TextEncoder().encode(signature))) }
}

/** Null for a log of an unknown event, or one that doesn't decode exactly. */
export function readLog({ topics, data }: Pick<LogView, 'topics' | 'data'>): LogWords | null {
  for (const event of known) {
    if (event.topic !== topics[0]) continue
    const values = valuesOf(event, topics.slice(1), data)
    if (values !== null) return { signature: event.signature, values }
  }
  return null
}

function valuesOf({ fields }: KnownEvent, topics: readonly string[], data: string): readonly LogValue[] | null {
  const indexed = fields.filter(({ isIndexed }) => isIndexed).length
  if (topics.length !== indexed || data.length !== 2 + 64 * (fields.length - indexed)) return null
  const places = { topic: 0, word: 0 }
  const values: LogValue[] = []
  for (const { name, type, isIndexed } of fields) {
    const word = isIndexed
      ? (topics[places.topic++]?.slice(2) ?? '')
      : data.slice(2 + 64 * places.word, 2 + 64 * ++places.word)
    const value = valueText(type, word)
    if (value === null) return null
    values.push({ name, type, value })
  }
  return values
}

/**
 * Null for a word that isn't a value of the type.
 * @param word 64 hex digits
 */
function valueText(type: ValueType, word: string): string | null {
  if (type === 'address') return /^0{24}/.test(word) ? spelledAddress(`0x${word.slice(24)}`) : null
  const number = BigInt(`0x${word}`)
  if (type === 'uint256') return number.toString()
  return number > 1n ? null : String(number === 1n)
}
