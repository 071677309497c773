// The decoders of all external input, with random and damaged bytes, in a separate process whose memory is measured.
import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

const INPUTS = 20_000
/** CPU time. */
const SLOWEST_MS = 5_000
/** Mebibytes of the process, including its heap before collection: it has to stay well below. */
const MAX_MB = 100
const HANG_MS = 900_000

const reportSchema = z.object({
  runs: z.number(),
  slowestMs: z.number(),
  grownMb: z.number(),
  good: z.number(),
  goodTaken: z.record(z.string(), z.number()),
})

describe('the decoders of RLP, headers, transactions and blocks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-fuzz-'))
  beforeAll(async () => {
    await build({
      root: import.meta.dirname,
      configFile: false,
      logLevel: 'error',
      build: {
        ssr: join(import.meta.dirname, 'workers/fuzz-decoders-entry.ts'),
        outDir: folder,
        target: 'node20',
        rollupOptions: { output: { format: 'cjs', entryFileNames: 'fuzz.cjs' } },
      },
      ssr: { noExternal: true },
    })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('neither crash nor hang nor grow, and accept nothing with a second encoding', async () => {
    const seed = randomInt(2 ** 31)
    console.info(`fuzz seed ${seed}`)
    const blocks = join(import.meta.dirname, '..', 'vectors', 'chain', 'chain-small', 'blocks.rlp')
    const args = [
      '--max-old-space-size=64',
      '--max-semi-space-size=2',
      join(folder, 'fuzz.cjs'),
      String(seed),
      String(INPUTS),
      blocks,
    ]

    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: HANG_MS })

    const report = reportSchema.parse(JSON.parse(stdout))
    expect(report.runs).toBeGreaterThan(INPUTS)
    expect(report.goodTaken).toMatchObject({ block: 130, header: 60 })
    expect(report.goodTaken.transaction).toBeGreaterThan(50)
    expect(report.slowestMs).toBeLessThan(SLOWEST_MS)
    expect(report.grownMb).toBeLessThan(MAX_MB)
  })
})
