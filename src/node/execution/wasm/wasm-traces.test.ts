import { describe, expect, it } from 'vitest'
import { plainHeader } from '../../testing/test-header'
import type { Message } from '../message'
import { encodeCallBlock } from './call-wire'
import { KeptInstance, NOTHING_TO_READ } from './instance'
import { runOnWorld } from './message-run'
import { loadEngineModule } from './module-file'
import type { WireTraceOptions } from './trace-wire'
import { WasmTraces } from './wasm-traces'
import { Writer } from './wire'

const loaded = loadEngineModule(import.meta.dirname)
if ('absent' in loaded) throw new Error(loaded.absent)
const { module } = loaded
const MAX_BYTES = 192 * 1024 * 1024

const options: WireTraceOptions = { tracer: 'structs', memory: false, stack: true, storage: true, limit: 0 }
const block = encodeCallBlock({ stateRoot: new Uint8Array(32), header: plainHeader({ number: 1n }), chainId: 1n })
/** Pushes the size of the code until the gas is used up: about 20 kB of text. */
const message: Message = {
  from: 0n,
  to: null,
  gas: 54_000,
  gasPrice: 0n,
  value: 0n,
  data: Uint8Array.of(0x5b, 0x38, 0x60, 0, 0x56),
  accessList: [],
}
const REST = { block, changed: [], builtIns: null, signed: null, options, tracer: null, seesGas: false }
const traced = (kept: KeptInstance, gas: number, write: (text: Uint8Array) => boolean) =>
  runOnWorld(
    { instance: kept.living(), input: new Writer() },
    { ...REST, message: { ...message, gas } },
    { ...NOTHING_TO_READ, write },
  )

describe('a trace in the module', () => {
  it('sends its text in chunks of 128 to 256 KiB and returns the end', () => {
    const chunks: number[] = []
    const outcome = traced(new KeptInstance(module, MAX_BYTES), 60_000, (text) => chunks.push(text.length) > 0)

    expect(outcome.kind).toBe('done')
    expect(chunks.length).toBeGreaterThan(3)
    expect(Math.min(...chunks)).toBeGreaterThanOrEqual(128 * 1024)
    expect(Math.max(...chunks)).toBeLessThan(256 * 1024)
  })

  it('ends at the first chunk that nobody wants', () => {
    let chunks = 0
    const outcome = traced(new KeptInstance(module, MAX_BYTES), 10_000_000, () => ++chunks < 3)

    expect({ kind: outcome.kind, chunks }).toEqual({ kind: 'stopped', chunks: 3 })
  })

  it('throws what its reader throws, and then works again', () => {
    const kept = new KeptInstance(module, MAX_BYTES)
    const write = (): boolean => {
      throw new RangeError('gone')
    }
    expect(() => traced(kept, 10_000_000, write)).toThrow('gone')

    expect(traced(kept, 54_000, () => true).kind).toBe('done')
  })

  it('works again after a trap, on another instance', () => {
    const kept = new KeptInstance(module, MAX_BYTES)
    const broken = kept.living()
    expect(() => broken.run((engine) => engine.run_message(-1, 1_000))).toThrow()

    expect(broken.isDead).toBe(true)
    expect(traced(kept, 54_000, () => true).kind).toBe('done')
    expect(kept.living()).not.toBe(broken)
  })

  it('begins where an earlier trace of the block began, or at the nearest transaction before', () => {
    const traces = new WasmTraces(new KeptInstance(module, MAX_BYTES), false)
    const open = (block: number, index: number) =>
      traces.openStage({ block: new Uint8Array(32).fill(block), root: new Uint8Array(32), index })
    const rest = { gasPrice: 0n, to: new Uint8Array(20).fill(9), value: 0n, data: new Uint8Array(0), accessList: [] }
    const tx = { type: 0, nonce: 0n, gasLimit: 21_000n, ...rest } as const
    const transaction = { header: plainHeader({ number: 1n }), chainId: 1n, tx, sender: new Uint8Array(20) }

    const stage = open(1, 2)
    for (let i = 0; i < 2; i++) expect(stage.advance(transaction, NOTHING_TO_READ).kind).toBe('done')
    stage.keep()

    expect([open(1, 1), open(1, 2), open(1, 7), open(2, 7)].map(({ index }) => index)).toEqual([0, 2, 0, 0])
  })
})
