// What the search for unpaid work composes: blocks of up to four kinds of transactions, what waits in the pool, filters that are
// open meanwhile, and requests afterwards. A case is plain JSON, so that it can be kept and repeated on any chain of this maker.
// One worker of tools/bench/gas/search.mjs.
import { bytesFromBigint, concatBytes } from '../../src/base/bytes'
import { bytesOfHex, toHex } from '../../src/base/hex'
import { keccak256 } from '../../src/node/codec/keccak'
import { encodeRlp, rlpInteger } from '../../src/node/codec/rlp'
import { openEngine } from '../../src/node/execution/wasm/wasm-engine'
import { type Payment, TestWallet } from '../../src/node/testing/test-wallet'
import type { PoolTransaction } from '../../src/node/txpool/pool-transaction'
import { byte, changed, push, Random, randomPiece, size } from './gas-search'
import { ChainMaker } from './made-chain'

/** Random numbers of a seed. */
export const randomOf = (seed: number): Random => new Random(seed)

/** Transactions of one kind in a block. */
export interface Share {
  readonly kind: (typeof KINDS)[number]
  /** all together, in Mgas */
  readonly mgas: number
  readonly count: number
  /** for programs: hexadecimal pieces of a loop */
  readonly pieces: readonly string[]
  /** what kinds read differently: slots, bytes, an operation */
  readonly size: number
}

/** A request afterwards. */
export interface Ask {
  readonly kind: (typeof ASKS)[number]
  readonly times: number
  readonly pieces: readonly string[]
  readonly size: number
}

export interface SearchCase {
  readonly block: readonly Share[]
  /** kinds of filters that are open while the block arrives */
  readonly watch: readonly (typeof WATCHES)[number][]
  readonly pool: { readonly count: number; readonly bytes: number } | null
  readonly ask: readonly Ask[]
}

const KINDS = [
  ...(['spend', 'keep', 'logs', 'codes', 'fill', 'read', 'destroy'] as const),
  ...(['transfers', 'fresh', 'data', 'creations', 'lists'] as const),
]
const WATCHES = ['all', 'topic', 'address', 'blocks', 'pending'] as const
const ASKS = [
  ...(['logs', 'logs of a topic', 'receipt', 'block', 'block of hashes', 'call tracer', 'prestate tracer'] as const),
  ...(['struct tracer', 'block traces', 'proof', 'call', 'estimate', 'access list', 'fees'] as const),
  ...(['balances', 'slots', 'pool', 'pending'] as const),
]

const MGAS = 1_000_000
const BLOCK_MGAS = 590
const CODES = 1_200
const CODE_BYTES = 24_576
const WALLETS = 64
const SLOTS_PER_BLOCK = 26_000
const SLOT_GAS = 22_200
/** Of a contract that deletes itself. */
const MOST_SLOTS = 1_000_000

/** Goes on while more than `left` gas is there, then runs `end`. */
const whileGas = (setup: string, body: string, left: number, end = '00'): string =>
  `${setup}5b${body}${push(BigInt(left))}5a11${push(BigInt(setup.length / 2))}57${end}`
const NEXT = '600101'
/** Runs the code of the address in its data's first word over its own storage, with the second word as data. */
const PROXY = '3660006000376000600060206020600051' + '5af400'
const STORAGE = '5e'.repeat(20)
const FACTORY = 'fa'.repeat(20)
const [FILL, READ, DESTROY] = ['f1'.repeat(20), 'f2'.repeat(20), 'f3'.repeat(20)]
/** Each has its own address as code. */
const INIT = `30600052${push(BigInt(CODE_BYTES))}6000f3`
const CREATE_NEXT = `80${push(BigInt(INIT.length / 2))}${push(BigInt(32 - INIT.length / 2))}6000f550${NEXT}`
const CONTRACTS = {
  [STORAGE]: PROXY,
  [FILL]: whileGas('600035', `808055${NEXT}`, 40_000),
  [READ]: whileGas('600035', `805450${NEXT}`, 40_000),
  [DESTROY]: '6000ff',
  [FACTORY]: whileGas(`${byte(0x5f + INIT.length / 2)}${INIT}600052600054`, CREATE_NEXT, 6 * MGAS, '60005500'),
}

const word = (value: bigint): Uint8Array => bytesFromBigint(value, 32)
const address = (hex: string): Uint8Array => bytesOfHex(hex)
const onStorage = (logic: string, from: number): Uint8Array =>
  concatBytes(new Uint8Array(12), address(logic), word(BigInt(from)))

/** Loads codes of the factory's contracts: their sizes, hashes, parts, or calls them. */
function codesProgram(size: number): string {
  const setup = `74ff${FACTORY}6000527f${toHex(keccak256(bytesOfHex(INIT))).slice(2)}6040526000`
  const use = ['3b50', '3f50', '3150', '602060006080833c50', '60006000600060006000855af15050'][size % 5]
  return whileGas(setup, `80${push(BigInt(CODES))}90066020526055600b20${use}${NEXT}`, 100_000)
}

function logsProgram(size: number): string {
  const topics = size % 5
  return whileGas('', `${'6007'.repeat(topics)}${push(BigInt(size >> 4))}6000${byte(0xa0 + topics)}`, 200_000)
}

/** A case of a few random things. */
export function randomCase(random: Random): SearchCase {
  const some = <T>(limit: number, make: () => T): T[] => Array.from({ length: random.under(limit + 1) }, make)
  return {
    block: [randomShare(random), ...some(2, () => randomShare(random))],
    watch: some(3, () => random.of(WATCHES)),
    pool: random.under(4) > 0 ? null : randomPool(random),
    ask: some(3, () => randomAsk(random)),
  }
}

/** Another case near it: one part is replaced, doubled, left out or added. */
export function changedCase(from: SearchCase, random: Random): SearchCase {
  const replaced = <T>(list: readonly T[], make: (old: T | undefined) => T, least: number): T[] => {
    const next = [...list]
    const at = random.under(next.length || 1)
    const way = random.under(4)
    if (way === 0 && next.length < 4) next.push(make(undefined))
    else if (way === 1 && next.length > least) next.splice(at, 1)
    else next[at] = make(next[at])
    return next
  }
  switch (random.under(6)) {
    case 0:
      return { ...from, watch: replaced(from.watch, () => random.of(WATCHES), 0) }
    case 1:
      return { ...from, pool: random.under(2) === 0 ? null : randomPool(random) }
    case 2:
    case 3:
      return {
        ...from,
        ask: replaced(from.ask, (old) => (old === undefined ? randomAsk(random) : nearAsk(old, random)), 0),
      }
    default:
      return {
        ...from,
        block: replaced(from.block, (old) => (old === undefined ? randomShare(random) : nearShare(old, random)), 1),
      }
  }
}

const randomPool = (random: Random) => {
  const bytes = random.of([0, 0, 100, 5_000, size(random) % 100_000])
  return { count: 1 + random.under(Math.min(300, Math.ceil(7_000_000 / (bytes + 200)))), bytes }
}

function randomShare(random: Random): Share {
  const kind = random.of(KINDS)
  const amount = size(random)
  return {
    kind,
    mgas: random.of([10, 30, 60, 120, 250]),
    count: random.of([1, 1, 2, 20, 200, 1_000]),
    pieces: Array.from({ length: 1 + random.under(3) }, () => randomPiece(random)),
    // More slots take minutes to fill.
    size: kind === 'destroy' ? 1_000 + (amount % 50_000) : amount,
  }
}

function nearShare(old: Share, random: Random): Share {
  const fresh = randomShare(random)
  const part = random.under(5)
  if (part === 0) return { ...old, mgas: fresh.mgas }
  if (part === 1) return { ...old, count: fresh.count }
  if (part === 2) return { ...old, pieces: changed(old.pieces, random) }
  if (part === 3) return { ...old, size: fresh.size }
  return fresh
}

function randomAsk(random: Random): Ask {
  const pieces = Array.from({ length: 1 + random.under(3) }, () => randomPiece(random))
  return { kind: random.of(ASKS), times: random.of([1, 2, 5, 20]), pieces, size: size(random) }
}

function nearAsk(old: Ask, random: Random): Ask {
  const fresh = randomAsk(random)
  const part = random.under(4)
  if (part === 0) return { ...old, times: fresh.times }
  if (part === 1) return { ...old, pieces: changed(old.pieces, random) }
  return part === 2 ? { ...old, size: fresh.size } : fresh
}

/** What the programs get for a case. */
export interface Composed {
  /** Blocks that only prepare, RLP. */
  readonly before: readonly Uint8Array[]
  readonly block: Uint8Array
  /** Takes the pool's transactions, so that the next case begins with an empty one. */
  readonly after: Uint8Array | null
  /** Raw transactions for the pool, 0x. */
  readonly pool: readonly string[]
  readonly filters: readonly Request[]
  readonly requests: readonly Request[]
}

interface Signed {
  /** place of its sender */
  readonly from: number
  readonly entry: PoolTransaction
}

interface Request {
  readonly method: string
  readonly params: readonly unknown[]
}

/** A chain that cases are put onto. */
export class SearchChain {
  readonly #wallets = Array.from({ length: 2 * WALLETS }, (_, seed) => ({
    wallet: new TestWallet(seed + 1),
    nonce: 0n,
  }))
  #height = 0
  #turn = 0
  #fresh = 0n
  #filled = 1

  private constructor(private readonly maker: ChainMaker) {}

  /** @param searchFrom folder from which the engine's module is searched upwards */
  static async open(searchFrom: string): Promise<SearchChain> {
    const engine = openEngine(ChainMaker.params, searchFrom)
    const rich = Array.from({ length: 2 * WALLETS }, (_, seed) => new TestWallet(seed + 1))
    const codes = Object.entries(CONTRACTS).map(([at, code]) => [at, { balance: '0x0', code: `0x${code}` }])
    return new SearchChain(await ChainMaker.open({ rich, contracts: Object.fromEntries(codes), xhash: null, engine }))
  }

  get genesis(): string {
    return this.maker.genesis
  }

  /** Blocks that create 1,200 contracts and fill a storage; once, before the first case. */
  async prepare(): Promise<Uint8Array[]> {
    const blocks: Uint8Array[] = []
    const gasLimit = BigInt(BLOCK_MGAS * MGAS)
    for (let count = 0; count < 11; count++) blocks.push(await this.#add([{ to: address(FACTORY), gasLimit }]))
    blocks.push(await this.#add([this.#fill(STORAGE, BLOCK_MGAS * MGAS)]))
    return blocks
  }

  async compose(made: SearchCase): Promise<Composed> {
    const doomed = made.block
      .filter(({ kind }) => kind === 'destroy')
      .map(({ size: slots }) => this.#doomed(Math.min(slots, MOST_SLOTS)))
    const before: Uint8Array[] = []
    const destroys: Payment[] = []
    for (const { creation, at, slots } of doomed) {
      before.push(await this.#signedBlock([creation]))
      for (let left = slots; left > 0; left -= SLOTS_PER_BLOCK)
        before.push(await this.#add([this.#fill(at, Math.min(left, SLOTS_PER_BLOCK) * SLOT_GAS + 100_000)]))
      destroys.push({ to: address(at), data: onStorage(DESTROY, 0), gasLimit: 200_000n })
    }
    let room = BLOCK_MGAS
    const payments = [...destroys]
    for (const share of made.block) {
      const mgas = Math.min(room, share.mgas)
      if (mgas > 1) payments.push(...this.#payments({ ...share, mgas }))
      room -= mgas
    }
    const signed = payments.map((payment) => this.#sign({ value: 0n, ...payment }))
    const block = await this.#signedBlock(signed)
    const pool = made.pool === null ? [] : this.#poolOf(made.pool)
    const requests = made.ask.flatMap((ask) =>
      this.#requests(ask, toHex(keccak256(signed[0]?.entry.tx.raw ?? new Uint8Array(0)))),
    )
    const after = pool.length === 0 ? null : await this.#signedBlock(pool)
    return {
      before,
      block,
      after,
      pool: pool.map(({ entry }) => toHex(entry.tx.raw)),
      filters: made.watch.map(filterOf),
      requests,
    }
  }

  #doomed(slots: number) {
    const sender = this.#wallets[this.#turn % WALLETS]
    if (sender === undefined) throw new RangeError('no sender')
    const at = toHex(keccak256(encodeRlp([sender.wallet.address, rlpInteger(sender.nonce)])).slice(12)).slice(2)
    const init = `73${PROXY}6000526014600cf3`
    return { creation: this.#sign({ to: null, value: 0n, data: bytesOfHex(init), gasLimit: 500_000n }), at, slots }
  }

  #fill(at: string, gas: number): Payment {
    const data = onStorage(FILL, this.#filled)
    this.#filled += Math.ceil(gas / SLOT_GAS)
    return { to: address(at), data, gasLimit: BigInt(gas) }
  }

  #payments(share: Share): Payment[] {
    const { kind, mgas, count, pieces, size: amount } = share
    const gasLimit = BigInt(mgas * MGAS)
    const many = (one: number, make: () => Payment): Payment[] =>
      Array.from(
        { length: Math.max(1, Math.min(kind === 'data' ? 60 : 4_000, count, Math.floor((mgas * MGAS) / one))) },
        () => ({ ...make(), gasLimit: BigInt(one) }),
      )
    const run = (program: string): Payment[] => [{ to: null, data: bytesOfHex(program), gasLimit }]
    switch (kind) {
      case 'spend':
        return run(`5b${pieces.join('')}600056`)
      case 'keep':
        return run(whileGas('', pieces.join(''), 2 * MGAS))
      case 'logs':
        return run(logsProgram(amount))
      case 'codes':
        return run(codesProgram(amount))
      case 'fill':
        return [this.#fill(STORAGE, mgas * MGAS)]
      case 'read':
        return [{ to: address(STORAGE), data: onStorage(READ, 1 + amount), gasLimit }]
      case 'destroy':
        return []
      case 'transfers':
        return many(21_000, () => ({ to: address(READ), value: 1n }))
      case 'fresh':
        return many(21_000, () => ({ to: keccak256(word(this.#fresh++)).slice(12), value: 1n }))
      case 'data':
        return many(21_000 + 16 * (amount % 100_000), () => ({
          to: new Uint8Array(20).fill(7),
          data: new Uint8Array(amount % 100_000).fill(7),
        }))
      case 'creations':
        return many(200_000 + 210 * (amount % CODE_BYTES), () => ({
          to: null,
          data: bytesOfHex(`${push(BigInt(amount % CODE_BYTES))}6000f3`),
        }))
      case 'lists': {
        const keys = Array.from({ length: amount % 2_000 }, (_, key) => word(BigInt(key)))
        return many(30_000 + 1_900 * keys.length, () => ({
          type: 1,
          to: new Uint8Array(20).fill(7),
          accessList: [{ address: address(STORAGE), storageKeys: keys }],
        }))
      }
    }
  }

  #poolOf({ count, bytes }: { readonly count: number; readonly bytes: number }) {
    const data = new Uint8Array(bytes).fill(9)
    const gasLimit = BigInt(21_000 + 16 * bytes)
    return Array.from({ length: count }, (_, index) =>
      this.#sign({ value: 1n, data, gasLimit }, WALLETS + (index % WALLETS)),
    )
  }

  #sign(payment: Payment, from = this.#turn++ % WALLETS): Signed {
    const sender = this.#wallets[from]
    if (sender === undefined) throw new RangeError('no sender')
    const tx = sender.wallet.sign({ ...payment, nonce: sender.nonce++ })
    return { from, entry: { tx, sender: sender.wallet.address, local: true, sequence: this.#turn, arrivedAt: 0 } }
  }

  async #add(payments: readonly Payment[]): Promise<Uint8Array> {
    return this.#signedBlock(payments.map((payment) => this.#sign({ value: 0n, ...payment })))
  }

  async #signedBlock(signed: readonly Signed[]): Promise<Uint8Array> {
    const queues = new Map<number, PoolTransaction[]>()
    for (const { from, entry } of signed) queues.set(from, [...(queues.get(from) ?? []), entry])
    this.#height++
    return this.maker.add([...queues.values()])
  }

  #requests({ kind, times, pieces, size: amount }: Ask, transaction: string): Request[] {
    const at = `0x${this.#height.toString(16)}`
    const call = { data: `0x${`5b${pieces.join('')}600056`}`, gas: '0x2faf080', from: toHex(new TestWallet(1).address) }
    const traced = { ...call, data: `0x${whileGas('', pieces.join(''), 60_000)}`, gas: '0x7a120' }
    const slot = (index: number): string => toHex(word(BigInt(1 + amount + index)))
    const place = `0x${STORAGE}`
    const list = (length: number): number[] => Array.from({ length }, (_, index) => index)
    const asks: Record<Ask['kind'], Request[]> = {
      logs: [{ method: 'eth_getLogs', params: [{ fromBlock: at, toBlock: at }] }],
      'logs of a topic': [{ method: 'eth_getLogs', params: [{ fromBlock: '0x0', toBlock: at, topics: [slot(0)] }] }],
      receipt: [{ method: 'eth_getTransactionReceipt', params: [transaction] }],
      block: [{ method: 'eth_getBlockByNumber', params: [at, true] }],
      'block of hashes': [{ method: 'eth_getBlockByNumber', params: [at, false] }],
      'call tracer': [{ method: 'debug_traceCall', params: [traced, at, { tracer: 'callTracer' }] }],
      'prestate tracer': [{ method: 'debug_traceCall', params: [traced, at, { tracer: 'prestateTracer' }] }],
      'struct tracer': [{ method: 'debug_traceCall', params: [traced, at, {}] }],
      'block traces': [{ method: 'debug_traceBlockByNumber', params: [at, { tracer: 'callTracer' }] }],
      proof: [{ method: 'eth_getProof', params: [place, list(amount % 1_000).map(slot), at] }],
      call: [{ method: 'eth_call', params: [{ ...call, data: `0x${whileGas('', pieces.join(''), 200_000)}` }, at] }],
      estimate: [{ method: 'eth_estimateGas', params: [{ ...traced, gas: '0x2dc6c0' }] }],
      'access list': [{ method: 'eth_createAccessList', params: [traced, at] }],
      fees: [{ method: 'eth_feeHistory', params: ['0x400', at, [1, 50, 99]] }],
      balances: list(100).map((index) => ({ method: 'eth_getBalance', params: [`0x${slot(index).slice(26)}`, at] })),
      slots: list(100).map((index) => ({ method: 'eth_getStorageAt', params: [place, slot(index), at] })),
      pool: [{ method: 'txpool_content', params: [] }],
      pending: [{ method: 'eth_getBlockByNumber', params: ['pending', true] }],
    }
    return list(times).flatMap(() => asks[kind])
  }
}

function filterOf(watch: (typeof WATCHES)[number]): Request {
  if (watch === 'blocks') return { method: 'eth_newBlockFilter', params: [] }
  if (watch === 'pending') return { method: 'eth_newPendingTransactionFilter', params: [] }
  const wanted = { all: {}, topic: { topics: [toHex(word(7n))] }, address: { address: `0x${STORAGE}` } }[watch]
  return { method: 'eth_newFilter', params: [wanted] }
}
