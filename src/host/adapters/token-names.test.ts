// Token names are written by strangers: truncated, sanitized, and never more than a claim.
import { describe, expect, it } from 'vitest'
import type { NodeService } from '../../node/node-service'
import { decimalsIn, symbolIn, tokenNames } from './token-names'

const word = (value: number): Uint8Array => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const string = (text: string): Uint8Array => {
  const bytes = Buffer.from(text)
  const padded = Buffer.alloc(Math.ceil(bytes.length / 32) * 32)
  bytes.copy(padded)
  return Buffer.concat([word(32), word(bytes.length), padded])
}

describe('a symbol', () => {
  it.each<[string, Uint8Array, string]>([
    ['of today', string('TOK'), 'TOK'],
    ['as bytes32', Buffer.concat([Buffer.from('MKR'), Buffer.alloc(29)]), 'MKR'],
    ['of many letters', string('A'.repeat(5_000)), `${'A'.repeat(16)}…`],
    ['that turns the line around', string('\u202eKOT\u200b\u2066'), 'KOT'],
    ['with line ends and tabs', string('T\nO\tK\u0000'), 'TOK'],
    ['that closes its quotation', string('TOK” of 0x12 "\u2019'), 'TOKof0x12'],
    ['with marks piled up', string(`T${'\u0301'.repeat(500)}OK`), 'T'],
    ['in letters of others', string('ТОК🦊'), 'ТОК🦊'],
    ['that is nothing', new Uint8Array(0), ''],
    ['whose text lies outside', Buffer.concat([word(0xffffff), word(3)]), ''],
    ['whose length is a lie', Buffer.concat([word(32), word(0xffffff), Buffer.from('AB')]), 'AB'],
    ['that is no UTF-8', Buffer.concat([word(32), word(4), Buffer.from([0xff, 0xfe, 0x41, 0xc0])]), ''],
    ['as bytes32 that is no UTF-8', Buffer.concat([Buffer.from('TOK\xff', 'latin1'), Buffer.alloc(28)]), ''],
    ['that is cut inside a letter', string(`A${'О'.repeat(200)}`), `A${'О'.repeat(15)}…`],
  ])('%s', (_what, bytes, symbol) => {
    expect(symbolIn(bytes)).toBe(symbol)
  })
})

describe('decimals', () => {
  it.each<[string, Uint8Array, number | null]>([
    ['18', word(18), 18],
    ['0', word(0), 0],
    ['36', word(36), 36],
    ['more', word(37), null],
    ['as much as there is', new Uint8Array(32).fill(0xff), null],
    ['nothing', new Uint8Array(0), null],
    ['two words', Buffer.concat([word(18), word(0)]), null],
  ])('%s', (_what, bytes, decimals) => {
    expect(decimalsIn(bytes)).toBe(decimals)
  })
})

describe('names', () => {
  const nodeOf = (ask: (to: string, data: string) => Promise<string>): NodeService => {
    const queries = () => ({
      ask: ({ call }: { call: { to: Uint8Array; data: Uint8Array; gas: bigint } }) =>
        call.gas > 200_000n
          ? Promise.reject(new Error('too much gas'))
          : ask(Buffer.from(call.to).toString('hex'), Buffer.from(call.data).toString('hex')),
    })
    return { queries } as unknown as NodeService
  }
  const never = new AbortController().signal

  it('are read once per contract, for eight at most', async () => {
    const asked: string[] = []
    const node = nodeOf(async (to, data) => {
      asked.push(`${to} ${data}`)
      return JSON.stringify(`0x${Buffer.from(data === '313ce567' ? word(6) : string('TOK')).toString('hex')}`)
    })
    const contracts = Array.from({ length: 20 }, (_none, index) => `0x${String(index % 10).repeat(40)}`)

    const names = await tokenNames(node, [...contracts, contracts[0] ?? ''], never)

    expect(names).toHaveLength(8)
    expect(names[1]).toEqual({ contract: contracts[1], symbol: 'TOK', decimals: 6 })
    expect(new Set(asked).size).toBe(16)
    expect(asked).toHaveLength(16)
  })

  it("aren't claimed if they fail or aren't bytes", async () => {
    const node = nodeOf(async (_to, data) => {
      if (data === '313ce567') throw new Error('reverted')
      return '{"not": "hex"}'
    })
    const contract = `0x${'11'.repeat(20)}`
    expect(await tokenNames(node, [contract], never)).toEqual([{ contract, symbol: '', decimals: null }])
  })
})
