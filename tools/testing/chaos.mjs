// npm run chaos: the real program, headless, mines for a simulated pool, follows a peer's chain and signs payments,
// while it is killed, suspended, starved of disk, pool and peer, deceived by its clock and given spoiled files. Prints
// what it did and its figures; exits with 1 if a share, a payment, a key, a record or a block was lost, duplicated or
// damaged. With --week, seven days pass on the program's clock, with epoch changes and new log files. With --sabotage,
// the run breaks what it guards, and exits with 1 if it didn't notice.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { bundleProgram } from '../bench/bundle.mjs'
import { ROOT, runTool, ToolError } from '../lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from '../lib/set-up.mjs'

const OUT = join(ROOT, 'node_modules', '.cache', 'chaos')
const USAGE =
  'npm run chaos -- [MINUTES] [--week | --sabotage] [--seed N]; 30 minutes (a week: 15, sabotage: 4) and a new seed by default'
const SEEDS = 1_000_000
const MIN_MINUTES = 2
const MINUTES = { chaos: 30, week: 15, sabotage: 4 }
const print = (line) => console.log(line)

await runTool(async () => {
  const { minutes, seed, kind } = parsed()
  await ensurePackages(print)
  await ensureNative(print)
  await ensureApp(print)
  await bundleProgram(join(ROOT, 'test', 'chaos', 'chaos-program.ts'), OUT)
  const { chaosProgram } = await import(pathToFileURL(join(OUT, 'chaos-program.mjs')).href)
  const more = kind === 'chaos' ? '' : ` --${kind}`
  print(`seed ${seed}; repeat it: npm run chaos -- ${minutes}${more} --seed ${seed}`)
  const options = { seed, kind, lengthMs: minutes * 60_000, door: join(ROOT, 'bin', 'headframe.mjs'), tell: print }
  return (await chaosProgram(options)) ? 0 : 1
})

function parsed() {
  try {
    const options = { seed: { type: 'string' }, week: { type: 'boolean' }, sabotage: { type: 'boolean' } }
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    if (values.week && values.sabotage) throw new ToolError(`--week and --sabotage exclude each other. ${USAGE}`)
    const kind = values.week ? 'week' : values.sabotage ? 'sabotage' : 'chaos'
    const minutes = Number(positionals[0] ?? MINUTES[kind])
    const seed = Number(values.seed ?? Math.floor(Math.random() * SEEDS))
    if (!(minutes >= MIN_MINUTES)) throw new ToolError(`want at least ${MIN_MINUTES} minutes. ${USAGE}`)
    if (!Number.isSafeInteger(seed) || seed < 0) throw new ToolError(`--seed: want a whole number. ${USAGE}`)
    return { minutes, seed, kind }
  } catch (error) {
    throw error instanceof ToolError ? error : new ToolError(`${error.message}. ${USAGE}`)
  }
}
