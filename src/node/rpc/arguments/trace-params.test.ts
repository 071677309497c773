import { describe, expect, it } from 'vitest'
import { NO_TRACE_OPTIONS, traceOptions, traceParam } from './trace-params'

const timeoutOf = (timeout: string) => traceOptions({ ...NO_TRACE_OPTIONS, timeout }).timeoutMs

describe('options of traces', () => {
  it('match their names ignoring case, and ignore unknown ones', () => {
    const read = traceParam.read({ EnableMemory: true, DISABLESTACK: true, foo: 1, Limit: 7 })

    expect(read).toMatchObject({
      ok: true,
      value: { options: { memory: true, stack: false, storage: true, limit: 7 } },
    })
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
    expect(['10s', '300ms', '1.5h', '1m30s', '0', '1us'].map(timeoutOf)).toEqual([10_000, 300, 5_400_000, 90_000, 0, 1])
  })

  it.each(['abc', '5', '', '-1s', '5s x'])('fail the method for the duration "%s"', (timeout) => {
    expect(() => timeoutOf(timeout)).toThrow('time: invalid duration')
  })
})
