// Flat calls as the JSON objects of the trace namespace. Source: OpenEthereum's trace module as documented by Erigon
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import type { payoutOf } from '../../execution/payout'
import { addressHex } from '../encoding'
import { type FlatCall, isCreation } from './flat-calls'

export interface FlatPlace {
  /** 32 bytes */
  readonly blockHash: Uint8Array
  readonly blockNumber: bigint
  readonly transaction: { readonly hash: Uint8Array; readonly index: number } | null
}

/** A block's payout. */
export type Payout = NonNullable<ReturnType<typeof payoutOf>>

/** Without its position, as in replays. */
export function flatView(call: FlatCall) {
  const { kind, subtraces, path: traceAddress } = call
  const shape = { subtraces, traceAddress }
  if (kind === 'SELFDESTRUCT') return { action: destructionOf(call), result: null, ...shape, type: 'suicide' }
  const { error } = call.end
  return {
    action: isCreation(call) ? creationOf(call) : callOf(call),
    ...(error === null ? {} : { error: isRevert(call) ? 'Reverted' : error }),
    result: resultOf(call),
    ...shape,
    type: isCreation(call) ? 'create' : 'call',
  }
}

/** With its position. */
export function placedView(call: FlatCall, place: FlatPlace) {
  return { ...flatView(call), ...placeView(place) }
}

/** The subsidy paid by a block, as the last entry of its list. */
export function rewardView({ receiver, amount }: Payout, place: FlatPlace) {
  return {
    action: { author: toHex(receiver), rewardType: 'block', value: toQuantity(amount) },
    result: null,
    subtraces: 0,
    traceAddress: [],
    type: 'reward',
    ...placeView(place),
  }
}

function placeView({ blockHash, blockNumber, transaction }: FlatPlace) {
  return {
    blockHash: toHex(blockHash),
    blockNumber: Number(blockNumber),
    transactionHash: transaction === null ? null : toHex(transaction.hash),
    transactionPosition: transaction?.index ?? null,
  }
}

function callOf({ kind, from, to, gas, input, value }: FlatCall) {
  return {
    callType: kind.toLowerCase(),
    from: addressHex(from),
    gas: toQuantity(gas),
    input: toHex(input),
    to: addressHex(to),
    value: toQuantity(value),
  }
}

function creationOf({ kind, from, gas, input, value }: FlatCall) {
  return {
    from: addressHex(from),
    creationMethod: kind.toLowerCase(),
    gas: toQuantity(gas),
    init: toHex(input),
    value: toQuantity(value),
  }
}

function destructionOf({ from, to, value }: FlatCall) {
  return { address: addressHex(from), balance: toQuantity(value), refundAddress: addressHex(to) }
}

/** Null for a call that failed without a result. */
function resultOf(call: FlatCall) {
  const { output, gasUsed, error } = call.end
  if (error !== null && !isRevert(call)) return null
  const used = { gasUsed: toQuantity(gasUsed) }
  return isCreation(call)
    ? { address: addressHex(call.to), code: toHex(output), ...used }
    : { ...used, output: toHex(output) }
}

function isRevert({ end }: FlatCall): boolean {
  return end.error === 'execution reverted'
}
