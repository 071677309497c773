// What the window costs, in a real Chromium without a graphics card: how soon it shows something, how much of a core sixteen
// GPUs take, how smoothly a long log scrolls, and whether a day leaves anything behind. Linux only: Chromium is asked for the
// CPU time of its renderer process.
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { CHROMIUMS, findChromium } from '../lib/debian.mjs'
import { ROOT, ToolError } from '../lib/project.mjs'
import { devices, startBackend, status } from './ui-backend.mjs'

const GPUS = 16
const COLD_STARTS = 5
/** Until everything is loaded, drawn and compiled that will be. */
const SETTLE_MS = 15_000
const DAY_S = 86_400
/** One reading of the shortened day stands for so many seconds; charts and rings take every one. */
const DAY_STEP_S = 5
const DAY_BATCH = 120
/** What is filled once and kept belongs to no growth: two hours of readings. */
const WARM_READINGS = 1_440
const SCROLL_MS = 6_000
const LIMITS = {
  contentMs: 1_000,
  cpuPercent: 3,
  hiddenPercent: 0.5,
  longTaskMs: 50,
  fps: 50,
  rows: 200,
  growthMb: 20,
  scriptKb: 300,
}
const MB = 1_000_000
/** Without the page's policy, which forbids what the measuring does. */
const CONTEXT = { viewport: { width: 1440, height: 900 }, bypassCSP: true }
/** High enough for sixteen rows and, below them, the whole of an open device: all that moves is in sight at once. */
const WHOLE = { width: 1440, height: 2_600 }

/** @returns {Promise<boolean>} true when every budget is kept */
export async function benchUi({ seconds, json, log }) {
  const executablePath = findChromium()
  if (executablePath === null)
    throw new ToolError(`npm run bench -- --ui needs a Chromium: no ${CHROMIUMS.join(', ')} in PATH`)
  const backend = await startBackend({ gpus: GPUS })
  const livePage = (prepare) =>
    inPage(executablePath, backend, '#/gpus', async (page, browser) => {
      await page.getByTestId('chart-0-temperature').waitFor()
      await prepare(page)
      return live(page, browser, backend, seconds)
    })
  try {
    const figures = {
      cpus: availableParallelism(),
      load: loadavg()[0],
      size: sizes(),
      start: await coldStarts(executablePath, backend),
      live: await livePage(async () => {}),
      whole: await livePage((page) => page.setViewportSize(WHOLE)),
      hidden: await livePage((page) => page.evaluate(hide)),
      log: await inPage(executablePath, backend, '#/activity/all', scroll),
      day: await inPage(executablePath, backend, '#/gpus', (page) => wholeDay(page, backend)),
    }
    const results = verdicts(figures)
    if (json) log(JSON.stringify(figures))
    else for (const [what, text, isKept] of results) log(`${isKept ? 'kept  ' : 'MISSED'} ${what.padEnd(44)} ${text}`)
    return results.every(([, , isKept]) => isKept)
  } finally {
    await backend.close()
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

async function inPage(executablePath, backend, hash, measure) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await (await browser.newContext(CONTEXT)).newPage()
    await page.goto(`${backend.url}${hash}`)
    return await measure(page, browser)
  } finally {
    await browser.close()
  }
}

/** Each in a browser of its own, with nothing cached; the middle one counts. */
async function coldStarts(executablePath, backend) {
  const runs = []
  const scripts = new Set()
  for (let run = 0; run < COLD_STARTS; run++) {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    try {
      const page = await (await browser.newContext(CONTEXT)).newPage()
      page.on('response', (response) => scripts.add(new URL(response.url()).pathname))
      await page.addInitScript(watchForContent)
      await page.goto(backend.url)
      await page.waitForFunction(() => window.firstContentAt > 0)
      runs.push({
        contentMs: await page.evaluate('window.firstContentAt'),
        paintMs: await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`),
      })
      // Whatever the first screen still loads belongs to it.
      await sleep(1_500)
    } finally {
      await browser.close()
    }
  }
  const middle = (name) => runs.map((run) => run[name]).sort((a, b) => a - b)[Math.floor(runs.length / 2)]
  const bytes = [...scripts]
    .filter((path) => path.endsWith('.js'))
    .reduce((total, path) => total + zipped(join(ROOT, 'out', 'renderer', path)), 0)
  return { contentMs: Math.round(middle('contentMs')), paintMs: Math.round(middle('paintMs')), scriptKb: bytes / 1_000 }
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

/**
 * Runs in the page: what a window that is minimised tells it. A browser without a screen hides no page by itself; that it
 * also slows the timers of such a page down comes on top.
 */
function hide() {
  Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
  document.dispatchEvent(new Event('visibilitychange'))
}

/** Sixteen rows with their sparklines and an open device with all its charts, a reading a second. */
async function live(page, browser, backend, seconds) {
  await page.evaluate(() => {
    window.longTasks = []
    new PerformanceObserver((list) => {
      for (const task of list.getEntries()) window.longTasks.push(task.duration)
    }).observe({ type: 'longtask' })
  })
  const state = { at: 1 }
  const feed = setInterval(() => {
    backend.tell('miner.devices', devices(GPUS, state.at, Date.now()))
    backend.tell('miner.status', status(944e6, state.at, Date.now()))
    state.at += 1
  }, 1_000)
  try {
    await sleep(SETTLE_MS)
    const processes = await browser.newBrowserCDPSession()
    const before = await rendererSeconds(processes)
    await page.evaluate('window.longTasks.length = 0')
    await sleep(seconds * 1_000)
    const used = (await rendererSeconds(processes)) - before
    const tasks = await page.evaluate('window.longTasks')
    const rows = await page.locator('[data-testid^=gpu-row-]').count()
    return {
      rows,
      cpuPercent: (100 * used) / seconds,
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

/** Scrolls all the time, a screen every few frames, and counts the frames that were drawn. */
async function scroll(page) {
  const view = page.getByTestId('log-view')
  await view.waitFor()
  await page.waitForFunction(
    () => Number(document.querySelector('[data-testid=log-view] table')?.getAttribute('aria-rowcount')) > 100_000,
    null,
    { timeout: 120_000 },
  )
  const measured = await page.evaluate(async (limitMs) => {
    const region = document.querySelector('[data-testid=log-view] table').parentElement
    const state = { frames: 0, rows: 0, slowest: 0, last: performance.now(), down: 1 }
    const startedAt = performance.now()
    await new Promise((done) => {
      const frame = (now) => {
        state.frames += 1
        state.slowest = Math.max(state.slowest, now - state.last)
        state.last = now
        region.scrollTop += 40 * state.down
        if (region.scrollTop + region.clientHeight >= region.scrollHeight - 50) state.down = -1
        state.rows = Math.max(state.rows, region.querySelectorAll('tr').length)
        if (now - startedAt > limitMs) done()
        else requestAnimationFrame(frame)
      }
      requestAnimationFrame(frame)
    })
    return { fps: (1_000 * state.frames) / (performance.now() - startedAt), rows: state.rows, slowestMs: state.slowest }
  }, SCROLL_MS)
  const { fps, rows, slowestMs } = measured
  return { fps, rows, slowestMs: Math.round(slowestMs) }
}

/** A day of readings as fast as the page takes them; what is in use after it, against what was after the first two hours. */
async function wholeDay(page, backend) {
  await page.getByTestId('chart-0-temperature').waitFor()
  const session = await page.context().newCDPSession(page)
  const start = Date.now() - DAY_S * 1_000
  const readings = DAY_S / DAY_STEP_S
  const state = { warmMb: 0 }
  for (let at = 0; at < readings; at += DAY_BATCH) {
    for (let one = at; one < at + DAY_BATCH; one++)
      backend.tell('miner.devices', devices(GPUS, one, start + one * DAY_STEP_S * 1_000))
    // The page has taken the whole batch once it shows what came behind it.
    backend.tell('miner.status', status(1_000_000 + at, at, Date.now()))
    await page.locator(`[data-testid=header-hashrate][data-value="${1_000_000 + at}"]`).waitFor({ timeout: 60_000 })
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

function verdicts({ size, start, live, whole, hidden, log, day }) {
  const { contentMs, cpuPercent, hiddenPercent, longTaskMs, fps, rows, growthMb, scriptKb } = LIMITS
  return [
    [
      `first content, cold, under ${contentMs} ms`,
      `${start.contentMs} ms (first paint ${start.paintMs} ms)`,
      start.contentMs < contentMs,
    ],
    [
      `initial JavaScript under ${scriptKb} kB gzip`,
      `${start.scriptKb.toFixed(0)} kB (all of it ${size.allKb} kB)`,
      start.scriptKb < scriptKb,
    ],
    [
      `${GPUS} GPUs at 1 Hz under ${cpuPercent} % of a core`,
      `${live.cpuPercent.toFixed(2)} %, ${live.rows} rows`,
      live.cpuPercent < cpuPercent,
    ],
    [
      `the same with the whole device in sight`,
      `${whole.cpuPercent.toFixed(2)} %, ${whole.rows} rows`,
      whole.cpuPercent < cpuPercent,
    ],
    [
      `no task over ${longTaskMs} ms meanwhile`,
      `${live.longTasks + whole.longTasks}, longest ${Math.max(live.longestMs, whole.longestMs)} ms`,
      live.longTasks + whole.longTasks === 0,
    ],
    [
      `hidden window under ${hiddenPercent} % of a core`,
      `${hidden.cpuPercent.toFixed(2)} %`,
      hidden.cpuPercent < hiddenPercent,
    ],
    [
      `100,000 log lines scroll at ${fps} frames/s`,
      `${log.fps.toFixed(1)} frames/s, slowest ${log.slowestMs} ms`,
      log.fps >= fps,
    ],
    [`under ${rows} rows of them in the page`, `${log.rows}`, log.rows < rows],
    [
      `a day of readings leaves under ${growthMb} MB`,
      `${day.growthMb.toFixed(1)} MB (${day.warmMb.toFixed(1)} to ${day.endMb.toFixed(1)} MB, ${day.readings} readings)`,
      day.growthMb < growthMb,
    ],
  ]
}
