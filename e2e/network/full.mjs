// The network tests at full length: node e2e/network/full.mjs [--blocks N] [--seconds N]
// `--blocks`: length of the chain that both programs sync from each other (default 2000); `--seconds`: how long three
// nodes mine (default 300).
import { join } from 'node:path'
import { packageFile, ROOT, run, runTool, ToolError } from '../../tools/lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from '../../tools/lib/set-up.mjs'

await runTool(async () => {
  const { blocks, seconds } = parse(process.argv.slice(2))
  const log = (line) => console.error(line)
  await ensurePackages(log)
  await ensureNative(log)
  await ensureApp(log)
  const env = { ...process.env, HEADFRAME_NETWORK_BLOCKS: String(blocks), HEADFRAME_NETWORK_SECONDS: String(seconds) }
  const folder = join('e2e', 'network')
  const { code } = await run(
    process.execPath,
    [packageFile('vitest', 'vitest.mjs'), 'run', '--project', 'e2e', folder],
    {
      env,
      cwd: ROOT,
    },
  )
  return code
})

function parse(argv) {
  const options = { blocks: 2_000, seconds: 300 }
  for (let i = 0; i < argv.length; i += 2) {
    const name = argv[i]?.slice(2)
    const value = Number(argv[i + 1])
    if ((name !== 'blocks' && name !== 'seconds') || !Number.isInteger(value) || value < 1)
      throw new ToolError(`${argv.slice(i).join(' ')} is not accepted; accepted: --blocks N --seconds N`)
    options[name] = value
  }
  return options
}
