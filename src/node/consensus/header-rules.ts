// Validates a header against its parent: every rule but the seal, in the reference's order and with its messages.
// Source: prlx consensus/xhash/consensus.go (verifyHeader); vectors chain-*/invalid.json
import type { BlockHeader } from '../model/header'
import { type AncestorLookup, nextDifficulty } from './difficulty'
import { gasLimitFault, MAXIMUM_GAS_LIMIT } from './gas-limit'
import { MEDIAN_BLOCKS, medianTimePast, startsPeriod } from './header-time'
import type { ConsensusParams } from './params'

export const MAX_EXTRA_DATA_BYTES = 32

/** What a header is validated against. */
export interface HeaderContext {
  readonly params: ConsensusParams
  /** Null when unknown. */
  readonly parent: BlockHeader | null
  /** Ancestors on the branch of the header under test. */
  readonly ancestor: AncestorLookup<BlockHeader>
  /** unix seconds of our clock */
  readonly nowSeconds: bigint
}

/** Null when `header` satisfies all rules (the seal is checked elsewhere), else the message of the first violation. */
export function headerFault(header: BlockHeader, context: HeaderContext): string | null {
  const { parent } = context
  if (parent === null) return 'unknown ancestor'
  return (
    extraDataFault(header) ??
    timeFault(header, parent, context) ??
    periodFault(header, parent, context.params) ??
    difficultyFault(header, parent, context) ??
    gasFault(header, parent) ??
    (header.number === parent.number + 1n ? null : 'invalid block number')
  )
}

/** The timestamps, of `parent` and its ancestors, that enter the median. */
export function recentTimestamps(parent: BlockHeader, ancestor: AncestorLookup<BlockHeader>): readonly bigint[] {
  const times = [parent.timestamp]
  for (let back = 1n; back < MEDIAN_BLOCKS && back <= parent.number; back++) {
    const header = ancestor(parent, parent.number - back)
    if (header === null) break
    times.push(header.timestamp)
  }
  return times
}

function extraDataFault(header: BlockHeader): string | null {
  const length = header.extraData.length
  return length > MAX_EXTRA_DATA_BYTES ? `extra-data too long: ${length} > ${MAX_EXTRA_DATA_BYTES}` : null
}

function timeFault(header: BlockHeader, parent: BlockHeader, context: HeaderContext): string | null {
  if (header.timestamp > context.nowSeconds + BigInt(context.params.futureLimitSeconds)) return 'block in the future'
  const median = medianTimePast(recentTimestamps(parent, context.ancestor))
  return header.timestamp > median ? null : 'timestamp older than parent'
}

function periodFault(header: BlockHeader, parent: BlockHeader, params: ConsensusParams): string | null {
  const have = header.epochStartTime
  if (startsPeriod(params, header.number))
    return have === header.timestamp ? null : `epoch anchor mismatch: want ${header.timestamp}, have ${have}`
  if (have === parent.epochStartTime) return null
  return `epoch anchor propagation mismatch: parent ${parent.epochStartTime}, header ${have}`
}

function difficultyFault(header: BlockHeader, parent: BlockHeader, context: HeaderContext): string | null {
  const want = nextDifficulty(context.params, parent, context.ancestor)
  if (want === null) return 'unknown ancestor'
  if (header.difficulty === want) return null
  return `invalid difficulty: have ${header.difficulty}, want ${want}, height ${header.number}`
}

function gasFault(header: BlockHeader, parent: BlockHeader): string | null {
  if (header.gasLimit > MAXIMUM_GAS_LIMIT) return `invalid gasLimit: have ${header.gasLimit}, max ${MAXIMUM_GAS_LIMIT}`
  if (header.gasUsed > header.gasLimit) return `invalid gasUsed: have ${header.gasUsed}, gasLimit ${header.gasLimit}`
  if (header.baseFeePerGas !== undefined)
    return `invalid baseFee before fork: have ${header.baseFeePerGas}, expected 'nil'`
  return gasLimitFault(parent.gasLimit, header.gasLimit)
}
