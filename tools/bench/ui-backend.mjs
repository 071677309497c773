// A backend for the window benchmark: the built pages, and a channel that sends the contract's frames with made-up
// values. Nothing is mined, so that only the window is measured.
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { ROOT, ToolError } from '../lib/project.mjs'
import { packagesFirst } from '../lib/set-up.mjs'

await packagesFirst()
const { WebSocketServer } = await import('ws')

const PAGES = join(ROOT, 'out', 'renderer')
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const STEP_MS = { '10m': 1_000, '1h': 5_000, '24h': 60_000 }
const POINTS = { '10m': 600, '1h': 720, '24h': 1_440 }
const HEAD = 100_000
/** See src/contract/app.ts. */
const HIDDEN_PERIOD_MS = 5_000
const LOG_LINES = 100_000
const WEI = '50000000000000000000'
const STARTED_AT = Date.now()
const MINER = '0x52908400098527886e0f7030069857d2e4169ee7'

/** @param {{ gpus: number }} options @returns a running backend; `tell` sends an event to every page */
export async function startBackend({ gpus }) {
  if (!existsSync(join(PAGES, 'index.html'))) throw new ToolError('out/renderer is missing: run npm run build first')
  const server = createServer(servePage)
  const sockets = new Set()
  const channel = new WebSocketServer({ server, path: '/ui/v1/channel' })
  channel.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('message', (data) => onFrame(socket, JSON.parse(String(data)), gpus))
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    tell(name, payload) {
      const text = JSON.stringify({ t: 'event', name, payload })
      for (const socket of sockets) if (isDue(socket, name)) leave(socket, text)
    },
    async close() {
      for (const socket of sockets) socket.terminate()
      channel.close()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Like the program: what is sent in one turn of the event loop leaves as one message. */
function leave(socket, text) {
  socket.leaving ??= []
  if (socket.leaving.push(text) > 1) return
  setImmediate(() => {
    const texts = socket.leaving.splice(0)
    socket.send(texts.length === 1 ? texts[0] : `[${texts.join(',')}]`)
  })
}

/** Like the program: a hidden page gets its readings less often. */
function isDue(socket, name) {
  if (!socket.isHidden) return true
  if (Date.now() - (socket.sentAt[name] ?? 0) < HIDDEN_PERIOD_MS) return false
  socket.sentAt[name] = Date.now()
  return true
}

function servePage(request, response) {
  const path = normalize(new URL(request.url, 'http://x').pathname)
  const file = join(PAGES, path === '/' ? 'index.html' : path)
  if (!file.startsWith(PAGES) || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
  createReadStream(file).pipe(response)
}

function onFrame(socket, frame, gpus) {
  const send = (message) => socket.send(JSON.stringify(message))
  if (frame.t === 'hello') {
    send({ t: 'welcome', access: { control: true, approve: true } })
    for (const [name, payload] of Object.entries(firstEvents(gpus))) send({ t: 'event', name, payload })
    return
  }
  if (frame.t !== 'call') return
  if (frame.name === 'ui.sight') Object.assign(socket, { isHidden: !frame.params.inSight, sentAt: {} })
  const answer = Object.hasOwn(answers, frame.name) ? answers[frame.name] : undefined
  if (answer !== undefined) return send({ t: 'result', id: frame.id, result: answer(frame.params) })
  send({ t: 'error', id: frame.id, code: 'HOST_SERVICE_OFF', message: 'not part of the benchmark', data: {} })
}

const answers = {
  'ui.sight': () => ({}),
  'miner.inventory': () => ({ devices: [], excluded: [], missing: [] }),
  'miner.solutions': () => ({ shares: [], failed: [] }),
  'app.info': () => ({
    version: '0.0.0',
    network: 'practice',
    chainId: 1337,
    networkId: 1337,
    headless: true,
    startedAt: Date.now() - 3_600_000,
    dataDir: '/bench',
    welcome: false,
    access: { control: true, approve: true },
    canSignIn: false,
    engine: { kind: 'native', simd: 'avx2', loadError: null },
    endpoints: { api: null, rpc: null, signer: null },
  }),
  'app.logs': ({ from, count }) => {
    const end = Math.min(LOG_LINES, from + count)
    const lines = Array.from({ length: Math.max(0, end - from) }, (_, index) => logLine(from + index))
    return { lines, next: Math.max(from, end) }
  },
  'miner.history': ({ series, window }) => {
    const values = Array.from({ length: POINTS[window] }, (_, index) => figureOf(series, index))
    const firstAt = (Math.floor(Date.now() / STEP_MS[window]) - POINTS[window] + 1) * STEP_MS[window]
    const spread =
      window === '10m' ? {} : { min: values.map((one) => one * 0.97), max: values.map((one) => one * 1.03) }
    return { stepMs: STEP_MS[window], firstAt, values, ...spread }
  },
  // A share every five seconds, and one pause.
  'miner.timeline': ({ window }) => {
    const length = POINTS[window] * STEP_MS[window]
    const step = Math.max(5_000, length / 240)
    const last = Math.floor(Date.now() / step) * step
    const count = Math.floor(length / step)
    return {
      spans: [{ kind: 'paused', from: STARTED_AT - length / 4, to: STARTED_AT - length / 5, reason: 'Overheating' }],
      marks: Array.from({ length: count }, (_, index) => ({
        kind: 'accepted',
        at: last - (count - index) * step,
        count: 1,
        text: '',
      })),
    }
  },
  'node.blocks': ({ from, count }) => {
    const top = from ?? HEAD
    return { blocks: Array.from({ length: Math.min(count, top + 1) }, (_, index) => block(top - index)) }
  },
}

/** A moving value in a realistic range. */
function figureOf(series, at) {
  const base = {
    hashrate: 59e6,
    core: 61,
    hotspot: 74,
    memory: 88,
    fan: 64,
    power: 115,
    coreClock: 1_410,
    memoryClock: 7_001,
  }
  return base[series] * (1 + 0.02 * Math.sin(at / 7))
}

/** @param {number} at number of the reading @param {number} takenAt UTC ms */
export function devices(gpus, at, takenAt) {
  return {
    devices: Array.from({ length: gpus }, (_, index) => device(index, at + 3 * index, takenAt)),
    takenAt,
  }
}

function device(index, at, takenAt) {
  const hashrate = figureOf('hashrate', at)
  return {
    index,
    name: 'NVIDIA GeForce RTX 3070',
    pci: `${String(index + 1).padStart(2, '0')}:00.0`,
    backend: 'cuda',
    threads: null,
    state: 'mining',
    progress: null,
    hashrate: { now: hashrate, s60: 59e6, m15: 59e6 },
    shares: { accepted: Math.floor(at / 10), rejected: 0, failed: 0 },
    paused: false,
    pauseReasons: [],
    canResume: false,
    error: '',
    restarts: 0,
    pauseEndsAt: null,
    temperature: {
      core: Math.round(figureOf('core', at)),
      hotspot: Math.round(figureOf('hotspot', at)),
      memory: Math.round(figureOf('memory', at)),
    },
    fanPercent: Math.round(figureOf('fan', at)),
    powerWatts: Math.round(figureOf('power', at) * 10) / 10,
    meanPowerWatts: 115.2,
    powerLimitWatts: 130,
    clockMhz: { core: 1_410, memory: 7_001 },
    datasetBytes: 1_073_739_904,
    takenAt,
  }
}

export function status(now, at, takenAt) {
  return {
    state: 'running',
    uptimeSeconds: 3_600 + at,
    hashrate: { now, s60: now, m15: now, effective: now },
    shares: { accepted: at, rejected: 0, failed: 0 },
    source: {
      kind: 'solo',
      connected: true,
      host: '',
      url: '',
      difficulty: 4e9,
      epoch: 0,
      height: HEAD + 1,
      switches: 0,
      warning: '',
      diagnosis: null,
    },
    lastProof: { at: takenAt, device: 0 },
    expectedSinceProof: 0,
    takenAt,
  }
}

function firstEvents(gpus) {
  const takenAt = Date.now()
  return {
    'app.status': { services: [], takenAt },
    'app.activity': { entries: [] },
    'miner.devices': devices(gpus, 0, takenAt),
    'miner.status': status(944e6, 0, takenAt),
    'miner.pools': { kind: 'solo', pools: [], takenAt },
    'node.head': {
      state: 'running',
      head: block(HEAD),
      totalDifficulty: '1000000000000',
      peers: null,
      pending: 0,
      queued: 0,
      targetSpacingSeconds: 600,
      nextDifficulty: '4000000000',
      coinbase: MINER,
      maturityBlocks: 100,
      takenAt,
    },
    'signer.requests': requests([]),
    'signer.accounts': { accounts: [], problems: [], keystore: '/bench', takenAt },
  }
}

/** @param {object[]} waiting */
export function requests(waiting) {
  return { waiting, waitingCount: waiting.length, takenAt: Date.now() }
}

/** A payment that another program asks for. @param {number} at its number */
export function payment(at) {
  const digits = at.toString(16).padStart(8, '0')
  return {
    id: `request-${at}`,
    nonce: `nonce-${at}`,
    contentHash: digits.repeat(8),
    kind: 'signTransaction',
    state: 'waiting',
    caller: {
      transport: 'http',
      remote: '127.0.0.1:50412',
      local: '127.0.0.1:8550',
      userAgent: 'payments/1.4',
      origin: '',
      process: null,
    },
    createdAt: Date.now(),
    expiresAt: null,
    lastError: '',
    triesLeft: 3,
    transaction: {
      from: '0x52908400098527886E0F7030069857D2E4169EE7',
      to: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
      value: WEI,
      gas: '21000',
      gasPrice: '2000000000',
      maxFeePerGas: null,
      maxPriorityFeePerGas: null,
      nonce: String(at),
      data: '0x',
      chainId: 1_337,
      form: 'legacy',
      accessList: null,
      maximumFee: '42000000000000',
      maximumTotal: '50000042000000000000',
      call: null,
      raw: '[{}]',
    },
    data: null,
    accounts: null,
    findings: [],
  }
}

function block(number) {
  const digits = number.toString(16).padStart(8, '0')
  return {
    number,
    hash: `0x${digits.repeat(8)}`,
    parentHash: `0x${Math.max(0, number - 1)
      .toString(16)
      .padStart(8, '0')
      .repeat(8)}`,
    time: Date.now() - (HEAD - number) * 600_000,
    miner: MINER,
    difficulty: '4000000000',
    gasUsed: 21_000,
    gasLimit: 30_000_000,
    transactionCount: 1,
    sizeBytes: 714,
    subsidy: WEI,
  }
}

function logLine(id) {
  return {
    id,
    at: Date.now() - (LOG_LINES - id) * 100,
    level: id % 50 === 0 ? 'warn' : 'info',
    module: id % 2 === 0 ? 'miner.pool' : 'node.chain',
    text: `line ${id} of the log height=${id} hash=0x${id.toString(16).padStart(16, '0')} latencyMs=${id % 97}`,
  }
}

/** A reading of that many rigs of eight to fifteen cards each: 200 of them have 2,300. @param {number} count @param {number} at */
export function rigs(count, at) {
  const rigs = Array.from({ length: count }, (_, index) => rig(index, at))
  const sum = (read) => rigs.reduce((total, { figures }) => total + read(figures), 0)
  const rates = (name) => sum(({ hashrate }) => hashrate[name])
  return {
    mining: true,
    isEditable: true,
    notKept: '',
    rigs,
    totals: {
      rigs: count,
      online: count,
      gpus: sum(({ gpus }) => gpus.length),
      paused: 0,
      hashrate: { now: rates('now'), s60: rates('s60'), m15: rates('m15'), effective: rates('effective') },
      shares: { accepted: sum(({ shares }) => shares.accepted), rejected: 0, failed: 0 },
      powerWatts: sum(({ powerWatts }) => powerWatts),
      meteredHashrate: rates('s60'),
    },
    takenAt: Date.now(),
  }
}

function rig(index, at) {
  const name = `rig-${String(index).padStart(3, '0')}`
  const gpus = Array.from({ length: 8 + (index % 8) }, (_, card) => {
    const rate = 45e6 + ((index * 7 + card * 13 + at) % 20) * 1e6
    return {
      name: ['RTX 3070', 'RTX 3060 Ti', 'RX 6800 XT', 'RTX 4090'][(index + card) % 4],
      pci: `0${card}:00.0`,
      backend: 'cuda',
      hashrate: { now: rate, s60: rate, m15: rate },
      shares: { accepted: at + card, rejected: 0, failed: 0 },
      paused: false,
      pauseReason: '',
      temperature: { core: 55 + ((index + card + at) % 25), hotspot: 70, memory: 80 },
      fanPercent: 60,
      powerWatts: 120,
      powerLimitWatts: 220,
      clockMhz: { core: 1_400, memory: 7_000 },
    }
  })
  const total = gpus.reduce((rate, { hashrate }) => rate + hashrate.now, 0)
  const shares = { accepted: gpus.length * at, rejected: 0, failed: 0 }
  return {
    name,
    host: `${name}.lan:3333`,
    group: '',
    local: false,
    online: true,
    error: '',
    ageSeconds: 1,
    labels: {},
    hasToken: true,
    isFixed: false,
    reading: at + 1,
    usualHashrate: total,
    figures: {
      control: true,
      version: '0.1.0',
      uptimeSeconds: 3_600 + at,
      pool: { connected: true, host: 'pool.example:4444', warning: '' },
      hashrate: { now: total, s60: total, m15: total, effective: total },
      shares,
      powerWatts: 120 * gpus.length,
      gpus,
    },
    worker: null,
  }
}
