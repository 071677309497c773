// npm run bench: how fast the proof of work is. `-- --idle [--seconds N]` instead: what a practice network costs while it runs.
// `-- --import [--json]`: how fast blocks are imported.
// `-- --traffic [--quick]`: a chain of 4,000 ordinary blocks imported by whole programs, at once and one by one, ours and prlx; --quick: of 600.
// `-- --sync [--only busy|empty] [--quick] [--json]`: how fast a chain is taken from a peer, ours and prlx; --quick: one run each.
// `-- --gas [--only TEXT] [--json]`: what instructions and built-in contracts cost for their gas, ours and prlx; --only: those
//   with TEXT in their name, without the search for worse.
// `-- --hostile [--only TEXT] [--quick]`: what importing blocks of the dearest transactions costs whole programs, ours and prlx.
// `-- --search [--minutes N]`: looks for blocks, pools, filters and requests that cost us the most beside prlx; `-- --worst [--only TEXT]`:
//   what reviews and it found, again; --only: those with TEXT in their name.
// `-- --rpc [--seconds N] [--url URL] [--only METHOD] [--connections N] [--json]`: JSON-RPC under load, of an own node or of the one at URL.
// `-- --rpc --reference PROGRAM [--connections N]`: an own node and PROGRAM (prlx) over the same chain, in turn, medians of five.
// `-- --lanes [--seconds N] [--json]`: how long others wait while some callers compute without end.
// `-- --signer-limits [--seconds N]`: others beside hostile callers, and a log of a million records.
// `-- --signer [--seconds N]`: signatures over HTTP, beside those of prlx where it is at hand.
// `-- --api [--seconds N] [--json]`: the control port under load, and a monitor of 200 rigs.
// `-- --stratum [--connections N] [--seconds N] [--json]`: what 1,000 rigs on the stratum port cost a mining node.
// `-- --soak [--minutes N] [--quick] [--json]`: a miner on simulated pools, its books and its memory; --quick: for ten seconds.
// `-- --network [--json]`: thirty nodes among each other, and what fifty peers cost one.
// `-- --floods [--json]`: how long a block takes into a node that strangers flood.
// `-- --ui [--seconds N] [--json]`: what the window costs in a real Chromium.
// `-- --gpu [--seconds N]`: what each GPU makes of the proof of work, with its share of the memory's speed.
// `-- --gpu --all [--quick] [--reference PROGRAM]`: all that a day with a GPU is to answer, as figures and a page; --quick: on processors.
// `-- --first-start [--quick]`: the program's first start on OpenCL, processors included, while others keep all cores busy.
// `-- --gpu-static [--json]`: what the machine code for each kind of card says, without a card.
// `-- --opencl [--seconds N] [--all] [--json]`: OpenCL, processors included: dataset and search, in clock and CPU seconds.
// Other words go to tools/bench/xhash.mjs: --quick --json --simd LEVEL.
import { measureIdle } from './bench/idle.mjs'
import { runTool, ToolError } from './lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from './lib/set-up.mjs'

const print = (line) => console.log(line)

/** By the word that asks for it: for how long by default, whether the built program is needed, and the bench; false = a goal is missed. */
const MODES = {
  rpc: {
    seconds: 5,
    needsApp: ({ url }) => url === null,
    async run({ seconds, url, only, reference, connections, json }) {
      const { benchRpc } = await import('./bench/rpc.mjs')
      return benchRpc({ seconds, url, only, reference, connections, json, log: print })
    },
  },
  lanes: {
    seconds: 20,
    needsApp: () => true,
    async run({ seconds, json }) {
      const { benchLanes } = await import('./bench/lanes.mjs')
      return benchLanes({ seconds, json, log: print })
    },
  },
  idle: { seconds: 60, needsApp: () => true, run: ({ seconds }) => measureIdle({ seconds, log: print }) },
  signer: {
    seconds: 10,
    needsApp: () => true,
    async run({ seconds }) {
      const { measureSigner } = await import('./bench/signer.mjs')
      await measureSigner({ seconds, log: print })
      return true
    },
  },
  'signer-limits': {
    seconds: 20,
    needsApp: () => true,
    async run({ seconds }) {
      const { measureSignerLimits } = await import('./bench/signer-limits.mjs')
      return measureSignerLimits({ seconds, log: print })
    },
  },
  api: {
    seconds: 20,
    needsApp: () => true,
    async run({ seconds, json }) {
      const { benchApi } = await import('./bench/api.mjs')
      return benchApi({ seconds, json, log: print })
    },
  },
  stratum: {
    seconds: 30,
    needsApp: () => true,
    async run({ connections, seconds, json }) {
      const { benchStratum } = await import('./bench/api.mjs')
      return benchStratum({ connections: connections ?? 1_000, seconds, json, log: print })
    },
  },
  soak: {
    seconds: 1_800,
    quickSeconds: 10,
    needsApp: () => false,
    async run({ seconds, quick, json }) {
      const { benchSoak } = await import('./bench/soak.mjs')
      return benchSoak({ seconds, quick, json, log: print })
    },
  },
  gas: {
    needsApp: () => false,
    async run({ json, only }) {
      const { benchGas } = await import('./bench/gas/gas.mjs')
      return benchGas({ json, only, log: print })
    },
  },
  hostile: {
    needsApp: () => true,
    async run({ only, quick }) {
      const { benchHostile } = await import('./bench/gas/hostile.mjs')
      return benchHostile({ only, quick, log: print })
    },
  },
  search: {
    seconds: 7_200,
    needsApp: () => true,
    async run({ seconds }) {
      const { benchSearch } = await import('./bench/gas/search.mjs')
      return benchSearch({ seconds, worst: false, only: null, log: print })
    },
  },
  worst: {
    needsApp: () => true,
    async run({ only }) {
      const { benchSearch } = await import('./bench/gas/search.mjs')
      return benchSearch({ seconds: 0, worst: true, only, log: print })
    },
  },
  traffic: {
    needsApp: () => true,
    async run({ quick }) {
      const { benchTraffic } = await import('./bench/import/traffic.mjs')
      return benchTraffic({ quick, log: print })
    },
  },
  sync: {
    needsApp: () => true,
    async run({ json, only, quick }) {
      const { benchSync } = await import('./bench/sync.mjs')
      return benchSync({ json, only, quick, log: print })
    },
  },
  network: {
    needsApp: () => false,
    async run({ json }) {
      const { benchNetwork } = await import('./bench/network.mjs')
      return benchNetwork({ json, log: print })
    },
  },
  floods: {
    needsApp: () => true,
    async run({ json }) {
      const { benchFloods } = await import('./bench/floods.mjs')
      return benchFloods({ json, log: print })
    },
  },
  ui: {
    seconds: 60,
    needsApp: () => true,
    async run({ seconds, json }) {
      const { benchUi } = await import('./bench/ui.mjs')
      return benchUi({ seconds, json, log: print })
    },
  },
  gpu: {
    seconds: 20,
    needsApp: ({ all }) => all,
    async run({ seconds, all, quick, reference }) {
      if (all) {
        const { benchGpuAll } = await import('./bench/gpu/all.mjs')
        return benchGpuAll({ quick, reference, log: print })
      }
      const { benchGpu } = await import('./bench/gpu.mjs')
      return benchGpu({ seconds, log: print })
    },
  },
  'first-start': {
    needsApp: () => true,
    async run({ quick }) {
      const { benchFirstStart } = await import('./bench/gpu/first-start.mjs')
      return benchFirstStart({ quick, log: print })
    },
  },
  'gpu-static': {
    needsApp: () => false,
    async run({ json }) {
      const { benchGpuStatic } = await import('./bench/gpu-static.mjs')
      return benchGpuStatic({ json, log: print })
    },
  },
  opencl: {
    seconds: 20,
    needsApp: () => false,
    async run({ seconds, all, json }) {
      const { benchOpencl } = await import('./bench/opencl.mjs')
      return benchOpencl({ seconds, all, json, log: print })
    },
  },
  import: {
    needsApp: () => false,
    async run({ json }) {
      const { benchImport } = await import('./bench/import/chains.mjs')
      return benchImport({ json, log: print })
    },
  },
}
const XHASH = {
  needsApp: () => false,
  async run({ quick, json, simd }) {
    const { benchXhash } = await import('./bench/xhash.mjs')
    await benchXhash({ quick, json, simd })
    return true
  },
}
const FLAGS = ['quick', 'all', 'json']
const VALUES = ['seconds N', 'minutes N', 'connections N', 'url URL', 'only TEXT', 'simd LEVEL', 'reference PROGRAM']

await runTool(async () => {
  const { mode, ...options } = parse(process.argv.slice(2))
  const log = (line) => console.error(line)
  await ensurePackages(log)
  await ensureNative(log)
  if (mode.needsApp(options)) await ensureApp(log)
  const usual = options.quick ? (mode.quickSeconds ?? mode.seconds) : mode.seconds
  return (await mode.run({ ...options, seconds: options.seconds ?? usual })) ? 0 : 1
})

function parse(argv) {
  const options = {
    mode: XHASH,
    quick: false,
    json: false,
    simd: '',
    url: null,
    only: null,
    reference: null,
    seconds: null,
    connections: null,
  }
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]
    const name = word.replace(/^--/, '')
    const value = argv[i + 1]
    if (word === name) throw refusal(word)
    if (Object.hasOwn(MODES, name)) options.mode = MODES[name]
    else if (FLAGS.includes(name)) options[name] = true
    else if (['simd', 'url', 'only', 'reference'].includes(name) && value !== undefined) options[name] = argv[++i]
    else if (name === 'minutes' && Number(value) > 0) options.seconds = 60 * Number(argv[++i])
    else if (name === 'connections' && Number(value) > 0) options.connections = Number(argv[++i])
    else if (name === 'seconds' && Number(value) > 0) options.seconds = Number(argv[++i])
    else throw refusal(word)
  }
  return options
}

function refusal(word) {
  const accepted = [...Object.keys(MODES), ...FLAGS, ...VALUES].map((known) => `--${known}`).join(' ')
  return new ToolError(`npm run bench: ${word} is not accepted; accepted: ${accepted}`)
}
