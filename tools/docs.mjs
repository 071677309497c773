// npm run docs: writes docs/reference from the definitions in src: options and flags of other programs, errors, RPC methods, metrics, HTTP API and the window's calls. `--check` only compares.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, runTool } from './lib/project.mjs'
import { packagesFirst } from './lib/set-up.mjs'

await packagesFirst()
const { createServer } = await import('vite')

const REFERENCE = join(ROOT, 'docs', 'reference')
const GENERATED = '<!-- Made by `npm run docs` from the definitions in src; edit those. -->'

/** Modules that declare metric families, with the export that does it. */
const METRICS = [
  ['/src/node/metrics.ts', 'declareNodeMetrics'],
  ['/src/miner/metrics.ts', 'registerMinerMetrics'],
  ['/src/miner/monitor/rig-metrics.ts', 'registerRigMetrics'],
  ['/src/miner/incidents/money-metrics.ts', 'registerMoneyMetrics'],
  ['/src/miner/incidents/money-metrics.ts', 'registerIncidentMetrics'],
  ['/src/miner/stratum/stratum-metrics.ts', 'registerStratumMetrics'],
  ['/src/signer/metrics.ts', 'signerMetrics'],
  ['/src/host/system/supervised-service.ts', 'registerServiceMetrics'],
]

const EXAMPLES = JSON.parse(readFileSync(join(ROOT, 'test/vectors/rpc/examples.json'), 'utf8'))
/** Characters of a text, items of a list and characters of an answer that a page shows. */
const SHOWN = { text: 66, items: 2, answer: 1_500 }

await runTool(async () => {
  const server = await createServer({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    server: { middlewareMode: true, ws: false },
    optimizeDeps: { noDiscovery: true },
    appType: 'custom',
  })
  try {
    const pages = {
      'options.md': await optionsPage(server),
      'errors.md': await errorsPage(server),
      'rpc.md': await rpcPage(server),
      'metrics.md': await metricsPage(server),
      ...(await httpPages(server)),
    }
    return process.argv.includes('--check') ? check(pages) : write(pages)
  } finally {
    await server.close()
  }
})

async function optionsPage(server) {
  const { optionsMarkdown } = await server.ssrLoadModule('/src/config/describe.ts')
  const intro = [
    '# Options',
    '',
    GENERATED,
    '',
    'The command line overrides the environment, which overrides the config file, which overrides defaults. The config file is TOML:',
    'the key `node.http-port` is `http-port = 8545` in the table `[node]`. `headframe config` prints the settings in effect and their sources.',
    '',
  ]
  const { familiesMarkdown } = await server.ssrLoadModule('/src/config/families/page.ts')
  const families = [
    '',
    '## Coming from prlx, clef, hashwarp or ethminer',
    '',
    'Every flag and command of these programs that is not listed here works as it is. These have another name, are accepted with a notice that',
    'says why they have no effect, or are refused with what to use instead. `headframe help prlx` prints all on a terminal.',
    '',
  ]
  return `${intro.join('\n')}\n${optionsMarkdown()}${families.join('\n')}\n${familiesMarkdown()}`
}

async function errorsPage(server) {
  const sections = []
  for (const path of errorFiles()) {
    const tables = Object.values(await server.ssrLoadModule(`/${path}`)).filter(
      (value) => typeof value?.table === 'object',
    )
    const rows = tables.flatMap(({ table }) =>
      Object.entries(table).map(([code, message]) => `| \`${code}\` | ${template(message)} |`),
    )
    if (rows.length > 0)
      sections.push(`## ${path.split('/')[1]}\n\n| code | message |\n|---|---|\n${rows.join('\n')}\n`)
  }
  const intro = [
    '# Errors',
    '',
    GENERATED,
    '',
    'Codes are stable. Parts in braces are placeholders. The exit code is 2 for `CONFIG_*`, otherwise 1.',
    '',
  ]
  return `${intro.join('\n')}\n${sections.join('\n')}`
}

async function rpcPage(server) {
  const { createMethodTable } = await server.ssrLoadModule('/src/node/rpc/methods/all-methods.ts')
  const { READ_ONLY_METHODS } = await server.ssrLoadModule('/src/node/rpc/rpc-console.ts')
  const { REFUSED_SUBSCRIPTIONS } = await server.ssrLoadModule('/src/node/rpc/methods/refused-methods.ts')
  const methods = [...createMethodTable()].sort(([a], [b]) => (a < b ? -1 : 1))
  const refused = methods.filter(([, { refusal }]) => refusal !== undefined)
  const here = methods.filter(([, { refusal }]) => refusal === undefined)
  const subscriptions = [...REFUSED_SUBSCRIPTIONS].map(([name, reason]) => {
    const [namespace, subscription] = name.split('.')
    return `| \`${namespace}_subscribe\` "${subscription}" | ${reason} |`
  })
  const types = new Map(
    here.flatMap(([, { parameters }]) => parameters.map(({ type }) => type.split(/: (.*)/s).slice(0, 2))).sort(),
  )
  const intro = [
    '# JSON-RPC methods',
    '',
    GENERATED,
    '',
    'Options choose the namespaces of each listener (`--http.api`, `--ws.api`); the local socket has all. Every example is a request and its',
    "answer of a real node with a small chain, long values cut; `test/docs/rpc-examples.test.ts` runs them. *Console*: also in the window's",
    'read-only console. [json-rpc.md](../guide/json-rpc.md) shows how to use them, and how to subscribe.',
    '',
    '## Parameters',
    '',
    '| name | accepted |',
    '|---|---|',
    ...[...types].map(([name, accepted]) => `| ${name} | ${accepted} |`),
    '',
    '## Methods',
    '',
  ]
  const rows = here.flatMap(([name, { parameters, timeLimitMs }]) => {
    const given = parameters.map(
      ({ type, absent }) => `${type.split(':')[0]}${absent === undefined ? '' : ' (optional)'}`,
    )
    const notes = [
      given.length === 0 ? 'No parameters' : `Parameters: ${given.join(', ')}`,
      ...(timeLimitMs === null ? [] : [`up to ${timeLimitMs / 1_000} s`]),
      ...(READ_ONLY_METHODS.includes(name) ? ['*console*'] : []),
    ]
    return [`### \`${name}\``, '', `${notes.join(' · ')}`, '', ...exampleOf(name), '']
  })
  const more = [
    '## Not here, on purpose',
    '',
    'prlx has these methods. Here, each returns an error with the reason.',
    '',
    '| method | reason |',
    '|---|---|',
    ...refused.map(([name, { refusal }]) => `| \`${name}\` | ${refusal} |`),
    ...subscriptions,
  ]
  return `${[...intro, ...rows, ...more].join('\n')}\n`
}

/** Request and answer as recorded. */
function exampleOf(name) {
  const example = EXAMPLES.find(({ method }) => method === name)
  if (example === undefined) throw new Error(`test/vectors/rpc/examples.json has no example of ${name}`)
  const { params, result, error } = example
  const answer = JSON.stringify(error === undefined ? { result: result ?? null } : { error }, cut)
  const shown = answer.length > SHOWN.answer ? `${answer.slice(0, SHOWN.answer)}…` : answer
  return ['```text', JSON.stringify({ method: name, params }, cutText), shown, '```']
}

function cutText(_key, value) {
  return typeof value === 'string' && value.length > SHOWN.text ? `${value.slice(0, SHOWN.text / 2)}…` : value
}

/** Lists, too. */
function cut(key, value) {
  return Array.isArray(value) && value.length > SHOWN.items
    ? [...value.slice(0, SHOWN.items), '…']
    : cutText(key, value)
}

async function metricsPage(server) {
  const rows = []
  const row = (type, { name, help, labels = [] }) =>
    rows.push(`| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(' ')} | ${help} |`)
  const registry = {
    gauge: (spec) => void row('gauge', spec),
    counter: (spec) => void row('counter', spec),
    collect: (spec) => void row(spec.type, spec),
  }
  for (const [path, name] of METRICS) (await server.ssrLoadModule(path))[name](registry, () => undefined)
  const { EventLoopMonitor } = await server.ssrLoadModule('/src/host/system/event-loop-monitor.ts')
  new EventLoopMonitor(registry)
  const intro = [
    '# Metrics',
    '',
    GENERATED,
    '',
    'Served by `GET /metrics` on the control port, in the Prometheus text format.',
    '',
    '| family | type | labels | meaning |',
    '|---|---|---|---|',
  ]
  return `${[...intro, ...rows].join('\n')}\n`
}

async function contractSection(server) {
  const { contract } = await server.ssrLoadModule('/src/contract/contract.ts')
  const names = (record) => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))
  const calls = names(contract.calls).map(([name, { access }]) => `| \`${name}\` | ${access} |`)
  const events = names(contract.events).map(([name, { maxRate }]) => `| \`${name}\` | ${maxRate ?? '-'} |`)
  return [
    '',
    "## The window's calls and events",
    '',
    'Electron IPC and the WebSocket on the control port have the same ones. [house.md](../house.md), section 4, explains the access levels;',
    'the shapes are in `src/contract/`.',
    '',
    '| call | access |',
    '|---|---|',
    ...calls,
    '',
    '| event | max per second |',
    '|---|---|',
    ...events,
    '',
  ].join('\n')
}

/** The same records as a page for people and as OpenAPI. */
async function httpPages(server) {
  const { httpApiMarkdown, openApi } = await server.ssrLoadModule('/src/host/control-port/http-api.ts')
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const intro = [
    '# HTTP API of the miner',
    '',
    GENERATED,
    '',
    'The control port (`--api-bind`) serves it, with the dashboard. `openapi.json` next to this page describes every answer, for',
    'generators of clients. A body is one JSON object with `Content-Type: application/json`. Errors are `{"error": "..."}` with status 400,',
    '401, 403 or 429. Routes with access `control` need `--api-allow-control` and, with `--api-token`, `Authorization: Bearer TOKEN`;',
    'without one, they are for this computer only. At the default address, the token of `headframe link` suffices. The same port answers',
    'line JSON-RPC of the family of miners (`miner_getstat1` and the rest).',
    '',
  ]
  return {
    'http.md': `${intro.join('\n')}\n${httpApiMarkdown()}${await contractSection(server)}`,
    'openapi.json': `${JSON.stringify(openApi(version))}\n`,
  }
}

function errorFiles() {
  const trades = readdirSync(join(ROOT, 'src')).map((folder) => `src/${folder}/errors.ts`)
  return [
    'src/base/lifecycle.ts',
    ...trades.filter((path) => path !== 'src/base/errors.ts' && existsSync(join(ROOT, path))),
  ]
}

/** The message made from data that name themselves. */
function template(message) {
  const named = (path) =>
    new Proxy(() => path, {
      get: (_target, property) => {
        if (property === Symbol.toPrimitive || property === 'toString') return () => `{${path}}`
        if (property === 'join' || property === 'map') return () => `{${path}}`
        return named(path === '' ? String(property) : `${path}.${String(property)}`)
      },
    })
  // A number that the message computes cannot be named.
  return String(message(named('')))
    .replaceAll('NaN', '{number}')
    .replaceAll('|', '\\|')
}

function write(pages) {
  mkdirSync(REFERENCE, { recursive: true })
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(REFERENCE, name), text)
  console.log(`docs/reference: ${Object.keys(pages).join(', ')}`)
  return 0
}

function check(pages) {
  const stale = Object.entries(pages).filter(([name, text]) => {
    const file = join(REFERENCE, name)
    return !existsSync(file) || readFileSync(file, 'utf8') !== text
  })
  for (const [name] of stale) console.error(`docs/reference/${name} is not current: run npm run docs`)
  return stale.length === 0 ? 0 : 1
}
