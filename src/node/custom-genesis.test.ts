import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCustomGenesis } from './custom-genesis'
import { networkOf } from './networks'

const VECTORS = join(import.meta.dirname, '..', '..', 'test', 'vectors', 'chain')
const KINDS = readFileSync(join(VECTORS, 'chain-kinds', 'genesis.json'), 'utf8')
const ADDRESS = `0x${'00'.repeat(19)}99`

type Json = Readonly<Record<string, unknown>>

/** The genesis of chain-kinds with some fields changed; undefined = left out. */
function textWith(change: Json): string {
  const file = JSON.parse(KINDS) as Json & { config: Json; alloc: Json }
  const inner = (name: 'config' | 'alloc') =>
    name in change && change[name] === undefined ? undefined : { ...file[name], ...Object(change[name]) }
  return JSON.stringify({ ...file, ...change, config: inner('config'), alloc: inner('alloc') })
}

describe("a user's genesis file", () => {
  it('gives the rules of its network', () => {
    const read = readCustomGenesis(KINDS)

    expect(read).toMatchObject({
      ok: true,
      value: { chainId: 2131n, coinbaseMaturityBlocks: 100, retargetIntervalBlocks: 20, asertActivationHeight: 87 },
    })
  })

  it.each(['chain-small', 'chain-epoch'])('of %s is accepted as is', (name) => {
    expect(readCustomGenesis(readFileSync(join(VECTORS, name, 'genesis.json'), 'utf8')).ok).toBe(true)
  })

  it.each(['main', 'test'])('like that of the %s network is accepted', (name) => {
    const path = join(import.meta.dirname, '..', '..', 'resources', 'genesis', `${name}.json`)

    expect(readCustomGenesis(readFileSync(path, 'utf8')).ok).toBe(true)
  })

  it('may have an activation height of 0, which means never, and unknown fields', () => {
    const text = textWith({ config: { xhash: { asertAnchorHeight: 0 } }, author: 'me' })

    expect(readCustomGenesis(text)).toMatchObject({
      value: { asertActivationHeight: null, retargetIntervalBlocks: 0, coinbaseMaturityBlocks: 0 },
    })
  })

  it.each<[string, Json, string]>([
    ['no chain id', { config: { chainId: undefined } }, 'config.chainId: missing; wanted a whole number from 1'],
    ['chain id 0', { config: { chainId: 0 } }, 'config.chainId: 0 is not a whole number from 1'],
    ['a chain id as text', { config: { chainId: '7' } }, 'config.chainId: "7" is not a whole number from 1'],
    ['London', { config: { londonBlock: 0 } }, 'config.londonBlock: this chain has no such rules; leave it out'],
    ['clique', { config: { clique: {} } }, 'config.clique: this chain has no such rules; leave it out'],
    [
      'no Berlin',
      { config: { berlinBlock: undefined } },
      'config.berlinBlock: missing; wanted 0: these rules hold from the first block',
    ],
    [
      'a late fork',
      { config: { istanbulBlock: 5 } },
      'config.istanbulBlock: 5 is not 0: these rules hold from the first block',
    ],
    [
      'ASERT from block 1',
      { config: { xhash: { asertAnchorHeight: 1 } } },
      'config.xhash.asertAnchorHeight: 1 is not 0 (never) or a height from 2',
    ],
    ['no config', { config: undefined }, 'config: missing; wanted an object with chainId'],
    [
      'no gas limit',
      { gasLimit: undefined },
      'gasLimit: missing; wanted a number from 5000 to 2^63-1, written as 0x hex or decimal',
    ],
    [
      'a gas limit too low',
      { gasLimit: '4999' },
      'gasLimit: "4999" is not a number from 5000 to 2^63-1, written as 0x hex or decimal',
    ],
    [
      'difficulty 0',
      { difficulty: '0x0' },
      'difficulty: "0x0" is not a number from 1 to 2^80-1, written as 0x hex or decimal',
    ],
    ['no alloc', { alloc: undefined }, 'alloc: missing; wanted an object from addresses to accounts'],
    ['a bad address', { alloc: { '0x12': { balance: '1' } } }, 'alloc.0x12: "0x12" is not an address of 40 hex digits'],
    [
      'no balance',
      { alloc: { [ADDRESS]: {} } },
      `alloc.${ADDRESS}.balance: missing; wanted a number of wei under 2^256, written as 0x hex or decimal`,
    ],
    [
      'a bad balance',
      { alloc: { [ADDRESS]: { balance: '-1' } } },
      `alloc.${ADDRESS}.balance: "-1" is not a number of wei under 2^256, written as 0x hex or decimal`,
    ],
    [
      'odd code',
      { alloc: { [ADDRESS]: { balance: '1', code: '0x123' } } },
      `alloc.${ADDRESS}.code: "0x123" is not 0x hex bytes`,
    ],
    [
      'a bad slot',
      { alloc: { [ADDRESS]: { balance: '1', storage: { 'slot 1': '0x1' } } } },
      `alloc.${ADDRESS}.storage.slot 1: "slot 1" is not 0x and up to 64 hex digits`,
    ],
    [
      'one address twice',
      { alloc: { [ADDRESS]: { balance: '1' }, [ADDRESS.slice(2)]: { balance: '1' } } },
      `alloc.${ADDRESS.slice(2)}: given twice; wanted once`,
    ],
    [
      'a timestamp too big',
      { timestamp: '0x20000000000000' },
      'timestamp: "0x20000000000000" is not a number of seconds under 2^53, written as 0x hex or decimal',
    ],
    ['another number', { number: '0x1' }, 'number: "0x1" is not 0: it is the first block'],
    [
      'a parent',
      { parentHash: `0x${'11'.repeat(32)}` },
      `parentHash: "0x${'1'.repeat(45)}... is not 0: it has no parent`,
    ],
    ['a base fee', { baseFeePerGas: '0x1' }, 'baseFeePerGas: "0x1" is not null: there is no base fee on this chain'],
    ['a short mix hash', { mixHash: '0x00' }, 'mixHash: "0x00" is not 0x and 64 hex digits'],
  ])('with %s is rejected, with the field and what is accepted', (_name, change, message) => {
    expect(readCustomGenesis(textWith(change))).toEqual({ ok: false, error: message })
  })

  it("that isn't JSON, or not an object, is rejected", () => {
    expect(readCustomGenesis('{')).toMatchObject({ error: expect.stringMatching(/^it is not JSON: /) })
    expect(readCustomGenesis('[]')).toEqual({
      ok: false,
      error: '[] is not a genesis file: an object with config, gasLimit, difficulty and alloc',
    })
  })
})

describe('a custom network', () => {
  it('has its own ids, rules and proof-of-work sizes', () => {
    const network = networkOf('custom', { genesis: KINDS, networkId: 7, xhashMode: 'test' })

    expect(network).toMatchObject({
      chainId: 2131,
      networkId: 7,
      genesis: KINDS,
      xhash: { fixed: { cacheBytes: 1024 } },
    })
  })

  it('needs a genesis file that follows the format', () => {
    expect(() => networkOf('custom', null)).toThrow('genesis: none given for a custom network')
    expect(() => networkOf('custom', { genesis: '{}', networkId: 7, xhashMode: 'full' })).toThrow(
      'genesis: config: missing; wanted an object with chainId',
    )
  })
})
