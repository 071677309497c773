// The engine's module in runtimes other than the Node that runs the tests: the Node inside Electron, and Node 24 if
// NODE_24 names its program. Imports a chain with every block through both engines, which fails at the first
// difference.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { findElectron, ROOT, temporaryFolder } from '../../e2e/harness'
import { PATIENCE_MS } from '../patience'

const CLI = join(ROOT, 'out', 'main', 'cli.cjs')
const CHAIN = join(ROOT, 'test', 'vectors', 'chain', 'chain-small')
const blocksSchema = z.object({ blocks: z.array(z.object({ number: z.number(), hash: z.string() })) })
const { blocks } = blocksSchema.parse(JSON.parse(readFileSync(join(CHAIN, 'blocks.json'), 'utf8')))

const electron = await findElectron({ display: false })
const node24 = process.env.NODE_24
const RUNTIMES = [
  'missing' in electron
    ? { name: "Electron's Node", missing: electron.missing }
    : { name: "Electron's Node", executable: electron.executable },
  node24 === undefined
    ? { name: 'Node 24', missing: 'NODE_24 does not name its program' }
    : { name: 'Node 24', executable: node24 },
]
const unbuilt = existsSync(CLI) ? null : 'not built; run: npm run build'

/** Imports the chain with both engines. @returns the runtime's version, and all output of the import */
async function importWith(executable: string): Promise<{ version: string; said: string }> {
  const run = promisify(execFile)
  const datadir = temporaryFolder()
  onTestFinished(() => rmSync(datadir, { recursive: true, force: true }))
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  const { stdout } = await run(executable, ['--version'], { env })
  const genesis = ['--genesis', join(CHAIN, 'genesis.json'), '--xhash.mode', 'test']
  const words = ['import', join(CHAIN, 'blocks.rlp'), ...genesis, '--datadir', datadir]
  const done = await run(executable, [CLI, ...words], { env, timeout: PATIENCE_MS })
  return { version: stdout.trim(), said: done.stdout + done.stderr }
}

describe('both engines in other runtimes', () => {
  for (const { name, executable, missing = unbuilt } of RUNTIMES) {
    const what = missing === null ? '' : ` (skipped: ${missing})`
    it.skipIf(missing !== null)(`import a chain alike in ${name}${what}`, { timeout: 2 * PATIENCE_MS }, async () => {
      if (executable === undefined) return
      const { version, said } = await importWith(executable)

      const head = blocks.at(-1)
      expect(version).toMatch(/^v\d+\./)
      expect(said).toContain(`head ${head?.number} ${head?.hash}`)
    })
  }
})
