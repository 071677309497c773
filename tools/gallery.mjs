// npm run gallery: draws the screens that people see first, from a running practice network, in every width, language and theme asked
// for. They are for looking at one by one; those that the documents show are kept in docs/images.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CHROMIUMS, findChromium } from './lib/debian.mjs'
import { ROOT, runTool, ToolError, untilStopped } from './lib/project.mjs'
import { packagesFirst } from './lib/set-up.mjs'

await packagesFirst()
const { chromium } = await import('playwright-core')

const USAGE =
  'npm run gallery -- [--out FOLDER] [--languages en,de] [--themes dark,light] [--widths 1440,1024,768,390] [--screens NAME,...] [--minutes 2] [--network main]'

/** Name and address of each screen, and the mark that shows that it is there. ACCOUNT stands for the practice account. */
const SCREENS = [
  ['overview', '/', 'health'],
  ['gpus', '/gpus', 'gpu-row-0'],
  ['gpu', '/gpus/1', 'chart-1-temperature'],
  ['pools', '/pools', 'pool-list'],
  ['rigs', '/rigs', 'rigs-totals'],
  ['node', '/node', 'sync-steps'],
  ['blocks', '/node/blocks', /^block-row-/],
  ['peers', '/node/peers', 'node-peers'],
  ['accounts', '/accounts', 'open-rules'],
  ['account', '/accounts/ACCOUNT', 'shell'],
  ['rules', '/accounts/rules', 'vault'],
  ['events', '/activity', 'log-view'],
  ['settings-general', '/settings/general', 'shell'],
  ['settings-mining', '/settings/mining', 'option-miner.cpuThreads'],
  ['settings-node', '/settings/node', 'data-folder'],
  ['welcome', '/welcome', 'welcome'],
]
const HEIGHTS = { 2560: 1440, 1920: 1080, 1440: 900, 1024: 768, 768: 1024, 390: 844 }
/** A screen may have charts that come a moment after it. */
const SETTLE_MS = 400

await runTool(() => untilStopped(gallery))

async function gallery(stop) {
  const options = readOptions()
  mkdirSync(options.out, { recursive: true })
  const datadir = mkdtempSync(join(tmpdir(), 'headframe-gallery-'))
  const program = start(datadir, options.network)
  try {
    const link = await program.link
    if (options.minutes > 0) console.log(`mining for ${options.minutes} minutes, so that charts have something to show`)
    await sleep(options.minutes * 60_000, undefined, { signal: stop })
    await drawAll(link, accountIn(datadir), { ...options, stop })
  } finally {
    program.child.kill('SIGTERM')
    await program.ended
    rmSync(datadir, { recursive: true, force: true })
  }
  console.log(`drawn into ${options.out}`)
  return 0
}

function readOptions() {
  const option = (value) => ({ type: 'string', default: value })
  try {
    const { values } = parseArgs({
      options: {
        out: option('test-results/gallery'),
        languages: option('en,de'),
        themes: option('dark,light'),
        widths: option('1440,1024,768,390'),
        screens: option(SCREENS.map(([name]) => name).join(',')),
        minutes: option('2'),
        network: option('practice'),
      },
    })
    const list = (text) => text.split(',').map((part) => part.trim())
    return {
      out: resolve(ROOT, values.out),
      languages: list(values.languages),
      themes: list(values.themes),
      widths: list(values.widths).map((width) => {
        if (HEIGHTS[width] === undefined) throw new Error(`--widths: want some of ${Object.keys(HEIGHTS).join(', ')}`)
        return Number(width)
      }),
      screens: list(values.screens).map((name) => {
        const screen = SCREENS.find(([known]) => known === name)
        if (screen === undefined)
          throw new Error(`--screens: no "${name}" among ${SCREENS.map(([known]) => known).join(', ')}`)
        return screen
      }),
      minutes: Number(values.minutes),
      network: values.network,
    }
  } catch (error) {
    throw new ToolError(`${error.message}. ${USAGE}`)
  }
}

/** The program with simulated GPUs on free ports. */
function start(datadir, network) {
  const ready = join(datadir, 'ready.json')
  const args = [
    join(ROOT, 'bin', 'headframe.mjs'),
    ...['run', '--headless', '--datadir', datadir, '--network', network, '--ready-file', ready],
    ...['--simulated-gpus', '4', '--api-bind', '127.0.0.1:0', '--api-allow-control'],
    ...['--http.port', '0', '--signer.http.port', '0'],
  ]
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((done) => child.once('close', done))
  const link = new Promise((found, fail) => {
    let output = ''
    const hear = (part) => {
      output += part.toString('utf8')
      const file = /dashboard link with this run's token: .*, or in (\S+)/.exec(output)?.[1]
      if (file !== undefined) found(readFileSync(file, 'utf8').trim())
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', (code) => fail(new ToolError(`the program ended with ${code}:\n${output}`)))
  })
  return { child, ended, link }
}

/** Address of the practice account, or nothing on a network that has none. */
function accountIn(datadir) {
  const file = join(datadir, 'practice-account.txt')
  return existsSync(file) ? (/^address: *(\S+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '').toLowerCase() : ''
}

async function drawAll(link, account, options) {
  const executablePath = findChromium()
  if (executablePath === null) throw new ToolError(`no ${CHROMIUMS.join(', ')} in PATH`)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const close = () => void browser.close()
  options.stop.addEventListener('abort', close)
  try {
    for (const locale of options.languages) {
      for (const colorScheme of options.themes) {
        const context = await browser.newContext({ locale, colorScheme, reducedMotion: 'reduce' })
        const page = await context.newPage()
        await page.goto(link)
        await page.getByTestId('health').waitFor()
        for (const [name, path, mark] of options.screens) {
          await page.evaluate(
            (hash) => {
              location.hash = hash
            },
            path.replace('ACCOUNT', account),
          )
          await page.getByTestId(mark).first().waitFor()
          for (const width of options.widths) {
            await page.setViewportSize({ width, height: HEIGHTS[width] })
            await page.waitForTimeout(SETTLE_MS)
            await page.screenshot({ path: join(options.out, `${name}-${locale}-${colorScheme}-${width}.png`) })
          }
        }
        await context.close()
      }
    }
  } finally {
    options.stop.removeEventListener('abort', close)
    await browser.close()
  }
}
