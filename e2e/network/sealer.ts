// Seals the work of eth_getWork with light hashes: fast enough for the difficulties of these networks.
import { z } from 'zod'
import { bigintFromBytes, bytesFromBigint } from '../../src/base/bytes'
import { bytesOfHex, toHex } from '../../src/base/hex'
import { createXhashEngine } from '../../src/native/xhash-engine'
import { epochOfHeight, XHASH_FULL } from '../../src/xhash/params'
import type { OwnNode } from './own-node'

type Asked = Pick<OwnNode, 'rpc'>

const workSchema = z.tuple([z.string(), z.string(), z.string()]).rest(z.string().nullable())
const NO_WORK_YET_MS = 20

export class Sealer {
  readonly #engine = createXhashEngine(XHASH_FULL, { searchFrom: import.meta.dirname })

  close(): Promise<void> {
    return this.#engine.close()
  }

  /**
   * Mines one block on top of its head; also ends when the head moves otherwise, or on the signal. True if the block is
   * ours.
   */
  async seal(node: Asked, signal: AbortSignal = new AbortController().signal): Promise<boolean> {
    const before = Number(await node.rpc('eth_blockNumber'))
    while (!signal.aborted && Number(await node.rpc('eth_blockNumber')) === before) {
      const work = workSchema.safeParse(await node.rpc('eth_getWork').catch(() => null))
      if (work.success && (await this.#trySome(node, before + 1, work.data))) {
        await this.#headMoved(node, before, signal)
        return true
      }
      await new Promise((next) => setTimeout(next, NO_WORK_YET_MS))
    }
    return false
  }

  /** Some nonces, so that new work is noticed soon. */
  async #trySome(node: Asked, height: number, [hash, , target]: z.infer<typeof workSchema>): Promise<boolean> {
    const start = BigInt(Math.floor(performance.now() * 1_000)) << 20n
    for (let nonce = start; nonce < start + 64n; nonce++) {
      const epoch = epochOfHeight(XHASH_FULL, height)
      const { mixDigest, result } = await this.#engine.hashLight(epoch, bytesOfHex(hash), nonce)
      if (bigintFromBytes(result) > BigInt(target)) continue
      return (await node.rpc('eth_submitWork', toHex(bytesFromBigint(nonce, 8)), hash, toHex(mixDigest))) === true
    }
    return false
  }

  async #headMoved(node: Asked, before: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && Number(await node.rpc('eth_blockNumber')) === before)
      await new Promise((next) => setTimeout(next, NO_WORK_YET_MS))
  }
}
