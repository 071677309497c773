// npm run lab: nodes of ours, and of prlx where PEER_PROGRAMS names its folder, on the loopback interface, with partitions,
// liars, floods, restarts and clock steps. Prints the time to one head after each heal, and draws who had which head when.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { bundleProgram } from './bench/bundle.mjs'
import { ROOT, runTool, ToolError } from './lib/project.mjs'

const OUT = join(ROOT, 'node_modules', '.cache', 'lab')
const USAGE =
  'npm run lab -- [--minutes 10] [--ours 4] [--reference 0] [--partition 120] [--block 4] [--seed 1]; times in seconds'

await runTool(async () => {
  const { values } = parsed()
  const number = (name, least) => {
    const value = Number(values[name])
    if (!Number.isFinite(value) || value < least)
      throw new ToolError(`--${name}: want a number of at least ${least}. ${USAGE}`)
    return value
  }
  const options = {
    seed: number('seed', 0),
    ours: number('ours', 2),
    theirs: number('reference', 0),
    lengthMs: number('minutes', 0.1) * 60_000,
    partitionMs: number('partition', 4) * 1000,
    blockMs: number('block', 0.1) * 1000,
  }
  await bundleProgram(join(ROOT, 'test', 'lab', 'lab-program.ts'), OUT)
  const { labProgram } = await import(pathToFileURL(join(OUT, 'lab-program.mjs')).href)
  const kept = await labProgram(options, join(ROOT, 'test-results', 'lab'), (line) => console.log(line))
  return kept ? 0 : 1
})

function parsed() {
  const option = (value) => ({ type: 'string', default: value })
  try {
    return parseArgs({
      options: {
        minutes: option('10'),
        ours: option('4'),
        reference: option('0'),
        partition: option('120'),
        block: option('4'),
        seed: option('1'),
      },
    })
  } catch (error) {
    throw new ToolError(`${error.message}. ${USAGE}`)
  }
}
