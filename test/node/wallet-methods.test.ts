// Wallet methods used by libraries: personal_*, wallet_*, typed data and eth_resend of a real node, each signature
// approved in a real signer; ethers and viem call and verify as they do for their users.
import { ethers } from 'ethers'
import { createPublicClient, createWalletClient, http, verifyMessage, verifyTypedData } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { embeddedSigner } from '../../src/host/signer/create-node-accounts'
import { ACCOUNT_A, ACCOUNT_B, Harness, PASSWORD_A } from '../signer/harness'
import { NodeWithAccounts } from './node-with-accounts'

const OWN = ACCOUNT_A.toLowerCase()
const TYPED = {
  domain: { name: 'Mail', version: '1', chainId: 1337, verifyingContract: ACCOUNT_B },
  types: {
    Mail: [
      { name: 'to', type: 'address' },
      { name: 'text', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  message: { to: ACCOUNT_B, text: 'hello' },
} as const
const DOCUMENT = {
  ...TYPED,
  types: {
    ...TYPED.types,
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
  },
}

describe('the wallet methods of a node', () => {
  let harness: Harness
  let server: NodeWithAccounts
  let provider: ethers.JsonRpcProvider
  beforeAll(async () => {
    harness = await Harness.start({ keystore: 'one', service: { chainId: 1337 } })
    server = new NodeWithAccounts(embeddedSigner(harness.service))
    await server.start()
    provider = new ethers.JsonRpcProvider(server.url(), 1337, { staticNetwork: true, cacheTimeout: -1 })
  })
  afterAll(async () => {
    provider.destroy()
    await server.stop()
    await harness.end()
  })
  afterEach(() => harness.service.rejectAll())

  const approved = async <T>(asked: Promise<T>): Promise<T> => {
    await harness.approve(await harness.nextRequest(), { password: PASSWORD_A })
    return asked
  }
  const refusedReason = async (method: string, params: readonly unknown[]): Promise<string | undefined> =>
    (await server.call(method, params)).error?.message

  it('sign a message for ethers, whose own check finds the account', async () => {
    const signer = new ethers.JsonRpcSigner(provider, ACCOUNT_A)

    const signature = await approved(signer.signMessage('hello'))

    expect(ethers.verifyMessage('hello', signature)).toBe(ethers.getAddress(ACCOUNT_A))
  })

  it('sign a document for ethers', async () => {
    const signer = new ethers.JsonRpcSigner(provider, ACCOUNT_A)
    const types = { Mail: [...TYPED.types.Mail] }

    const signature = await approved(signer.signTypedData(TYPED.domain, types, TYPED.message))

    expect(ethers.verifyTypedData(TYPED.domain, types, TYPED.message, signature)).toBe(ethers.getAddress(ACCOUNT_A))
  })

  it('sign messages and documents for viem', async () => {
    const account = ethers.getAddress(ACCOUNT_A) as `0x${string}`
    const client = createWalletClient({ account, transport: http(server.url()) })

    const message = await approved(client.signMessage({ message: 'hello' }))
    const document = await approved(client.signTypedData(TYPED))

    expect(await verifyMessage({ address: account, message: 'hello', signature: message })).toBe(true)
    expect(await verifyTypedData({ ...TYPED, address: account, signature: document })).toBe(true)
    expect(await createPublicClient({ transport: http(server.url()) }).getChainId()).toBe(1337)
  })

  it('take a document as an object or as text, under each name, and reject the first version', async () => {
    for (const [method, document] of [
      ['eth_signTypedData', DOCUMENT],
      ['eth_signTypedData_v3', JSON.stringify(DOCUMENT)],
      ['eth_signTypedData_v4', DOCUMENT],
    ] as const) {
      const { result } = await approved(server.call(method, [ACCOUNT_A, document]))
      expect(ethers.verifyTypedData(TYPED.domain, { Mail: [...TYPED.types.Mail] }, TYPED.message, String(result))).toBe(
        ethers.getAddress(ACCOUNT_A),
      )
    }

    expect(await refusedReason('eth_signTypedData', [ACCOUNT_A, [{ type: 'string', name: 'a', value: 'b' }]])).toMatch(
      /^invalid argument 1: a list of values/,
    )
    expect(await refusedReason('eth_signTypedData_v4', [ACCOUNT_A, '{'])).toMatch(/^invalid argument 1: not an EIP-712/)
    expect(harness.service.requests()).toEqual([])
  })

  it('sign text as is, and find its signer', async () => {
    const { result } = await approved(server.call('personal_sign', ['hello', ACCOUNT_A, 'a password']))

    expect(ethers.verifyMessage('hello', String(result))).toBe(ethers.getAddress(ACCOUNT_A))
    expect(await server.call('personal_ecRecover', ['0x68656c6c6f', result])).toMatchObject({ result: OWN })
    expect(await refusedReason('personal_ecRecover', ['0x68656c6c6f', `0x${'11'.repeat(65)}`])).toBe(
      'invalid Parallax signature (V is not 27 or 28)',
    )
  })

  it('tell a page that was rejected, with the code that wallets use', async () => {
    const refused = server.call('eth_requestAccounts', [])
    await harness.reject(await harness.nextRequest())
    expect((await refused).error).toEqual({ code: 4001, message: 'no account was given out' })

    const told = server.call('eth_requestAccounts', [])
    await harness.approve(await harness.nextRequest(), { accounts: [ACCOUNT_A] })
    expect(await told).toMatchObject({ result: [OWN] })
  })

  it('know this chain and no other', async () => {
    expect(await server.call('wallet_switchEthereumChain', [{ chainId: '0x539' }])).toMatchObject({ result: null })
    expect(await refusedReason('wallet_switchEthereumChain', [{ chainId: '0x1' }])).toBe(
      'this node serves chain 0x539 alone, not 0x1',
    )
    expect(await refusedReason('wallet_addEthereumChain', [{}])).toBe('invalid argument 0: no object with a chainId')
    expect(await server.call('wallet_getPermissions', [])).toMatchObject({
      result: [{ parentCapability: 'eth_accounts' }],
    })
  })

  it("explain why passwords and locks aren't here", async () => {
    expect(await refusedReason('personal_unlockAccount', [ACCOUNT_A, 'a password', 300])).toMatch(/--unlock/)
    expect(await refusedReason('personal_newAccount', ['a password'])).toMatch(/headframe account new/)
    expect(harness.service.requests()).toEqual([])
  })

  it('resend a pending transaction at a higher price, and do nothing else', async () => {
    const transfer = {
      from: ACCOUNT_A,
      to: ACCOUNT_B,
      value: '0x1',
      gas: '0x5208',
      gasPrice: '0x3b9aca00',
      nonce: '0x0',
    }
    const { result: first } = await approved(server.call('personal_sendTransaction', [transfer]))

    const { result: second } = await approved(server.call('eth_resend', [transfer, '0x77359400']))

    expect(second).not.toBe(first)
    const pending = (await server.call('eth_pendingTransactions', [])).result
    expect(pending).toMatchObject([{ hash: second, gasPrice: '0x77359400' }])
    expect(await refusedReason('eth_resend', [{ ...transfer, value: '0x2' }, '0x77359400'])).toBe(
      'no such transaction is waiting in the pool',
    )
    expect(await refusedReason('eth_resend', [{ ...transfer, nonce: undefined }])).toBe(
      'missing transaction nonce in transaction spec',
    )
    expect(harness.service.requests().filter(({ state }) => state === 'waiting')).toEqual([])
  })
})
