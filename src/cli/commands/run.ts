// run, node, signer: starts the backend, says where the dashboard is, and stops in order when told to.
import type { ResolvedConfig } from '../../config/resolved-config'
import { type Backend, createBackend, type Kept } from '../../host/backend'
import type { CliCall, CliWorld } from '../call'
import { EXIT_DONE, failureLine, noticeLine } from '../exit-codes'
import { loadConfig } from '../load-config'
import { stopAtSignal } from '../stop-signals'
import { expectNoWords } from '../words'

/**
 * A new start that the user interface asks for happens in this very process: the backend is stopped in order and made anew with
 * what the config file says by then.
 * @throws what the configuration or the first failing service throws; everything started was stopped by then
 */
export async function runServices({ argv, parsed, world }: CliCall): Promise<number> {
  expectNoWords(parsed)
  const { platform, surroundings } = world
  const load = (): ResolvedConfig => loadConfig({ argv, surroundings, windowless: platform.headless })
  const first = load()
  const stop = new AbortController()
  const signals = stopAtSignal(world, stop)
  try {
    let round: Round | null = await runRound(
      { config: first, before: null, kept: null },
      { world, load, stop: stop.signal },
    )
    while (round !== null && !stop.signal.aborted) {
      round = await runRound(round, { world, load, stop: stop.signal })
    }
    return EXIT_DONE
  } finally {
    signals.dispose()
  }
}

/** One life of the backend within the process. */
interface Round {
  readonly config: ResolvedConfig
  /** Ran before and is tried again should this one not start; null at the first start. */
  readonly before: ResolvedConfig | null
  readonly kept: Kept | null
}

interface RoundDeps {
  readonly world: CliWorld
  readonly load: () => ResolvedConfig
  /** The program is to end. */
  readonly stop: AbortSignal
}

/** Runs until the program is to end, then null; or until a new start is asked for, then that one. */
async function runRound({ config, before, kept }: Round, { world, load, stop }: RoundDeps): Promise<Round | null> {
  const { platform } = world
  for (const notice of config.notices) platform.standardError(noticeLine(notice, config.app.logJson))
  const end = new AbortController()
  let next: ResolvedConfig | null = null
  const onStop = (): void => end.abort(stop.reason)
  stop.addEventListener('abort', onStop)
  if (stop.aborted) onStop()
  const restart = (): void => {
    next = load() // what would not start is said to whoever asks, and nothing stops
    setImmediate(() => end.abort(new Error('a new start was asked for'))) // the answer goes out first
  }
  try {
    const backend = createBackend(config, platform, { restart, ...(kept === null ? {} : { kept }) })
    backend.events.on('exitAsked', () => end.abort())
    const isUp = await startUnlessStopped(backend, end.signal)
    if (isUp) {
      sayWhere(backend, world, config.app.logJson)
      await aborted(end.signal)
    }
    const keep = backend.kept()
    await backend.stop()
    return next === null || stop.aborted ? null : { config: next, before: config, kept: keep }
  } catch (error) {
    if (before === null) throw error
    platform.standardError(failureLine(error, config.app.logJson))
    platform.standardError(noticeLine('the changed settings do not start it: back to those before', config.app.logJson))
    return { config: before, before: null, kept }
  } finally {
    stop.removeEventListener('abort', onStop)
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
