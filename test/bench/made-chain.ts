// Chains that the import bench generates: empty blocks, or transfers and calls of an ERC-20 token, sealed or not.
import { bytesFromBigint, concatBytes } from '../../src/base/bytes'
import { toBareHex } from '../../src/base/hex'
import { silentLogger } from '../../src/base/logger'
import { FakeClock } from '../../src/base/testing/fake-clock'
import type { XhashEngine } from '../../src/native/xhash-engine'
import type { Chain } from '../../src/node/chain/chain'
import { openChain } from '../../src/node/chain/open-chain'
import { keccak256 } from '../../src/node/codec/keccak'
import { encodeRlp, rlpInteger } from '../../src/node/codec/rlp'
import { type ConsensusParams, MAIN_CONSENSUS } from '../../src/node/consensus/params'
import { forksAtGenesis } from '../../src/node/custom-genesis'
import type { ExecutionEngine } from '../../src/node/execution/engine'
import { openEngine } from '../../src/node/execution/wasm/wasm-engine'
import { buildTemplate } from '../../src/node/miner-work/template'
import { createBlock, encodeBlock } from '../../src/node/model/block'
import type { Transaction } from '../../src/node/model/transaction'
import { MemoryStore } from '../../src/node/store/store'
import { TestWallet } from '../../src/node/testing/test-wallet'
import type { PoolTransaction } from '../../src/node/txpool/pool-transaction'
import { candidateQueue } from '../../src/node/txpool/tx-pool'
import { epochOfHeight, XHASH_FULL } from '../../src/xhash/params'

export interface MadeChain {
  readonly params: ConsensusParams
  /** JSON text */
  readonly genesis: string
  /** RLP, one after another */
  readonly blocks: Uint8Array
}

export interface MadeChainOptions {
  readonly blocks: number
  /** transactions per block, half transfers and half calls of the token */
  readonly transactions: number
  /** Null: the seals are left empty. */
  readonly xhash: XhashEngine | null
  /** Accounts that hold coins, in addition to the senders. */
  readonly alsoRich?: readonly Pick<TestWallet, 'address'>[]
  /** Additional entries of the genesis file's `alloc`: contracts with their code and storage. */
  readonly contracts?: Readonly<Record<string, object>>
  /** Each block contains this one transaction instead of the traffic. */
  readonly call?: Pick<Transaction, 'to' | 'gasLimit'>
}

const START_SECONDS = 1_761_678_000
/** Difficulty stays 1, so that every nonce seals: a check costs the same whatever the difficulty. */
const PARAMS: ConsensusParams = {
  ...MAIN_CONSENSUS,
  chainId: 1337n,
  retargetIntervalBlocks: 1_000_000, // never reached
  asertActivationHeight: null,
}
/** prlx must be notified of each. */
const GAS_PRICE = 10n ** 9n
const SENDERS = 64

/** transfer(to, amount) without checking balances: two slots of a mapping, one log. */
const TOKEN = [
  '6024 35 33 6000 52 6040 6000 20 80 54 82 90 03 90 55',
  '6004 35 6000 52 6040 6000 20 80 54 82 01 90 55 6000 52',
  '6004 35 33 7f ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef 6020 6000 a3',
  '6001 6000 52 6020 6000 f3',
]
const TRANSFER_SELECTOR = Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb)

export async function makeChain(options: MadeChainOptions): Promise<MadeChain> {
  const wallets = Array.from({ length: SENDERS }, (_, index) => new TestWallet(index + 1))
  const rich = [...wallets, ...(options.alsoRich ?? [])]
  const engine = openEngine(PARAMS, import.meta.dirname)
  const maker = await ChainMaker.open({ rich, contracts: options.contracts ?? {}, xhash: options.xhash, engine })
  const traffic = new Traffic(wallets, options.call ?? null)
  const parts: Uint8Array[] = []
  for (let number = 1; number <= options.blocks; number++)
    parts.push(await maker.add(traffic.next(number, options.transactions)))
  return { params: PARAMS, genesis: maker.genesis, blocks: Buffer.concat(parts) }
}

/** What a chain begins with. */
interface MakerOptions {
  /** accounts that hold coins */
  readonly rich: readonly Pick<TestWallet, 'address'>[]
  /** entries of the genesis file's `alloc` in addition */
  readonly contracts: Readonly<Record<string, object>>
  /** Null: the seals are left empty. */
  readonly xhash: XhashEngine | null
  readonly engine: ExecutionEngine
}

/** Makes a chain block by block, in memory. */
export class ChainMaker {
  static readonly params = PARAMS
  #number = 0

  private constructor(
    /** JSON text */
    readonly genesis: string,
    private readonly options: MakerOptions,
    private readonly parts: { readonly chain: Chain; readonly store: MemoryStore; readonly clock: FakeClock },
  ) {}

  static async open(options: MakerOptions): Promise<ChainMaker> {
    const genesis = genesisOf(options.rich, options.contracts)
    const clock = new FakeClock(START_SECONDS * 1_000)
    const store = new MemoryStore()
    const unsealed = { params: options.xhash?.params ?? XHASH_FULL, hashLight: async () => EMPTY_SEAL }
    const chain = await openChain(
      { params: PARAMS, genesis, folder: 'memory', checkSeals: false, gcMode: 'archive' },
      { store, engine: options.engine, seals: unsealed, clock, log: silentLogger },
    )
    return new ChainMaker(genesis, options, { chain, store, clock })
  }

  /** The RLP of the next block. @param transactions per sender, ascending nonces */
  async add(transactions: readonly (readonly PoolTransaction[])[]): Promise<Uint8Array> {
    const { chain, store, clock } = this.parts
    const { xhash, engine } = this.options
    clock.advance(600_000)
    const number = ++this.#number
    const { block, sealHash } = await buildTemplate({
      params: PARAMS,
      head: chain.head,
      reads: chain.reads,
      state: store,
      engine,
      timeFloor: 'parent',
      coinbase: new Uint8Array(20).fill(0xcb),
      extraData: new Uint8Array(0),
      gasLimitGoal: 600_000_000n,
      nowSeconds: BigInt(Math.floor(clock.now() / 1_000)),
      candidates: candidateQueue(transactions),
    })
    const epoch = xhash === null ? 0 : epochOfHeight(xhash.params, number)
    const { mixDigest } = (await xhash?.hashLight(epoch, sealHash, 0n)) ?? EMPTY_SEAL
    const sealed = createBlock({ ...block.header, mixHash: mixDigest }, block.transactions)
    const outcome = await chain.importBlock(sealed)
    if (outcome.kind !== 'head') throw new Error(`block ${number}: ${JSON.stringify(outcome)}`)
    return encodeBlock(sealed)
  }
}

const EMPTY_SEAL = { mixDigest: new Uint8Array(32), result: new Uint8Array(32) }

function genesisOf(
  wallets: readonly Pick<TestWallet, 'address'>[],
  contracts: Readonly<Record<string, object>>,
): string {
  const rich = wallets.map((wallet) => [toBareHex(wallet.address), { balance: `0x${(10n ** 24n).toString(16)}` }])
  return JSON.stringify({
    config: {
      chainId: Number(PARAMS.chainId),
      ...forksAtGenesis(),
      xhash: {
        coinbaseMaturityBlocks: PARAMS.coinbaseMaturityBlocks,
        retargetIntervalBlocks: PARAMS.retargetIntervalBlocks,
      },
    },
    timestamp: `0x${START_SECONDS.toString(16)}`,
    epochStartTime: `0x${START_SECONDS.toString(16)}`,
    gasLimit: '0x23c34600',
    difficulty: '0x1',
    alloc: {
      '0000000000000000000000000000000000000042': { balance: '0x1' },
      ...Object.fromEntries(rich),
      ...contracts,
    },
  })
}

class Traffic {
  readonly #nonces = new Map<TestWallet, bigint>()
  readonly #token: Uint8Array

  constructor(
    private readonly wallets: readonly TestWallet[],
    private readonly call: Pick<Transaction, 'to' | 'gasLimit'> | null,
  ) {
    const [owner] = wallets
    this.#token = keccak256(encodeRlp([owner?.address ?? new Uint8Array(20), rlpInteger(0)])).slice(12)
  }

  /** Block 1 creates the token; the others rotate through all senders. */
  next(number: number, count: number) {
    if (this.call !== null) return [[this.#signed(0, this.call)]]
    const transactions = count === 0 ? [] : number === 1 ? [this.#creation()] : this.#mixed(number, count)
    return transactions.map((entry) => [entry])
  }

  #creation() {
    const code = Buffer.from(TOKEN.join('').replaceAll(' ', ''), 'hex')
    const length = code.length.toString(16).padStart(4, '0')
    const init = concatBytes(Buffer.from(`61${length}80600c6000396000f3`, 'hex'), code)
    return this.#signed(0, { to: null, value: 0n, data: init, gasLimit: 1_000_000n })
  }

  #mixed(number: number, count: number) {
    return Array.from({ length: count }, (_, index) => {
      const receiver = keccak256(rlpInteger(BigInt(number) * 1_000n + BigInt(index % 7))).slice(12)
      if (index % 2 === 0) return this.#signed(index, { to: receiver, value: 1_000n })
      const data = concatBytes(TRANSFER_SELECTOR, new Uint8Array(12), receiver, bytesFromBigint(5n, 32))
      return this.#signed(index, { to: this.#token, value: 0n, data, gasLimit: 120_000n })
    })
  }

  #signed(index: number, payment: Partial<Pick<Transaction, 'to' | 'value' | 'data' | 'gasLimit'>>) {
    const wallet = this.wallets[index % this.wallets.length]
    if (wallet === undefined) throw new RangeError('no sender')
    const nonce = this.#nonces.get(wallet) ?? 0n
    this.#nonces.set(wallet, nonce + 1n)
    const tx = wallet.sign({ ...payment, nonce, gasPrice: GAS_PRICE })
    return { tx, sender: wallet.address, local: true, sequence: index, arrivedAt: 0 }
  }
}
