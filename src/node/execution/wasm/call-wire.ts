// Encoding of a message call for the engine's module, and of its result. The other side is native/engine/src/call.rs.
import type { AccessListEntry } from '../../model/transaction'
import type { ExecutionHeader } from '../engine'
import { putHeader, putTransaction, Reader, Writer } from './wire'

const END_RETURNED = 0
const END_FAILED = 2

/** State that a caller puts in place of the stored one; null = as stored. */
interface OverriddenAccount {
  /** 20 bytes */
  readonly address: Uint8Array
  readonly nonce: bigint | null
  readonly balance: bigint | null
  readonly code: Uint8Array | null
  /** All of its storage: keys and values of 32 bytes. */
  readonly state: readonly (readonly [Uint8Array, Uint8Array])[] | null
}

interface WireCallBlock {
  /** 32 bytes: identifies the state that is read, whose values the module keeps between calls. */
  readonly stateRoot: Uint8Array
  readonly header: ExecutionHeader
  readonly chainId: bigint
}

export interface WireCall {
  /** 20 bytes */
  readonly from: Uint8Array
  /** 20 bytes; null = creation */
  readonly to: Uint8Array | null
  readonly gas: number
  /** wei per gas */
  readonly gasPrice: bigint
  readonly value: bigint
  readonly data: Uint8Array
  readonly accessList: readonly AccessListEntry[]
  readonly overrides: readonly OverriddenAccount[]
}

/** By number, as in call.rs (Fault). */
const FAULTS = ['other', 'jump', 'code size', 'collision'] as const

/** Why code failed, as far as the module can tell. */
export type WireFault = (typeof FAULTS)[number]

export interface WireCallResult {
  /** After refunds. */
  readonly gasUsed: number
  /** Before refunds. */
  readonly gasSpent: number
  readonly output: Uint8Array
  readonly isRevert: boolean
  /** Null unless it failed in another way than by reverting. */
  readonly failure: WireFault | null
}

/** The part of `run_call`'s input that calls in one block share. */
export function encodeCallBlock({ stateRoot, header, chainId }: WireCallBlock): Uint8Array {
  const out = new Writer()
  out.bytes(stateRoot)
  putHeader(out, header, chainId)
  return out.done()
}

/** Behind the first byte of `run_call`, or the options of `trace_call`. @param block of `encodeCallBlock` */
export function putCall(out: Writer, block: Uint8Array, call: WireCall): void {
  out.bytes(block)
  const { gasPrice, to, value, data, accessList } = call
  const type = accessList.length === 0 ? 0 : 1
  const gasLimit = BigInt(call.gas)
  putTransaction(out, { type, nonce: 0n, gasPrice, gasLimit, to, value, data, accessList }, call.from)
  out.count(call.overrides.length)
  for (const { address, nonce, balance, code, state } of call.overrides) {
    out.bytes(address)
    for (const part of [nonce, balance, code, state]) out.byte(part === null ? 0 : 1)
    if (nonce !== null) out.long(nonce)
    if (balance !== null) out.word(balance)
    if (code !== null) out.blob(code)
    if (state !== null) {
      out.count(state.length)
      for (const pair of state) for (const word of pair) out.bytes(word)
    }
  }
}

export function decodeCallResult(bytes: Uint8Array): WireCallResult {
  const from = new Reader(bytes)
  const end = from.byte()
  const gasUsed = from.whole()
  const gasSpent = from.whole()
  const output = from.blob()
  if (end !== END_FAILED) return { gasUsed, gasSpent, output, isRevert: end !== END_RETURNED, failure: null }
  return { gasUsed, gasSpent, output, isRevert: false, failure: FAULTS[from.byte()] ?? 'other' }
}

/** Reason and balance of a call that couldn't start. */
export function decodeCallRefusal(bytes: Uint8Array): { readonly isIntrinsic: boolean; readonly balance: bigint } {
  const from = new Reader(bytes)
  const isIntrinsic = from.byte() === INTRINSIC_GAS
  from.long()
  return { isIntrinsic, balance: from.word() }
}

/** As in transition.rs (Reason). */
const INTRINSIC_GAS = 7
