// A transaction's calls in Otterscan's form. Source: Otterscan's description of its JSON-RPC extensions
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import { addressBytes } from '../../execution/word'
import { type FlatCall, isUndone } from '../flat/flat-calls'
import type { FlatRun } from '../flat/flat-stage'

/** Codes of the operation kinds. */
const TRANSFER = 0
const DESTRUCTION = 1
const CREATION = 2
const SALTED_CREATION = 3

/** What moved or created something within a transaction, without reverted operations. */
export function operationsOf({ tracer }: FlatRun) {
  return tracer.calls.flatMap((call) => {
    const type = call.path.length === 0 || isUndone(call) ? null : operationType(call)
    if (type === null) return []
    return [{ type, from: hexOf(call.from), to: hexOf(call.to), value: toQuantity(call.value) }]
  })
}

function operationType({ kind, value }: FlatCall): number | null {
  if (kind === 'CREATE') return CREATION
  if (kind === 'CREATE2') return SALTED_CREATION
  if (kind === 'SELFDESTRUCT') return DESTRUCTION
  return kind === 'CALL' && value > 0n ? TRANSFER : null
}

/** Every call in the order in which it began. */
export function callEntriesOf({ tracer }: FlatRun) {
  return tracer.calls.map(({ kind, path, from, to, value, input, end }) => ({
    type: kind,
    depth: path.length,
    from: hexOf(from),
    to: hexOf(to),
    value: kind === 'STATICCALL' || kind === 'DELEGATECALL' ? null : toQuantity(value),
    input: toHex(input),
    output: toHex(end.output),
  }))
}

/** Its revert data; `0x` also for a failure without any. */
export function revertDataOf({ result }: FlatRun): string {
  return result.isRevert ? toHex(result.output) : '0x'
}

const hexOf = (address: bigint): string => toHex(addressBytes(address))
