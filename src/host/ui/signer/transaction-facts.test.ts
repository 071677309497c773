// What a document takes for a contract and isn't one, as our node sees it.
import { describe, expect, it } from 'vitest'
import { toHex } from '../../../base/hex'
import { FakeClock } from '../../../base/testing/fake-clock'
import type { NodeService } from '../../../node/node-service'
import type { DisplayEntry } from '../../../signer/model/signable'
import type { SignerService } from '../../../signer/signer-service'
import { RequestFacts } from './transaction-facts'

const CODE = '0x1111111111111111111111111111111111111111'
const NONE = '0x2222222222222222222222222222222222222222'
const ZERO = `0x${'0'.repeat(40)}`

/** Facts about a document, with code at one address. */
async function codelessIn(messages: readonly DisplayEntry[], head: unknown = {}) {
  const reader = { code: async (address: Uint8Array) => (toHex(address) === CODE ? Uint8Array.of(0) : null) }
  const node = { head: () => head, reader } as unknown as NodeService
  const caller = { transport: 'http', remote: '127.0.0.1:1', local: '', userAgent: '', origin: '' }
  const request = { id: 'a', transaction: null, data: { messages }, caller }
  const signer = { requests: () => [request], addresses: () => new Set() } as unknown as SignerService
  const facts = new RequestFacts({ signer, node, auditLog: '', watched: () => [], clock: new FakeClock() })
  return (await facts.of('a', null, new AbortController().signal))?.codeless
}

const domain = (contract: string): DisplayEntry => ({
  name: 'EIP712Domain',
  type: 'domain',
  value: [{ name: 'verifyingContract', type: 'address', value: contract }],
})
const details = (token: string): DisplayEntry => ({
  name: 'PermitSingle',
  type: 'primary type',
  value: [{ name: 'details', type: 'PermitDetails', value: [{ name: 'token', type: 'address', value: token }] }],
})

describe('a document', () => {
  it('for a contract that is none is told, and so is its token', async () => {
    expect(await codelessIn([domain(NONE), details(CODE)])).toEqual([NONE])
    expect(await codelessIn([domain(CODE), details(NONE)])).toEqual([NONE])
  })

  it('for contracts is silent, and so is one with the address that stands for LAX', async () => {
    expect(await codelessIn([domain(CODE), details(CODE)])).toEqual([])
    expect(await codelessIn([domain(CODE), details(ZERO)])).toEqual([])
  })

  it('says nothing that a node without a head could know', async () => {
    expect(await codelessIn([domain(NONE)], null)).toEqual([])
  })
})
