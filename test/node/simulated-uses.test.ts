// What others would do with a signature, and what a transaction changes of one's holdings, tried on a node whose genesis
// has contracts that check signatures as the standards say.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOfHex, toBareHex, toHex } from '../../src/base/hex'
import { simulateRequest } from '../../src/host/adapters/transaction-simulation'
import { signatureUse } from '../../src/signer/checks/signature-use'
import { parseDocument, signableDocument } from '../../src/signer/typed-data/document'
import { QueryNode } from './query-node'

const VECTORS = resolve(import.meta.dirname, '../vectors')
const CODES: Record<string, string> = JSON.parse(readFileSync(join(VECTORS, 'signer/uses/contracts.json'), 'utf8'))
const CHAIN = 3110
const ME = '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f'
const OTHER = '0x1111111111111111111111111111111111111111'
const EVIL = '0xe511e511e511e511e511e511e511e511e511e511'
const at = (name: string): string => `0x${toBareHex(keccak_256(new TextEncoder().encode(name))).slice(0, 40)}`
const [TOKEN, MARKET, COLLECTIBLE, ENTRY, ACCOUNT, WALLET] = [
  'Token',
  'Market',
  'Collectible',
  'EntryPoint',
  'Account',
  'Wallet',
].map(at) as [string, string, string, string, string, string]
const MAX = 2n ** 256n - 1n
const LATER = '4102444800'

const word = (value: bigint | string): string => BigInt(value).toString(16).padStart(64, '0')
/** Where Solidity keeps a mapping's value. */
const slot = (base: bigint | string, ...keys: readonly (bigint | string)[]): string =>
  keys.reduce<string>((place, key) => toHex(keccak_256(bytesOfHex(`0x${word(key)}${word(place)}`))), `0x${word(base)}`)
const stored = (pairs: readonly (readonly [string, bigint | string])[]) =>
  Object.fromEntries(pairs.map(([place, value]) => [place, `0x${word(value)}`]))

function genesis(): string {
  const base = JSON.parse(readFileSync(join(VECTORS, 'rpc/genesis.json'), 'utf8'))
  const contract = (name: string, storage: Record<string, string> = {}, balance = '0x0') => ({
    code: CODES[name],
    storage,
    balance,
  })
  const alloc = {
    [ME.slice(2)]: { balance: '0xde0b6b3a7640000' },
    [TOKEN.slice(2)]: contract(
      'Token',
      stored([
        [slot(0n, ME), 100n],
        [slot(0n, WALLET), 50n],
        [slot(1n, ME, MARKET), MAX],
      ]),
    ),
    [COLLECTIBLE.slice(2)]: contract(
      'Collectible',
      stored([
        [slot(0n, 7n), ME],
        [slot(2n, ME), 1n],
        [slot(3n, ME, MARKET), 1n],
      ]),
    ),
    [MARKET.slice(2)]: contract('Market'),
    [ENTRY.slice(2)]: contract('EntryPoint'),
    [ACCOUNT.slice(2)]: contract('Account', stored([[slot(0n), ME]]), '0x3e8'),
    [WALLET.slice(2)]: contract(
      'Wallet',
      stored([
        [slot(2n, ME), 1n],
        [slot(2n, OTHER), 1n],
        [slot(3n), 2n],
        [slot(4n), 2n],
        [slot(5n), 3n],
      ]),
      '0x64',
    ),
  }
  return JSON.stringify({ ...base, alloc })
}

const domainOf = (name: string, version: string, contract: string, chainId: number = CHAIN) => ({
  name,
  version,
  chainId,
  verifyingContract: contract,
})
const DOMAIN = [
  ['name', 'string'],
  ['version', 'string'],
  ['chainId', 'uint256'],
  ['verifyingContract', 'address'],
]
const members = (list: readonly (readonly string[])[]) => list.map(([name, type]) => ({ name, type }))
function documentOf(
  primaryType: string,
  types: Record<string, readonly (readonly string[])[]>,
  domain: object,
  message: object,
) {
  const all = { EIP712Domain: DOMAIN.filter(([name = '']) => name in domain), ...types }
  return {
    primaryType,
    domain,
    message,
    types: Object.fromEntries(Object.entries(all).map(([name, list]) => [name, members(list)])),
  }
}

const permitOf = (value: bigint, chainId = CHAIN, spender = EVIL) =>
  documentOf(
    'Permit',
    {
      Permit: [
        ['owner', 'address'],
        ['spender', 'address'],
        ['value', 'uint256'],
        ['nonce', 'uint256'],
        ['deadline', 'uint256'],
      ],
    },
    domainOf('Token', '1', TOKEN, chainId),
    { owner: ME, spender, value: value.toString(), nonce: 0, deadline: LATER },
  )

const ITEM = [
  ['itemType', 'uint8'],
  ['token', 'address'],
  ['identifierOrCriteria', 'uint256'],
  ['startAmount', 'uint256'],
  ['endAmount', 'uint256'],
]
const ZERO = `0x${'0'.repeat(40)}`
function orderOf(offer: readonly object[], consideration: readonly object[]) {
  const types = {
    OrderComponents: [
      ['offerer', 'address'],
      ['zone', 'address'],
      ['offer', 'OfferItem[]'],
      ['consideration', 'ConsiderationItem[]'],
      ['orderType', 'uint8'],
      ['startTime', 'uint256'],
      ['endTime', 'uint256'],
      ['zoneHash', 'bytes32'],
      ['salt', 'uint256'],
      ['conduitKey', 'bytes32'],
      ['counter', 'uint256'],
    ],
    OfferItem: ITEM,
    ConsiderationItem: [...ITEM, ['recipient', 'address']],
  }
  const bare = `0x${'0'.repeat(64)}`
  const message = {
    offerer: ME,
    zone: ZERO,
    offer,
    consideration,
    orderType: 0,
    startTime: 0,
    endTime: LATER,
    zoneHash: bare,
    salt: 1,
    conduitKey: bare,
    counter: 0,
  }
  return documentOf('OrderComponents', types, domainOf('Seaport', '1.5', MARKET), message)
}
const NUMBER_7 = { itemType: 2, token: COLLECTIBLE, identifierOrCriteria: 7, startAmount: 1, endAmount: 1 }
const paying = (itemType: number, token: string, amount: number, recipient: string) => ({
  itemType,
  token,
  identifierOrCriteria: 0,
  startAmount: amount,
  endAmount: amount,
  recipient,
})

const SAFE = [
  ['to', 'address'],
  ['value', 'uint256'],
  ['data', 'bytes'],
  ['operation', 'uint8'],
  ['safeTxGas', 'uint256'],
  ['baseGas', 'uint256'],
  ['gasPrice', 'uint256'],
  ['gasToken', 'address'],
  ['refundReceiver', 'address'],
  ['nonce', 'uint256'],
]
const OPERATION = [
  ['sender', 'address'],
  ['nonce', 'uint256'],
  ['initCode', 'bytes'],
  ['callData', 'bytes'],
  ['accountGasLimits', 'bytes32'],
  ['preVerificationGas', 'uint256'],
  ['gasFees', 'bytes32'],
  ['paymasterAndData', 'bytes'],
]
const callData = (signature: string, ...words: readonly (bigint | string)[]) =>
  `${toHex(keccak_256(new TextEncoder().encode(signature)).subarray(0, 4))}${words.map(word).join('')}`

describe('simulated on a node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-uses-'))
  writeFileSync(join(folder, 'genesis.json'), genesis())
  writeFileSync(join(folder, 'none.rlp'), '')
  const server = new QueryNode({ folder, blocks: 'none.rlp', networkId: CHAIN })
  const never = new AbortController().signal
  beforeAll(() => server.start())
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  const used = async (document: object) => {
    const parsed = parseDocument(document)
    const use = signatureUse(parsed, signableDocument(parsed).hash, ME)
    const request = { transaction: null, data: { address: ME } as never }
    const seen = await simulateRequest(
      server.node,
      { request, aside: { named: null, use }, edits: null, accounts: [ME] },
      never,
    )
    if (typeof seen === 'string') throw new Error(seen)
    return seen
  }
  const sent = async (data: string, parties: readonly string[] = [], to: string = TOKEN) => {
    const transaction = {
      from: ME,
      to,
      value: '0',
      gas: '500000',
      gasPrice: '1',
      maxFeePerGas: null,
      nonce: '0',
      data,
      accessList: null,
    } as never
    const aside = { named: { parties, leftOut: 0, payees: [], tokens: [] }, use: null }
    const seen = await simulateRequest(
      server.node,
      { request: { transaction, data: null }, aside, edits: null, accounts: [ME] },
      never,
    )
    if (typeof seen === 'string') throw new Error(seen)
    return seen
  }
  const rows = (seen: Awaited<ReturnType<typeof used>>, ...kinds: readonly string[]) =>
    (seen.holdings ?? []).filter(({ kind }) => kinds.includes(kind))

  it('a permit is used for what it allows, as far as it is there', async () => {
    const limited = await used(permitOf(60n))
    const unlimited = await used(permitOf(MAX))

    expect(limited).toMatchObject({ outcome: 'succeeded', use: 'permit', dependsOnBlock: false })
    expect(rows(limited, 'token', 'allowance')).toEqual([
      { kind: 'token', account: ME, contract: TOKEN, standard: 'erc20', before: '100', after: '40' },
    ])
    expect(rows(unlimited, 'token', 'allowance')).toEqual([
      { kind: 'token', account: ME, contract: TOKEN, standard: 'erc20', before: '100', after: '0' },
      { kind: 'allowance', account: ME, contract: TOKEN, spender: EVIL, before: '0', after: MAX.toString() },
    ])
  })

  it('a signature counts only for its own hash: one for another chain fails, and says why', async () => {
    expect(await used(permitOf(60n, 1))).toMatchObject({
      outcome: 'reverted',
      reason: expect.stringContaining('signer'),
    })
  })

  it('an authorized transfer is made', async () => {
    const type = [
      ['from', 'address'],
      ['to', 'address'],
      ['value', 'uint256'],
      ['validAfter', 'uint256'],
      ['validBefore', 'uint256'],
      ['nonce', 'bytes32'],
    ]
    const message = { from: ME, to: EVIL, value: 30, validAfter: 0, validBefore: LATER, nonce: `0x${'01'.repeat(32)}` }
    const seen = await used(
      documentOf(
        'TransferWithAuthorization',
        { TransferWithAuthorization: type },
        domainOf('Token', '1', TOKEN),
        message,
      ),
    )

    expect(seen).toMatchObject({ outcome: 'succeeded', use: 'authorization' })
    expect(rows(seen, 'token')).toMatchObject([{ before: '100', after: '70' }])
  })

  it('an order is filled by someone who has what it asks for: LAX or a token', async () => {
    const forLax = await used(orderOf([NUMBER_7], [paying(0, ZERO, 5, ME)]))
    const forToken = await used(orderOf([NUMBER_7], [paying(1, TOKEN, 9, ME)]))
    const gift = await used(orderOf([NUMBER_7], []))
    const paid = [forLax, forToken, gift].flatMap(({ balances }) => balances.map(({ address }) => address))
    expect(paid.filter((address) => address.startsWith('0x5f111e45'))).toEqual([])

    expect([forLax, forToken, gift].map(({ outcome, use }) => [outcome, use])).toEqual(
      Array(3).fill(['succeeded', 'order']),
    )
    const owner = [
      { kind: 'owner', contract: COLLECTIBLE, number: '7', before: ME, after: expect.stringMatching(/^0x5f111e45/) },
    ]
    expect(rows(forLax, 'owner')).toEqual(owner)
    expect(rows(forLax, 'lax')).toEqual([
      { kind: 'lax', account: ME, before: '1000000000000000000', after: '1000000000000000005' },
    ])
    expect(rows(forToken, 'token')).toEqual([
      { kind: 'token', account: ME, contract: COLLECTIBLE, standard: 'erc721', before: '1', after: '0' },
      { kind: 'token', account: ME, contract: TOKEN, standard: 'erc20', before: '100', after: '109' },
    ])
    expect([rows(gift, 'lax'), rows(gift, 'owner')]).toEqual([[], owner])
  })

  it('a user operation goes through its entry point, and the wallet is looked at', async () => {
    const execute = `${callData('execute(address,uint256,bytes)', EVIL, 7n, 96n)}${word(0n)}`
    const message = {
      sender: ACCOUNT,
      nonce: 0,
      initCode: '0x',
      callData: execute,
      accountGasLimits: `0x${'0'.repeat(64)}`,
      preVerificationGas: 0,
      gasFees: `0x${'0'.repeat(64)}`,
      paymasterAndData: '0x',
    }
    const seen = await used(
      documentOf('PackedUserOperation', { PackedUserOperation: OPERATION }, domainOf('ERC4337', '1', ENTRY), message),
    )

    expect(seen).toMatchObject({ outcome: 'succeeded', use: 'userOperation' })
    expect(rows(seen, 'lax')).toEqual([{ kind: 'lax', account: ACCOUNT, before: '1000', after: '993' }])
  })

  it('a Safe transaction runs as if its turn had come and the other owners had signed', async () => {
    const message = {
      to: TOKEN,
      value: 0,
      data: callData('transfer(address,uint256)', EVIL, 30n),
      operation: 0,
      safeTxGas: 0,
      baseGas: 0,
      gasPrice: 0,
      gasToken: ZERO,
      refundReceiver: ZERO,
      nonce: 5,
    }
    const domain = { chainId: CHAIN, verifyingContract: WALLET }
    const seen = await used(documentOf('SafeTx', { SafeTx: SAFE }, domain, message))

    expect(seen).toMatchObject({ outcome: 'succeeded', use: 'safeTransaction' })
    expect(rows(seen, 'token')).toEqual([
      { kind: 'token', account: WALLET, contract: TOKEN, standard: 'erc20', before: '50', after: '20' },
    ])
  })

  it('a transfer without an event is seen, and so is an allowance', async () => {
    const drained = await sent(callData('drain(address)', EVIL))
    const allowed = await sent(callData('approve(address,uint256)', EVIL, 5n), [EVIL])

    expect(drained).toMatchObject({ outcome: 'succeeded', tokens: [] })
    expect(rows(drained, 'token')).toMatchObject([{ account: ME, before: '100', after: '0' }])
    expect(rows(allowed, 'token', 'allowance')).toEqual([
      { kind: 'allowance', account: ME, contract: TOKEN, spender: EVIL, before: '0', after: '5' },
    ])
  })

  it('the fee is part of what changes', async () => {
    const seen = await sent(callData('approve(address,uint256)', EVIL, 5n))

    expect(rows(seen, 'lax')).toEqual([
      {
        kind: 'lax',
        account: ME,
        before: '1000000000000000000',
        after: (10n ** 18n - BigInt(seen.gasUsed)).toString(),
      },
    ])
  })

  it('a failed transaction changes nothing but LAX', async () => {
    const seen = await sent(callData('transferFrom(address,address,uint256)', WALLET, ME, 1n))

    expect(seen).toMatchObject({ outcome: 'reverted' })
    expect((seen.holdings ?? []).map(({ kind }) => kind)).toEqual(['lax'])
  })

  it('what nobody knows how to use is not tried', async () => {
    const mail = documentOf('Mail', { Mail: [['text', 'string']] }, domainOf('Mail', '1', TOKEN), { text: 'hi' })
    const parsed = parseDocument(mail)

    expect(signatureUse(parsed, signableDocument(parsed).hash, ME)).toBeNull()
  })
})
