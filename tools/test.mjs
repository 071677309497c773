// npm test: sets up like `npm start`, then lint, types, native tests, vitest projects and the browser tests.
// `--only lint|types|docs|native|unit|web|suite|e2e` (comma list) runs a part. The last line is `N passed, N failed, N skipped`.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { electronRuntime } from './electron-runtime.mjs'
import { ensureBrowserTools, ensureMonitoringTools, ensureOpencl, hasProgram } from './lib/debian.mjs'
import { CACHE, packageFile, ROOT, run, runTool, ToolError } from './lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from './lib/set-up.mjs'
import { add, fromVitest, NOTHING, single } from './lib/tally.mjs'
import { lint } from './lint.mjs'

const MINUTE_MS = 60_000
const SCREEN = '-screen 0 1440x900x24'

const STEPS = {
  lint: async () => single('lint', await lint()),
  types: async () =>
    single('typecheck', (await node(packageFile('typescript', 'bin/tsc'), ['-b', 'tsconfig.json'])).code === 0),
  docs: async () =>
    single('docs/reference is current', (await node(join(ROOT, 'tools', 'docs.mjs'), ['--check'])).code === 0),
  native: () => nativeTests(),
  unit: () => vitest('unit', 10),
  web: () => vitest('web', 10),
  suite: () => vitest('suite', 20),
  e2e: () => vitest('e2e', 30),
}

const log = (line) => console.log(line)

await runTool(async () => {
  const chosen = chosenSteps(process.argv.slice(2))
  let total = NOTHING
  total = add(total, await timed('set-up', () => setUp(chosen)))
  for (const name of chosen) total = add(total, await timed(name, STEPS[name]))
  for (const note of total.notes) log(note)
  log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
  return total.failed === 0 && total.passed > 0 ? 0 : 1
})

function chosenSteps(argv) {
  const all = Object.keys(STEPS)
  if (argv.length === 0) return all
  const text = argv[0] === '--only' ? argv[1] : argv[0]?.startsWith('--only=') ? argv[0].slice(7) : undefined
  const names = text?.split(',') ?? []
  const unknown = names.find((name) => !all.includes(name))
  if (names.length > 0 && unknown === undefined) return names
  throw new ToolError(`npm test: ${argv.join(' ')} is not accepted; accepted: --only ${all.join('|')}`)
}

/** Without packages nothing can run. Any other part that cannot be made counts as failed once; tests that need it say so. */
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
  if (needs('unit', 'suite', 'e2e')) await attempt('native addon', () => ensureNative(log))
  if (needs('suite', 'e2e')) {
    await attempt('application', () => ensureApp(log))
    obtainElectron()
  }
  if (needs('suite')) await ensureMonitoringTools(log)
  if (needs('suite')) await ensureOpencl(log)
  if (needs('e2e')) await ensureBrowserTools(log)
  return tally
}

function obtainElectron() {
  try {
    const { version, source } = electronRuntime({ log })
    log(`Electron ${version} (${source})`)
  } catch (error) {
    log(error.message)
  }
}

async function nativeTests() {
  // Not before the packages are there: it is built against some of them.
  const { testNative } = await import('./test-native.mjs')
  const { notes, ...counts } = await testNative({ log })
  return { ...counts, notes: notes.map((note) => `native: ${note}`) }
}

/** @param {string} project of vitest.config.ts */
async function vitest(project, limitMinutes) {
  const report = join(CACHE, `vitest-${project}.json`)
  mkdirSync(CACHE, { recursive: true })
  rmSync(report, { force: true })
  const args = [
    packageFile('vitest', 'vitest.mjs'),
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
  ]
  args.push(`--outputFile.json=${report}`, '--passWithNoTests')
  const needsDisplay =
    project === 'e2e' && process.platform === 'linux' && !process.env.DISPLAY && hasProgram('xvfb-run')
  const [command, before] = needsDisplay ? ['xvfb-run', ['-a', '-s', SCREEN, process.execPath]] : [process.execPath, []]
  const options = { stdio: ['ignore', 'inherit', 'inherit'], limitMs: limitMinutes * MINUTE_MS }
  const { code } = await run(command, [...before, ...args], options)
  return fromVitest(project, report, code)
}

function node(script, args) {
  return run(process.execPath, [script, ...args], { stdio: ['ignore', 'inherit', 'inherit'] })
}

async function timed(name, work) {
  const startedAt = performance.now()
  log(`== ${name}`)
  const tally = await work()
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  log(`== ${name}: ${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped (${seconds} s)`)
  return tally
}
