// What the window costs, in a real Chromium without a graphics card: how soon it shows something, how much of a core sixteen
// GPUs take, how smoothly a long log scrolls, and whether a day leaves anything behind. Linux only: Chromium is asked for the
// CPU time of its renderer process.
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as setTimer } from 'node:timers'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { CHROMIUMS, findChromium } from '../lib/debian.mjs'
import { ROOT, ToolError, untilStopped } from '../lib/project.mjs'
import { packagesFirst } from '../lib/set-up.mjs'
import { median } from './median.mjs'
import { devices, payment, requests, rigs, startBackend, status } from './ui-backend.mjs'

await packagesFirst()
const { chromium } = await import('playwright-core')

const GPUS = 16
const RIGS = 200
/** `--rig-interval` by default. */
const RIG_INTERVAL_MS = 5_000
const COLD_STARTS = 5
/** A page stays open for hours: its cost counts after a minute of compiling and of loading's garbage, reported beside it. */
const SETTLE_MS = 60_000
/** A page that was just loaded collects its garbage in the first half minute in which nothing happens: more work than all the rest. */
const SETTLE_HIDDEN_MS = 45_000
const DAY_S = 86_400
/** One reading of the shortened day stands for so many seconds; charts and rings take every one. */
const DAY_STEP_S = 20
const DAY_BATCH = 120
/** Memory filled once and kept isn't growth: rings of ten minutes at 1 Hz, and as much again. */
const WARM_READINGS = 1_200
const SCROLL_MS = 6_000
/** Requests measured: the first one, and the median of the others. */
const APPROVALS = 9
/** No step is waited for longer than this besides the seconds it measures for: a day takes a busy machine two minutes. */
const STEP_LIMIT_MS = 300_000
const LIMITS = {
  contentMs: 600,
  approvalMs: 150,
  cpuPercent: 2.5,
  hiddenPercent: 0.3,
  longTaskMs: 50,
  fps: 55,
  rows: 200,
  growthMb: 20,
  scriptKb: 200,
}
const MB = 1_000_000
/** The browser's library would close it at such a signal, and let the bench go on. */
const STOPPED_HERE = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }
/** Without the page's policy, which forbids what the measuring does. */
const CONTEXT = { viewport: { width: 1440, height: 900 }, bypassCSP: true }
/** High enough for sixteen rows and the charts below them, and for all charts of a device. */
const WHOLE = { width: 1440, height: 2_600 }
const LAST_ROW = `gpu-row-${GPUS - 1}`
const OPEN_CHART = 'chart-0-temperature'

/** Each step says what it found as soon as it has. @returns {Promise<boolean>} true when every budget is kept @throws Stopped */
export const benchUi = (options) => untilStopped((stop) => allSteps(options, stop))

async function allSteps({ seconds, json, log }, stop) {
  const executablePath = findChromium()
  if (executablePath === null)
    throw new ToolError(`npm run bench -- --ui needs a Chromium: no ${CHROMIUMS.join(', ')} in PATH`)
  const backend = await startBackend({ gpus: GPUS })
  const figures = { cpus: availableParallelism(), load: loadavg()[0] }
  const state = { isKept: true }
  try {
    for (const [name, measure, judge] of steps({ executablePath, backend, seconds })) {
      const found = await bounded(measure, STEP_LIMIT_MS + 1_000 * seconds, stop)
      figures[name] = found
      const verdicts = 'failed' in found ? [[name, found.failed, false]] : judge(found)
      state.isKept &&= verdicts.every(([, , isKept]) => isKept)
      if (!json)
        for (const [what, text, isKept] of verdicts) log(`${isKept ? 'kept  ' : 'MISSED'} ${what.padEnd(44)} ${text}`)
    }
    if (json) log(JSON.stringify(figures))
    return state.isKept
  } finally {
    await backend.close()
  }
}

/** Name of each step, what it measures in a browser of its own, and its verdicts: what, seen, whether that is within the budget. */
function steps({ executablePath, backend, seconds }) {
  const page = (hash, measure, init) => (signal) =>
    inPage({ executablePath, url: `${backend.url}${hash}`, signal, init }, measure)
  const livePage = (hash, mark, prepare = async () => {}, settleMs = SETTLE_MS) =>
    page(hash, async (open, browser) => {
      await open.getByTestId(mark).waitFor()
      await prepare(open)
      return live({ page: open, browser, backend, seconds, settleMs })
    })
  return [
    ['start', (signal) => coldStarts({ executablePath, url: backend.url, signal }), judgeStart],
    ['approval', page('#/accounts/approvals', (open) => approvals(open, backend), watchForApproval), judgeApproval],
    [
      'live',
      livePage('#/gpus', LAST_ROW, (open) => open.setViewportSize(WHOLE)),
      judgeLive('the list with its charts in sight'),
    ],
    [
      'whole',
      livePage('#/gpus/0', OPEN_CHART, (open) => open.setViewportSize(WHOLE)),
      judgeLive('a device with all its charts in sight'),
    ],
    ['hidden', livePage('#/gpus', LAST_ROW, (open) => open.evaluate(hide), SETTLE_HIDDEN_MS), judgeHidden],
    ['log', page('#/activity/all', scrollLog), judgeScroll('100,000 log lines')],
    ['rigs', page('#/rigs', (open, browser) => scrollRigs(open, browser, backend)), judgeScroll(`${RIGS} rigs`)],
    ['day', page('#/gpus/0', (open) => wholeDay(open, backend)), judgeDay],
  ]
}

/** What `measure` gives, or why it gave nothing in time. @throws Stopped */
async function bounded(measure, limitMs, stop) {
  const late = new AbortController()
  const timer = setTimer(() => late.abort(new Error(`nothing within ${limitMs / 1_000} s`)), limitMs)
  try {
    return await measure(AbortSignal.any([late.signal, stop]))
  } catch (error) {
    stop.throwIfAborted()
    return { failed: error.message }
  } finally {
    clearTimeout(timer)
  }
}

/** gzipped bytes of all that is built; what the first screen loads is counted in the browser. */
function sizes() {
  const folder = join(ROOT, 'out', 'renderer', 'assets')
  const files = readdirSync(folder)
  const sum = (ending) =>
    files.filter((name) => name.endsWith(ending)).reduce((total, name) => total + zipped(join(folder, name)), 0)
  return { allKb: Math.round((sum('.js') + sum('.css')) / 1_000) }
}

const zipped = (file) => gzipSync(readFileSync(file)).length

/** One browser, which ends with what is done in it or with the signal: that closes it, and what was done in it fails. */
async function inBrowser({ executablePath, signal }, use) {
  const browser = await chromium.launch({ ...STOPPED_HERE, executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const stopped = new Promise((_, fail) => {
      signal.addEventListener('abort', () => fail(signal.reason), { once: true })
    })
    signal.throwIfAborted()
    return await Promise.race([use(browser), stopped])
  } finally {
    await browser.close()
  }
}

const inPage = ({ url, init = () => {}, ...how }, measure) =>
  inBrowser(how, async (browser) => {
    const page = await (await browser.newContext(CONTEXT)).newPage()
    await page.addInitScript(init)
    await page.goto(url)
    return measure(page, browser)
  })

/** Each in a browser of its own, with nothing cached; the middle one counts. */
async function coldStarts({ executablePath, url, signal }) {
  const runs = []
  for (let run = 0; run < COLD_STARTS; run++) {
    await inBrowser({ executablePath, signal }, async (browser) => {
      const page = await (await browser.newContext(CONTEXT)).newPage()
      await page.addInitScript(watchForContent)
      const computed = await mainThread(page)
      await page.goto(url)
      await page.waitForFunction(() => window.firstContentAt > 0)
      runs.push({
        cpuMs: await computed(),
        scripts: await page.evaluate(scriptsUntilContent),
        contentMs: await page.evaluate('window.firstContentAt'),
        paintMs: await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`),
      })
    })
  }
  const of = (name) => Math.round(median(runs.map((run) => run[name])))
  const bytes = runs[0].scripts.reduce((total, path) => total + zipped(join(ROOT, 'out', 'renderer', path)), 0)
  return { contentMs: of('contentMs'), paintMs: of('paintMs'), cpuMs: of('cpuMs'), scriptKb: bytes / 1_000, ...sizes() }
}

/** A request comes while none waits: from its message in the page to the frame with its payee and amount. */
async function approvals(page, backend) {
  const computed = await mainThread(page)
  const cpuMs = []
  for (let at = 0; at < APPROVALS; at++) {
    // A request's outcome stays on screen until the user leaves it.
    await page.evaluate(`location.hash = '/activity/all'`)
    await page.getByTestId('log-view').waitFor()
    await page.evaluate(`location.hash = '/accounts/approvals'`)
    await page.getByTestId('approval-empty').waitFor()
    const before = await computed()
    backend.tell('signer.requests', requests([payment(at)]))
    await page.waitForFunction((count) => window.approvalMs.length > count, at)
    cpuMs.push((await computed()) - before)
    backend.tell('signer.requests', requests([]))
  }
  const [firstMs, ...laterMs] = (await page.evaluate('window.approvalMs')).map(Math.round)
  return { firstMs, medianMs: median(laterMs), mostMs: Math.max(...laterMs), cpuMs: Math.round(median(cpuMs)) }
}

/** CPU time of the page's main thread since its creation, in ms: independent of other load. */
async function mainThread(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
}

/** Runs in the page: the frame in which the line of health has its words. */
function watchForContent() {
  window.firstContentAt = 0
  const look = () => {
    const health = document.querySelector('[data-testid=health]')
    if (health !== null && health.textContent !== '') window.firstContentAt = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Runs in the page: paths of the scripts that were there by then; what the first screen asked for while it was drawn comes later. */
function scriptsUntilContent() {
  return performance
    .getEntriesByType('resource')
    .filter(({ name, responseEnd }) => name.endsWith('.js') && responseEnd > 0 && responseEnd < window.firstContentAt)
    .map(({ name }) => new URL(name).pathname)
}

/** Runs in the page: ms from each message that brought a request to the frame after the one that has it. */
function watchForApproval() {
  window.approvalMs = []
  const state = { arrivedAt: null }
  window.WebSocket = class extends WebSocket {
    constructor(url) {
      super(url)
      this.addEventListener('message', ({ data }) => {
        if (String(data).includes('"waiting":[{')) state.arrivedAt = performance.now()
      })
    }
  }
  const look = () => {
    const { arrivedAt } = state
    if (arrivedAt !== null && document.querySelector('[data-testid=approval-to]') !== null) {
      state.arrivedAt = null
      requestAnimationFrame(() => window.approvalMs.push(performance.now() - arrivedAt))
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/**
 * Runs in the page: what a window that is minimised tells it. A browser without a screen hides no page by itself; that it
 * also slows the timers of such a page down comes on top.
 */
function hide() {
  Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
  document.dispatchEvent(new Event('visibilitychange'))
}

/** What the page takes while a reading arrives every second. */
async function live({ page, browser, backend, seconds, settleMs }) {
  await page.evaluate(() => {
    window.longTasks = []
    new PerformanceObserver((list) => {
      for (const task of list.getEntries()) window.longTasks.push(task.duration)
    }).observe({ type: 'longtask' })
  })
  const state = { at: 1 }
  const feed = setInterval(() => {
    const now = devices(GPUS, state.at, Date.now())
    const total = now.devices.reduce((sum, { hashrate }) => sum + hashrate.now, 0)
    backend.tell('miner.devices', now)
    backend.tell('miner.status', status(total, state.at, now.takenAt))
    state.at += 1
  }, 1_000)
  try {
    const processes = await browser.newBrowserCDPSession()
    const loaded = await rendererSeconds(processes)
    await sleep(settleMs)
    const before = await rendererSeconds(processes)
    await page.evaluate('window.longTasks.length = 0')
    await sleep(seconds * 1_000)
    const used = (await rendererSeconds(processes)) - before
    const tasks = await page.evaluate('window.longTasks')
    const rows = await page.locator('[data-testid^=gpu-row-]').count()
    return {
      rows,
      cpuPercent: (100 * used) / seconds,
      settlingPercent: (100_000 * (before - loaded)) / settleMs,
      longTasks: tasks.length,
      longestMs: Math.round(Math.max(0, ...tasks)),
    }
  } finally {
    clearInterval(feed)
  }
}

/** CPU seconds of all renderer processes of this browser. */
async function rendererSeconds(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}

async function scrollLog(page, browser) {
  await page.getByTestId('log-view').waitFor()
  await page.waitForFunction(
    () => Number(document.querySelector('[data-testid=log-view] table')?.getAttribute('aria-rowcount')) > 100_000,
    null,
    { timeout: 120_000 },
  )
  return scroll(page, browser, '[data-testid=log-view] table')
}

/** With the wall of all GPUs above the table, and a reading of all rigs as often as the program takes one by itself. */
async function scrollRigs(page, browser, backend) {
  const state = { at: 0 }
  const tell = () => backend.tell('miner.rigs', rigs(RIGS, state.at++))
  const until = setInterval(tell, 1_000)
  await page.locator('[data-testid^=rig-rig-]').first().waitFor()
  clearInterval(until)
  const feed = setInterval(tell, RIG_INTERVAL_MS)
  try {
    return await scroll(page, browser, 'table:has([data-testid^=rig-rig-])')
  } finally {
    clearInterval(feed)
  }
}

/** Scrolls all the time, a screen every few frames; counts the frames that were drawn, and what each cost. */
async function scroll(page, browser, table) {
  const processes = await browser.newBrowserCDPSession()
  const before = await rendererSeconds(processes)
  const measured = await page.evaluate(
    async ([selector, limitMs]) => {
      const region = document.querySelector(selector).parentElement
      const state = { frames: 0, rows: 0, slowest: 0, last: performance.now(), down: 1 }
      const startedAt = performance.now()
      await new Promise((done) => {
        const frame = (now) => {
          state.frames += 1
          state.slowest = Math.max(state.slowest, now - state.last)
          state.last = now
          region.scrollTop += 40 * state.down
          if (region.scrollTop + region.clientHeight >= region.scrollHeight - 50) state.down = -1
          if (region.scrollTop === 0) state.down = 1
          state.rows = Math.max(state.rows, region.querySelectorAll('tr').length)
          if (now - startedAt > limitMs) done()
          else requestAnimationFrame(frame)
        }
        requestAnimationFrame(frame)
      })
      const { frames, rows, slowest } = state
      return { frames, fps: (1_000 * frames) / (performance.now() - startedAt), rows, slowestMs: slowest }
    },
    [table, SCROLL_MS],
  )
  const { frames, fps, rows, slowestMs } = measured
  const frameCpuMs = (1_000 * ((await rendererSeconds(processes)) - before)) / frames
  return { fps, rows, slowestMs: Math.round(slowestMs), frameCpuMs }
}

/** A day of readings as fast as the page takes them; what is in use after it, against what was after the first two hours. */
async function wholeDay(page, backend) {
  await page.getByTestId(OPEN_CHART).waitFor()
  const session = await page.context().newCDPSession(page)
  const start = Date.now() - DAY_S * 1_000
  const readings = DAY_S / DAY_STEP_S
  const state = { warmMb: 0 }
  for (let at = 0; at < readings; at += DAY_BATCH) {
    for (let one = at; one < at + DAY_BATCH; one++)
      backend.tell('miner.devices', devices(GPUS, one, start + one * DAY_STEP_S * 1_000))
    // The page has taken the whole batch once it shows what came behind it: a leap, which isn't held back.
    const total = ((at / DAY_BATCH) % 2 === 0 ? 1_000_000 : 2_000_000) + at
    backend.tell('miner.status', status(total, at, Date.now()))
    await page.locator(`[data-testid=health][data-value="${total}"]`).waitFor({ timeout: 60_000 })
    if (at === WARM_READINGS) state.warmMb = await heapMb(session)
  }
  const endMb = await heapMb(session)
  return { readings, warmMb: state.warmMb, endMb, growthMb: endMb - state.warmMb }
}

async function heapMb(session) {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / MB
}

function judgeStart({ contentMs, paintMs, cpuMs, scriptKb, allKb }) {
  return [
    [
      `first content, cold, under ${LIMITS.contentMs} ms`,
      `${contentMs} ms (first paint ${paintMs} ms; ${cpuMs} ms of it computing)`,
      contentMs < LIMITS.contentMs,
    ],
    [
      `initial JavaScript under ${LIMITS.scriptKb} kB gzip`,
      `${scriptKb.toFixed(0)} kB (all of it ${allKb} kB)`,
      scriptKb < LIMITS.scriptKb,
    ],
  ]
}

function judgeApproval({ firstMs, medianMs, mostMs, cpuMs }) {
  const text = `${medianMs} ms (the first ${firstMs} ms, the others at most ${mostMs} ms; ${cpuMs} ms of it computing)`
  return [[`approval drawn within ${LIMITS.approvalMs} ms`, text, Math.max(firstMs, medianMs) < LIMITS.approvalMs]]
}

const judgeLive =
  (where) =>
  ({ cpuPercent, settlingPercent, rows, longTasks, longestMs }) => [
    [
      `${GPUS} GPUs at 1 Hz under ${LIMITS.cpuPercent}%, ${where}`,
      `${cpuPercent.toFixed(2)}% of a core (${settlingPercent.toFixed(2)}% in the first minute), ${rows} rows`,
      cpuPercent < LIMITS.cpuPercent,
    ],
    [`no task over ${LIMITS.longTaskMs} ms meanwhile`, `${longTasks}, longest ${longestMs} ms`, longTasks === 0],
  ]

function judgeHidden({ cpuPercent }) {
  const isKept = cpuPercent < LIMITS.hiddenPercent
  return [[`hidden window under ${LIMITS.hiddenPercent}% of a core`, `${cpuPercent.toFixed(2)}%`, isKept]]
}

const judgeScroll =
  (what) =>
  ({ fps, rows, slowestMs, frameCpuMs }) => {
    const text = `${fps.toFixed(1)} frames/s, slowest ${slowestMs} ms, ${frameCpuMs.toFixed(1)} ms of CPU each`
    return [
      [`${what} scroll at ${LIMITS.fps} frames/s`, text, fps >= LIMITS.fps],
      [`under ${LIMITS.rows} rows of them in the page`, `${rows}`, rows < LIMITS.rows],
    ]
  }

function judgeDay({ growthMb, warmMb, endMb, readings }) {
  const text = `${growthMb.toFixed(1)} MB (${warmMb.toFixed(1)} to ${endMb.toFixed(1)} MB, ${readings} readings)`
  return [[`a day of readings leaves under ${LIMITS.growthMb} MB`, text, growthMb < LIMITS.growthMb]]
}
