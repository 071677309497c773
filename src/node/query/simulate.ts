// What a transaction would do to the head's state: whether it succeeds, how the balances of sender and recipient
// change, and the token events it emits. For the approval view; run on a world that is reverted.
import { toHex } from '../../base/hex'
import { applyMessage } from './evm/transition'
import { addressBytes } from './evm/word'
import type { World } from './evm/world'
import type { CallArguments } from './query-wire'
import { messageOf, reasonOf, withWorld } from './run-call'
import type { QueryLimits, QuerySession } from './session'
import { TokenTracer, type Told } from './token-tracer'

/** Of each kind. */
const MAX_TOLD = 20
/** Characters of a reason: a contract may return megabytes. */
const MAX_REASON = 500

/** JSON text; the host's adapter parses it with `simulationAnswer`. */
export function simulate(session: QuerySession, call: CallArguments, limits: QueryLimits): string {
  const block = session.blocks().find({ kind: 'tag', tag: 'latest' })
  const message = messageOf(call, session.options.gasCap)
  const deadline = session.callDeadline(limits)
  const tracer = new TokenTracer()
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
        ...listed([], 0),
      })
    const { result } = applied
    // The head's miner got the fee here; in reality the next block's miner will, so it doesn't count as a gain.
    const fee = BigInt(result.gasUsed) * message.gasPrice
    const balances = parties.map((address, index) => {
      const gain = balanceOf(world, address) - (before[index] ?? 0n)
      return { address: hexOf(address), change: (address === machine.block.coinbase ? gain - fee : gain).toString() }
    })
    return JSON.stringify({
      ...place,
      outcome: result.error === null ? 'succeeded' : 'reverted',
      reason: result.error === null ? '' : reasonOf(result).slice(0, MAX_REASON),
      gasUsed: result.gasUsed,
      balances,
      ...(result.error === null ? listed(tracer.told, tracer.otherLogs) : listed([], 0)),
    })
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
