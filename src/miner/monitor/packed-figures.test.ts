import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FiguresPacker, unpackFigures } from './packed-figures'
import { rigFigures } from './rig-figures'

const number = fc.double({ min: 0, max: 1e21, noNaN: true })
const count = fc.integer({ min: 0, max: 1e9 })
const gpu = fc.record({
  name: fc.string(),
  pci: fc.string(),
  backend: fc.string(),
  hashrate: fc.record({ now: number, '60s': number, '15m': number }),
  shares: fc.record({ accepted: count, rejected: count, failed: count }),
  paused: fc.boolean(),
  pause_reason: fc.string(),
  temperature: fc.record({ core: number, hotspot: number, memory: number }),
  fan: number,
  power: number,
  power_limit: number,
  clocks: fc.record({ core: number, memory: number }),
})

it('unpacks what was packed, each number in its own place', () => {
  fc.assert(
    fc.property(fc.array(gpu, { maxLength: 5 }), (gpus) => {
      const figures = rigFigures({ control: true, miner: { version: '1', uptime: 5 }, gpus })
      expect(unpackFigures(new FiguresPacker().pack(figures))).toEqual(figures)
    }),
  )
})

it("reuses the memory of a rig's earlier figures, whatever they were", () => {
  fc.assert(
    fc.property(fc.array(gpu, { maxLength: 3 }), fc.array(gpu, { maxLength: 3 }), (before, after) => {
      const packer = new FiguresPacker()
      const old = packer.pack(
        rigFigures({ control: true, pool: { connected: true, host: 'p', warning: '' }, gpus: before }),
      )
      const figures = rigFigures({ hashrate: { now: 1, '60s': 2, '15m': 3, effective: 4 }, gpus: after })
      const packed = packer.pack(figures, old)

      expect(unpackFigures(packed)).toEqual(figures)
      expect(packed.numbers === old.numbers).toBe(before.length === after.length)
    }),
  )
})
