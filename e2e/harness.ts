// Starts the whole program as its users do, and drives it: as a child of plain Node, in a real Chromium, in a real
// Electron.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type ElectronApplication,
  type Page,
} from 'playwright-core'
import { z } from 'zod'
import { PATIENCE_MS } from '../test/patience'
import { QUICK_START } from '../test/quick-start'
import { lackText, missingLibraries } from '../tools/lib/desktop-libraries.mjs'

export const ROOT = resolve(import.meta.dirname, '..')

const readySchema = z.object({
  pid: z.number(),
  network: z.string(),
  chainId: z.number(),
  api: z.string(),
  http: z.string(),
  ws: z.string().nullable(),
  signer: z.object({ http: z.string() }),
  dashboard: z.string(),
})
export type Ready = z.infer<typeof readySchema>

/** For a program of whose blocks no case knows: mining is most of what it costs. */
export const NO_MINING = ['--mine=false'] as const
/** For a program that mines, with whatever device: a simulated one takes a quarter of the CPU time that hashing takes. */
export const MINING_CHEAPLY = ['--cpu=false', '--simulated-gpus', '1'] as const

/** Ports are free ones; the practice network is the default. */
function runArguments(datadir: string, readyFile: string): string[] {
  return [
    'run',
    ...['--datadir', datadir],
    ...['--api-bind', '127.0.0.1:0', '--api-allow-control'],
    ...['--http.port', '0', '--signer.http.port', '0'],
    ...['--ready-file', readyFile],
  ]
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'headframe-e2e-'))
}

/** Polls until `probe` returns something other than null; the error contains the last reason. */
export async function eventually<T>(what: string, probe: () => Promise<T | null>, limitMs = PATIENCE_MS): Promise<T> {
  const end = Date.now() + limitMs
  let last = 'nothing yet'
  while (Date.now() < end) {
    try {
      const value = await probe()
      if (value !== null) return value
    } catch (error) {
      last = error instanceof Error ? error.message : String(error)
    }
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`${what}: not within ${limitMs} ms (${last})`)
}

export async function readReadyFile(file: string, limitMs = PATIENCE_MS): Promise<Ready> {
  return eventually('ready file', async () => readySchema.parse(JSON.parse(readFileSync(file, 'utf8'))), limitMs)
}

/** One HTTP request; unlike fetch, it allows a foreign `Host` and `Origin`. */
export function http(
  url: string,
  options: { readonly body?: unknown; readonly headers?: Record<string, string> } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((done, fail) => {
    const body = options.body === undefined ? null : JSON.stringify(options.body)
    const headers = { ...(body === null ? {} : { 'content-type': 'application/json' }), ...options.headers }
    const request = httpRequest(url, { method: body === null ? 'GET' : 'POST', headers, agent: false }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => done({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }))
    })
    request.on('error', fail)
    request.end(body ?? undefined)
  })
}

const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
})
export type RpcAnswer = z.infer<typeof answerSchema>

/** One JSON-RPC call; an error counts as an answer. `address` is `host:port`. */
export async function rpc(
  address: string,
  method: string,
  params: readonly unknown[] = [],
  headers: Record<string, string> = {},
): Promise<RpcAnswer> {
  const answer = await http(`http://${address}/`, { body: { jsonrpc: '2.0', id: 1, method, params }, headers })
  return answerSchema.parse(JSON.parse(answer.text))
}

/** The result of a call that must not fail. */
export async function rpcResult(address: string, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const answer = await rpc(address, method, params)
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.code} ${answer.error.message}`)
  return answer.result
}

export async function blockNumber(ready: Ready): Promise<number> {
  return Number(await rpcResult(ready.http, 'eth_blockNumber'))
}

const summarySchema = z.object({
  control: z.boolean(),
  hashrate: z.object({ now: z.number() }),
  gpus: z.array(z.object({ paused: z.boolean(), pause_reason: z.string() })),
})

export async function summary(ready: Ready): Promise<z.infer<typeof summarySchema>> {
  return summarySchema.parse(JSON.parse((await http(`http://${ready.api}/api/v1/summary`)).text))
}

export interface Running {
  readonly child: ChildProcess
  readonly ready: Ready
  /** The dashboard's link with the session token in its fragment, from its file; without it for a token of our own. */
  readonly link: string
  readonly output: () => string
  /** Sends SIGTERM and returns the exit code. */
  terminate(): Promise<number | null>
  kill(): Promise<void>
}

const PLAIN_NODE = { words: [], environment: {} }

/** How far ahead of the computer's: what is the time, and how long the program runs. */
interface ClockAhead {
  readonly wallMs?: number
  readonly runMs?: number
}

/** For a start of the program whose clocks can be advanced, once. @param folder where it may keep a file */
export function movableClock(folder: string) {
  const file = join(folder, 'clock-ahead')
  return {
    node: { words: ['--require', join(ROOT, 'e2e/clock-ahead.cjs')], environment: { CLOCK_AHEAD_FILE: file } },
    advance({ child }: Running, { wallMs = 0, runMs = 0 }: ClockAhead): void {
      writeFileSync(file, JSON.stringify({ wallMs, runMs }))
      child.kill('SIGUSR2')
    },
  }
}

/** The content of the file that the program names. */
function linkIn(output: string): string | null {
  const file = /dashboard link with this run's token: .*, or in (\S+)/.exec(output)?.[1]
  return file === undefined ? null : readFileSync(file, 'utf8').trim()
}

/**
 * `bin/headframe.mjs run --headless` on free ports.
 * @param node arguments for Node, and additional environment
 */
export async function startHeadless(
  datadir: string,
  more: readonly string[] = [],
  node: { readonly words: readonly string[]; readonly environment: Record<string, string> } = PLAIN_NODE,
): Promise<Running> {
  const readyFile = join(datadir, `ready-${process.hrtime.bigint()}.json`)
  const args = [join(ROOT, 'bin/headframe.mjs'), ...runArguments(datadir, readyFile), '--headless', ...more]
  const child = spawn(process.execPath, [...QUICK_START, ...node.words, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...node.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (part: Buffer) => {
    output += part.toString('utf8')
  })
  child.stderr.on('data', (part: Buffer) => {
    output += part.toString('utf8')
  })
  const exited = once(child, 'exit')
  const early = exited.then(([code]) => {
    throw new Error(`headframe ended with ${code}:\n${output}`)
  })
  early.catch(() => undefined) // later exits are awaited
  const started = async (): Promise<{ readonly ready: Ready; readonly link: string }> => {
    const ready = await Promise.race([readReadyFile(readyFile), early])
    // A token that was given is printed nowhere.
    if (more.includes('--api-token')) return { ready, link: ready.dashboard }
    return { ready, link: await eventually('dashboard link', async () => linkIn(output)) }
  }
  const { ready, link } = await started().catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    child,
    ready,
    link,
    output: () => output,
    async terminate() {
      child.kill('SIGTERM')
      const [code] = await exited
      return typeof code === 'number' ? code : null
    },
    async kill() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exited
    },
  }
}

export interface Front {
  readonly kind: 'chromium' | 'electron'
  readonly ready: Ready
  readonly dashboard: Page
  /** The view where a waiting request is decided, brought to the front. */
  openApproval(): Promise<Page>
  readonly app: ElectronApplication | null
  readonly browser: Browser | null
  close(): Promise<void>
}

/** The path of a Chromium, or why there is none. */
export function findChromium(): { readonly path: string } | { readonly missing: string } {
  // Without its own window, Chromium renders the same pages for half the CPU time.
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  for (const folder of folders) {
    for (const name of names) if (existsSync(join(folder, name))) return { path: join(folder, name) }
  }
  return { missing: `no ${names.join(', ')} in PATH` }
}

const runtimeSchema = z.object({
  executable: z.string(),
  version: z.string().nullable(),
  source: z.string(),
  args: z.array(z.string()),
  needsXvfb: z.boolean(),
})
export type Runtime = z.infer<typeof runtimeSchema>

/** An Electron to test with, or why there is none. A window needs a display; plain Node doesn't. */
export async function findElectron(options: {
  readonly display: boolean
}): Promise<Runtime | { readonly missing: string }> {
  const tool = pathToFileURL(join(ROOT, 'tools/electron-runtime.mjs')).href
  try {
    const { electronRuntime } = await import(tool)
    const runtime = runtimeSchema.parse(electronRuntime({ root: ROOT }))
    if (options.display && runtime.needsXvfb) return { missing: 'no display; run inside xvfb-run' }
    const lack = lackText(missingLibraries(runtime.executable))
    return lack === '' ? runtime : { missing: lack }
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) }
  }
}

/** A request that can still be decided; the outcome of the previous one stays a moment. */
export const OPEN_REQUEST = ['arriving', 'settling', 'armed']
  .map((state) => `[data-testid=approval][data-state=${state}], `)
  .concat('[data-testid=approval-list]')
  .join('')

/** Draws without a GPU, as everywhere. @param more of its own switches @throws where there is none */
export function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const found = findChromium()
  if ('missing' in found) throw new Error(found.missing)
  return chromium.launch({ executablePath: found.path, args: ['--no-sandbox', '--disable-gpu', ...more] })
}

/** A page in a context of its own, patient, as large as a laptop's screen. @param link where it goes */
export async function openPage(browser: Browser, link: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  await page.goto(link)
  return page
}

/** A headless start with its dashboard open in Chromium, signed in by the printed link. */
export async function openChromium(datadir: string, more: readonly string[] = []): Promise<Front> {
  const running = await startHeadless(datadir, more)
  const browser = await launchChromium()
  const dashboard = await openPage(browser, running.link, { viewport: { width: 1280, height: 820 } })
  return {
    kind: 'chromium',
    ready: running.ready,
    dashboard,
    app: null,
    browser,
    async openApproval() {
      await dashboard.evaluate(`location.hash = '/accounts/approvals'`)
      await dashboard.locator(OPEN_REQUEST).waitFor()
      await dashboard.bringToFront()
      return dashboard
    },
    async close() {
      await browser.close()
      await running.kill()
      rmSync(datadir, { recursive: true, force: true })
    },
  }
}

/** Two frames: earlier changes are on the screen after that. */
const DRAWN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))'

/**
 * Renders what is shown. With `PICTURES=FOLDER` in the environment it is kept there, as `KIND/NAME.png`: taking
 * pictures costs a third of a browser test's time, and no test reads them.
 * @param of a unique name for each picture of a kind; `fullPage` as in Playwright
 */
export async function picture(
  page: Page,
  of: { readonly kind: Front['kind']; readonly name: string; readonly fullPage?: boolean },
): Promise<void> {
  await page.evaluate(DRAWN)
  const { PICTURES } = process.env
  if (PICTURES === undefined) return
  const { kind, name, fullPage = false } = of
  await page.screenshot({ path: join(resolve(ROOT, PICTURES), kind, `${name}.png`), fullPage })
}
