// What a transaction would do in the next block: whether it succeeds, how the balances of sender and recipient
// change, and the token events it emits. For the approval view; run on a world that is reverted.
import { toHex } from '../../base/hex'
import { applyMessage } from '../execution/interpreter/transition'
import { addressBytes } from '../execution/interpreter/word'
import type { World } from '../execution/interpreter/world'
import type { CallArguments } from './query-wire'
import { messageOf, reasonOf, withWorld } from './run-call'
import type { QueryLimits, QuerySession } from './session'
import { TokenTracer, type Told } from './token-tracer'

/** Of each kind. */
const MAX_TOLD = 20
/** Characters of a reason: a contract may return megabytes. */
const MAX_REASON = 500

/** Seconds until the next block, and what the second run changes besides. */
const NEXT_BLOCK = { blocks: 1n, seconds: 13n, coinbase: null } as const
const OTHER_BLOCK = { blocks: 8n, seconds: 911n, coinbase: new Uint8Array(20).fill(0x5a) } as const

interface Environment {
  readonly blocks: bigint
  readonly seconds: bigint
  /** Null = as in the head. */
  readonly coinbase: Uint8Array | null
}

/**
 * Run in the block after the head, where it would be mined at the earliest, and once more in a later one with another
 * miner, time and difficulty: a contract that behaves well only while it is watched shows itself by the difference.
 * @returns JSON text; the host's adapter parses it with `simulationAnswer`
 */
export function simulate(session: QuerySession, call: CallArguments, limits: QueryLimits): string {
  const block = session.blocks().find({ kind: 'tag', tag: 'latest' })
  const message = messageOf(call, session.options.gasCap)
  const run = { session, block, message, deadline: session.callDeadline(limits) }
  const next = outcomeIn(run, NEXT_BLOCK)
  const other = outcomeIn(run, OTHER_BLOCK)
  const dependsOnBlock = JSON.stringify(next.effects) !== JSON.stringify(other.effects)
  return JSON.stringify({ block: Number(block.header.number), ...next.told, dependsOnBlock })
}

interface SimulatedRun {
  readonly session: QuerySession
  readonly block: ReturnType<ReturnType<QuerySession['blocks']>['find']>
  readonly message: ReturnType<typeof messageOf>
  readonly deadline: ReturnType<QuerySession['callDeadline']>
}

/** What is told of a run, and what of it must be the same in any block: the fee isn't part of that. */
function outcomeIn({ session, block, message, deadline }: SimulatedRun, { blocks, seconds, coinbase }: Environment) {
  const tracer = new TokenTracer()
  const parties = message.to === null || message.to === message.from ? [message.from] : [message.from, message.to]
  const { header: head, base } = block
  const header = {
    ...head,
    number: head.number + blocks,
    timestamp: head.timestamp + seconds,
    difficulty: coinbase === null ? head.difficulty : head.difficulty + 1n,
    coinbase: coinbase ?? head.coinbase,
  }
  return withWorld(session.keptWorld(block), (world) => {
    const before = parties.map((address) => balanceOf(world, address))
    const machine = session.machine({ header, base, world, message, tracer, isOver: deadline.isOver })
    const applied = applyMessage(machine, message)
    deadline.check(machine)
    if (applied.kind === 'refused') {
      const nothing = { gasUsed: 0, balances: [], ...listed([], 0) }
      const told = { outcome: 'refused', reason: applied.reason, ...nothing }
      return { told, effects: told }
    }
    const { result } = applied
    // The head's miner got the fee here; in reality the next block's miner will, so it doesn't count as a gain.
    const fee = BigInt(result.gasUsed) * message.gasPrice
    const changes = parties.map((address, index) => {
      const gain = balanceOf(world, address) - (before[index] ?? 0n)
      return { address, change: address === machine.block.coinbase ? gain - fee : gain }
    })
    const said = {
      outcome: result.error === null ? 'succeeded' : 'reverted',
      reason: result.error === null ? '' : reasonOf(result).slice(0, MAX_REASON),
      ...(result.error === null ? listed(tracer.told, tracer.otherLogs) : listed([], 0)),
    }
    const balances = changes.map(({ address, change }) => ({ address: hexOf(address), change: change.toString() }))
    const moved = changes.map(({ address, change }) => (address === message.from ? change + fee : change).toString())
    return { told: { ...said, gasUsed: result.gasUsed, balances }, effects: { ...said, moved } }
  })
}

function listed(told: readonly Told[], otherLogs: number) {
  const moves = told.flatMap(({ move }) => move ?? [])
  const grants = told.flatMap(({ grant }) => grant ?? [])
  return {
    tokens: moves.slice(0, MAX_TOLD),
    moreTokens: Math.max(0, moves.length - MAX_TOLD),
    grants: grants.slice(0, MAX_TOLD),
    moreGrants: Math.max(0, grants.length - MAX_TOLD),
    otherLogs,
  }
}

const balanceOf = (world: World, address: bigint): bigint => world.account(address).balance

const hexOf = (address: bigint): string => toHex(addressBytes(address))
