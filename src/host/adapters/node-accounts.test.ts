import { describe, expect, it } from 'vitest'
import { bytesOfHex, toHex } from '../../base/hex'
import { silentLogger } from '../../base/logger'
import type { AccountsCall, UnsignedTransaction } from '../../node/ports/accounts-port'
import { addressOfSecret, recoverAddress, signDigest } from '../../signer/keystore/secret-key'
import type { ToSign } from '../../signer/model/signed-content'
import { NodeAccounts, type NodeAccountsDeps, type UnlockedKeysPort } from './node-accounts'

const secret = new Uint8Array(32).fill(7)
const own = addressOfSecret(secret)
const address = bytesOfHex(own, 20)
const call: AccountsCall = {
  caller: { transport: 'http', remote: '127.0.0.1:9', local: 'localhost', userAgent: 'x', origin: '' },
  signal: new AbortController().signal,
}
const transfer: UnsignedTransaction = {
  from: address,
  to: new Uint8Array(20).fill(2),
  gas: 21_000n,
  gasPrice: 5n,
  maxFeePerGas: null,
  maxPriorityFeePerGas: null,
  value: 3n,
  nonce: 1n,
  data: new Uint8Array(0),
  accessList: null,
  chainId: 7n,
}

class FakeSigner {
  readonly calls: { readonly method: string; readonly params: readonly unknown[] }[] = []
  constructor(private readonly answer: (method: string) => unknown) {}

  readonly ask = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    this.calls.push({ method, params })
    return this.answer(method)
  }
}

class FakeUnlocked implements UnlockedKeysPort {
  readonly uses: string[] = []
  has(name: string): boolean {
    return name === own
  }

  async sign(_name: string, { digest }: ToSign, { method, asker, summary }: Parameters<UnlockedKeysPort['sign']>[2]) {
    this.uses.push(`${method} ${asker} ${summary}`)
    return signDigest(digest, secret)
  }
}

function accounts(changes: Partial<NodeAccountsDeps>): NodeAccounts {
  return new NodeAccounts({ keystore: null, ask: null, unlocked: null, log: silentLogger, ...changes })
}

describe('accounts that a person decides about', () => {
  it('are those disclosed, and known from then on', async () => {
    const signer = new FakeSigner(() => [own])
    const held = accounts({ ask: signer.ask })

    expect(held.known()).toBeNull()
    expect((await held.list(call)).map(toHex)).toEqual([own])
    expect(held.known()?.map(toHex)).toEqual([own])
    expect(signer.calls).toEqual([{ method: 'account_list', params: [] }])
  })

  it('are none after a rejected listing', async () => {
    const held = accounts({
      ask: () => Promise.reject(new Error('request denied')),
    })

    expect(await held.list(call)).toEqual([])
  })

  it('sign by a request with every member of the transaction', async () => {
    const signer = new FakeSigner(() => ({ raw: '0xf801', tx: {} }))
    const held = accounts({ ask: signer.ask })

    const raw = await held.signTransaction(transfer, call)

    expect(toHex(raw)).toBe('0xf801')
    const [asked] = signer.calls
    expect(asked?.method).toBe('account_signTransaction')
    expect(asked?.params[0]).toMatchObject({
      gas: '0x5208',
      gasPrice: '0x5',
      value: '0x3',
      nonce: '0x1',
      chainId: '0x7',
    })
    expect(asked?.params[0]).not.toHaveProperty('accessList')
    expect(asked?.params[0]).not.toHaveProperty('maxFeePerGas')
  })

  it('pass the rejection on, and never a malformed answer', async () => {
    const denied = accounts({ ask: () => Promise.reject(new Error('request denied')) })
    const odd = accounts({ ask: async () => ({ raw: 5 }) })

    await expect(denied.signMessage(address, Uint8Array.of(1), call)).rejects.toThrow('request denied')
    await expect(odd.signTransaction(transfer, call)).rejects.toThrow('something else than was asked for')
  })
})

describe('unlocked accounts beside those that a person decides about', () => {
  it('are known and listed even when nothing was disclosed', async () => {
    const other = '0x'.padEnd(42, '1')
    const held = accounts({ ask: async () => [other], unlocked: new FakeUnlocked(), always: [address] })

    expect((await held.list(call)).map(toHex)).toEqual([other, own])
    expect(held.known()?.map(toHex)).toEqual([other, own])
  })
})

describe('accounts of key files', () => {
  it('are listed without asking and sign only when unlocked', async () => {
    const held = accounts({ keystore: () => [address] })

    expect(held.known()?.map(toHex)).toEqual([own])
    await expect(held.signMessage(address, Uint8Array.of(1), call)).rejects.toThrow(
      'authentication needed: password or unlock',
    )
  })

  it('sign a personal message with v 27 or 28', async () => {
    const unlocked = new FakeUnlocked()
    const held = accounts({ keystore: () => [address], unlocked })

    const signature = await held.signMessage(address, new TextEncoder().encode('hello'), call)

    expect(signature).toHaveLength(65)
    expect([27, 28]).toContain(signature[64])
    // keccak-256 of the prefixed text, from the EIP-191 rule
    const digest = bytesOfHex('0x50b2c43fd39106bafbba0da34fc430e1f91e3c96ea2acee2bc34119f92b37750')
    const plain = Uint8Array.from(signature)
    plain[64] = (plain[64] ?? 0) - 27
    expect(recoverAddress(digest, plain)).toBe(own)
    expect(unlocked.uses).toEqual(['eth_sign 127.0.0.1:9 message of 5 bytes'])
  })

  it('sign transactions of the chain and say what for', async () => {
    const unlocked = new FakeUnlocked()
    const held = accounts({ keystore: () => [address], unlocked })

    const raw = await held.signTransaction(transfer, call)

    expect(toHex(raw)).toMatch(/^0xf8/)
    expect(unlocked.uses[0]).toMatch(/^eth_sendTransaction .* 3 wei, nonce 1$/)
  })
})
