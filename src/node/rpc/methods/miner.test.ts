import { describe, expect, it } from 'vitest'
import type { MiningChange } from '../../worker/wire/pool-wire'
import type { MethodContext, RpcContext } from '../dispatch/method'
import { minerNamespace } from './eth/mining'

function asked(coinbase: Uint8Array | null = new Uint8Array(20)) {
  const changes: MiningChange[] = []
  const services = { configureMining: async (change: MiningChange) => void changes.push(change) }
  const context = { services, node: { coinbase: () => coinbase } } as unknown as RpcContext
  const ask = async (name: string, ...params: unknown[]) =>
    minerNamespace[name]?.call(context, params, {} as MethodContext)
  return { ask, changes }
}

describe('choosing how blocks are made', () => {
  it.each([
    ['miner_start', [], { mining: true }, null],
    ['miner_start', [4], { mining: true }, null],
    ['miner_stop', [], { mining: false }, null],
    ['miner_setCoinbase', [`0x${'11'.repeat(20)}`], { coinbase: new Uint8Array(20).fill(0x11) }, true],
    ['miner_setExtra', ['rig'], { extraData: new TextEncoder().encode('rig') }, true],
    ['miner_setGasPrice', ['0x5'], { gasPrice: 5n }, true],
    ['miner_setGasLimit', ['0x1c9c380'], { gasLimitGoal: 30_000_000n }, true],
    ['miner_setRecommitInterval', [6000], { recommitMs: 6000 }, null],
  ])('%s %j', async (name, params, change, result) => {
    const { ask, changes } = asked()

    expect(await ask(name, ...params)).toBe(result)
    expect(changes).toEqual([change])
  })

  it('counts the bytes of the extra text, not its characters', async () => {
    const { ask, changes } = asked()

    await expect(ask('miner_setExtra', 'x'.repeat(33))).rejects.toThrow('extra exceeds max length. 33 > 32')
    await expect(ask('miner_setExtra', '€'.repeat(11))).rejects.toThrow('extra exceeds max length. 33 > 32')
    expect(changes).toEqual([])
  })

  it("doesn't start without a coinbase", async () => {
    await expect(asked(null).ask('miner_start')).rejects.toThrow('coinbase must be explicitly specified')
  })

  it('rejects anything but a number of ms', async () => {
    await expect(asked().ask('miner_setRecommitInterval', '0x10')).rejects.toThrow('invalid argument 0: ')
    await expect(asked().ask('miner_setRecommitInterval', -1)).rejects.toThrow('invalid argument 0: ')
  })
})
