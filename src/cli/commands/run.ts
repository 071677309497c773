// run, node, signer: starts the backend, says where the dashboard is, and stops in order when told to.
import { type Backend, createBackend } from '../../host/backend'
import type { CliCall, CliWorld } from '../call'
import { EXIT_DONE, noticeLine } from '../exit-codes'
import { loadConfig } from '../load-config'
import { stopAtSignal } from '../stop-signals'
import { expectNoWords } from '../words'

/** @throws what the configuration or the first failing service throws; everything started was stopped by then */
export async function runServices({ argv, parsed, world }: CliCall): Promise<number> {
  expectNoWords(parsed)
  const { platform, surroundings } = world
  const config = loadConfig({ argv, surroundings, windowless: platform.headless })
  for (const notice of config.notices) platform.standardError(noticeLine(notice, config.app.logJson))
  const stop = new AbortController()
  const signals = stopAtSignal(world, stop)
  try {
    const backend = createBackend(config, platform)
    backend.events.on('exitAsked', () => stop.abort())
    const started = await startUnlessStopped(backend, stop.signal)
    if (started) {
      sayWhere(backend, world, config.app.logJson)
      await aborted(stop.signal)
    }
    await backend.stop()
    return EXIT_DONE
  } finally {
    signals.dispose()
  }
}

/** False when it was told to stop before everything was up. */
async function startUnlessStopped(backend: Backend, signal: AbortSignal): Promise<boolean> {
  try {
    await backend.start(signal)
    return true
  } catch (error) {
    await backend.stop()
    if (signal.aborted) return false
    throw error
  }
}

/** The link carries the token of this run, so it goes to the terminal and never to the log file. */
function sayWhere(backend: Backend, { platform }: CliWorld, json: boolean): void {
  const link = backend.dashboardLink() ?? backend.ready().dashboard
  if (link === null) return
  const text = `dashboard: ${link}`
  platform.standardError(json ? JSON.stringify({ level: 'info', module: 'cli', message: text, fields: {} }) : text)
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
