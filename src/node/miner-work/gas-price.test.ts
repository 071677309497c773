import { expect, it } from 'vitest'
import { createBlock } from '../model/block'
import { openTestChain } from '../testing/test-chain'
import { TestWallet } from '../testing/test-wallet'
import { GasPriceOracle } from './gas-price'

it("looks at a block's three lowest prices, without dust and its miner's own transactions", async () => {
  const { chain } = await openTestChain()
  const miner = new TestWallet(3)
  const others = [900n, 1n, 40n, 30n, 20n].map((gasPrice, seed) => new TestWallet(10 + seed).sign({ gasPrice }))
  const header = { ...chain.head.header, number: 1n, coinbase: miner.address }
  const block = createBlock(header, [miner.sign({ gasPrice: 2n }), ...others])
  const oracle = new GasPriceOracle(1337n, (number) => (number === 1n ? block : null))

  // 20, 30 and 40: the 60th percentile of three is the second.
  expect(oracle.suggest({ number: 1n, hash: block.hash })).toBe(30n)
})
