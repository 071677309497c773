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
async function factsOf(messages: readonly DisplayEntry[], head: unknown = {}) {
  const reader = { code: async (address: Uint8Array) => (toHex(address) === CODE ? Uint8Array.of(0) : null) }
  const node = { head: () => head, reader } as unknown as NodeService
  const caller = { transport: 'http', remote: '127.0.0.1:1', local: '', userAgent: '', origin: '' }
  const request = { id: 'a', transaction: null, data: { messages }, caller }
  const signer = { requests: () => [request], addresses: () => new Set() } as unknown as SignerService
  const facts = new RequestFacts({ signer, node, auditLog: '', watched: () => [], clock: new FakeClock() })
  return facts.of('a', null, new AbortController().signal)
}
const codelessIn = async (...of: Parameters<typeof factsOf>) => (await factsOf(...of))?.codeless

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

  it('is not called fine by a node without a head', async () => {
    const facts = await factsOf([domain(NONE)], null)

    expect(facts).toMatchObject({ codeless: [], unchecked: ['history', 'node'] })
  })

  it.each([
    ['256 addresses and 8 tokens', 256, ['history']],
    ['257 addresses', 257, ['history', 'addresses']],
  ])('with %s says which checks are missing', async (_what, count, missing) => {
    const value = Array.from({ length: count }, (_, i) => ({
      name: i < 8 ? 'token' : 'to',
      type: 'address',
      value: `0x${(i + 1).toString(16).padStart(40, '0')}`,
    }))

    expect((await factsOf([{ name: 'Many', type: 'primary type', value }]))?.unchecked).toEqual(missing)
  })

  it('with nine tokens says that one was not looked up', async () => {
    const value = Array.from({ length: 9 }, (_, i) => details(`0x${(i + 1).toString(16).padStart(40, '0')}`))

    expect((await factsOf(value))?.unchecked).toEqual(['history', 'addresses'])
  })
})
