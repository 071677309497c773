// Ten seconds of what a soak does for half an hour: pools in one process, the miner in another, everything happening at
// once, and in the end both sides' records agree to the share. Memory takes longer to judge: npm run bench -- --soak.
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { z } from 'zod'

const ROOT = resolve(import.meta.dirname, '../..')
/** Ends what hangs. */
const LIMIT_MS = 900_000

const reportSchema = z.object({
  faults: z.array(z.string()),
  shares: z.number(),
  counts: z.object({ accepted: z.number(), rejected: z.number(), failed: z.number() }),
  poolsUsed: z.number(),
  epochChanges: z.number(),
})

it('agrees with its pools to the share through pauses, restarts, switches, faults and epochs', async () => {
  const words = [resolve(ROOT, 'tools/bench.mjs'), '--soak', '--quick', '--json']
  // An exit code other than 0 means a missed goal, and rejects with its message.
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: ROOT, timeout: LIMIT_MS })

  const report = reportSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''))
  expect(report.faults).toEqual([])
  expect(report.counts.failed).toBe(0)
  expect(report.counts.accepted).toBeGreaterThan(0)
  expect(report.epochChanges).toBeGreaterThanOrEqual(2)
})
