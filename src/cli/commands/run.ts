// run, node, signer: starts the backend, prints the dashboard's address, and stops cleanly on request.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import { Disposables } from '../../base/lifecycle'
import { aborted, onAbort } from '../../base/on-abort'
import type { ResolvedConfig } from '../../config/resolved-config'
import { replaceOwnerFile } from '../../files/owner-file'
import { type Backend, createBackend, type Kept } from '../../host/backend'
import { settleDataFolder } from '../../host/data-folder/change-at-start'
import { ownServiceManager, type ServiceManager } from '../../host/system/service-manager'
import type { CliCall, CliWorld } from '../call'
import { EXIT_DONE, failureLine, noticeLine } from '../exit-codes'
import { loadConfig } from '../load-config'
import { stopAtSignal } from '../stop-signals'
import { expectNoWords } from '../words'

/** In the data directory while the program runs. */
const LINK_FILE = 'dashboard-link'

/**
 * A restart from the UI happens in this process: a clean stop, and a new backend with the current config file.
 * @throws what the configuration or the first failing service throws, with everything stopped
 */
export async function runServices({ argv, parsed, world }: CliCall): Promise<number> {
  expectNoWords(parsed)
  const { platform, surroundings } = world
  const load = (): ResolvedConfig => loadConfig({ argv, surroundings, windowless: platform.headless })
  const first = load()
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

/** One run of the backend within the process. */
interface Round {
  readonly config: ResolvedConfig
  /** Ran before, and is restarted if this round doesn't start; null at the first start. */
  readonly before: ResolvedConfig | null
  readonly kept: Kept | null
  /** Returns to the previous data folder if this round doesn't start; null = it is unchanged. */
  readonly undo: (() => Promise<void>) | null
}

interface RoundDeps {
  readonly world: CliWorld
  readonly load: () => ResolvedConfig
  readonly manager: ServiceManager
  /** Aborts when the program is to end. */
  readonly stop: AbortSignal
}

/** Moves the data folder first, if requested. Null: the program was told to end meanwhile. */
async function settled(round: Round, { world, load, manager, stop }: RoundDeps): Promise<Round | null> {
  const { logJson } = round.config.app
  const say = (line: string): void => world.platform.standardError(noticeLine(line, logJson))
  const onShare = (share: number): void => manager.status(`Moving the data folder: ${Math.floor(100 * share)}%`)
  try {
    const { config, isElsewhere, undo } = await settleDataFolder(round.config, { load, say, onShare, signal: stop })
    // There is no way back to a folder that was moved away.
    return { ...round, config, undo, before: isElsewhere && undo === null ? null : round.before }
  } catch (error) {
    if (stop.aborted) return null
    throw error
  }
}

/** Runs until the program is to end, then returns null; or until a restart is requested, then the next round. */
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
    next = load() // an invalid configuration is reported to the caller, and nothing stops
    setImmediate(() => end.abort(new Error('restart requested'))) // the answer is sent first
  }
  try {
    const backend = await createBackend(config, platform, { restart, ...(kept === null ? {} : { kept }) })
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
    platform.standardError(
      noticeLine(
        'Headframe does not start with the changed settings: going back to the previous ones',
        config.app.logJson,
      ),
    )
    return { config: before, before: null, kept, undo: null }
  } finally {
    held.dispose()
  }
}

/** False when it was told to stop before startup was complete. */
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

/** The links hold this run's token: for terminals only, as other outputs persist; `headframe link` has them, too. */
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
    say(`dashboard link with this run's token: headframe link --datadir ${dataDir}, or in ${file}`)
  } catch (error) {
    say(`dashboard link with this run's token: headframe link --datadir ${dataDir} (${messageOf(error)})`)
  }
  return { dispose: () => rmSync(file, { force: true }) }
}

/** A status line for the service manager, which calls a program running whose trades have failed. */
function tellState(backend: Backend, manager: ServiceManager): Disposable {
  const { network, dashboard } = backend.ready()
  const { supervised, approvals } = backend
  const where = dashboard === null ? '' : `, dashboard ${dashboard}`
  const tell = (): void => {
    const failed = supervised
      .filter((service) => service.view().state === 'failed')
      .map(({ name }) => `, ${name} failed`)
    const { length: count } = approvals.waiting()
    const waiting = count === 0 ? '' : `, ${count} ${count === 1 ? 'request waits' : 'requests wait'} for approval`
    manager.status(`Running on ${network}${failed.join('')}${where}${waiting}`)
  }
  tell()
  const failures = supervised.map(({ events }) => events.on('stateChanged', tell))
  return new Disposables(approvals.onChanged(tell), ...failures)
}
