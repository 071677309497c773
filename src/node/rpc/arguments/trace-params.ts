// The options of traces. Member names are case-insensitive; what a tracer doesn't know is refused by name.
import { isJsonObject } from '../../../base/json-text'
import { fail, ok, type Result } from '../../codec/result'
import type { BlockOverride, StateOverride, TraceOptions } from '../../query/query-wire'
import { RpcFault } from '../../rpc-fault'
import { blockOverridesParam, overridesParam } from './call-params'
import type { Param } from './params'

const TRACERS: ReadonlyMap<string, TraceOptions['tracer']> = new Map([
  ['callTracer', 'callTracer'],
  ['prestateTracer', 'prestateTracer'],
  ['4byteTracer', '4byteTracer'],
  ['noopTracer', 'noopTracer'],
])

/** The options as given, with the time limit as text: an invalid one fails the method rather than the argument. */
interface TraceArguments {
  readonly options: Omit<TraceOptions, 'timeoutMs'>
  readonly timeout: string | null
  readonly overrides: StateOverride[]
  readonly block: BlockOverride
}

const CALL_OPTIONS = ['onlyTopCall', 'withLog'] as const
const NO_CALL_OPTIONS = { onlyTopCall: false, withLog: false }
/**
 * Options of all tracers. `reexec` has no effect, since states aren't made again here; nor has `enableReturnData`, as in
 * the reference.
 */
const OPTIONS = [
  'tracer',
  'tracerConfig',
  'timeout',
  'reexec',
  'enableMemory',
  'disableStack',
  'disableStorage',
  'limit',
  'enableReturnData',
  'stateOverrides',
  'blockOverrides',
] as const
/** Options of the reference's that change nothing in an answer of ours when they are false. */
const EMPTY_OPTIONS = ['debug', 'disableMemory', 'disableReturnData'] as const

export const NO_TRACE_OPTIONS: TraceArguments = {
  options: {
    tracer: 'structs',
    script: null,
    memory: false,
    stack: true,
    storage: true,
    limit: 0,
    call: NO_CALL_OPTIONS,
  },
  timeout: null,
  overrides: [],
  block: {},
}

export const traceParam: Param<TraceArguments> = {
  absent: { value: NO_TRACE_OPTIONS },
  read: (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail('not an object of options')
    const given = new Map(Object.entries(value).map(([name, item]) => [name.toLowerCase(), item as unknown]))
    const unknown = unknownOption(given)
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
    const known = tracer === null ? 'structs' : TRACERS.get(tracer)
    const call = readCallOptions(known ?? 'script', given.get('tracerconfig'))
    if (!call.ok) return fail(`tracerConfig: ${call.error}`)
    const options = {
      call: call.value,
      tracer: known ?? ('script' as const),
      script:
        known !== undefined || tracer === null
          ? null
          : { source: tracer, config: JSON.stringify(given.get('tracerconfig') ?? {}) },
      memory: member('enableMemory', false, isTruth),
      stack: !member('disableStack', false, isTruth),
      storage: !member('disableStorage', false, isTruth),
      limit: member('limit', 0, isCount),
    }
    member('reexec', 0, isCount) // ignored, but a wrong type is still an error
    const timeout = member<string | null>('timeout', null, isText)
    const overrides = readOverrides(given.get('stateoverrides'))
    if (!overrides.ok) return overrides
    const block = blockOverridesParam.read(given.get('blockoverrides') ?? null)
    if (!block.ok) return fail(`blockOverrides: ${block.error}`)
    const [fault] = faults
    return fault === undefined
      ? ok({ options, timeout, overrides: overrides.value, block: block.value })
      : fail(`${fault}: wrong type`)
  },
}

/** @param given by lower-case name */
function unknownOption(given: ReadonlyMap<string, unknown>): string | null {
  const known = new Set(OPTIONS.map((name) => name.toLowerCase()))
  const empty = new Set(EMPTY_OPTIONS.map((name) => name.toLowerCase()))
  for (const [name, value] of given) {
    const isEmpty = value === null || value === undefined || (empty.has(name) && value === false)
    if (!known.has(name) && !isEmpty)
      return `unknown option ${JSON.stringify(name.slice(0, 80))}: want ${OPTIONS.join(', ')}`
  }
  return null
}

/** A script reads its configuration itself. */
function readCallOptions(tracer: TraceOptions['tracer'], given: unknown): Result<NonNullable<TraceOptions['call']>> {
  if (tracer === 'script' || given === undefined || given === null) return ok(NO_CALL_OPTIONS)
  if (!isJsonObject(given)) return fail('not an object')
  const known = tracer === 'callTracer' ? CALL_OPTIONS : []
  const odd = Object.entries(given).find(
    ([name, value]) => !known.some((one) => one === name) && value !== null && value !== false,
  )
  if (odd !== undefined) {
    const wanted = known.length === 0 ? 'it has none' : `want ${known.join(', ')}`
    return fail(
      `${tracer === 'structs' ? 'the default tracer' : tracer} has no option ${JSON.stringify(odd[0].slice(0, 80))}: ${wanted}`,
    )
  }
  const wrong = known.find((name) => ![true, false, null, undefined].some((one) => one === given[name]))
  if (wrong !== undefined) return fail(`${wrong}: not a boolean`)
  return ok({ onlyTopCall: given.onlyTopCall === true, withLog: given.withLog === true })
}

function readOverrides(value: unknown): Result<StateOverride[]> {
  return value === undefined ? ok([]) : overridesParam.read(value)
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isTruth = (value: unknown): value is boolean => typeof value === 'boolean'
const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

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

/** A duration in Go's syntax: `300ms`, `1.5h`, `2h45m`. */
function durationMs(text: string): number {
  const parts = [...text.matchAll(/([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|ms|s|m|h)/g)]
  const isWhole = parts.length > 0 && parts.map(([part]) => part).join('') === text
  if (!isWhole && text !== '0')
    throw new RpcFault('RPC_FAILED', { reason: `time: invalid duration ${JSON.stringify(text)}` })
  return Math.ceil(parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS_MS[unit ?? ''] ?? 0), 0))
}
