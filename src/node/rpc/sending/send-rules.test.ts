import { describe, expect, it } from 'vitest'
import { TestWallet } from '../../testing/test-wallet'
import { checkFee, checkRaw } from './send-rules'

const wallet = new TestWallet(1)
const rules = { feeCapWei: 10n ** 18n, allowUnprotected: false }
const CHAIN = 1337
const dear = 10n ** 14n

describe('the rules of sending', () => {
  it('rejects a fee over the cap, in coins with two decimals', () => {
    expect(() => checkRaw(wallet.sign({ gasPrice: dear }).raw, rules, CHAIN)).toThrow(
      'tx fee (2.10 laxes) exceeds the configured cap (1.00 laxes)',
    )
    expect(() => checkFee(10n ** 18n, rules)).not.toThrow()
    expect(() => checkFee(10n ** 18n, { ...rules, feeCapWei: 10n ** 16n })).toThrow(
      '(1.00 laxes) exceeds the configured cap (0.01 laxes)',
    )
  })

  it('applies no cap when it is 0', () => {
    expect(() => checkRaw(wallet.sign({ gasPrice: dear }).raw, { ...rules, feeCapWei: 0n }, CHAIN)).not.toThrow()
  })

  it('accepts transactions for any chain only if that is allowed', () => {
    const { raw } = wallet.sign({ chainId: null })

    expect(() => checkRaw(raw, rules, CHAIN)).toThrow('only replay-protected (EIP-155) transactions allowed over RPC')
    expect(() => checkRaw(raw, { ...rules, allowUnprotected: true }, CHAIN)).not.toThrow()
  })

  it('says why the sender is invalid where it is the chain, or the type', () => {
    expect(() => checkRaw(wallet.sign({ chainId: 1n }).raw, rules, CHAIN)).toThrow(
      'invalid sender: the transaction is signed for chain 1, this is chain 1337',
    )
    expect(() => checkRaw(Uint8Array.of(2, 0xc0), rules, CHAIN)).toThrow(
      'invalid sender: this chain has no transactions of type 2 (maxFeePerGas): set gasPrice instead',
    )
  })

  it("rejects what isn't a transaction and leaves foreign types to the pool", () => {
    expect(() => checkRaw(new Uint8Array(0), rules, CHAIN)).toThrow('typed transaction too short')
    expect(() => checkRaw(Uint8Array.of(3, 0xc0), rules, CHAIN)).not.toThrow()
  })
})
