// What a transaction would do to the state of the head: whether it succeeds, what it changes in the balances of sender and
// receiver, and which moves of tokens its contracts tell of. For the approval view; run on a world that is taken back.
import { bigintFromBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import type { Frame } from './evm/frame'
import type { CallEnd, CallStart, Step, Tracer } from './evm/tracer'
import { applyMessage } from './evm/transition'
import { ADDRESS_MASK, addressBytes } from './evm/word'
import type { World } from './evm/world'
import type { CallArguments } from './query-wire'
import { messageOf, reasonOf, withWorld } from './run-call'
import type { QueryLimits, QuerySession } from './session'

/** `Transfer(address,address,uint256)`, of fungible and of numbered tokens. */
const TRANSFER = BigInt('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')
const LOG3 = 0xa3
const LOG4 = 0xa4
const MOST_MOVES = 20
/** Characters of a reason: a contract may give megabytes. */
const MOST_REASON = 500

interface TokenMove {
  readonly contract: string
  readonly from: string
  readonly to: string
  /** Decimal. */
  readonly amount: string
  readonly isNumbered: boolean
}

/** JSON text; the host's adapter reads it with `simulationAnswer`. */
export function simulate(session: QuerySession, call: CallArguments, limits: QueryLimits): string {
  const block = session.blocks().find({ kind: 'tag', tag: 'latest' })
  const message = messageOf(call, session.options.gasCap)
  const deadline = session.callDeadline(limits)
  const tracer = new TransferTracer()
  const parties = message.to === null || message.to === message.from ? [message.from] : [message.from, message.to]
  return withWorld(session.keptWorld(block), (world) => {
    const before = parties.map((address) => balanceOf(world, address))
    const { header, base } = block
    const machine = session.machine({ header, base, world, message, tracer, isOver: deadline.isOver })
    const applied = applyMessage(machine, message)
    deadline.check(machine)
    const place = { block: Number(header.number) }
    if (applied.kind === 'refused')
      return JSON.stringify({
        ...place,
        outcome: 'refused',
        reason: applied.reason,
        gasUsed: 0,
        balances: [],
        tokens: [],
        moreTokens: 0,
      })
    const { result } = applied
    // The head's miner got the fee here; who gets it in truth mines the next block, so it is no gain of a party's.
    const fee = BigInt(result.gasUsed) * message.gasPrice
    const balances = parties.map((address, index) => {
      const gain = balanceOf(world, address) - (before[index] ?? 0n)
      return { address: hexOf(address), change: (address === machine.block.coinbase ? gain - fee : gain).toString() }
    })
    return JSON.stringify({
      ...place,
      outcome: result.error === null ? 'succeeded' : 'reverted',
      reason: result.error === null ? '' : reasonOf(result).slice(0, MOST_REASON),
      gasUsed: result.gasUsed,
      balances,
      tokens: result.error === null ? tracer.moves.slice(0, MOST_MOVES) : [],
      moreTokens: result.error === null ? Math.max(0, tracer.moves.length - MOST_MOVES) : 0,
    })
  })
}

/** Collects the logs that stay: those of a call that fails go with it. */
export class TransferTracer implements Tracer {
  moves: TokenMove[] = []
  /** How many there were when each open call began. */
  readonly #marks: number[] = []

  enter(_call: CallStart): void {
    this.#marks.push(this.moves.length)
  }

  exit({ error }: CallEnd): void {
    const mark = this.#marks.pop() ?? 0
    if (error !== null) this.moves.length = mark
  }

  step({ frame, op, error }: Step): void {
    if (error !== null || (op !== LOG3 && op !== LOG4)) return
    const [offset, length, topic, from, to, numbered] = [0, 1, 2, 3, 4, 5].map((depth) => frame.peek(depth))
    if (topic !== TRANSFER || from === undefined || to === undefined) return
    const isNumbered = op === LOG4
    const amount = isNumbered ? numbered : wordAt(frame, offset ?? 0n, length ?? 0n)
    if (amount === null || amount === undefined) return
    this.moves.push({
      contract: hexOf(frame.address),
      from: hexOf(from & ADDRESS_MASK),
      to: hexOf(to & ADDRESS_MASK),
      amount: amount.toString(),
      isNumbered,
    })
  }
}

/** The log's one word of data; null when it is not one. Memory that was never written is 0. */
function wordAt({ memory }: Frame, offset: bigint, length: bigint): bigint | null {
  if (length !== 32n) return null
  if (offset >= BigInt(memory.size)) return 0n
  const word = new Uint8Array(32)
  word.set(memory.copy(Number(offset), Math.min(32, memory.size - Number(offset))))
  return bigintFromBytes(word)
}

const balanceOf = (world: World, address: bigint): bigint => world.account(address).balance

const hexOf = (address: bigint): string => toHex(addressBytes(address))
