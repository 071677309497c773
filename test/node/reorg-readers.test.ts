// A reorg as seen by clients that run as separate programs: each reads blocks, receipts and logs, and the changes of a
// filter, before and after it, on our node and on prlx. Needs prlx in PEER_PROGRAMS, the clients in
// CLIENT_PROGRAMS.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ask } from '../json-rpc'
import { READERS, type Reading } from './clients/reorg-readers'
import { besideReference } from './reference/beside-reference'
import { HAS_REFERENCE } from './reference/reference-node'
import { VECTORS } from './rpc-cases/case-node'

const SHARED = 42

describe.skipIf(!HAS_REFERENCE)('a reorganisation (skipped without prlx)', () => {
  const { ours, theirs, folder } = besideReference()

  /** Both nodes import the blocks. @returns the transactions of the new ones, and the head's hash, on ours */
  async function take(tail: string): Promise<{ readonly transactions: readonly string[]; readonly head: string }> {
    const file = join(VECTORS, tail)
    await ours.node.importBlocks(readFileSync(file))
    await ask(theirs.urls.http, 'admin_importChain', [file])
    const transactions: string[] = []
    for (const number of [SHARED + 1, SHARED + 2]) {
      const { result } = await ask(ours.url(), 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
      transactions.push(...result.transactions)
    }
    const { result } = await ask(ours.url(), 'eth_getBlockByNumber', ['latest', false])
    return { transactions, head: result.hash }
  }

  for (const { name, missing, referenceFault, read } of READERS)
    it.skipIf(missing !== null)(
      `shows ${name} the same before and after${missing === null ? '' : ` (skipped: ${missing})`}`,
      async () => {
        const urls = [ours.url(), theirs.urls.http]
        for (const one of urls) await ask(one, 'debug_setHead', [`0x${SHARED.toString(16)}`])
        const filters: (string | null)[] = [null, null]
        const known: string[] = []
        const heads: string[] = []
        /** What it reads of both nodes now. */
        const seen = async (when: string): Promise<Reading> => {
          const readings: Reading[] = []
          for (const [index, url] of urls.entries()) {
            const question = { from: SHARED, transactions: known, filter: filters[index] ?? null }
            const found = (await read(url, question, join(folder, `${name}-${when}-${index}`))) as Reading
            filters[index] = found.filter
            readings.push(found)
          }
          const [mine, other] = readings.map(({ filter: _, ...found }) => found)
          if (referenceFault === undefined) expect(mine, when).toEqual(other)
          else {
            expect({ ...mine, blocks: null }, when).toEqual({ ...other, blocks: null })
            expect(String(other?.blocks[0])).toMatch(referenceFault)
          }
          return readings[0] as Reading
        }
        const first = await seen('shared')
        const a = await take('tail-a.rlp')
        known.push(...a.transactions)
        heads.push(a.head)
        const before = await seen('before')
        const b = await take('tail-b.rlp')
        heads.push(b.head)
        known.push(...b.transactions.filter((hash) => !known.includes(hash)))
        const after = await seen('after')

        expect([first.last, before.last, after.last]).toEqual([SHARED, SHARED + 2, SHARED + 3])
        expect(first.changes).toEqual([])
        const gone = after.changes.filter(([, , , removed]) => removed)
        expect(gone.length).toBeGreaterThan(0)
        expect(gone.map(([block, transaction, index]) => [block, transaction, index, false])).toEqual(
          expect.arrayContaining(before.changes.map((log) => [...log])),
        )
        expect(after.logs.map(([block]) => block)).not.toContain(gone[0]?.[0])
        expect(JSON.stringify(after.receipts)).not.toBe(JSON.stringify(before.receipts))
        if (name !== "go-ethereum's ethclient")
          expect(heads.map((head, i) => JSON.stringify([before, after][i]?.blocks).includes(head))).toEqual([
            true,
            true,
          ])
      },
    )
})
