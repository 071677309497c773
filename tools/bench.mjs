// npm run bench: how fast the proof of work is. `-- --idle [--seconds N]` instead: what a practice network costs while it runs.
// Other words go to tools/bench/xhash.mjs: --quick --json --simd LEVEL.
import { measureIdle } from './bench/idle.mjs'
import { runTool, ToolError } from './lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from './lib/set-up.mjs'

const DEFAULT_IDLE_SECONDS = 60

await runTool(async () => {
  const options = parse(process.argv.slice(2))
  const log = (line) => console.error(line)
  await ensurePackages(log)
  await ensureNative(log)
  if (options.idle) {
    await ensureApp(log)
    return (await measureIdle({ seconds: options.seconds, log: (line) => console.log(line) })) ? 0 : 1
  }
  const { benchXhash } = await import('./bench/xhash.mjs')
  await benchXhash({ quick: options.quick, json: options.json, simd: options.simd })
  return 0
})

function parse(argv) {
  const options = { idle: false, quick: false, json: false, simd: '', seconds: DEFAULT_IDLE_SECONDS }
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]
    if (['--idle', '--quick', '--json'].includes(word)) options[word.slice(2)] = true
    else if (word === '--simd' && argv[i + 1] !== undefined) options.simd = argv[++i]
    else if (word === '--seconds' && Number(argv[i + 1]) >= 5) options.seconds = Number(argv[++i])
    else
      throw new ToolError(
        `npm run bench: ${word} is not accepted; accepted: --idle --seconds N --quick --json --simd LEVEL`,
      )
  }
  return options
}
