// Remembers seals verified with their headers, before the blocks arrive: the import that follows needs each once more.
import { toBareHex } from '../../base/hex'
import type { XhashResult } from '../../native/xhash-engine'
import type { SealEngine } from '../consensus/seal'

/** More headers than a sync is ever ahead of its import. Each takes about 300 bytes. */
const MAX_REMEMBERED = 16_384

/**
 * Two views of one engine; `remembering` stores its answers, `recalling` consumes each of them once and computes
 * missing ones. Answers are keyed by seal hash and nonce, which identify the header (the epoch follows from its
 * number).
 */
export function rememberSeals(engine: SealEngine): {
  readonly remembering: SealEngine
  readonly recalling: SealEngine
} {
  const known = new Map<string, XhashResult>()
  const { params } = engine
  return {
    remembering: {
      params,
      async hashLight(epoch, sealHash, nonce) {
        const result = await engine.hashLight(epoch, sealHash, nonce)
        const [oldest] = known.size >= MAX_REMEMBERED ? known.keys() : []
        if (oldest !== undefined) known.delete(oldest)
        known.set(keyOf(epoch, sealHash, nonce), result)
        return result
      },
    },
    recalling: {
      params,
      hashLight(epoch, sealHash, nonce) {
        const key = keyOf(epoch, sealHash, nonce)
        const result = known.get(key)
        if (result === undefined) return engine.hashLight(epoch, sealHash, nonce)
        known.delete(key)
        return Promise.resolve(result)
      },
    },
  }
}

function keyOf(epoch: number, sealHash: Uint8Array, nonce: bigint): string {
  return `${epoch}/${nonce}/${toBareHex(sealHash)}`
}
