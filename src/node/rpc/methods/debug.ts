// debug_*: raw blocks, for comparing nodes.
import { fromHex, toHex } from '../../../base/hex'
import { isJsonObject } from '../../../base/json-text'
import { StreamedResult } from '../../../net/json-rpc/json-rpc'
import { fail, ok, type Result } from '../../codec/result'
import { firstItems } from '../../codec/rlp'
import { type BlockArgument, heightFromCaller } from '../../model/block-argument'
import type { BlockOverride, StateOverride, TraceOptions, TracerChoice } from '../../query/query-wire'
import { NAMED_SCRIPTS } from '../../query/scripts/named-scripts'
import { rpcFailed } from '../../rpc-fault'
import { blockIdOf } from '../arguments/block-argument'
import {
  blockOverridesParam,
  bundlesParam,
  callParam,
  overridesParam,
  stateContextParam,
} from '../arguments/call-params'
import {
  addressParam,
  blockNumberParam,
  blockParam,
  booleanParam,
  dataParam,
  hashParam,
  isWhole,
  numberParam,
  optional,
  type Param,
  quantity64,
} from '../arguments/params'
import { asked, method, type RpcContext, type RpcNamespace, streamed, untimed } from '../dispatch/method'
import { byHash } from './eth/transactions'

/** Options of each tracer that isn't a script; each is true or false. */
const TRACER_OPTIONS = {
  callTracer: ['onlyTopCall', 'withLog'],
  prestateTracer: ['diffMode', 'disableCode', 'disableStorage'],
  flatCallTracer: ['convertParityErrors', 'includePrecompiles'],
  '4byteTracer': [],
  noopTracer: [],
} as const satisfies Partial<Record<TraceOptions['tracer'], readonly string[]>>
type NamedTracer = keyof typeof TRACER_OPTIONS

/** Tracers in one `muxTracer`. */
const MAX_PARTS = 8
const MUX = 'muxTracer'

/** The options as given, with the time limit as text: an invalid one fails the method rather than the argument. */
interface TraceArguments {
  readonly options: Omit<TraceOptions, 'timeoutMs'>
  readonly timeout: string | null
  readonly overrides: StateOverride[]
  readonly block: BlockOverride
}

/** Of all tracers. `reexec` has no effect, since states aren't made again here; nor has `enableReturnData`, as in prlx. */
const OPTIONS: readonly string[] = [
  ...['tracer', 'tracerConfig', 'timeout', 'reexec', 'enableMemory', 'disableStack', 'disableStorage', 'limit'],
  'enableReturnData',
]
/** Options of prlx's that change nothing in an answer of ours when they are false. */
const EMPTY_OPTIONS: readonly string[] = ['debug', 'disablememory', 'disablereturndata']

export const NO_TRACE_OPTIONS: TraceArguments = {
  options: { tracer: 'structs', script: null, memory: false, stack: true, storage: true, limit: 0 },
  timeout: null,
  overrides: [],
  block: {},
}

/** @param more options besides `OPTIONS` */
const optionsParam = (...more: readonly ('stateOverrides' | 'blockOverrides')[]): Param<TraceArguments> => ({
  type: `trace options: an object with ${[...OPTIONS, ...more].join(', ')}`,
  absent: { value: NO_TRACE_OPTIONS },
  read: (value) => {
    if (!isJsonObject(value)) return fail('not an object of options')
    const given = new Map(Object.entries(value).map(([name, item]) => [name.toLowerCase(), item]))
    const unknown = unknownOption(value, [...OPTIONS, ...more])
    if (unknown !== null) return fail(unknown)
    const faults: string[] = []
    const member = <T>(name: string, fallback: T, isRight: (item: unknown) => item is T): T => {
      const item = given.get(name.toLowerCase())
      if (item === undefined || item === null) return fallback
      if (isRight(item)) return item
      faults.push(name)
      return fallback
    }
    const tracer = member<string | null>('tracer', null, isText)
    const chosen = readTracer(tracer, given.get('tracerconfig') ?? null)
    if (!chosen.ok) return fail(`tracerConfig: ${chosen.error}`)
    const options = {
      ...chosen.value,
      memory: member('enableMemory', false, isTruth),
      stack: !member('disableStack', false, isTruth),
      storage: !member('disableStorage', false, isTruth),
      limit: member('limit', 0, isWhole),
    }
    member('reexec', 0, isWhole) // ignored, but a wrong type is still an error
    const timeout = member<string | null>('timeout', null, isText)
    const overrides = overridesParam.read(given.get('stateoverrides') ?? null)
    if (!overrides.ok) return overrides
    const block = blockOverridesParam.read(given.get('blockoverrides') ?? null)
    if (!block.ok) return fail(`blockOverrides: ${block.error}`)
    const [fault] = faults
    return fault === undefined
      ? ok({ options, timeout, overrides: overrides.value, block: block.value })
      : fail(`${fault}: wrong type`)
  },
})

/** For a call. */
export const traceParam = optionsParam('stateOverrides', 'blockOverrides')
/** For calls in bundles, which override blocks themselves. */
export const bundleTraceParam = optionsParam('stateOverrides')
/** For transactions and blocks that were executed. */
export const replayParam = optionsParam()

function unknownOption(given: object, known: readonly string[]): string | null {
  const odd = Object.entries(given).find(([name, value]) => {
    const small = name.toLowerCase()
    const isEmpty = value === null || value === undefined || (EMPTY_OPTIONS.includes(small) && value === false)
    return !isEmpty && !known.some((one) => one.toLowerCase() === small)
  })
  return odd === undefined ? null : `unknown option ${JSON.stringify(odd[0].slice(0, 80))}: want ${known.join(', ')}`
}

type Chosen = Pick<TraceOptions, 'tracer' | 'script' | 'call' | 'prestate' | 'flat' | 'parts'>

/** @param name null: the default tracer */
function readTracer(name: string | null, config: unknown): Result<Chosen> {
  if (name === null) {
    const none = readFlags('the default tracer', [], config)
    return none.ok ? ok({ tracer: 'structs', script: null }) : none
  }
  return name === MUX ? readMux(config) : readPart(name, config)
}

function readMux(config: unknown): Result<Chosen> {
  if (!isJsonObject(config) || Object.keys(config).length === 0) return fail(`${MUX}: want an object of tracers`)
  const names = Object.keys(config)
  if (names.length > MAX_PARTS) return fail(`${MUX}: ${names.length} tracers, want at most ${MAX_PARTS}`)
  const parts: TracerChoice[] = []
  for (const name of names) {
    if (name === MUX) return fail(`${MUX}: can't contain itself`)
    const part = readPart(name, config[name] ?? null)
    if (!part.ok) return part
    parts.push({ name, ...part.value })
  }
  return ok({ tracer: MUX, script: null, parts })
}

/** A script of the caller's reads its configuration itself; prlx's have none. */
function readPart(name: string, config: unknown): Result<Omit<TracerChoice, 'name'>> {
  if (isNamed(name)) {
    const flags = readFlags(name, TRACER_OPTIONS[name], config)
    return flags.ok ? ok({ tracer: name, script: null, ...choiceOf(name, flags.value) }) : flags
  }
  if (NAMED_SCRIPTS.has(name)) {
    const none = readFlags(name, [], config)
    if (!none.ok) return none
  }
  return ok({ tracer: 'script', script: { source: name, config: JSON.stringify(config ?? {}) } })
}

function isNamed(name: string): name is NamedTracer {
  return Object.hasOwn(TRACER_OPTIONS, name)
}

function choiceOf(name: NamedTracer, isSet: (option: string) => boolean): Pick<Chosen, 'call' | 'prestate' | 'flat'> {
  const flags = <K extends string>(options: readonly K[]) =>
    Object.fromEntries(options.map((option) => [option, isSet(option)])) as Record<K, boolean>
  if (name === 'callTracer') return { call: flags(TRACER_OPTIONS.callTracer) }
  if (name === 'prestateTracer') return { prestate: flags(TRACER_OPTIONS.prestateTracer) }
  return name === 'flatCallTracer' ? { flat: flags(TRACER_OPTIONS.flatCallTracer) } : {}
}

/** Which of a tracer's options are true. One that it doesn't know is refused, unless it is false or null. */
function readFlags(tracer: string, known: readonly string[], given: unknown): Result<(option: string) => boolean> {
  if (given === undefined || given === null) return ok(() => false)
  if (!isJsonObject(given)) return fail('not an object')
  const odd = Object.entries(given).find(([name, value]) => !known.includes(name) && value !== null && value !== false)
  if (odd !== undefined) {
    const wanted = known.length === 0 ? 'it has none' : `want ${known.join(', ')}`
    return fail(`${tracer} has no option ${JSON.stringify(odd[0].slice(0, 80))}: ${wanted}`)
  }
  const wrong = known.find((name) => ![true, false, null, undefined].some((one) => one === given[name]))
  return wrong === undefined ? ok((option) => given[option] === true) : fail(`${wrong}: not a boolean`)
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isTruth = (value: unknown): value is boolean => typeof value === 'boolean'

/** @throws RpcFault RPC_FAILED for an invalid time */
export function traceOptions({ options, timeout }: TraceArguments): TraceOptions {
  return { ...options, timeoutMs: timeout === null ? null : durationMs(timeout) }
}

const UNITS_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
}

/** Of Go's durations: 2^63 ns. */
const LONGEST_MS = 2 ** 63 / 1e6

/** A duration in Go's syntax: `300ms`, `1.5h`, `2h45m`, `-1s`. */
function durationMs(text: string): number {
  const [, sign, rest = ''] = /^([-+]?)(.*)$/s.exec(text) ?? []
  const parts = [...rest.matchAll(/([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|ms|s|m|h)/g)]
  const isWhole = parts.length > 0 && parts.map(([part]) => part).join('') === rest
  const ms = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS_MS[unit ?? ''] ?? 0), 0)
  if ((!isWhole && rest !== '0') || ms > LONGEST_MS) throw rpcFailed(`time: invalid duration ${JSON.stringify(text)}`)
  return sign === '-' ? -ms : ms
}

export const debugTrace: RpcNamespace = {
  debug_traceTransaction: streamed([hashParam, replayParam], (hash, given) => ({
    kind: 'traceTransaction',
    hash,
    options: traceOptions(given),
  })),
  debug_traceBlockByNumber: streamed([blockNumberParam, replayParam], (at, given) => ({
    kind: 'traceBlock',
    at,
    options: traceOptions(given),
  })),
  debug_traceBlockByHash: streamed([hashParam, replayParam], (hash, given) => ({
    kind: 'traceBlock',
    at: { kind: 'hash', hash, requireCanonical: false },
    options: traceOptions(given),
  })),
  debug_traceBlock: streamed([dataParam, replayParam], (block, given) => ({
    kind: 'traceRlp',
    block,
    options: traceOptions(given),
  })),
  debug_traceBadBlock: untimed([hashParam, replayParam], async ([hash, given], { node }, caller) => {
    const bad = (await node.reader.badBlocks(hash))[0]
    if (bad === undefined) throw rpcFailed(`bad block ${toHex(hash)} not found`)
    const question = { kind: 'traceRlp', block: bad.rlp, options: traceOptions(given) } as const
    return new StreamedResult(node.queries.stream(question, caller))
  }),
  debug_traceCall: streamed([callParam, blockParam, traceParam], (call, at, given) => {
    const { overrides, block } = given
    return { kind: 'traceCall', at, call, overrides, block, options: traceOptions(given) }
  }),
  debug_traceCallMany: streamed(
    [bundlesParam, stateContextParam, bundleTraceParam],
    (bundles, { at, index }, given) => {
      return { kind: 'traceCallMany', at, index, overrides: given.overrides, bundles, options: traceOptions(given) }
    },
  ),
}

/** base64, as in `next` of an answer; a full key in hex, as in `key` of an entry; null = at the start. */
const keyParam: Param<Uint8Array> = {
  type: 'first key: base64, 64 hex digits, or null for the start',
  read: (value) => {
    if (value === null) return ok(new Uint8Array(0))
    if (Array.isArray(value)) {
      const bytes = value.map((item: unknown) => item ?? 0) // as in prlx
      return bytes.every(isByte) ? ok(Uint8Array.from(bytes)) : fail('not bytes')
    }
    if (typeof value !== 'string') return fail('not base64')
    if (value.length === 66) {
      const key = fromHex(value)
      if (key !== null) return ok(key)
    }
    const bytes = Buffer.from(value, 'base64')
    return bytes.toString('base64') === value ? ok(Uint8Array.from(bytes)) : fail('not base64')
  },
}

/** Any integer; values outside 1..256 count as 256. Null is 0, as in prlx. */
const mostParam: Param<number> = {
  type: 'entries: a whole number of up to 256',
  read: (value) => {
    if (value === null) return ok(0)
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return fail('not a whole number')
    return ok(Math.max(0, value))
  },
}

const isByte = (value: unknown): value is number => isWhole(value) && value < 256

/** RLP of a stored block. @throws RpcFault RPC_FAILED */
async function blockBytes(at: BlockArgument, context: RpcContext): Promise<Uint8Array> {
  const bytes = await context.node.reader.blockBytes(await blockIdOf(at, context))
  if (bytes === null) throw rpcFailed('block not found')
  return bytes
}

const WHOLE = { kind: 'dump', code: true, storage: true, nameless: false, paged: false } as const

export const debug: RpcNamespace = {
  debug_getHeaderRlp: asked([numberParam], (number) => ({ kind: 'headerRlp', number })),
  debug_getBlockRlp: asked([numberParam], (number) => ({ kind: 'blockRlp', number })),
  debug_seedHash: asked([numberParam], (number) => ({ kind: 'seedHash', number })),
  debug_getAccessibleState: asked([blockNumberParam, blockNumberParam], (from, to) => ({
    kind: 'accessibleState',
    from,
    to,
  })),
  debug_getModifiedAccountsByNumber: asked(
    [numberParam, optional<number | null>(numberParam, null)],
    (first, last) => ({ kind: 'modifiedAccounts', first, last }),
  ),
  debug_getModifiedAccountsByHash: asked([hashParam, optional<Uint8Array | null>(hashParam, null)], (first, last) => ({
    kind: 'modifiedAccounts',
    first,
    last,
  })),
  debug_dumpBlock: asked([blockNumberParam], (at) => ({ ...WHOLE, at, start: new Uint8Array(0), most: 0 })),
  debug_accountRange: asked(
    [blockParam, keyParam, mostParam, booleanParam, booleanParam, booleanParam],
    (...[at, start, most, noCode, noStorage, nameless]) => ({
      kind: 'dump',
      at,
      start,
      most,
      code: !noCode,
      storage: !noStorage,
      nameless,
      paged: true,
    }),
  ),
  debug_getBadBlocks: method({
    params: [],
    handler: async (_args, { node }, caller) =>
      new StreamedResult(node.queries.stream({ kind: 'badBlocks', blocks: await node.reader.badBlocks() }, caller)),
  }),
  debug_setHead: untimed([quantity64], async ([number], { node }) => {
    const refusal = await node.goBackTo(heightFromCaller(number))
    if (refusal !== null) throw rpcFailed(refusal)
    return null
  }),
  debug_intermediateRoots: asked([hashParam, replayParam], (hash, _options) => ({ kind: 'intermediateRoots', hash })),
  debug_storageRangeAt: asked(
    [hashParam, numberParam, addressParam, dataParam, numberParam],
    (...[hash, index, address, start, most]) => ({ kind: 'storageRange', hash, index, address, start, most }),
  ),
  debug_getRawHeader: method({
    params: [blockParam],
    handler: async ([at], context) => toHex(firstItems(await blockBytes(at, context), 1)),
  }),
  debug_getRawBlock: method({
    params: [blockParam],
    handler: async ([at], context) => toHex(await blockBytes(at, context)),
  }),
  /** `0x` when it is unknown. */
  debug_getRawTransaction: byHash(true),
  debug_getRawReceipts: asked([blockParam], (at) => ({ kind: 'rawReceipts', at })),
}
