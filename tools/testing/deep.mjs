// npm run test:deep: runs all cases of the test files of which `npm test` runs only part (those that use
// test/depth.ts). `-- TEXT`: only files with TEXT in their path. Takes half an hour of CPU time.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, runTool, ToolError } from '../lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from '../lib/set-up.mjs'
import { runLanes, StepLines } from './lanes.mjs'
import { summary } from './tally.mjs'
import { vitestStep } from './vitest.mjs'

/** Ends what hangs, and nothing else. */
const HANG_MINUTES = 240
const ASKS = /from '(?:\.\.?\/)+(?:test\/)?depth'/
/** Projects of vitest.config.ts, by the folder of their files. */
const PROJECTS = { suite: 'test', e2e: 'e2e' }

const lines = new StepLines()
const log = (line) => lines.log(line)

await runTool(async () => {
  const [text = ''] = process.argv.slice(2)
  await ensurePackages(log)
  const steps = Object.entries(PROJECTS).flatMap(([project, folder]) => {
    const files = askingFiles(folder).filter((path) => path.includes(text))
    return files.length === 0 ? [] : [{ name: `deep-${project}`, project, limitMinutes: HANG_MINUTES, files }]
  })
  if (steps.length === 0)
    throw new ToolError(`npm run test:deep: no file with ${text} in its path has cases of its own`)
  await ensureNative(log)
  await ensureApp(log)
  process.env.TEST_DEPTH = 'deep'
  const ended = await runLanes([steps.map(vitestStep)], lines)
  for (const line of ended.flatMap(({ tally }) => summary(tally))) log(line)
  return ended.every(({ tally }) => tally.failed === 0 && tally.passed > 0) ? 0 : 1
})

/** Test files below `folder` that ask how deep to go, from the project's root. */
function askingFiles(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => join(folder, path))
    .filter((path) => ASKS.test(readFileSync(join(ROOT, path), 'utf8')))
    .sort()
}
