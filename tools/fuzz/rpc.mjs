// npm run fuzz:rpc: random calls to our node and to prlx (PEER_PROGRAMS names its folder), run by run with rising seeds.
// Prints each kind of difference once, with the smallest call that shows it, and ends with 1 where there is one.
import { parseArgs } from 'node:util'
import { packageFile, run, runTool, ToolError } from '../lib/project.mjs'
import { ensurePackages } from '../lib/set-up.mjs'

const USAGE = 'npm run fuzz:rpc -- [--seed 1] [--seeds 1] [--calls 2000]'

await runTool(async () => {
  if (process.env.PEER_PROGRAMS === undefined) throw new ToolError('PEER_PROGRAMS is not set: want the folder of prlx')
  const { seed, seeds, calls } = numbers()
  await ensurePackages(console.log)
  let isSame = true
  for (let at = seed; at < seed + seeds; at++) {
    const env = { ...process.env, SEED: String(at), CALLS: String(calls) }
    const args = [packageFile('vitest', 'vitest.mjs'), 'run', '--config', 'tools/fuzz/vitest.config.ts']
    const { code } = await run(process.execPath, args, { env })
    isSame &&= code === 0
  }
  return isSame ? 0 : 1
})

function numbers() {
  const option = (value) => ({ type: 'string', default: value })
  try {
    const { values } = parseArgs({ options: { seed: option('1'), seeds: option('1'), calls: option('2000') } })
    const read = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Number(text)]))
    if (Object.values(read).every((value) => Number.isSafeInteger(value) && value > 0)) return read
  } catch (error) {
    throw new ToolError(`${error.message}. ${USAGE}`)
  }
  throw new ToolError(`want whole numbers above 0. ${USAGE}`)
}
