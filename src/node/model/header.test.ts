import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOfHex, toHex } from '../../base/hex'
import { createGenesis, parseGenesis } from '../chain/genesis'
import { encodeRlp } from '../codec/rlp'
import { decodeBlock, encodeBlock } from './block'
import { blockHash, decodeHeader, encodeHeader, headerToItem, sealHash } from './header'
import { decodeTransaction } from './transaction'

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

interface HeaderRow {
  readonly name: string
  readonly rlp: string
  readonly hash: string
  readonly sealHash: string
}

describe('header', () => {
  const rows = JSON.parse(read('test/vectors/chain/headers.json')) as readonly HeaderRow[]

  it.each(rows.map((row) => [row.name, row] as const))('encodes and hashes: %s', (_name, row) => {
    const decoded = decodeHeader(bytesOfHex(row.rlp))
    if (!decoded.ok) throw new Error(decoded.error)
    const header = decoded.value
    expect([toHex(encodeHeader(header)), toHex(blockHash(header)), toHex(sealHash(header))]).toEqual([
      row.rlp,
      row.hash,
      row.sealHash,
    ])
  })

  it.each([
    ['no list', '0x80', 'header: not a list'],
    ['too few fields', '0xc0', 'header: 0 fields, want 15'],
    ['cut short', rows[0]?.rlp.slice(0, -2) ?? '', 'rlp: value larger than its container'],
    ['followed by more', `${rows[0]?.rlp ?? ''}00`, 'rlp: bytes after the end'],
  ])('rejects what is %s', (_name, text, error) => {
    expect(decodeHeader(bytesOfHex(text))).toEqual({ ok: false, error })
  })

  it('rejects fields of a wrong size and names them', () => {
    const decoded = decodeHeader(bytesOfHex(rows[0]?.rlp ?? ''))
    if (!decoded.ok) throw new Error(decoded.error)
    const items = [...headerToItem(decoded.value)]
    const withItem = (index: number, bytes: Uint8Array) =>
      decodeHeader(encodeRlp(items.map((item, at) => (at === index ? bytes : item))))

    expect(withItem(1, new Uint8Array(19))).toEqual({ ok: false, error: 'header: coinbase has 19 bytes, want 20' })
    expect(withItem(6, new Uint8Array(11).fill(1))).toEqual({
      ok: false,
      error: 'header: difficulty has more than 80 bits',
    })
    expect(withItem(7, Uint8Array.of(0, 1))).toEqual({ ok: false, error: 'header: number has leading zeros' })
  })

  it("never throws on others' input", () => {
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 700 }),
      fc.tuple(fc.constantFrom(...rows.map((row) => row.rlp)), fc.nat(), fc.nat(255)).map(([rlp, at, byte]) => {
        const bytes = bytesOfHex(rlp)
        bytes[at % bytes.length] = byte
        return bytes
      }),
    )
    fc.assert(
      fc.property(noise, (bytes) => {
        const header = decodeHeader(bytes)
        if (header.ok) expect(toHex(encodeHeader(header.value))).toBe(toHex(bytes))
        for (const result of [header, decodeBlock(bytes), decodeTransaction(bytes)])
          expect(typeof (result.ok ? '' : result.error)).toBe('string')
      }),
      { numRuns: 500 },
    )
  })
})

interface GenesisRow {
  readonly genesis: object
  readonly expected: {
    readonly hash: string
    readonly stateRoot: string
    readonly headerRlp: string
    readonly blockRlp: string
    readonly sealHash: string
  }
}

describe('genesis', () => {
  const rows = JSON.parse(read('test/vectors/chain/genesis.json')) as Readonly<Record<string, GenesisRow>>
  const blockOf = async (text: string) => {
    const file = parseGenesis(text)
    if (!file.ok) throw new Error(file.error)
    return (await createGenesis(file.value)).block
  }

  it.each(['main', 'test', 'proposedDevPow'])('gives %s its block', async (name) => {
    const row = rows[name]
    const block = await blockOf(JSON.stringify(row?.genesis))
    expect({
      hash: toHex(block.hash),
      stateRoot: toHex(block.header.stateRoot),
      headerRlp: toHex(encodeHeader(block.header)),
      blockRlp: toHex(encodeBlock(block)),
      sealHash: toHex(sealHash(block.header)),
    }).toEqual({
      hash: row?.expected.hash,
      stateRoot: row?.expected.stateRoot,
      headerRlp: row?.expected.headerRlp,
      blockRlp: row?.expected.blockRlp,
      sealHash: row?.expected.sealHash,
    })
  })

  it.each(['main', 'test'])('ships the genesis of %s', async (name) => {
    expect(toHex((await blockOf(read(`resources/genesis/${name}.json`))).hash)).toBe(rows[name]?.expected.hash)
  })

  it.each([
    ['{', /^not JSON/],
    ['{}', /^config/],
    ['{"config":{"chainId":1},"gasLimit":"x","difficulty":"1","alloc":{}}', /^gasLimit/],
    ['{"config":{"chainId":1},"gasLimit":"1","difficulty":"1","alloc":{"0x12":{"balance":"1"}}}', /^alloc/],
  ])('rejects %s', (text, error) => {
    const parsed = parseGenesis(text)
    expect(parsed.ok ? '' : parsed.error).toMatch(error)
  })
})
