// npm test: sets up like `npm start`, then lint, types, native tests, vitest projects and the browser tests, side by side.
// `--only lint|types|docs|native|unit|web|suite|e2e|desktop` (comma list) runs a part. The last line is `N passed, N failed, N skipped`.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { electronRuntime } from './electron-runtime.mjs'
import {
  ensureBrowserTools,
  ensureDesktopLibraries,
  ensureFormatter,
  ensureMonitoringTools,
  ensureOpencl,
  ensureUsb,
} from './lib/debian.mjs'
import { ensurePeerPrograms } from './lib/peer-programs.mjs'
import { CACHE, packageFile, ROOT, runTool, ToolError } from './lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from './lib/set-up.mjs'
import { logOf, runLanes } from './testing/lanes.mjs'
import { processorTime, secondsByFile } from './testing/processor-time.mjs'
import { add, fileTimes, fromNative, NOTHING, notesInOrder, single, timeTable } from './testing/tally.mjs'
import { reportOf, runFailedAgain, vitestStep } from './testing/vitest.mjs'

/** They open windows, one program at a time: two would take the focus from each other. */
const DESKTOP = filesWithWindows()
/** With fewer cores than this, windows wait until one of the other lanes is done. */
const CORES_FOR_DESKTOP = 4

/** What test/processor-time.ts wrote of each test file. */
const PROCESSOR_TIMES = join(CACHE, 'processor-times')

/** Only ends a step that hangs: a slow machine took 29 minutes for the longest. */
const HANG_MINUTES = 120

const STEPS = {
  lint: () => tool('lint', [join('tools', 'lint.mjs')], 'lint'),
  types: () => tool('types', [packageFile('typescript', 'bin/tsc'), '-b', 'tsconfig.json'], 'typecheck'),
  docs: () => tool('docs', [join('tools', 'docs.mjs'), '--check'], 'docs/reference is current'),
  native: () => ({
    ...tool('native', [join('tools', 'test-native.mjs')], 'native'),
    tally: ({ output, code }) => fromNative(output, code),
  }),
  unit: () => vitestStep({ name: 'unit', project: 'unit', limitMinutes: HANG_MINUTES }),
  web: () => vitestStep({ name: 'web', project: 'web', limitMinutes: HANG_MINUTES }),
  suite: () => vitestStep({ name: 'suite', project: 'suite', limitMinutes: HANG_MINUTES }),
  e2e: () =>
    vitestStep({
      name: 'e2e',
      project: 'e2e',
      limitMinutes: HANG_MINUTES,
      words: DESKTOP.map((file) => `--exclude=${file}`),
    }),
  desktop: () =>
    vitestStep({
      name: 'desktop',
      project: 'e2e',
      limitMinutes: HANG_MINUTES,
      hasWindows: true,
      words: ['--no-file-parallelism', ...DESKTOP],
    }),
}

/** What may run side by side: nothing in one lane writes what another reads. */
const LANES = [['lint', 'types', 'docs', 'native', 'unit', 'web', 'suite'], ['e2e']]

const log = (line) => console.log(line)

await runTool(async () => {
  const chosen = chosenSteps(process.argv.slice(2))
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1_000
  mkdirSync(CACHE, { recursive: true })
  rmSync(PROCESSOR_TIMES, { force: true })
  process.env.PROCESSOR_TIMES = PROCESSOR_TIMES
  log('== set-up')
  let total = await setUp(chosen)
  log(`== set-up: ${total.failed} failed (${seconds().toFixed(1)} s)`)
  const times = [{ name: 'set-up', seconds: seconds(), processor: processorTime()?.seconds }]
  const ended = []
  const { lanes, later } = lanesOf(chosen)
  for (const step of await runLanes(lanes, log, later)) ended.push(await runFailedAgain(step, log))
  const processor = secondsByFile(existsSync(PROCESSOR_TIMES) ? readFileSync(PROCESSOR_TIMES, 'utf8') : '')
  const filesOf = (name) => fileTimes(reportOf(name), processor)
  for (const { name, seconds, tally } of ended) {
    times.push({ name, seconds, processor: sum(filesOf(name).map((file) => file.processor)) })
    total = add(total, tally)
    if (tally.failed > 0) log(`full log of the failed step: ${logOf(name)}`)
  }
  times.push({ name: 'all, side by side', seconds: seconds(), processor: processorTime()?.seconds })
  for (const note of notesInOrder(total.notes)) log(note)
  const files = ended.flatMap(({ name }) => filesOf(name))
  for (const line of timeTable(times, files)) log(line)
  log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
  return total.failed === 0 && total.passed > 0 ? 0 : 1
})

/** Those that look for an Electron and a display; without one they skip, also beside the browser's. */
function filesWithWindows() {
  return readdirSync(join(ROOT, 'e2e'), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('e2e', name))
    .filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('findElectron({ display: true })'))
}

/** Undefined when all parts are unknown. */
function sum(parts) {
  const known = parts.filter((part) => part !== undefined)
  return known.length === 0 ? undefined : known.reduce((total, part) => total + part, 0)
}

function chosenSteps(argv) {
  const all = Object.keys(STEPS)
  if (argv.length === 0) return all
  const text = argv[0] === '--only' ? argv[1] : argv[0]?.startsWith('--only=') ? argv[0].slice(7) : undefined
  const names = text?.split(',') ?? []
  const unknown = names.find((name) => !all.includes(name))
  if (names.length > 0 && unknown === undefined) return names
  throw new ToolError(`npm test: ${argv.join(' ')} is not accepted; accepted: --only ${all.join('|')}`)
}

/** @returns lanes, and the steps for the lane that ends first */
function lanesOf(chosen) {
  const stepsOf = (names) => names.filter((name) => chosen.includes(name)).map((name) => STEPS[name]())
  const lanes = LANES.map(stepsOf).filter((steps) => steps.length > 0)
  const desktop = stepsOf(['desktop'])
  const isOwnLane = desktop.length > 0 && (lanes.length === 0 || availableParallelism() >= CORES_FOR_DESKTOP)
  return isOwnLane ? { lanes: [...lanes, desktop], later: [] } : { lanes, later: desktop }
}

/**
 * Without packages nothing can run. Any other part that can't be made counts as one failure; tests that need it say so.
 */
async function setUp(chosen) {
  await ensurePackages(log)
  let tally = NOTHING
  const attempt = async (name, work) => {
    try {
      await work()
    } catch (error) {
      tally = add(tally, { ...NOTHING, failed: 1, notes: [`failed: ${name}: ${error.message}`] })
    }
  }
  const needs = (...names) => chosen.some((name) => names.includes(name))
  await Promise.all([
    needs('unit', 'suite', 'e2e', 'desktop') ? attempt('native addon', () => ensureNative(log)) : null,
    needs('suite', 'e2e', 'desktop') ? attempt('application', () => ensureApp(log)) : null,
    ensurePrograms(needs),
    needs('suite') ? ensurePeerPrograms(log) : null,
  ])
  if (needs('suite', 'e2e', 'desktop')) await obtainElectron()
  return tally
}

/** In sequence: the system's installer runs one at a time. */
async function ensurePrograms(needs) {
  if (needs('lint')) await ensureFormatter(log)
  if (needs('unit')) await ensureUsb(log)
  if (needs('suite')) await ensureMonitoringTools(log)
  if (needs('suite')) await ensureOpencl(log)
  if (needs('e2e', 'desktop')) await ensureBrowserTools(log)
}

async function obtainElectron() {
  try {
    const { version, source, executable } = electronRuntime({ log })
    log(`Electron ${version} (${source})`)
    await ensureDesktopLibraries(log, executable)
  } catch (error) {
    log(error.message)
  }
}

/** A step that passes or fails. */
function tool(name, args, what) {
  return {
    name,
    command: process.execPath,
    args,
    limitMinutes: HANG_MINUTES,
    tally: ({ code }) => single(what, code === 0),
  }
}
