// A step of `npm test` that stands still: how that is seen, and how such a step is ended.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

interface Result {
  readonly name: string
  readonly status: string
  readonly message: string
}
interface Outcome {
  readonly step: { readonly name: string }
  readonly tally: {
    readonly passed: number
    readonly failed: number
    readonly unsteady: readonly string[]
    readonly failures: readonly { readonly title: string; readonly details: readonly string[] }[]
  }
}

const ROOT = resolve(import.meta.dirname, '../..')
const toolAt = (path: string): Promise<unknown> => import(pathToFileURL(join(ROOT, path)).href)
const { Stillness, resultsOf } = z
  .object({
    Stillness: z.custom<new (file: string, nowMs: number) => { look(nowMs: number): string | null }>(),
    resultsOf: z.custom<(file: string) => readonly Result[] | null>(),
  })
  .parse(await toolAt('tools/testing/stillness.mjs'))
const { runLanes, StepLines } = z
  .object({
    runLanes: z.custom<(lanes: object[][], lines: object) => Promise<readonly Outcome[]>>(),
    StepLines: z.custom<new (out: { write(text: string): void }) => object>(),
  })
  .parse(await toolAt('tools/testing/lanes.mjs'))
const { runFailedAgain, vitestStep } = z
  .object({
    runFailedAgain: z.custom<(ended: Outcome, lines: object) => Promise<Outcome>>(),
    vitestStep: z.custom<(tests: object) => object>(),
  })
  .parse(await toolAt('tools/testing/vitest.mjs'))

const folder = mkdtempSync(join(tmpdir(), 'headframe-still-'))
const names = ['still-once', 'still-twice'] as const
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  for (const name of names.flatMap((name) => [name, `${name}-again`])) {
    for (const file of [`test-${name}.log`, `progress-${name}.jsonl`, `vitest-${name}.json`])
      rmSync(join(ROOT, '.cache', file), { force: true })
  }
})

describe('stillness', () => {
  const file = join(folder, 'lines')
  const [a, b] = [join(ROOT, 'a.test.ts'), join(ROOT, 'b.test.ts')]
  const write = (...lines: readonly object[]) =>
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const begun = [
    { files: [a, b], limitMs: 100 },
    { file: a, at: 'its imports', limitMs: 100 },
  ]

  it('is a file of which nothing was heard for twice its limit, though others continue', () => {
    write(...begun)
    const stillness = new Stillness(file, 0)
    expect(stillness.look(0)).toBeNull()
    write(...begun, { file: a, at: '"one"', limitMs: 100 }, { file: b, at: '"two"', limitMs: 1_000 })

    expect(stillness.look(200)).toBeNull()
    expect(stillness.look(400)).toBeNull()
    expect(stillness.look(401)).toBe('"one" of a.test.ts')
  })

  it('is a run whose files have all ended, or that never began', () => {
    write(...begun, { file: a, result: { name: a } })
    const stillness = new Stillness(file, 0)

    expect(stillness.look(10)).toBeNull()
    expect(stillness.look(211)).toBe('the end of a file')
    expect(new Stillness(join(folder, 'none'), 0).look(600_001)).toBe('its start')
  })

  it('leaves of each file what it gave, or where it stood; a line that is cut off counts for nothing', () => {
    write(...begun)
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"file":"${b}","res`)

    expect(resultsOf(file)).toMatchObject([
      { name: a, status: 'failed', message: 'ended while it stood still at its imports', hadBegun: true },
      { name: b, status: 'failed', message: 'not run: the run was ended before', hadBegun: false },
    ])
    expect(resultsOf(join(folder, 'none'))).toBeNull()
  })
})

/** One that has ended and that no parent has collected doesn't count. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

describe('a step whose file stands still', () => {
  const written: string[] = []
  const lines = new StepLines({ write: (text) => void written.push(text) })
  const place = join(folder, 'cases')
  const pid = join(folder, 'pid')
  const mark = join(folder, 'mark')
  /** Has a program of its own, in a group of its own, and stops its own process once the run has heard of the case. */
  const still = (when: string) => `
    import { spawn } from 'node:child_process'
    import { existsSync, readFileSync, writeFileSync } from 'node:fs'
    import { it, vi } from 'vitest'
    it('stands', async () => {
      if (!(${when})) return
      writeFileSync(${JSON.stringify(mark)}, '')
      const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { detached: true })
      writeFileSync(${JSON.stringify(pid)}, String(child.pid))
      await vi.waitUntil(() => readFileSync(process.env.TEST_PROGRESS, 'utf8').includes('stands'), { timeout: 4_000 })
      process.kill(process.pid, 'SIGSTOP')
    })`
  const step = (name: (typeof names)[number], when: string) => {
    rmSync(place, { recursive: true, force: true })
    mkdirSync(place)
    writeFileSync(join(place, 'a.test.mjs'), "import { it } from 'vitest'\nit('holds', () => undefined)")
    writeFileSync(join(place, 'b.test.mjs'), still(when))
    writeFileSync(join(place, 'c.test.mjs'), "import { it } from 'vitest'\nit('holds too', () => undefined)")
    const test = { name: 'still', root: place, pool: 'forks', include: ['*.test.mjs'], testTimeout: 5_000 }
    const inOrder = 'class { sort = (files) => files.sort((a, b) => (a.moduleId < b.moduleId ? -1 : 1)) }'
    const config = join(folder, `${name}.config.mjs`)
    writeFileSync(
      config,
      `import { Progress } from ${JSON.stringify(join(ROOT, 'test/progress.ts'))}
       export default { test: {
         sequence: { sequencer: ${inOrder} },
         reporters: ['default', new Progress(process.env.TEST_PROGRESS)],
         projects: [{ test: ${JSON.stringify(test)} }],
       } }`,
    )
    const words = ['--config', config, '--no-file-parallelism']
    return vitestStep({ name, project: 'still', limitMinutes: 5, words })
  }
  const run = async (name: (typeof names)[number], when: string) => {
    const [ended] = await runLanes([[step(name, when)]], lines)
    if (ended === undefined) throw new Error('no step ended')
    const child = Number(readFileSync(pid, 'utf8'))
    return { both: await runFailedAgain(ended, lines), first: ended, child }
  }

  it('is ended with all that it started, and what it was at and did not get to runs once more', async () => {
    const { both, first, child } = await run('still-once', `!existsSync(${JSON.stringify(mark)})`)

    expect(written.join('')).toContain('still-once stands still at "stands" of')
    expect(first.tally).toMatchObject({ passed: 1, failed: 2 })
    await expect.poll(() => isRunning(child)).toBe(false)
    expect(both.tally).toMatchObject({ passed: 3, failed: 0 })
    expect(both.tally.unsteady).toEqual([
      expect.stringMatching(/b\.test\.mjs \(ended while it stood still at "stands"/),
    ])
  })

  it('fails by name when it does so again', async () => {
    const { both } = await run('still-twice', 'true')

    expect(both.tally).toMatchObject({ passed: 1, failed: 2 })
    expect(both.tally.failures.map(({ title, details }) => [title.split(/[\\/]/).at(-1), ...details])).toEqual([
      ['b.test.mjs', 'ended while it stood still at "stands"'],
      ['c.test.mjs', 'not run: the run was ended before'],
    ])
  })
})
