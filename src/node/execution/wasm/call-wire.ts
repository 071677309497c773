// Encoding of a message call for the engine's module, and of its result. The other side is native/engine/src/call.rs.
import type { AccessListEntry } from '../../model/transaction'
import type { ExecutionHeader } from '../engine'
import { putHeader, putTransaction, Reader, Writer } from './wire'

const END_RETURNED = 0
const END_FAILED = 2

/** State that a caller puts in place of the stored one; null = as stored. */
export interface OverriddenAccount {
  /** 20 bytes */
  readonly address: Uint8Array
  readonly nonce: bigint | null
  readonly balance: bigint | null
  readonly code: Uint8Array | null
  /** All of its storage: keys and values of 32 bytes. */
  readonly state: readonly (readonly [Uint8Array, Uint8Array])[] | null
}

/** An unsigned message and the block it runs in. */
export interface WireCall {
  /** 32 bytes: names the state that is read, whose values the module keeps between calls. */
  readonly stateRoot: Uint8Array
  readonly header: ExecutionHeader
  readonly chainId: bigint
  /** 20 bytes */
  readonly from: Uint8Array
  /** 20 bytes; null = creation */
  readonly to: Uint8Array | null
  readonly gas: bigint
  /** wei per gas */
  readonly gasPrice: bigint
  readonly value: bigint
  readonly data: Uint8Array
  readonly accessList: readonly AccessListEntry[]
  readonly overrides: readonly OverriddenAccount[]
}

/** Why code failed, as far as the module can tell; numbers as in call.rs (Fault). */
export type WireFault = 'other' | 'gas' | 'jump' | 'stack' | 'opcode' | 'code size' | 'collision'

const FAULTS: readonly WireFault[] = ['other', 'gas', 'jump', 'stack', 'opcode', 'code size', 'collision']

/** The instruction at which the outermost code failed, before it ran. */
export interface WireStep {
  readonly opcode: number
  /** Words on the stack. */
  readonly height: number
}

/** How a call ended. */
export interface WireCallResult {
  /** After refunds. */
  readonly gasUsed: bigint
  /** Before refunds. */
  readonly gasSpent: bigint
  readonly output: Uint8Array
  readonly isRevert: boolean
  /** Null unless it failed otherwise than by reverting. */
  readonly failure: { readonly fault: WireFault; readonly step: WireStep | null } | null
}

/** For `run_call`. */
export function encodeCall(call: WireCall): Uint8Array {
  const out = new Writer()
  out.bytes(call.stateRoot)
  putHeader(out, call.header, call.chainId)
  const { gasPrice, gas: gasLimit, to, value, data, accessList } = call
  const type = accessList.length === 0 ? 0 : 1
  putTransaction(out, { type, nonce: 0n, gasPrice, gasLimit, to, value, data, accessList }, call.from)
  out.count(call.overrides.length)
  for (const { address, nonce, balance, code, state } of call.overrides) {
    out.bytes(address)
    for (const present of [nonce, balance, code, state].map((part) => part !== null)) out.byte(present ? 1 : 0)
    if (nonce !== null) out.long(nonce)
    if (balance !== null) out.word(balance)
    if (code !== null) out.blob(code)
    if (state !== null) {
      out.count(state.length)
      for (const pair of state) for (const word of pair) out.bytes(word)
    }
  }
  return out.done()
}

/** The result of a call that ran. */
export function decodeCallResult(bytes: Uint8Array): WireCallResult {
  const from = new Reader(bytes)
  const [end, gasUsed, gasSpent, output] = [from.byte(), from.long(), from.long(), from.blob()]
  const isRevert = end !== END_RETURNED && end !== END_FAILED
  if (end !== END_FAILED) return { gasUsed, gasSpent, output, isRevert, failure: null }
  const [fault, hasStep, opcode, height] = [from.byte(), from.byte(), from.byte(), from.count()]
  const step = hasStep === 1 ? { opcode, height } : null
  return { gasUsed, gasSpent, output, isRevert, failure: { fault: FAULTS[fault] ?? 'other', step } }
}

/** Reason number and balance of a call that couldn't start. */
export function decodeCallRefusal(bytes: Uint8Array): { readonly isIntrinsic: boolean; readonly balance: bigint } {
  const from = new Reader(bytes)
  const isIntrinsic = from.byte() === INTRINSIC_GAS
  from.long()
  return { isIntrinsic, balance: from.word() }
}

const INTRINSIC_GAS = 7
