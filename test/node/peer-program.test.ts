// Our node connected to go-ethereum's own peer-to-peer transport under the chain's protocol name: the handshake, the
// capabilities, the status, headers whose hashes the other side computes from their bytes, and bodies. The test set-up
// builds the peer if Go is there.
import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toHex } from '../../src/base/hex'
import { rlpSlices } from '../../src/node/codec/rlp'
import { decodeBlock } from '../../src/node/model/block'
import { blockHash } from '../../src/node/model/header'
import type { NodeService } from '../../src/node/node-service'
import { peerProgram } from '../peer-programs'
import { meetingNode } from './p2p-nodes'
import { newFolder } from './practice-node'

const PEER = peerProgram('peer-program')
const VECTORS = join(import.meta.dirname, '..', 'vectors', 'rpc')
const NETWORK = 3110
/** CRC-32 of the genesis hash: this chain has had every fork from its beginning. */
const FORK = 'be112831'
/** Headers that the peer requests, genesis first. */
const ASKED = 8

const statusSchema = z.object({
  capabilities: z.array(z.string()),
  network: z.number(),
  head: z.string(),
  genesis: z.string(),
  fork: z.string(),
})
const lineSchema = z.union([
  statusSchema,
  z.object({ headers: z.array(z.string()) }),
  z.object({ transactions: z.array(z.number()) }),
  z.object({ error: z.string() }),
])

/** Its output, one object per line, however it ends. */
function lines(words: readonly string[]): Promise<readonly z.infer<typeof lineSchema>[]> {
  return new Promise((done) => {
    execFile(PEER ?? '', [...words], (_error, stdout) => {
      const printed = stdout.split('\n').filter((line) => line !== '')
      done(printed.map((line) => lineSchema.parse(JSON.parse(line))))
    })
  })
}

/** The recorded chain, from its first block after the genesis. */
function recorded() {
  const chain = new Uint8Array(readFileSync(join(VECTORS, 'chain.rlp')))
  return [...rlpSlices(chain)].map((slice) => {
    const block = slice.ok ? decodeBlock(slice.value.encoded) : slice
    if (!block.ok) throw new Error('the recorded chain does not decode')
    const { header, transactions } = block.value
    return { hash: toHex(blockHash(header)), parent: toHex(header.parentHash), transactions: transactions.length }
  })
}

describe.skipIf(PEER === null)(
  `a peer made of go-ethereum's modules${PEER === null ? ' (skipped: it is not there)' : ''}`,
  () => {
    const folder = newFolder()
    const blocks = recorded()
    const genesis = blocks[0]?.parent ?? ''
    let node: NodeService
    let enode: string

    beforeAll(async () => {
      const met = await meetingNode({
        folder,
        key: 1,
        genesis: readFileSync(join(VECTORS, 'genesis.json'), 'utf8'),
        networkId: NETWORK,
      })
      ;({ node, enode } = met)
      await node.importBlocks(new Uint8Array(readFileSync(join(VECTORS, 'chain.rlp'))))
    })
    afterAll(async () => {
      await node?.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    it('accepts our handshake and status, and our first headers and bodies', async () => {
      const [met, headers, bodies] = await lines(['meet', enode, String(NETWORK), genesis, FORK, '1'])

      expect(met).toMatchObject({ network: NETWORK, genesis, fork: FORK, head: blocks.at(-1)?.hash })
      expect(met).toMatchObject({ capabilities: expect.arrayContaining(['parallax/66']) })
      const asked = blocks.slice(0, ASKED - 1)
      expect(headers).toEqual({ headers: [genesis, ...asked.map(({ hash }) => hash)] })
      expect(bodies).toEqual({ transactions: [0, ...asked.map(({ transactions }) => transactions)] })
    })

    it.each([
      ['network', [String(NETWORK + 1), genesis, FORK]],
      ['genesis', [String(NETWORK), `0x${'5a'.repeat(32)}`, FORK]],
      ['fork', [String(NETWORK), genesis, 'deadbeef']],
    ])('is disconnected if it has another %s', async (_what, words) => {
      const answers = await lines(['meet', enode, ...words, '1'])

      expect(answers.at(-1)).toHaveProperty('error')
      expect(answers.some((answer) => 'headers' in answer)).toBe(false)
    })
  },
)
