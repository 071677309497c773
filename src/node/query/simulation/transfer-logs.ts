// eth_simulateV1's transfers of the native coin, reported like ERC-20 logs of an address without code. Source:
// go-ethereum's documentation of eth_simulateV1 (traceTransfers)
import type { CallStart, Tracer } from '../evm/tracer'
import { bytesOfWord } from '../evm/word'
import type { World, WorldLog } from '../evm/world'

/** 20 bytes of 0xee. */
const COIN = BigInt(`0x${'ee'.repeat(20)}`)
/** keccak256 of `Transfer(address,address,uint256)` */
const TRANSFER = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3efn

/** The logs are in the world's own list, in order with the others, so that a failed call reverts its own. */
export class TransferLogs implements Tracer {
  readonly #made = new Set<WorldLog>()

  constructor(private readonly world: World) {}

  begin(call: CallStart): void {
    this.#tell(call)
  }

  enter(call: CallStart): void {
    this.#tell(call)
  }

  /** Whether it is synthetic, so in no receipt. */
  isMade(log: WorldLog): boolean {
    return this.#made.has(log)
  }

  #tell({ kind, from, to, value }: CallStart): void {
    if (value === null || value === 0n || kind === 'CALLCODE') return
    const log = { address: COIN, topics: [TRANSFER, from, to], data: bytesOfWord(value) }
    this.#made.add(log)
    this.world.addLog(log)
  }
}
