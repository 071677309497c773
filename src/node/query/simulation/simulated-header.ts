// Headers of simulated blocks: the caller's fields, the rest derived from the parent.

import { BLOOM_BYTES } from '../../model/bloom'
import { type BlockHeader, blockHash } from '../../model/header'
import { EMPTY_TRIE_ROOT } from '../../trie/trie'
import type { BlockOverride } from '../query-wire'
import { refusedAs, SIMULATION } from './refusals'

/** How far above its base block one request may reach. */
const MAX_BLOCKS = 256
/** default seconds between a block and its parent */
const STEP_SECONDS = 12n

const ZERO = new Uint8Array(32)

/** A block before its transactions; skipped heights become empty blocks. */
export interface Planned<T> {
  readonly header: BlockHeader
  /** Null: nothing was requested of it. */
  readonly asked: T | null
}

/** In order, with gaps filled. Hashes and roots aren't final. @throws RpcFault RPC_SIMULATION_REFUSED */
export function planned<T extends { readonly block: BlockOverride }>(
  base: BlockHeader,
  asked: readonly T[],
): readonly Planned<T>[] {
  const plan: Planned<T>[] = []
  let last = base
  const add = (header: BlockHeader, of: T | null): void => {
    plan.push({ header, asked: of })
    last = header
  }
  for (const one of asked) {
    const number = one.block.number ?? last.number + 1n
    if (number <= last.number)
      throw refusedAs(SIMULATION.blockNumber, `block numbers must be in order: ${number} <= ${last.number}`)
    if (number - base.number > BigInt(MAX_BLOCKS))
      throw refusedAs(SIMULATION.limit, `too many blocks: ${number - base.number}, at most ${MAX_BLOCKS}`)
    while (last.number + 1n < number) add(nextHeader(last, {}), null)
    const header = nextHeader(last, one.block)
    if (header.timestamp <= last.timestamp)
      throw refusedAs(
        SIMULATION.blockTime,
        `block timestamps must be in order: ${header.timestamp} <= ${last.timestamp}`,
      )
    add(header, one)
  }
  return plan
}

function nextHeader(before: BlockHeader, { time, gasLimit, feeRecipient, difficulty }: BlockOverride): BlockHeader {
  return {
    parentHash: ZERO,
    coinbase: feeRecipient ?? before.coinbase,
    stateRoot: ZERO,
    txRoot: EMPTY_TRIE_ROOT,
    receiptRoot: EMPTY_TRIE_ROOT,
    logsBloom: new Uint8Array(BLOOM_BYTES),
    difficulty: difficulty ?? before.difficulty,
    number: before.number + 1n,
    gasLimit: gasLimit ?? before.gasLimit,
    gasUsed: 0n,
    timestamp: time ?? before.timestamp + STEP_SECONDS,
    epochStartTime: before.epochStartTime,
    extraData: new Uint8Array(0),
    mixHash: ZERO,
    nonce: 0n,
  }
}

/** Completes a header from its transactions' results. */
export function sealed(header: BlockHeader, parts: Partial<BlockHeader>) {
  const whole = { ...header, ...parts }
  return { header: whole, hash: blockHash(whole) }
}
