// The healthy counterparts in a chaos run: a pool that judges every share, and a node that finds the blocks.
import { silentLogger } from '../../src/base/logger'
import { createXhashEngine, type XhashEngine } from '../../src/native/xhash-engine'
import { XHASH_PRACTICE } from '../../src/xhash/params'
import { OwnNode } from '../lab/lab-node'
import { PoolHasher, PRACTICE_SIZES } from '../miner/pool-sim/independent-xhash'
import { type Judged, SimulatedPool } from '../miner/pool-sim/pool'
import { GoneError, type Victim } from './victim'

/** Hashes per share: one thread finds one or two a second. */
const DIFFICULTY = 60_000
const BLOCK_MS = 2_000
const JOB_MS = 7_000
const PAYOUT = `0x${'11'.repeat(20)}`

export class Counterparts {
  readonly pool: SimulatedPool
  readonly #engine: XhashEngine
  readonly #peer: OwnNode
  readonly #timers: NodeJS.Timeout[] = []
  /** The program's address, as it was dialed last. */
  #dialed: string | null = null
  #isAway = false
  #epoch = 0
  #mining: Promise<unknown> = Promise.resolve()
  mined = 0

  private constructor(pool: SimulatedPool, engine: XhashEngine, peer: OwnNode) {
    this.pool = pool
    this.#engine = engine
    this.#peer = peer
  }

  static async start(folder: string): Promise<Counterparts> {
    const pool = new SimulatedPool({ flavour: 'stratum', difficulty: DIFFICULTY }, new PoolHasher(PRACTICE_SIZES))
    await pool.start()
    const engine = createXhashEngine(XHASH_PRACTICE, { searchFrom: import.meta.dirname })
    const peer = await OwnNode.start({ index: 0, folder, xhashMode: 'practice', engine, log: silentLogger })
    const parts = new Counterparts(pool, engine, peer)
    parts.#timers.push(setInterval(() => void parts.#mine(), BLOCK_MS))
    parts.#timers.push(setInterval(() => pool.broadcast(false), JOB_MS))
    return parts
  }

  get poolUrl(): string {
    return `stratum+tcp://${PAYOUT}.chaos:x@127.0.0.1:${this.pool.port}?diff=hashes`
  }

  async head(): Promise<number> {
    return (await this.#peer.head()).number
  }

  /** Dials the program, whose address changes with its node key. */
  async meet(victim: Victim): Promise<void> {
    const info = await victim.node('admin_nodeInfo').catch((error: unknown) => {
      if (error instanceof GoneError) return null
      throw error
    })
    if (typeof info !== 'object' || info === null || !('enode' in info)) return
    const enode = String(info.enode)
    if (this.#dialed !== null && this.#dialed !== enode) await this.#peer.leave(this.#dialed)
    this.#dialed = enode
    if (!this.#isAway) await this.#peer.dial(enode)
  }

  async peerAway(): Promise<void> {
    this.#isAway = true
    if (this.#dialed !== null) await this.#peer.leave(this.#dialed)
  }

  async peerBack(): Promise<void> {
    this.#isAway = false
    if (this.#dialed !== null) await this.#peer.dial(this.#dialed)
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await this.#mining
    await this.#peer.stop()
    await this.#engine.close()
    await this.pool.stop()
  }

  /** The pool's next jobs need another dataset. */
  nextEpoch(): void {
    this.#epoch += 1
    this.pool.setEpoch(this.#epoch)
  }

  /** The chain's blocks stop. */
  async freeze(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer)
    await this.#mining
  }

  #mine(): Promise<unknown> {
    this.#mining = this.#mining.then(async () => {
      if (await this.#peer.mine()) this.mined += 1
    })
    return this.#mining
  }
}

/** The pool's records against the program's for one life. */
export interface LifeBooks {
  /** Shares that the pool accepted, and how many of them in the last moments. */
  readonly taken: number
  readonly takenJustNow: number
}

/** @param from number of connections before this life @param recent number of judged shares a moment ago */
export function booksOf(judged: readonly Judged[], from: number, recent: number): LifeBooks {
  const isOurs = ({ connection, verdict }: Judged): boolean => connection > from && verdict === 'accepted'
  return { taken: judged.filter(isOurs).length, takenJustNow: judged.slice(recent).filter(isOurs).length }
}
