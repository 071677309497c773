// Descriptors of typed data: what they add to a document, which documents they match, and which files are rejected.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { parseDocument, signableDocument } from '../typed-data/document'
import { DescriptorFolder, parseDescriptor } from './descriptor-folder'

const CONTRACT = `0x${'ab'.repeat(20)}`
const TOKEN = `0x${'11'.repeat(20)}`
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]
const ORDER = {
  Order: [
    { name: 'legs', type: 'Leg[]' },
    { name: 'note', type: 'string' },
    { name: 'until', type: 'uint48' },
    { name: 'mode', type: 'uint8' },
  ],
  Leg: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
}
const ENCODED = 'Order(Leg[] legs,string note,uint48 until,uint8 mode)Leg(address token,uint256 amount)'
const FIELDS = [
  { path: 'legs.[0].amount', label: 'Pays', format: 'tokenAmount', params: { tokenPath: '#.legs.[0].token' } },
  { path: 'legs', label: 'Legs' },
  { path: '#.note', label: 'Note' },
  { path: 'until', label: 'Until', format: 'date' },
  { path: 'mode', label: 'Mode', format: 'enum', params: { $ref: '$.metadata.enums.modes' } },
  { path: 'legs.[7].token', label: 'Missing' },
  { path: '@.to', label: 'At' },
]

interface Change {
  readonly key?: string
  readonly fields?: readonly object[]
  readonly about?: object
}
const file = ({ key = ENCODED, fields = FIELDS, about = {} }: Change = {}) => ({
  context: { eip712: { deployments: [{ chainId: 2110, address: CONTRACT }], domain: { name: 'Market' }, ...about } },
  metadata: { owner: 'Tester', enums: { modes: { 1: 'all or nothing' } } },
  display: { formats: { [key]: { intent: 'Sell', fields } } },
})
const MESSAGE = { legs: [{ token: TOKEN, amount: '0x05' }], note: 'a\u202eb', until: 1_700_000_000, mode: '1' }
const documentOf = (change: { domain?: object; types?: object; message?: object; primaryType?: string } = {}) =>
  parseDocument({
    types: { EIP712Domain: DOMAIN, ...(change.types ?? ORDER) },
    primaryType: change.primaryType ?? 'Order',
    domain: { name: 'Market', chainId: '0x83e', verifyingContract: CONTRACT, ...change.domain },
    message: change.message ?? MESSAGE,
  })
/** Whose domain has no such member. */
function documentWithout(name: string): ReturnType<typeof documentOf> {
  const types = { ...ORDER, EIP712Domain: DOMAIN.filter((member) => member.name !== name) }
  return documentOf({ types, domain: { [name]: null } })
}

describe('a descriptor of typed data', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'descriptors-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const words = async (content: object, ...documents: readonly ReturnType<typeof documentOf>[]) => {
    writeFileSync(join(folder, 'a.json'), JSON.stringify(content))
    const descriptors = new DescriptorFolder(folder, { log: silentLogger })
    await descriptors.load()
    return documents.map((document) => descriptors.describeDocument(document, signableDocument(document)))
  }
  const LINE = {
    severity: 'Info',
    message:
      `In the words of "Tester": "Sell", "Pays: 5 units of ${TOKEN}", "Legs: 1 items", "Note: ab", ` +
      '"Until: 2023-11-14T22:13:20.000Z", "Mode: all or nothing", "Missing: -", ' +
      '"At: 0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB"',
  }

  it('adds one line to a document of its types, contract and chain', async () => {
    expect(await words(file(), documentOf())).toEqual([[LINE]])
  })

  it('may match the document by its primary type if the types are in it', async () => {
    const schemas = [{ primaryType: 'Order', types: { EIP712Domain: DOMAIN, ...ORDER } }]

    expect(await words(file({ key: 'Order', about: { schemas } }), documentOf())).toEqual([[LINE]])
  })

  it('ignores other chains, contracts, names and types, and domains without them', async () => {
    const [leg] = ORDER.Leg
    const others = [
      documentOf({ domain: { chainId: 1 } }),
      documentOf({ domain: { verifyingContract: TOKEN } }),
      documentOf({ domain: { name: 'Another' } }),
      documentWithout('name'),
      documentWithout('verifyingContract'),
      documentWithout('chainId'),
      documentOf({ types: { ...ORDER, Leg: [leg, { name: 'amount', type: 'uint128' }] } }),
      documentOf({ types: { Leg: ORDER.Leg }, primaryType: 'Leg', message: MESSAGE.legs[0] ?? {} }),
    ]

    expect(await words(file(), ...others)).toEqual(others.map(() => []))
  })

  it('is shipped for Permit2', async () => {
    const document = parseDocument({
      types: {
        EIP712Domain: DOMAIN,
        PermitTransferFrom: [
          { name: 'permitted', type: 'TokenPermissions' },
          { name: 'spender', type: 'address' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
        TokenPermissions: ORDER.Leg,
      },
      primaryType: 'PermitTransferFrom',
      domain: { name: 'Permit2', chainId: 2110, verifyingContract: PERMIT2 },
      message: { permitted: { token: TOKEN, amount: 7 }, spender: CONTRACT, nonce: 1, deadline: 1_700_000_000 },
    })

    const [[found] = []] = await words(file(), document)
    expect(found?.message).toContain(`"Let someone take tokens once through Permit2"`)
    expect(found?.message).toContain(`"Up to: 7 units of ${TOKEN}"`)
  })

  it.each([
    ['a type that nobody describes', { key: 'Order' }, 'no schema of'],
    ['schemas elsewhere', { key: 'Order', about: { schemas: ['https://example.org/order.json'] } }, 'schemas'],
    ['types in another order', { key: 'Leg(address token,uint256 amount)Order(Leg[] legs)' }, 'want Leg'],
    ['a type twice', { key: `${ENCODED}Leg(address token)` }, 'as EIP-712 encodes it'],
    ['a type that is not there', { key: 'Order(Leg[] legs)' }, 'undefined'],
    ['text behind the types', { key: `${ENCODED} ` }, 'as EIP-712 encodes it'],
    ['a path to nothing', { fields: [{ path: 'legs.[0].price', label: 'x' }] }, 'names no member'],
    ['an item of what is no list', { fields: [{ path: 'note.[0]', label: 'x' }] }, 'names no member'],
    ['a list as a whole', { fields: [{ path: 'legs.[].token', label: 'x' }] }, 'names no member'],
    ['a value of a transaction', { fields: [{ path: '@.value', label: 'x' }] }, 'names no member'],
    ['a name of the language', { fields: [{ path: '__proto__', label: 'x' }] }, 'names no member'],
    ['no contract', { about: { deployments: [] } }, 'context.eip712.deployments'],
  ])("isn't accepted with %s", (_what, change: Change, reason) => {
    expect(() => parseDescriptor(JSON.stringify(file(change)))).toThrow(reason)
  })
})
