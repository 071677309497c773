// Token events emitted while a transaction runs: transfers and allowances (ERC-20, ERC-721, ERC-1155). Logs of failed
// calls are dropped with them.
import { bigintFromBytes } from '../../base/bytes'
import type { CallEnd, CallStart, Frame, Step, Tracer } from '../execution/tracer'
import { ADDRESS_MASK } from '../execution/word'
import { addressHex } from './encoding'

/** `Transfer(address,address,uint256)`, of fungible and non-fungible tokens. */
const TRANSFER = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3efn
/** `Approval(address,address,uint256)`, of fungible and non-fungible tokens. */
const APPROVAL = 0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925n
/** `ApprovalForAll(address,address,bool)`. */
const APPROVAL_FOR_ALL = 0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31n
const LOG0 = 0xa0
const LOG3 = 0xa3
const LOG4 = 0xa4
/** More contracts than anyone is told of. */
const MAX_TOUCHED = 64

interface TokenMove {
  readonly contract: string
  readonly from: string
  readonly to: string
  /** Decimal. */
  readonly amount: string
  readonly isNumbered: boolean
}

interface TokenGrant {
  readonly contract: string
  readonly owner: string
  readonly spender: string
  readonly kind: 'units' | 'number' | 'all'
  /** Decimal. */
  readonly amount: string
}

/** The content of one log: a transfer, or an allowance. */
export interface Told {
  readonly move?: TokenMove
  readonly grant?: TokenGrant
}

/** Reads standard events only; a contract may move tokens without emitting them, so an empty list proves nothing. */
export class TokenTracer implements Tracer {
  readonly isSparse = true
  readonly told: Told[] = []
  /** Logs about anything else. */
  otherLogs = 0
  /** Contracts that were called, and those whose storage their code ran on, in order; 160 bits each. */
  readonly touched = new Set<bigint>()
  /** Counts at the start of each open call. */
  readonly #marks: { readonly told: number; readonly otherLogs: number }[] = []

  begin({ to }: CallStart): void {
    this.touched.add(to)
  }

  enter({ from, to }: CallStart): void {
    if (this.touched.size < MAX_TOUCHED) this.touched.add(from).add(to)
    this.#marks.push({ told: this.told.length, otherLogs: this.otherLogs })
  }

  exit({ error }: CallEnd): void {
    const mark = this.#marks.pop()
    if (error === null || mark === undefined) return
    this.told.length = mark.told
    this.otherLogs = mark.otherLogs
  }

  step({ frame, op, error }: Step): void {
    if (error !== null || op < LOG0 || op > LOG4) return
    const told = op >= LOG3 ? toldBy(frame, op === LOG4) : null
    if (told === null) this.otherLogs += 1
    else this.told.push(told)
  }
}

function toldBy(frame: Frame, hasNumber: boolean): Told | null {
  const [offset, length, topic, first, second, number] = [0, 1, 2, 3, 4, 5].map((depth) => frame.peek(depth))
  if (first === undefined || second === undefined) return null
  const amount = hasNumber ? number : wordAt(frame, offset ?? 0n, length ?? 0n)
  if (amount === null || amount === undefined) return null
  const contract = addressHex(frame.address)
  const [from, to] = [addressHex(first & ADDRESS_MASK), addressHex(second & ADDRESS_MASK)]
  const text = amount.toString()
  if (topic === TRANSFER) return { move: { contract, from, to, amount: text, isNumbered: hasNumber } }
  const grant = { contract, owner: from, spender: to }
  if (topic === APPROVAL) return { grant: { ...grant, kind: hasNumber ? 'number' : 'units', amount: text } }
  if (topic !== APPROVAL_FOR_ALL || hasNumber) return null
  return { grant: { ...grant, kind: 'all', amount: amount === 0n ? '0' : '1' } }
}

/** The log's data as one word; null when it isn't one. Memory that was never written is 0. */
function wordAt(frame: Frame, offset: bigint, length: bigint): bigint | null {
  if (length !== 32n) return null
  const word = new Uint8Array(32)
  word.set(frame.memory(Number(offset), 32))
  return bigintFromBytes(word)
}
