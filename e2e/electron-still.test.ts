// A desktop file whose window stands still: vitest itself runs it, as a step of `npm test` does.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PATIENCE_MS } from '../test/patience'
import { findElectron, ROOT, temporaryFolder } from './harness'

const found = await findElectron({ display: true })
const what = 'missing' in found ? `(skipped: ${found.missing})` : `${found.version ?? 'unknown'} (${found.source})`
const { resultsOf } = z
  .object({
    resultsOf:
      z.custom<
        (file: string) => {
          assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
        }[]
      >(),
  })
  .parse(await import(pathToFileURL(join(ROOT, 'tools/testing/stillness.mjs')).href))

describe.skipIf('missing' in found)(`a window that stands still, in Electron ${what}`, () => {
  const folder = temporaryFolder()
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('fails its case by name, the ones after it at once, and leaves no process', async () => {
    const [config, progress] = [join(folder, 'vitest.config.mjs'), join(folder, 'progress')]
    const test = {
      include: ['e2e/standing/still-window.case.ts'],
      setupFiles: [join(ROOT, 'e2e/stood-still.ts')],
      testTimeout: PATIENCE_MS,
      hookTimeout: PATIENCE_MS,
    }
    const reporters = `[new Progress(${JSON.stringify(progress)})]`
    writeFileSync(
      config,
      `import { Progress } from ${JSON.stringify(join(ROOT, 'test/progress.ts'))}
       export default { root: ${JSON.stringify(ROOT)}, test: { ...${JSON.stringify(test)}, reporters: ${reporters} } }`,
    )
    const words = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--config', config]
    await once(spawn(process.execPath, words, { cwd: ROOT, env: { ...process.env, TMPDIR: folder } }), 'exit')

    const cases = resultsOf(progress).flatMap(({ assertionResults }) => assertionResults)
    const failed = (fullName: string, why: string) => ({
      fullName,
      status: 'failed',
      failureMessages: [expect.stringContaining(why)],
    })
    expect(cases).toEqual([
      failed('asks a page that stands still', 'Test timed out in 3000ms'),
      failed('asks it again', 'not run: "asks a page that stands still" stood still'),
    ])
    expect(processesNaming(folder)).toEqual([])
  })
})

/** Those whose command line names a folder: the program's data folder is below it. */
function processesNaming(folder: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      const text = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      return text.includes(folder)
    } catch {
      return false // it has ended meanwhile
    }
  })
}
