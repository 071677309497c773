// A miner like pool software's: gets work by eth_getWork over JSON-RPC, searches, sends eth_submitWork. Knows nothing
// about the node.

import { bytesFromBigint } from '../../src/base/bytes'
import { fromHex, toHex } from '../../src/base/hex'
import { createXhashEngine } from '../../src/native/xhash-engine'
import type { XhashParams } from '../../src/xhash/params'

export type Call = (method: string, ...params: unknown[]) => Promise<unknown>

/** Mines until one seal is accepted; returns the searched hash. */
export async function mineOneBlock(call: Call, sizes: XhashParams): Promise<string> {
  const engine = createXhashEngine(sizes, { searchFrom: import.meta.dirname })
  try {
    const work = (await call('eth_getWork')) as readonly string[]
    const [sealHash = '', , target = ''] = work
    const dataset = await engine.buildDataset(0, { threads: 2 })
    const found = await new Promise<{ nonce: bigint; mixDigest: Uint8Array }>((resolve) => {
      const search = engine.createCpuSearch({ threads: 1, onSolution: resolve })
      search.setDataset(dataset)
      search.setJob({ token: 1, sealHash: bytes(sealHash), target: bytes(target), startNonce: 0n, segmentBits: 60 })
    })
    const taken = await call('eth_submitWork', toHex(bytesFromBigint(found.nonce, 8)), sealHash, toHex(found.mixDigest))
    if (taken !== true) throw new Error(`the seal of ${sealHash} was not taken`)
    return sealHash
  } finally {
    await engine.close()
  }
}

function bytes(text: string): Uint8Array {
  return fromHex(text) ?? new Uint8Array(0)
}
