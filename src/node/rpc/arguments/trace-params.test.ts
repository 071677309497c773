import { describe, expect, it } from 'vitest'
import { bundleTraceParam, NO_TRACE_OPTIONS, replayParam, traceOptions, traceParam } from '../methods/debug'

const timeoutOf = (timeout: string) => traceOptions({ ...NO_TRACE_OPTIONS, timeout }).timeoutMs

describe('options of traces', () => {
  it('match their names ignoring case', () => {
    const read = traceParam.read({ EnableMemory: true, DISABLESTACK: true, Limit: 7 })

    expect(read).toMatchObject({
      ok: true,
      value: { options: { memory: true, stack: false, storage: true, limit: 7 } },
    })
  })

  it('say which one is unknown, and to which tracer', () => {
    const errorOf = (given: unknown) => {
      const read = traceParam.read(given)
      return read.ok ? null : read.error
    }
    expect(errorOf({ foo: 1 })).toMatch(/^unknown option "foo": want tracer, tracerConfig, /)
    expect(errorOf({ debug: true })).toMatch(/^unknown option "debug"/)
    expect(errorOf({ enableReturnData: true, debug: false, disableMemory: null, reexec: 5 })).toBeNull()
    expect(errorOf({ tracer: 'prestateTracer', tracerConfig: { diffmode: true } })).toBe(
      'tracerConfig: prestateTracer has no option "diffmode": want diffMode, disableCode, disableStorage',
    )
    expect(errorOf({ tracer: 'callTracerLegacy', tracerConfig: { withLog: true } })).toBe(
      'tracerConfig: callTracerLegacy has no option "withLog": it has none',
    )
    expect(errorOf({ tracer: 'muxTracer', tracerConfig: { callTracer: { withLogs: true } } })).toMatch(
      /^tracerConfig: callTracer has no option "withLogs"/,
    )
    expect(errorOf({ tracer: 'muxTracer', tracerConfig: { muxTracer: {} } })).toMatch(/can't contain itself$/)
    expect(errorOf({ tracer: 'muxTracer' })).toMatch(/want an object of tracers$/)
    expect(errorOf({ tracer: 'callTracer', tracerConfig: { onlyTop: true } })).toBe(
      'tracerConfig: callTracer has no option "onlyTop": want onlyTopCall, withLog',
    )
    expect(errorOf({ tracerConfig: { withLog: true } })).toMatch(/^tracerConfig: the default tracer has no option/)
    expect(errorOf({ tracer: 'callTracer', tracerConfig: { withLog: 'yes' } })).toBe(
      'tracerConfig: withLog: not a boolean',
    )
    expect(errorOf({ blockOverrides: { numbr: '0x1' } })).toMatch(
      /^blockOverrides: unknown member "numbr": want number/,
    )
    expect(errorOf({ stateOverrides: { [`0x${'11'.repeat(20)}`]: { movePrecompileToAddress: '0x1' } } })).toMatch(
      /movePrecompileToAddress: /,
    )
  })

  it('change no state or block where these are what they were', () => {
    const errorOf = (param: typeof traceParam, given: unknown) => {
      const read = param.read(given)
      return read.ok ? null : read.error
    }
    const state = { stateOverrides: { [`0x${'11'.repeat(20)}`]: { balance: '0x1' } } }
    const block = { blockOverrides: { number: '0x1' } }
    expect(errorOf(replayParam, state)).toMatch(/^unknown option "stateOverrides": want tracer, .*enableReturnData$/)
    expect(errorOf(replayParam, block)).toMatch(/^unknown option "blockOverrides"/)
    expect(errorOf(bundleTraceParam, block)).toMatch(/^unknown option "blockOverrides": .*, stateOverrides$/)
    expect([errorOf(bundleTraceParam, state), errorOf(traceParam, { ...state, ...block })]).toEqual([null, null])
  })

  it('configure the tracer of calls', () => {
    const read = traceParam.read({ tracer: 'callTracer', tracerConfig: { onlyTopCall: true, withLog: false } })
    expect(read).toMatchObject({ value: { options: { call: { onlyTopCall: true, withLog: false } } } })
  })

  it('treat any other tracer name as a script', () => {
    const read = (given: unknown) => traceParam.read(given)
    const script = { source: '{ fault }', config: '{"a":1}' }
    expect(read({ tracer: '{ fault }', tracerConfig: { a: 1 } })).toMatchObject({
      value: { options: { tracer: 'script', script } },
    })
    expect(read({ tracer: 'opcountTracer' })).toMatchObject({ value: { options: { script: { config: '{}' } } } })
    expect(traceParam.read({ tracer: 'callTracer' })).toMatchObject({ value: { options: { tracer: 'callTracer' } } })
  })

  it.each([[{ limit: -1 }], [{ limit: 'x' }], [{ enableMemory: 'yes' }], [{ tracer: 5 }], ['x'], [[]]])(
    'reject %j',
    (given) => {
      expect(traceParam.read(given).ok).toBe(false)
    },
  )

  it('read durations as Go writes them', () => {
    const texts = ['10s', '300ms', '1.5h', '1m30s', '0', '-1s', '+2s', '1us', '1ns']
    expect(texts.map(timeoutOf)).toEqual([10_000, 300, 5_400_000, 90_000, 0, -1_000, 2_000, 1e-3, 1e-6])
  })

  it.each(['abc', '5', '', '-', '--1s', '5s x', '9999999999h'])('fail the method for the duration "%s"', (timeout) => {
    expect(() => timeoutOf(timeout)).toThrow('time: invalid duration')
  })
})
