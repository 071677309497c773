// npm run bench: how fast the proof of work is. `-- --idle [--seconds N]` instead: what a practice network costs while it runs.
// `-- --import [--json]`: how fast blocks are imported.
// `-- --rpc [--seconds N] [--url URL] [--only METHOD] [--json]`: JSON-RPC under load, of an own node or of the one at URL.
// `-- --signer [--seconds N]`: signatures over HTTP, beside those of the reference where it is at hand.
// `-- --api [--seconds N] [--json]`: the control port under load, and a monitor of 200 rigs.
// Other words go to tools/bench/xhash.mjs: --quick --json --simd LEVEL.
import { measureIdle } from './bench/idle.mjs'
import { runTool, ToolError } from './lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from './lib/set-up.mjs'

const DEFAULT_IDLE_SECONDS = 60
const DEFAULT_RPC_SECONDS = 5
const DEFAULT_SIGNER_SECONDS = 10
const DEFAULT_API_SECONDS = 20

await runTool(async () => {
  const options = parse(process.argv.slice(2))
  const log = (line) => console.error(line)
  await ensurePackages(log)
  await ensureNative(log)
  if (options.rpc) {
    if (options.url === null) await ensureApp(log)
    const { benchRpc } = await import('./bench/rpc.mjs')
    const { seconds, url, only, json } = options
    const done = await benchRpc({
      seconds: seconds ?? DEFAULT_RPC_SECONDS,
      url,
      only,
      json,
      log: (line) => console.log(line),
    })
    return done ? 0 : 1
  }
  if (options.idle) {
    await ensureApp(log)
    return (await measureIdle({ seconds: options.seconds ?? DEFAULT_IDLE_SECONDS, log: (line) => console.log(line) }))
      ? 0
      : 1
  }
  if (options.signer) {
    await ensureApp(log)
    const { measureSigner } = await import('./bench/signer.mjs')
    await measureSigner({ seconds: options.seconds ?? DEFAULT_SIGNER_SECONDS, log: (line) => console.log(line) })
    return 0
  }
  if (options.api) {
    await ensureApp(log)
    const { benchApi } = await import('./bench/api.mjs')
    const { seconds, json } = options
    const done = await benchApi({ seconds: seconds ?? DEFAULT_API_SECONDS, json, log: (line) => console.log(line) })
    return done ? 0 : 1
  }
  if (options.import) {
    const { benchImport } = await import('./bench/import.mjs')
    return (await benchImport({ json: options.json, log: (line) => console.log(line) })) ? 0 : 1
  }
  const { benchXhash } = await import('./bench/xhash.mjs')
  await benchXhash({ quick: options.quick, json: options.json, simd: options.simd })
  return 0
})

function parse(argv) {
  const options = {
    idle: false,
    import: false,
    rpc: false,
    signer: false,
    api: false,
    quick: false,
    json: false,
    simd: '',
    url: null,
    only: null,
    seconds: null,
  }
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]
    if (['--idle', '--import', '--rpc', '--signer', '--api', '--quick', '--json'].includes(word))
      options[word.slice(2)] = true
    else if (word === '--simd' && argv[i + 1] !== undefined) options.simd = argv[++i]
    else if (['--url', '--only'].includes(word) && argv[i + 1] !== undefined) options[word.slice(2)] = argv[++i]
    else if (word === '--seconds' && Number(argv[i + 1]) > 0) options.seconds = Number(argv[++i])
    else
      throw new ToolError(
        `npm run bench: ${word} is not accepted; accepted: --idle --import --rpc --signer --api --seconds N --url URL --only METHOD --quick --json --simd LEVEL`,
      )
  }
  return options
}
