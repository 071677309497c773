// Random transactions of a few wallets: creations, and calls of programs that earlier ones left.
import { LOCKBOX_ADDRESS } from '../../../src/node/consensus/rewards'
import type { Transaction } from '../../../src/node/model/transaction'
import { TestWallet } from '../../../src/node/testing/test-wallet'
import { type Chance, deploying, randomProgram } from './random-programs'

const MAX_CONTRACTS = 24

/** Their fields, but the nonce. */
export interface RandomRange {
  /** gas limits: from `least`, below `least` + `more` */
  readonly gas: { readonly least: number; readonly more: number }
  /** wei per gas: from `least`, below `least` + 3 */
  readonly leastPrice: number
}

/** The same for the same chance. */
export class RandomTransactions {
  readonly wallets = Array.from({ length: 6 }, (_, index) => new TestWallet(index + 1))
  programs = 0
  /** addresses of 20 bytes, the newest last */
  #contracts: Uint8Array[] = []

  constructor(
    readonly chance: Chance,
    private readonly range: RandomRange,
  ) {}

  get contracts(): readonly Uint8Array[] {
    return this.#contracts
  }

  program(known: readonly Uint8Array[]): Uint8Array {
    this.programs++
    return randomProgram(this.chance, known)
  }

  /** Programs that the chain begins with, at addresses of their own. */
  first(): readonly { readonly address: Uint8Array; readonly code: Uint8Array; readonly number: number }[] {
    return Array.from({ length: 6 }, (_, index) => {
      const number = index + 1
      const address = new Uint8Array(20).fill(0xa0 + number)
      const code = this.program([address, LOCKBOX_ADDRESS])
      this.learn(address)
      return { address, code, number }
    })
  }

  /** A contract that later ones call. */
  learn(address: Uint8Array): void {
    this.#contracts = [...this.#contracts, address.slice()].slice(-MAX_CONTRACTS)
  }

  next(wallet: TestWallet, nonce: bigint, gas?: bigint): Transaction {
    const { chance, range } = this
    const known = [...this.#contracts, LOCKBOX_ADDRESS, new Uint8Array(20).fill(0xcb)]
    const gasLimit = gas ?? BigInt(range.gas.least + chance.under(range.gas.more))
    const gasPrice = BigInt(range.leastPrice + chance.under(3))
    const base = { nonce, gasLimit, value: BigInt(chance.under(3)), gasPrice }
    if (chance.under(3) === 0) {
      const code = this.program(known)
      return wallet.sign({ ...base, to: null, data: chance.under(3) === 0 ? code : deploying(code) })
    }
    const to = chance.under(6) === 0 ? bytesOfSmall(chance.under(12)) : chance.of(known)
    const call = { ...base, to, data: chance.bytes(chance.under(300)) }
    if (chance.under(4) !== 0) return wallet.sign(call)
    const entry = () => ({ address: chance.of(known), storageKeys: [bytesOfSmall(chance.under(5), 32)] })
    return wallet.sign({ ...call, type: 1, accessList: [entry(), entry()] })
  }
}

const bytesOfSmall = (value: number, length = 20): Uint8Array => {
  const bytes = new Uint8Array(length)
  bytes[length - 1] = value
  return bytes
}
