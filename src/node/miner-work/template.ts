// A block without its seal: header fields by the building rules, transactions from the pool, roots from executing them.
// Source: prlx miner/worker.go
import type { Clock } from '../../base/time'
import type { Chain, ChainHead } from '../chain/chain'
import type { ChainReads } from '../chain/chain-store'
import { nextDifficulty } from '../consensus/difficulty'
import { epochStartTimeOf, medianTimePast, recentTimestamps, stepGasLimit } from '../consensus/header-rules'
import type { ConsensusParams } from '../consensus/params'
import type { BuiltBlock, CandidateQueue, ExecutionEngine } from '../execution/engine'
import { type Block, createBlock, transactionRoot } from '../model/block'
import { type BlockHeader, sealHash } from '../model/header'
import type { StoreReader } from '../store/store'
import type { MiningSettings } from './mining-settings'

/** Lower bound of a template's timestamp when the clock is behind: the parent's time (prlx) or the rules' median. */
export type TimeFloor = 'parent' | 'median'

interface TemplateSources {
  readonly chain: Chain
  readonly engine: ExecutionEngine
  readonly settings: MiningSettings
  readonly clock: Clock
}

interface TemplateInput {
  readonly params: ConsensusParams
  readonly head: ChainHead
  readonly reads: ChainReads
  /** The head's state. */
  readonly state: StoreReader
  readonly engine: ExecutionEngine
  readonly coinbase: Uint8Array
  /** at most 32 bytes */
  readonly extraData: Uint8Array
  readonly gasLimitGoal: bigint
  readonly timeFloor: TimeFloor
  /** unix seconds */
  readonly nowSeconds: bigint
  readonly candidates: CandidateQueue
}

/** A block ready to be mined. */
export interface Template {
  /** mixHash and nonce are zero until it is sealed. */
  readonly block: Block
  /** 32 bytes */
  readonly sealHash: Uint8Array
}

export function inputOf(
  { chain, engine, settings, clock }: TemplateSources,
  rest: Pick<TemplateInput, 'coinbase' | 'timeFloor' | 'candidates'>,
): TemplateInput {
  const { params, head, reads, store: state } = chain
  const { extraData, gasLimitGoal } = settings.values
  const nowSeconds = BigInt(Math.floor(clock.now() / 1000))
  return { params, head, reads, state, engine, extraData, gasLimitGoal, nowSeconds, ...rest }
}

/** A template on top of `head`. */
export async function buildTemplate(input: TemplateInput): Promise<Template> {
  const { block } = await buildUnsealed(input)
  return { block, sealHash: sealHash(block.header) }
}

/** The same with the result of its execution. */
export async function buildUnsealed(
  input: TemplateInput,
): Promise<{ readonly block: Block; readonly built: BuiltBlock }> {
  const { head, reads, coinbase, extraData } = input
  const parent = head.header
  const number = parent.number + 1n
  const timestamp = templateTime(parent, input)
  const difficulty = nextDifficulty(input.params, parent, (from, at) => reads.ancestor(from, at))
  if (difficulty === null) throw new RangeError(`an ancestor of block ${number} is missing`)
  const gasLimit = stepGasLimit(parent.gasLimit, input.gasLimitGoal)
  const built = await input.engine.buildBlock(
    {
      state: input.state,
      parentRoot: parent.stateRoot,
      header: { number, timestamp, coinbase, difficulty, gasLimit },
      ancestorHash: (at) => reads.canonicalHash(at),
    },
    input.candidates,
  )
  const header: BlockHeader = {
    parentHash: head.hash,
    coinbase,
    stateRoot: built.changes.stateRoot,
    txRoot: transactionRoot(built.transactions),
    receiptRoot: built.receiptRoot,
    logsBloom: built.logsBloom,
    difficulty,
    number,
    gasLimit,
    gasUsed: built.gasUsed,
    timestamp,
    epochStartTime: epochStartTimeOf(input.params, parent, { number, timestamp }),
    extraData,
    mixHash: new Uint8Array(32),
    nonce: 0n,
  }
  return { block: createBlock(header, built.transactions), built }
}

/** Now, or later when the lower bound or the median rule requires it. */
export function templateTime(
  parent: BlockHeader,
  input: Pick<TemplateInput, 'timeFloor' | 'nowSeconds'> & { readonly reads: Pick<ChainReads, 'ancestor'> },
): bigint {
  const { nowSeconds, reads, timeFloor } = input
  const median = medianTimePast(recentTimestamps(parent, (from, at) => reads.ancestor(from, at)))
  const floor = timeFloor === 'parent' && parent.timestamp > median ? parent.timestamp : median
  return nowSeconds > floor ? nowSeconds : floor + 1n
}
