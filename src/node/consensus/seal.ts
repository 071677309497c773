// Verifies a header's proof of work with the engine's light cache.
// Source: prlx consensus/xhash/consensus.go (verifySeal)
import { bigintFromBytes, equalBytes } from '../../base/bytes'
import type { XhashEngine } from '../../native/xhash-engine'
import { epochOfHeight } from '../../xhash/params'
import { targetOfDifficulty } from '../../xhash/target'
import { type BlockHeader, sealHash } from '../model/header'

export type SealEngine = Pick<XhashEngine, 'params' | 'hashLight'>

/** Null when the seal is valid, else prlx's message. */
export async function sealFault(header: BlockHeader, engine: SealEngine): Promise<string | null> {
  if (header.difficulty <= 0n) return 'non-positive difficulty'
  const epoch = epochOfHeight(engine.params, Number(header.number))
  const { mixDigest, result } = await engine.hashLight(epoch, sealHash(header), header.nonce)
  if (!equalBytes(mixDigest, header.mixHash)) return 'invalid mix digest'
  return bigintFromBytes(result) <= targetOfDifficulty(header.difficulty) ? null : 'invalid proof-of-work'
}
