// npm run coverage: which share of lines and branches the tests beside the code run (unit and web; suite and e2e run the built program,
// which is not counted). A table of the parts of the program; the page with every line goes to .cache/coverage.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFile, ROOT, run, runTool } from './lib/project.mjs'
import { ensureNative, ensurePackages } from './lib/set-up.mjs'

const print = (line) => console.log(line)

const REPORT = '.cache/coverage'
/** Parts of src shown by folder; the others are one row each. */
const DIVIDED = ['node', 'signer', 'miner', 'host', 'renderer']
const OPTIONS = [
  '--coverage.enabled',
  '--coverage.provider=v8',
  '--coverage.include=src/**/*.{ts,tsx}',
  '--coverage.exclude=src/**/testing/**',
  `--coverage.reportsDirectory=${REPORT}`,
  '--coverage.reporter=json-summary',
  '--coverage.reporter=html',
  // What ran is worth a table also when a case failed.
  '--coverage.reportOnFailure',
]

await runTool(async () => {
  await ensurePackages(print)
  await ensureNative(print)
  const vitest = packageFile('vitest', 'vitest.mjs')
  const tests = ['run', '--project', 'unit', '--project', 'web', '--reporter=dot']
  const { code } = await run(process.execPath, [vitest, ...tests, ...OPTIONS])
  const { total, ...files } = JSON.parse(readFileSync(join(ROOT, REPORT, 'coverage-summary.json'), 'utf8'))
  const parts = new Map()
  for (const [path, figures] of Object.entries(files)) {
    const name = partOf(path.slice(ROOT.length + 1).replaceAll('\\', '/'))
    parts.set(name, [...(parts.get(name) ?? []), figures])
  }
  for (const [name, figures] of [...parts].sort(([a], [b]) => a.localeCompare(b))) console.log(rowOf(name, figures))
  console.log(rowOf('all', [total]))
  return code
})

function partOf(path) {
  const [, trade, ...rest] = path.split('/')
  const folders = trade === 'renderer' ? rest.slice(1) : rest // below src/renderer/src
  return DIVIDED.includes(trade) && folders.length > 1 ? `${trade}/${folders[0]}` : trade.replace(/\.tsx?$/, '')
}

/** Name, percent of lines, percent of branches, lines. */
function rowOf(name, figures) {
  const share = (kind) => {
    const all = figures.reduce((sum, each) => sum + each[kind].total, 0)
    const run = figures.reduce((sum, each) => sum + each[kind].covered, 0)
    return all === 0 ? '-' : ((100 * run) / all).toFixed(1)
  }
  const lines = figures.reduce((sum, each) => sum + each.lines.total, 0)
  return `${name.padEnd(28)} ${share('lines').padStart(6)} ${share('branches').padStart(6)} ${String(lines).padStart(7)}`
}
