import { expect, it } from 'vitest'
import { FlatCallTracer, isSilentCall } from './flat-calls'

const call = (to: bigint, length = 0, value = 0n) =>
  ({ kind: 'CALL', from: 1n, to, input: new Uint8Array(length), gas: 9, value, hasMoved: true }) as const
const done = { output: new Uint8Array(0), gasUsed: 1, gasSpent: 1, error: null }

it('stays within its limit, whatever a transaction calls', () => {
  const tracer = new FlatCallTracer(() => false)
  tracer.begin(call(2n))
  let count = 0
  for (; !tracer.isFull && count < 10_000; count++) {
    tracer.enter(call(3n, 1024 * 1024))
    tracer.exit(done)
  }
  const held = tracer.calls.length
  tracer.enter(call(3n, 1024 * 1024))

  expect(count).toBeLessThan(100)
  expect(tracer.calls).toHaveLength(held)
})

it('omits built-in contracts that get nothing, also in the numbering', () => {
  const tracer = new FlatCallTracer((call) => isSilentCall(call, (address) => address === 4n))
  tracer.begin(call(2n))
  for (const [to, value] of [
    [4n, 0n],
    [5n, 0n],
    [4n, 7n],
  ] as const) {
    tracer.enter(call(to, 0, value))
    tracer.exit(done)
  }
  tracer.end(done)

  expect(tracer.calls.map(({ to, path, subtraces }) => [to, path, subtraces])).toEqual([
    [2n, [], 2],
    [5n, [0], 0],
    [4n, [1], 0],
  ])
})

it('includes the failed call of a creation that never began', () => {
  const tracer = new FlatCallTracer(() => false)
  const message = { from: 1n, to: null, gas: 9, gasPrice: 0n, value: 0n, data: new Uint8Array(2), accessList: [] }
  tracer.settle(message, {
    gasUsed: 9,
    gasSpent: 9,
    error: 'contract address collision',
    isRevert: false,
    output: new Uint8Array(0),
  })

  expect(tracer.calls).toMatchObject([{ kind: 'CREATE', path: [], end: { error: 'contract address collision' } }])
})
