// npm run conformance [-- --only state,blocks,reorgs,clients,rpc]: what this node has in common with others, run as tests, and one section
// of results in docs/benchmarks.md. PEER_PROGRAMS names the folder of prlx, CLIENT_PROGRAMS that of the clients
// (test/node/clients/fetch-clients.mjs); what needs one that is not set does not run, and the page says so. Of parts that are not
// chosen it has the last run's results; while one has none, nothing is written.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT, runTool, ToolError } from '../lib/project.mjs'
import { ensureNative, ensurePackages } from '../lib/set-up.mjs'
import { runLanes, StepLines } from '../testing/lanes.mjs'
import { reportOf, vitestStep } from '../testing/vitest.mjs'
import { conformanceSection, HEADING, sumOf } from './page.mjs'
import { sectionResult } from './results.mjs'
import { SECTIONS } from './sections.mjs'

const PAGE = join(ROOT, 'docs', 'benchmarks.md')
/** Only ends what hangs. */
const HANG_MINUTES = 120

const NOTHING = { title: 'A section', rows: [], failed: ['it ended without a report'] }

const log = (line) => console.log(line)

await runTool(async () => {
  const chosen = chosenSections(process.argv.slice(2))
  await ensurePackages(log)
  await ensureNative(log)
  process.env.TEST_DEPTH = 'deep'
  await runLanes([chosen.map(stepOf)], new StepLines())
  const results = SECTIONS.map((section) => {
    const report = reportIn(section)
    return report === null ? null : sectionResult(section, report, ROOT)
  })
  const done = results.filter((_result, index) => chosen.includes(SECTIONS[index]))
  for (const result of done) {
    const { title, rows, failed } = result ?? NOTHING
    const { passed, failed: count, notRun } = sumOf(rows)
    log(`${title}: ${passed} passed, ${count} failed, ${notRun} not run`)
    for (const line of failed) log(`failed: ${line}`)
  }
  if (!results.includes(null)) {
    const [before] = readFileSync(PAGE, 'utf8').split(HEADING)
    writeFileSync(PAGE, before + conformanceSection(about(), results))
  }
  return done.every((result) => result !== null && result.failed.length === 0) ? 0 : 1
})

function chosenSections(argv) {
  const names = SECTIONS.map(({ name }) => name)
  const { only } = options(argv)
  const wanted = only === undefined ? names : only.split(',')
  const unknown = wanted.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new ToolError(`npm run conformance: no section ${unknown}; there are ${names.join(', ')}`)
  return SECTIONS.filter(({ name }) => wanted.includes(name))
}

function options(argv) {
  try {
    return parseArgs({ args: argv, options: { only: { type: 'string' } } }).values
  } catch (error) {
    throw new ToolError(`npm run conformance: ${error.message}; accepted: --only NAME,...`)
  }
}

function stepName({ name }) {
  return `conformance-${name}`
}

function stepOf(section) {
  const files = section.parts.map(({ file }) => file)
  return vitestStep({ name: stepName(section), project: 'suite', limitMinutes: HANG_MINUTES, files })
}

/** Of the last run; null where there was none, or it left nothing. */
function reportIn(section) {
  const report = reportOf(stepName(section))
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null
}

function about() {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  return {
    program: `Headframe ${version}`,
    reference: referenceName(),
    runtime: `Node ${process.versions.node} on ${process.platform} ${process.arch}`,
  }
}

function referenceName() {
  const folder = process.env.PEER_PROGRAMS
  if (folder === undefined) return 'without prlx (PEER_PROGRAMS was not set)'
  const { stdout } = spawnSync(join(folder, 'prlx'), ['version'], { encoding: 'utf8' })
  const version = /^Version: *(\S+)/m.exec(stdout ?? '')?.[1]
  return version === undefined ? 'without prlx (PEER_PROGRAMS has none)' : `beside prlx ${version}`
}
