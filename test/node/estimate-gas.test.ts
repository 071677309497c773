// eth_estimateGas against bisection by calls: the smallest gas with which eth_call succeeds, found by trying.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOfHex, toHex } from '../../src/base/hex'
import { ask, type Json } from '../json-rpc'
import { QueryNode } from './query-node'
import { Chance, deploying, randomProgram } from './random/random-programs'

const folder = join(import.meta.dirname, '../vectors/chain/chain-kinds')
const RICH = '0x0dace3322fab371fb925b328ad351b23f6b9e9d2'
const BOUND = 1_000_000
const PROGRAMS = 100
const MIN_GAS = 21_000

/** As init code; each fails or costs differently with little gas. */
const CASES: readonly (readonly [title: string, code: string])[] = [
  ['does nothing', '00'],
  ['writes a zero over a zero, which SSTORE refuses to do on little gas', '600060005500'],
  ['writes twice, the cheap one last', '600160005560016000550000'],
  ['clears a slot, and is refunded', '6001600055600060005500'],
  ['uses little gas after a store that needs some left', '60006000556000600055610100600052'],
  ['leaves 256 bytes of code', '6101006000f3'],
  ['stores only when it has more than 500,000 gas', '5a6207a12010600a57005b600160005500'],
  ['reads its balance', '4760005500'],
  ['reads the balance of its sender, who pays for gas', '333160005500'],
  ['calls an account that has no code', '600060006000600060006107d061fffff100'],
  ['creates a contract', '600060006000f000'],
  ['destroys itself in favour of its sender', '33ff'],
  ['reverts', '60006000fd'],
  ['jumps nowhere', '60ff56'],
]

describe('eth_estimateGas', () => {
  const server = new QueryNode({ folder, blocks: 'blocks.rlp', networkId: 4242 })
  beforeAll(() => server.start())
  afterAll(() => server.stop())

  const succeeds = async (call: Json, gas: number): Promise<boolean> => {
    const answer = await ask(server.url(), 'eth_call', [{ ...call, gas: `0x${gas.toString(16)}` }, 'latest'])
    return answer.error === undefined
  }

  const bisected = async (call: Json): Promise<number | null> => {
    let low = MIN_GAS - 1
    let high = BOUND
    while (low + 1 < high) {
      const middle = Math.floor((low + high) / 2)
      if (await succeeds(call, middle)) high = middle
      else low = middle
    }
    return high < BOUND || (await succeeds(call, BOUND)) ? high : null
  }

  const estimated = async (call: Json): Promise<number | null> => {
    const bounded = { ...call, gas: `0x${BOUND.toString(16)}` }
    const { result, error } = await ask(server.url(), 'eth_estimateGas', [bounded, 'latest'])
    return error === undefined ? Number(result) : null
  }

  it.each(CASES)('is the minimum that suffices for code that %s', async (_, code) => {
    for (const gasPrice of ['0x0', '0x3b9aca00']) {
      const call = { from: RICH, data: `0x${code}`, gasPrice }
      expect(await estimated(call)).toBe(await bisected(call))
    }
  })

  it('is the minimum that suffices for random programs', async () => {
    const chance = new Chance(7)
    const addresses = [RICH, `0x${'2'.padStart(40, '0')}`].map((text) => bytesOfHex(text, 20))
    const differing: unknown[] = []
    let successes = 0
    for (let count = 0; count < PROGRAMS; count++) {
      const program = randomProgram(chance, addresses, 1)
      const code = count % 3 === 0 ? deploying(program) : program
      const call = { from: RICH, data: toHex(code), gasPrice: count % 2 === 0 ? '0x0' : '0x1' }
      const [ours, tried] = [await estimated(call), await bisected(call)]
      if (ours !== null) successes++
      if (ours !== tried) differing.push({ call, ours, tried })
    }
    expect(differing).toEqual([])
    expect(successes).toBeGreaterThan(PROGRAMS / 4)
  })
})
