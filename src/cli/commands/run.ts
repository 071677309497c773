// run, node, signer: starts the backend, says where the dashboard is, and stops in order when told to.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import { Disposables } from '../../base/lifecycle'
import { onAbort } from '../../base/on-abort'
import type { ResolvedConfig } from '../../config/resolved-config'
import { replaceOwnerFile } from '../../files/owner-file'
import { type Backend, createBackend, type Kept } from '../../host/backend'
import { settleDataFolder } from '../../host/data-folder/change-at-start'
import { ownServiceManager, type ServiceManager } from '../../host/system/service-manager'
import type { CliCall, CliWorld } from '../call'
import { EXIT_DONE, failureLine, noticeLine } from '../exit-codes'
import { hideTypedSecrets } from '../hide-arguments'
import { loadConfig } from '../load-config'
import { stopAtSignal } from '../stop-signals'
import { expectNoWords } from '../words'

/** In the data directory while the program runs. */
const LINK_FILE = 'dashboard-link'

/**
 * A new start that the user interface asks for happens in this very process: the backend is stopped in order and made again with
 * what the config file says by then.
 * @throws what the configuration or the first failing service throws; everything started was stopped by then
 */
export async function runServices({ argv, parsed, world }: CliCall): Promise<number> {
  expectNoWords(parsed)
  const { platform, surroundings } = world
  const load = (): ResolvedConfig => loadConfig({ argv, surroundings, windowless: platform.headless })
  const first = load()
  hideTypedSecrets(first)
  const stop = new AbortController()
  const held = new Disposables()
  held.add(stopAtSignal(world, stop))
  const manager = held.add(ownServiceManager(world.surroundings.environment, world.platform.projectRoot))
  held.add(onAbort(stop.signal, () => manager.stopping()))
  manager.starting()
  const deps = { world, load, manager, stop: stop.signal }
  try {
    let round: Round | null = { config: first, before: null, kept: null, undo: null }
    while (round !== null && !stop.signal.aborted) {
      const next: Round | null = await settled(round, deps)
      round = next === null ? null : await runRound(next, deps)
    }
    return EXIT_DONE
  } finally {
    held.dispose()
  }
}

/** One life of the backend within the process. */
interface Round {
  readonly config: ResolvedConfig
  /** Ran before and is tried again should this one not start; null at the first start. */
  readonly before: ResolvedConfig | null
  readonly kept: Kept | null
  /** Goes back to the data folder before, should this round not start; null = it is the same. */
  readonly undo: (() => Promise<void>) | null
}

interface RoundDeps {
  readonly world: CliWorld
  readonly load: () => ResolvedConfig
  readonly manager: ServiceManager
  /** The program is to end. */
  readonly stop: AbortSignal
}

/** Moves the data folder first, where that was asked for. Null: the program was told to end meanwhile. */
async function settled(round: Round, { world, load, manager, stop }: RoundDeps): Promise<Round | null> {
  const { logJson } = round.config.app
  const say = (line: string): void => world.platform.standardError(noticeLine(line, logJson))
  const onShare = (share: number): void => manager.status(`Moving the data folder: ${Math.floor(100 * share)} %`)
  try {
    const { config, isElsewhere, undo } = await settleDataFolder(round.config, { load, say, onShare, signal: stop })
    // What was moved away can't be gone back to.
    return { ...round, config, undo, before: isElsewhere && undo === null ? null : round.before }
  } catch (error) {
    if (stop.aborted) return null
    throw error
  }
}

/** Runs until the program is to end, then null; or until a new start is asked for, then that one. */
async function runRound(
  { config, before, kept, undo }: Round,
  { world, load, manager, stop }: RoundDeps,
): Promise<Round | null> {
  const { platform } = world
  for (const notice of config.notices) platform.standardError(noticeLine(notice, config.app.logJson))
  const end = new AbortController()
  const held = new Disposables()
  let next: ResolvedConfig | null = null
  let failed: Error | null = null
  held.add(onAbort(stop, () => end.abort(stop.reason)))
  const restart = (): void => {
    next = load() // what would not start is said to whoever asks, and nothing stops
    setImmediate(() => end.abort(new Error('a new start was asked for'))) // the answer goes out first
  }
  try {
    const backend = createBackend(config, platform, { restart, ...(kept === null ? {} : { kept }) })
    held.add(world.faults.attend({ log: backend.log, stop: () => backend.stop() }))
    backend.events.on('exitAsked', ({ failure }) => {
      failed = failure
      end.abort()
    })
    const isUp = await startUnlessStopped(backend, end.signal)
    if (isUp) {
      held.add(sayWhere(backend, world, config))
      held.add(tellState(backend, manager))
      manager.ready(backend.log)
      await aborted(end.signal)
    }
    const keep = backend.kept()
    await backend.stop()
    if (failed !== null) throw failed
    return next === null || stop.aborted ? null : { config: next, before: config, kept: keep, undo: null }
  } catch (error) {
    if (failed === null) await undo?.()
    if (before === null || failed !== null) throw error
    platform.standardError(failureLine(error, config.app.logJson))
    platform.standardError(noticeLine('the changed settings do not start it: back to those before', config.app.logJson))
    return { config: before, before: null, kept, undo: null }
  } finally {
    held.dispose()
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

/**
 * The links carry the token of this run: they are shown on a terminal only. Anything else keeps what is written to it, a journal for
 * instance: there `headframe link` gives them, and a file of this user.
 */
function sayWhere(backend: Backend, { platform, terminal }: CliWorld, config: ResolvedConfig): Disposable {
  const { dataDir, logJson } = config.app
  const say = (text: string): void =>
    platform.standardError(logJson ? JSON.stringify({ level: 'info', module: 'cli', message: text, fields: {} }) : text)
  const links = backend.dashboardLinks()
  const [own, ...others] = (terminal === null ? null : links) ?? backend.dashboards()
  if (own === undefined) return { dispose: () => undefined }
  say(`dashboard: ${own}`)
  for (const address of others) say(`dashboard from other computers: ${address}`)
  if (links === null || terminal !== null) return { dispose: () => undefined }
  const file = join(dataDir, LINK_FILE)
  try {
    replaceOwnerFile(file, `${links[0]}\n`)
    say(`the dashboard's link with the token of this run: headframe link --datadir ${dataDir}, or in ${file}`)
  } catch (error) {
    say(`the dashboard's link with the token of this run: headframe link --datadir ${dataDir} (${messageOf(error)})`)
  }
  return { dispose: () => rmSync(file, { force: true }) }
}

/** One line about the program, where a service manager shows it. */
function tellState(backend: Backend, manager: ServiceManager): Disposable {
  const { network, dashboard } = backend.ready()
  const where = dashboard === null ? '' : `, dashboard ${dashboard}`
  const tell = (): void => {
    const { length: count } = backend.approvals.waiting()
    const waiting = count === 0 ? '' : `, ${count} ${count === 1 ? 'request waits' : 'requests wait'} for approval`
    manager.status(`Running on ${network}${where}${waiting}`)
  }
  tell()
  return backend.approvals.onChanged(tell)
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
