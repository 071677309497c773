// npm test: the quick tier, which needs nothing but npm's packages and a compiler. npm run test:full: everything, with
// the programs that tests run beside ours. test/tiers.json says which file belongs where. Options: see USAGE. The last
// line is `N passed, N failed, N skipped`.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { electronRuntime } from './electron-runtime.mjs'
import {
  ensureBrowserTools,
  ensureDesktopLibraries,
  ensureFormatter,
  ensureOpencl,
  ensureScriptTools,
  ensureServers,
  ensureUsb,
} from './lib/debian.mjs'
import { ensurePeerPrograms } from './lib/peer-programs.mjs'
import { CACHE, packageFile, ROOT, runTool, ToolError } from './lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from './lib/set-up.mjs'
import { findFormatter } from './lint/lint-cpp.mjs'
import { countsOf, runLanes, StepLines } from './testing/lanes.mjs'
import { processorTime, secondsByFile } from './testing/processor-time.mjs'
import { add, failure, fileTimes, fromNative, NOTHING, single, summary, timeTable } from './testing/tally.mjs'
import { reportOf, runFailedAgain, vitestStep } from './testing/vitest.mjs'

const USAGE = `npm test; npm run test:full. Options, after --:
  --only STEPS    only these steps, whole: lint,types,docs,native,unit,web,suite,e2e,desktop,smoke
  --rest          with test:full: only what npm test doesn't run
  --shard 1/3     with test:full: this part of the test files; the steps without files belong to part 1
  --total         adds up what the last npm test and npm run test:full counted`

/** @type {{ quick: readonly string[], full: readonly string[], again: readonly string[] }} */
const TIERS = JSON.parse(readFileSync(join(ROOT, 'test/tiers.json'), 'utf8'))
/** With fewer cores than this, windows wait until one of the other lanes is done. */
const CORES_FOR_DESKTOP = 4
/** More checkers for a project each learn the same types: twice the memory, and no sooner done where all cores have work. */
const ONE_CHECKER = ['--checkers', '1']
/** What test/processor-time.ts wrote of each test file. */
const PROCESSOR_TIMES = join(CACHE, 'processor-times')
/** Only ends a step that hangs: a slow machine took 29 minutes for the longest. */
const HANG_MINUTES = 120
/** What may run side by side: nothing in one lane writes what another reads. */
const LANES = {
  quick: [
    ['types', 'unit', 'web'],
    ['suite', 'lint', 'docs', 'smoke'],
  ],
  full: [['lint', 'types', 'docs', 'native', 'unit', 'web', 'suite'], ['e2e']],
}
const STEPS = [...LANES.full.flat(), 'desktop', 'smoke']

const lines = new StepLines()
const log = (line) => lines.log(line)

await runTool(async () => {
  const options = optionsOf(process.argv.slice(2))
  mkdirSync(CACHE, { recursive: true })
  return options.total ? printTotal() : runTests(options)
})

async function runTests({ tier, only, rest, shard }) {
  const from = performance.now()
  const seconds = () => (performance.now() - from) / 1_000
  rmSync(totalFile(tier), { force: true })
  rmSync(PROCESSOR_TIMES, { force: true })
  process.env.PROCESSOR_TIMES = PROCESSOR_TIMES
  const couldFormat = findFormatter() !== undefined
  const chosen = only ?? LANES[tier].flat().concat(tier === 'full' ? ['desktop'] : [])
  let total = await setUp(chosen, tier)
  const times = [{ name: 'set-up', seconds: seconds(), processor: processorTime()?.seconds }]
  log(`${total.failed === 0 ? 'ok  ' : 'FAIL'} set-up (${seconds().toFixed(1)} s)`)
  const steps = stepsOf(chosen, { tier, rest, shard, lintsAgain: !couldFormat && findFormatter() !== undefined })
  const { lanes, later } = lanesOf(steps, tier)
  const ended = []
  for (const step of await runLanes(lanes, lines, later)) ended.push(await runFailedAgain(step, lines))
  const processor = secondsByFile(existsSync(PROCESSOR_TIMES) ? readFileSync(PROCESSOR_TIMES, 'utf8') : '')
  const filesOf = (name) => fileTimes(reportOf(name), processor)
  for (const { name, seconds, tally } of ended) {
    times.push({ name, seconds, processor: sum(filesOf(name).map((file) => file.processor)) })
    total = add(total, tally)
  }
  times.push({ name: 'all, side by side', seconds: seconds(), processor: processorTime()?.seconds })
  const files = ended.flatMap(({ name }) => filesOf(name))
  writeFileSync(totalFile(tier), JSON.stringify(total))
  for (const line of [...timeTable(times, files), ...summary(total), countsOf(total)]) log(line)
  return total.failed === 0 && total.passed > 0 ? 0 : 1
}

function totalFile(tier) {
  return join(CACHE, `test-total-${tier}.json`)
}

/** A tier without counts ended before it had any. */
function printTotal() {
  const total = ['quick', 'full'].reduce((sum, tier) => {
    const file = totalFile(tier)
    const command = tier === 'quick' ? 'npm test' : 'npm run test:full'
    return add(sum, existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : failure(`${tier} tier`, command))
  }, NOTHING)
  for (const line of [...summary({ ...total, skips: [] }), countsOf(total)]) log(line)
  return total.failed === 0 ? 0 : 1
}

function optionsOf(argv) {
  try {
    const { values } = parseArgs({
      args: argv,
      options: {
        full: { type: 'boolean', default: false },
        rest: { type: 'boolean', default: false },
        total: { type: 'boolean', default: false },
        only: { type: 'string' },
        shard: { type: 'string' },
      },
    })
    const only = values.only?.split(',')
    const unknown = only?.find((name) => !STEPS.includes(name))
    if (unknown !== undefined) throw new Error(`--only: there is no step ${unknown}`)
    if (values.shard !== undefined) checkShard(values.shard)
    if (!values.full && (values.rest || values.shard !== undefined))
      throw new Error('--rest and --shard belong to npm run test:full')
    return { ...values, only, tier: values.full || only !== undefined ? 'full' : 'quick' }
  } catch (error) {
    throw new ToolError(`${error.message}\n${USAGE}`)
  }
}

function checkShard(text) {
  const [, part, parts] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  if (part === undefined || Number(part) < 1 || Number(part) > Number(parts))
    throw new Error(`--shard ${text}: want PART/PARTS, such as 1/3`)
}

/** By name. A file that no tier lists is in the full one, so that none is lost. */
function stepsOf(chosen, { tier, rest, shard, lintsAgain }) {
  const isQuick = (file) => TIERS.quick.includes(file)
  const inTier = (file) => (tier === 'quick' ? isQuick(file) : !rest || !isQuick(file))
  const suite = testFiles('test').filter(inTier)
  const dear = TIERS.full.filter((file) => file.startsWith('src/'))
  const ofWeb = (file) => file.startsWith('src/renderer/')
  const windows = testFiles('e2e').filter(hasWindows)
  const browser = testFiles('e2e').filter((file) => !windows.includes(file) && inTier(file))
  const words = shard === undefined ? [] : [`--shard=${shard}`]
  const vitest = (name, project, files, more = {}) =>
    vitestStep({ name, project, limitMinutes: HANG_MINUTES, words, ...(files && { files }), ...more })
  /** Whole, or what the quick tier left. */
  const beside = (name, left) =>
    rest
      ? vitest(name, name, left, { words: [] })
      : vitest(name, name, undefined, { without: tier === 'quick' ? dear : [] })
  const steps = {
    lint: () => tool('lint', [join('tools', 'lint.mjs')]),
    types: () =>
      tool('typecheck', [packageFile('typescript', 'bin/tsc'), '-b', 'tsconfig.json', ...ONE_CHECKER], 'types'),
    docs: () => tool('docs -- --check', [join('tools', 'docs.mjs'), '--check'], 'docs'),
    native: () => ({ ...tool('test:native', [join('tools', 'test-native.mjs')], 'native'), tally: fromNative }),
    unit: () => beside('unit', [...TIERS.again, ...dear.filter((file) => !ofWeb(file))]),
    web: () => beside('web', dear.filter(ofWeb)),
    suite: () => vitest('suite', 'suite', suite),
    e2e: () => vitest('e2e', 'e2e', browser),
    smoke: () =>
      vitest(
        'smoke',
        'e2e',
        TIERS.quick.filter((file) => file.startsWith('e2e/')),
      ),
    desktop: () => vitest('desktop', 'e2e', windows, { hasWindows: true, words: [...words, '--no-file-parallelism'] }),
  }
  const isFirst = shard === undefined || shard.startsWith('1/')
  const hasFiles = (name) => ['unit', 'web', 'suite', 'e2e', 'desktop', 'smoke'].includes(name)
  const quickAlone = ['types', 'docs', ...(lintsAgain ? [] : ['lint'])]
  const wanted = chosen
    .filter((name) => isFirst || (hasFiles(name) && !(rest && ['unit', 'web'].includes(name))))
    .filter((name) => !rest || !quickAlone.includes(name))
  return new Map(wanted.map((name) => [name, steps[name]()]))
}

/** Those that open windows, one program at a time: two would take the focus from each other. */
function hasWindows(file) {
  return readFileSync(join(ROOT, file), 'utf8').includes('findElectron({ display: true })')
}

function testFiles(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort()
}

/** Undefined when all parts are unknown. */
function sum(parts) {
  const known = parts.filter((part) => part !== undefined)
  return known.length === 0 ? undefined : known.reduce((total, part) => total + part, 0)
}

/** @returns lanes, and the steps for the lane that ends first */
function lanesOf(steps, tier) {
  const inOrder = (names) => names.flatMap((name) => steps.get(name) ?? [])
  const named = LANES[tier]
  const others = [...steps.keys()].filter((name) => name !== 'desktop' && !named.flat().includes(name))
  const lanes = [...named, others].map(inOrder).filter((lane) => lane.length > 0)
  const desktop = inOrder(['desktop'])
  const isOwnLane = desktop.length > 0 && (lanes.length === 0 || availableParallelism() >= CORES_FOR_DESKTOP)
  return isOwnLane ? { lanes: [...lanes, desktop], later: [] } : { lanes, later: desktop }
}

/**
 * Without packages nothing can run. Any other part that can't be made counts as one failure; tests that need it say so.
 * Only the full tier installs programs.
 */
async function setUp(chosen, tier) {
  await ensurePackages(log)
  let tally = NOTHING
  const attempt = async (name, command, work) => {
    try {
      await work()
    } catch (error) {
      tally = add(tally, failure(name, command, error.message))
    }
  }
  const needs = (...names) => chosen.some((name) => names.includes(name))
  const programs = tier === 'full'
  await Promise.all([
    needs('unit', 'suite', 'e2e', 'desktop', 'smoke')
      ? attempt('native addon', 'npm run build:native', () => ensureNative(log))
      : null,
    needs('suite', 'e2e', 'desktop', 'smoke')
      ? attempt('application', 'npm run build:app', () => ensureApp(log))
      : null,
    programs ? ensurePrograms(needs) : null,
    programs && needs('suite') ? ensurePeerPrograms(log) : null,
  ])
  if (programs && needs('suite', 'e2e', 'desktop')) await obtainElectron()
  return tally
}

/** In sequence: the system's installer runs one at a time. */
async function ensurePrograms(needs) {
  if (needs('lint')) await ensureFormatter(log)
  if (needs('unit')) await ensureUsb(log)
  if (needs('suite')) await ensureScriptTools(log)
  if (needs('suite')) await ensureOpencl(log)
  if (needs('suite')) await ensureServers(log)
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

/** A step that passes or fails. @param {string} script of npm that runs it alone */
function tool(script, args, name = script) {
  return {
    name,
    command: process.execPath,
    args,
    limitMinutes: HANG_MINUTES,
    tally: (outcome) => single(name, `npm run ${script}`, outcome),
  }
}
