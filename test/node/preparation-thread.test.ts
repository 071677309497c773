// Blocks imported while a real thread prepares them: the same chain as without, however the thread fares.
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { joinBytes } from '../../src/base/bytes'
import { toHex } from '../../src/base/hex'
import { createLogger, type Logger, type LogRecord, silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { openChain } from '../../src/node/chain/open-chain'
import { keccak256 } from '../../src/node/codec/keccak'
import { rlpSlices } from '../../src/node/codec/rlp'
import { decodeBlock } from '../../src/node/model/block'
import { recoverSender } from '../../src/node/model/sender'
import type { AnyTransaction } from '../../src/node/model/transaction'
import { BlockPreparation } from '../../src/node/preparation/block-preparation'
import { PreparationJob } from '../../src/node/preparation/preparation-job'
import { MemoryStore } from '../../src/node/store/store'
import { FakeSeals } from '../../src/node/testing/fake-seals'
import { importBytes } from '../../src/node/worker/import-bytes'
import { openPreparationThread } from '../../src/node/worker/preparation-thread'
import { type MadeChain, makeChain } from '../bench/made-chain'
import { IS_BUILT } from '../cli/program'
import { createTypescriptEngine } from './oracle/engine/typescript-engine'

const BLOCKS = 8
const WAIT = { timeout: 240_000, interval: 10 }

describe.skipIf(!IS_BUILT)('a thread that prepares blocks', () => {
  const entry = join(import.meta.dirname, '../../out/main/preparation-worker.cjs')
  let made: MadeChain
  beforeAll(async () => {
    made = await makeChain({ blocks: BLOCKS, transactions: 100, xhash: null })
  })

  const preparationBy = (program: string, log: Logger = silentLogger) =>
    new BlockPreparation({
      chainId: made.params.chainId,
      open: (onLost) => openPreparationThread({ entry: program, log }, onLost),
    })

  async function headAfterImport(preparation: BlockPreparation | null) {
    const { params, genesis } = made
    const engine = createTypescriptEngine(params, { keccak256 })
    const deps = { store: new MemoryStore(), engine, seals: new FakeSeals(), clock: systemClock(), log: silentLogger }
    const chain = await openChain({ params, genesis, folder: 'memory', checkSeals: false }, { ...deps, preparation })
    const report = await importBytes(chain, made.blocks)
    return { head: toHex(chain.head.hash), added: report.added, refused: report.refused?.reason ?? null }
  }

  it('gives the same addresses as without it', async () => {
    const { chainId } = made.params
    const transactions = transactionsOf(made.blocks)
    const job = PreparationJob.of(made.blocks, chainId)
    const thread = openPreparationThread({ entry, log: silentLogger }, unexpected)
    try {
      thread.post(job)
      await expect.poll(() => job.addressOf(transactions.length - 1), WAIT).not.toBeNull()

      const senders = transactions.map((tx) => recoverSender(tx, chainId))
      expect(senders.map((sender) => sender.ok && toHex(sender.value.sender))).toEqual(
        transactions.map((_, index) => toHex(job.addressOf(index) ?? new Uint8Array(0))),
      )
    } finally {
      await thread.close()
    }
  })

  it("leaves the chain as it would be without it, even if it can't be started", async () => {
    const lines: LogRecord[] = []
    const log = createLogger('', { minLevel: 'warn', now: () => 0, sink: { write: (record) => lines.push(record) } })
    const alone = await headAfterImport(null)
    expect(alone).toMatchObject({ added: BLOCKS, refused: null })

    for (const program of [entry, `${entry}.missing`]) {
      const preparation = preparationBy(program, log)
      expect(await headAfterImport(preparation)).toEqual(alone)
      if (program !== entry) await expect.poll(() => lines.length, WAIT).toBe(1)
      await preparation.close()
      expect(await headAfterImport(preparation)).toEqual(alone)
    }
    expect(lines[0]?.message).toContain('prepared ahead')
  })

  it('can be closed while it works', async () => {
    const copies = 250
    const job = PreparationJob.of(joinBytes(Array.from({ length: copies }, () => made.blocks)), made.params.chainId)
    const thread = openPreparationThread({ entry, log: silentLogger }, unexpected)
    thread.post(job)
    await expect.poll(() => job.addressOf(0), WAIT).not.toBeNull()

    await thread.close()

    expect(job.addressOf(copies * transactionsOf(made.blocks).length - 1)).toBeNull()
  })
})

function unexpected(): void {
  throw new Error('the thread was lost')
}

function transactionsOf(blocks: Uint8Array): readonly AnyTransaction[] {
  return [...rlpSlices(blocks)].flatMap((part) => {
    const block = part.ok ? decodeBlock(part.value.encoded) : part
    return block.ok ? block.value.transactions : []
  })
}
