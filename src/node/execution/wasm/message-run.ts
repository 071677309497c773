// One message in the module: called, traced, repeated on the way to a traced one, or run on a world. The other side is
// native/engine/src/trace/run.rs.
import type { Message, MessageResult } from '../message'
import type { Tracer } from '../tracer'
import { addressBytes } from '../word'
import { decodeCallRefusal } from './call-wire'
import type { EngineHost, EngineInstance } from './instance'
import { TracerNews, wantsOf } from './told'
import { putTraceOptions, type WireTraceOptions } from './trace-wire'
import { decodeFailure, failureOf, putTransaction, Reader, type Writer } from './wire'

const DONE = 0
const REFUSED = 1
const FAILED = 2
const STOPPED = 3

export type MessageEnd =
  /** `result`: what the module wrote, in the function's own form. */
  | { readonly kind: 'done'; readonly result: Uint8Array }
  | Unfinished
  /** The tracer may hold no more. */
  | { readonly kind: 'full' }

export type Unfinished =
  /** It couldn't start; `balance` is the sender's. */
  | { readonly kind: 'refused'; readonly isIntrinsic: boolean; readonly balance: bigint }
  /** The host stopped it. */
  | { readonly kind: 'stopped' }

/** Functions of the module that run a message. */
type MessageFunction = 'run_call' | 'run_message' | 'advance' | 'trace_transaction'

/** @param input encoded @throws what `host` throws; ExecutionError ENGINE_TRAPPED, ENGINE_FAULT */
export function runMessage(
  instance: EngineInstance,
  name: MessageFunction,
  { host, input }: { readonly host: EngineHost; readonly input: Uint8Array },
): MessageEnd {
  instance.attach(host)
  try {
    instance.makeRoom()
    const answer = instance.run((engine) => engine[name](instance.put(input), input.length))
    if (answer === DONE) return { kind: 'done', result: instance.result() }
    if (answer === REFUSED) return { kind: 'refused', ...decodeCallRefusal(instance.result()) }
    if (answer === FAILED) throw failureOf(decodeFailure(instance.result()))
    return { kind: answer === STOPPED ? 'stopped' : 'full' }
  } finally {
    instance.attach(null)
  }
}

/** A slot that counts as changed by the message itself, before its first instruction. */
export interface ChangedSlot {
  /** 20 bytes */
  readonly address: Uint8Array
  readonly key: bigint
  readonly value: bigint
}

/** What a message did to the accounts that it touched. */
export type MessageChanges = readonly {
  /** 20 bytes */
  readonly address: Uint8Array
  readonly isDestructed: boolean
  readonly isCreated: boolean
  readonly nonce: bigint
  readonly balance: bigint
  /** 32 bytes */
  readonly codeHash: Uint8Array
  /** Of a new contract; null for others. */
  readonly code: Uint8Array | null
  readonly slots: readonly { readonly key: bigint; readonly before: bigint; readonly after: bigint }[]
}[]

/** Built-in contracts by where a message has them; the value is their own address. 160 bits each. */
export type BuiltIns = ReadonlyMap<bigint, bigint>

interface WorldMessage {
  /** Of `encodeCallBlock`, under the world's name. */
  readonly block: Uint8Array
  readonly message: Message
  readonly changed: readonly ChangedSlot[]
  /** Null: where they are by the rules. */
  readonly builtIns: BuiltIns | null
  /** 32 bytes: whoever recovers its signer gets what stands in place of `r`. Only where built-in contracts are moved. */
  readonly signed: Uint8Array | null
  /** A tracer of the module, whose text `host.write` takes. */
  readonly options: WireTraceOptions | null
  readonly tracer: Tracer | null
  /** Whether the code's knowledge of its gas is asked for. */
  readonly seesGas: boolean
}

export interface WorldMessageResult {
  readonly result: MessageResult
  readonly changes: MessageChanges
  /** The code could tell how much gas it had. */
  readonly seesGas: boolean
  /** How much less gas every SSTORE would have taken, apart from its price. */
  readonly storeSlack: number
  /** The end of the trace. */
  readonly rest: Uint8Array
}

/** @throws as runMessage */
export function runOnWorld(
  { instance, input }: { readonly instance: EngineInstance; readonly input: Writer },
  run: WorldMessage,
  host: EngineHost,
): { readonly kind: 'done'; readonly done: WorldMessageResult } | Exclude<MessageEnd, { kind: 'done' }> {
  input.reset()
  putTraceOptions(input, run.options, wantsOf(run.tracer, run.seesGas))
  input.bytes(run.block)
  putMessage(input, run.message)
  input.count(0)
  putBuiltIns(input, run)
  input.count(run.changed.length)
  for (const { address, key, value } of run.changed) {
    input.bytes(address)
    input.word(key)
    input.word(value)
  }
  const news = run.tracer === null ? null : new TracerNews(run.tracer, instance)
  const tell: NonNullable<EngineHost['tell']> = (kind, pointer, length) => news?.take(kind, pointer, length)
  const end = runMessage(instance, 'run_message', { host: { ...host, tell }, input: input.done() })
  return end.kind === 'done' ? { kind: 'done', done: decodeDone(end.result) } : end
}

function putMessage(out: Writer, message: Message): void {
  const { gas, gasPrice, value, data, accessList } = message
  const to = message.to === null ? null : addressBytes(message.to)
  const type = accessList.length === 0 ? 0 : 1
  const tx = { type, nonce: 0n, gasPrice, gasLimit: BigInt(gas), to, value, data, accessList } as const
  putTransaction(out, tx, addressBytes(message.from))
}

function putBuiltIns(out: Writer, { builtIns, signed }: WorldMessage): void {
  out.byte(builtIns === null ? 0 : 1)
  if (builtIns === null) return
  out.count(builtIns.size)
  for (const place of builtIns) for (const address of place) out.bytes(addressBytes(address))
  out.byte(signed === null ? 0 : 1)
  if (signed !== null) out.bytes(signed)
}

function decodeDone(bytes: Uint8Array): WorldMessageResult {
  const from = new Reader(bytes)
  const [isRevert, isFailed] = [from.byte() === 1, from.byte() === 1]
  const text = new TextDecoder().decode(from.blob())
  const [gasUsed, gasSpent, output] = [from.whole(), from.whole(), from.blob()]
  const result = { gasUsed, gasSpent, output, isRevert, error: isFailed ? text : null }
  const seesGas = from.byte() === 1
  const storeSlack = from.whole()
  from.count() // accounts and slots that it read
  const changes = from.list(readChange)
  return { result, changes, seesGas, storeSlack, rest: from.blob() }
}

function readChange(from: Reader): MessageChanges[number] {
  const address = from.bytes(20)
  const [isDestructed, isCreated, hasCode] = [from.byte() === 1, from.byte() === 1, from.byte() === 1]
  const [nonce, balance, codeHash] = [from.long(), from.word(), from.bytes(32)]
  const code = hasCode ? from.blob() : null
  const slots = from.list(() => ({ key: from.word(), before: from.word(), after: from.word() }))
  return { address, isDestructed, isCreated, nonce, balance, codeHash, code, slots }
}
