// Blocks imported while a real thread recovers their senders: the same chain as without, however the thread fares.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toHex } from '../../src/base/hex'
import { createLogger, type Logger, type LogRecord, silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { openChain } from '../../src/node/chain/open-chain'
import { keccak256 } from '../../src/node/codec/keccak'
import { rlpSlices } from '../../src/node/codec/rlp'
import { createTypescriptEngine } from '../../src/node/execution/typescript/typescript-engine'
import { decodeBlock } from '../../src/node/model/block'
import { RecoveryJob } from '../../src/node/model/recovery-job'
import { recoverSender, signedDigest } from '../../src/node/model/sender'
import type { AnyTransaction } from '../../src/node/model/transaction'
import { SenderRecovery } from '../../src/node/senders/sender-recovery'
import { MemoryStore } from '../../src/node/store/store'
import { FakeSeals } from '../../src/node/testing/fake-seals'
import { importBytes } from '../../src/node/worker/import-bytes'
import { openRecoveryThread } from '../../src/node/worker/recovery-thread'
import { type MadeChain, makeChain } from '../bench/made-chain'
import { bundleWorker } from './workers/bundle-worker'

const BLOCKS = 8
const WAIT = { timeout: 240_000, interval: 10 }

describe('a thread that recovers senders ahead', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-recovery-'))
  let entry = ''
  let made: MadeChain
  beforeAll(async () => {
    entry = await bundleWorker('src/host/workers/recovery-worker.ts', folder, 'recovery-worker.cjs')
    made = await makeChain({ blocks: BLOCKS, transactions: 100, xhash: null })
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const recoveryBy = (program: string, log: Logger = silentLogger) =>
    new SenderRecovery({
      chainId: made.params.chainId,
      open: (onLost) => openRecoveryThread({ entry: program, log }, onLost),
    })

  async function headAfterImport(recovery: SenderRecovery | null) {
    const { params, genesis } = made
    const engine = createTypescriptEngine(params, { keccak256 })
    const deps = { store: new MemoryStore(), engine, seals: new FakeSeals(), clock: systemClock(), log: silentLogger }
    const chain = await openChain({ params, genesis, folder: 'memory', checkSeals: false }, { ...deps, recovery })
    const report = await importBytes(chain, made.blocks)
    return { head: toHex(chain.head.hash), added: report.added, refused: report.refused?.reason ?? null }
  }

  it('gives the same addresses as without it', async () => {
    const { chainId } = made.params
    const transactions = transactionsOf(made.blocks)
    const job = RecoveryJob.of(transactions.flatMap((tx) => signedDigest(tx, chainId) ?? []))
    const thread = openRecoveryThread({ entry, log: silentLogger }, unexpected)
    try {
      thread.post(job)
      await expect.poll(() => job.addressOf(job.size - 1), WAIT).not.toBeNull()

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

    for (const program of [entry, join(folder, 'missing.cjs')]) {
      const recovery = recoveryBy(program, log)
      expect(await headAfterImport(recovery)).toEqual(alone)
      if (program !== entry) await expect.poll(() => lines.length, WAIT).toBe(1)
      await recovery.close()
      expect(await headAfterImport(recovery)).toEqual(alone)
    }
    expect(lines[0]?.message).toContain('recovered ahead')
  })

  it('can be closed while it works', async () => {
    const digests = transactionsOf(made.blocks).flatMap((tx) => signedDigest(tx, made.params.chainId) ?? [])
    const job = RecoveryJob.of(
      Array.from({ length: 200_000 }, (_, index) => digests[index % digests.length] ?? []).flat(),
    )
    const thread = openRecoveryThread({ entry, log: silentLogger }, unexpected)
    thread.post(job)
    await expect.poll(() => job.addressOf(0), WAIT).not.toBeNull()

    await thread.close()

    expect(job.addressOf(job.size - 1)).toBeNull()
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
