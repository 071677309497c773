// Steps of a test run side by side: in turn within a lane, each with its output in one piece, and what a failing one
// leaves.
import { readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'

interface Step {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly limitMinutes: number
  readonly tally: (outcome: { readonly code: number; readonly output: string }) => Counts
}

interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly notes: readonly string[]
}

interface Ended {
  readonly name: string
  readonly seconds: number
  readonly tally: Counts
}

const ROOT = resolve(import.meta.dirname, '../..')
const { runLanes, logOf } = z
  .object({
    runLanes:
      z.custom<
        (
          lanes: readonly (readonly Step[])[],
          log: (line: string) => void,
          later?: readonly Step[],
        ) => Promise<readonly Ended[]>
      >(),
    logOf: z.custom<(name: string) => string>(),
  })
  .parse(await import(pathToFileURL(join(ROOT, 'tools/testing/lanes.mjs')).href))

/** A step that prints `words` and ends with `code`. */
function step(name: string, words: string, code = 0): Step {
  return {
    name,
    command: process.execPath,
    args: ['-e', `process.stdout.write(${JSON.stringify(`${words}\n`)}); process.exitCode = ${code}`],
    limitMinutes: 1,
    tally: (outcome) => ({
      passed: outcome.code === 0 ? 1 : 0,
      failed: outcome.code === 0 ? 0 : 1,
      skipped: 0,
      notes: [],
    }),
  }
}

describe('lanes of a test run', () => {
  const written: string[] = []
  const print = vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
    written.push(String(part).trimEnd())
    return true
  })
  const names = ['lanes-one', 'lanes-two', 'lanes-other']
  afterEach(() => {
    print.mockRestore()
    for (const name of names) rmSync(logOf(name), { force: true })
  })

  it("run in turn within a lane; a step's output stays in one piece and in its file", async () => {
    const ended = await runLanes(
      [[step('lanes-one', 'first'), step('lanes-two', 'second', 3)], [step('lanes-other', 'beside')]],
      (line) => written.push(line),
    )

    expect(ended.map(({ name }) => name).filter((name) => name !== 'lanes-other')).toEqual(['lanes-one', 'lanes-two'])
    expect(ended.find(({ name }) => name === 'lanes-two')?.tally.failed).toBe(1)
    for (const [name, words] of [
      ['lanes-one', 'first'],
      ['lanes-two', 'second'],
      ['lanes-other', 'beside'],
    ] as const) {
      const from = written.indexOf(`== ${name}`)
      expect(written[from + 1]).toBe(words)
      expect(written[from + 2]).toMatch(new RegExp(`^== ${name}: `))
      expect(readFileSync(logOf(name), 'utf8')).toBe(`${words}\n`)
    }
    expect(written.indexOf('-- lanes-two started')).toBeGreaterThan(written.indexOf('== lanes-one'))
  })

  it('runs steps that wait for a lane in the first one to finish', async () => {
    const begun: string[] = []
    const held = step('lanes-other', 'beside')
    // Ends once the step that waits for a lane has written its file.
    const waits = `const look = setInterval(() => existsSync(${JSON.stringify(logOf('lanes-two'))}) && clearInterval(look), 20)`
    const slow = { ...held, args: ['-e', `const { existsSync } = require('node:fs'); ${waits}`] }

    const ended = await runLanes([[step('lanes-one', 'first')], [slow]], (line) => begun.push(line), [
      step('lanes-two', 'later'),
    ])

    expect(ended.map(({ name }) => name).sort()).toEqual([...names].sort())
    expect(begun.indexOf('-- lanes-two started')).toBeGreaterThan(begun.indexOf('== lanes-one'))
  })
})
