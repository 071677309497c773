// status, stop and logs: the running program from a terminal or a script, without its window.
import { visibleText } from '../../base/language/visible-text'
import { durationText, sleep } from '../../base/time'
import { formatDecimal } from '../../base/units'
import { isSharedNetwork } from '../../config/schema'
import type { AppInfoView, AppStatusView } from '../../contract/app'
import type { IncidentCause, IncidentView } from '../../contract/incidents'
import { type LogLineView, MAX_LOG_LINES } from '../../contract/logs'
import type { DevicesView, MinerStatusView } from '../../contract/miner'
import type { SyncView } from '../../contract/network'
import type { NodeHeadView } from '../../contract/node'
import type { RequestsView } from '../../contract/signer'
import { isNodeCurrent, type NodeReadings, type SyncState, syncStateOf } from '../../contract/sync-state'
import { HostError } from '../../host/errors'
import { dataDirPaths } from '../../host/system/data-dir'
import { isAlive, lockHolder } from '../../host/system/lock'
import type { CliCall } from '../call'
import { EXIT_DONE, EXIT_FAILED } from '../exit-codes'
import { currentOf, type RunningProgram, withProgram } from '../running-program'
import { stopAtSignal } from '../stop-signals'
import { expectNoWords } from '../words'

const REDRAW_MS = 2_000
const FOLLOW_MS = 500
/** How many lines `logs` begins with. */
const LAST_LINES = 200
/** Longer than the program's own limits for its stop together. */
const STOP_LIMIT_MS = 20_000
const ALIVE_MS = 50
/** Home, and erase the screen. */
const CLEAR = '\u001b[H\u001b[2J'

/** How far the node is, by the window's rule; null: what that depends on wasn't answered. */
interface NodeStanding {
  readonly state: SyncState | null
  readonly isCurrent: boolean | null
}

/** What status reads; null: the program didn't answer in time. */
export interface Readings {
  readonly info: AppInfoView
  readonly status: AppStatusView | null
  readonly miner: MinerStatusView | null
  readonly devices: DevicesView | null
  readonly head: NodeHeadView | null
  readonly sync: SyncView | null
  readonly node: NodeStanding
  readonly requests: RequestsView | null
  readonly incidents: readonly IncidentView[] | null
}

/**
 * One screen. Exits with 1 while a service has failed, a problem is open, or a part doesn't answer; a node that isn't in
 * sync is only told: a container that watches this code would restart it again and again. @throws as `withProgram`
 */
export async function runStatus(call: CliCall): Promise<number> {
  const { parsed, world } = call
  expectNoWords(parsed)
  const { standardOutput, columns } = world.platform
  return withProgram(call, async (program) => {
    const show = async (): Promise<Readings> => {
      const readings = await read(program)
      // Never into a file or a pipe.
      if (parsed.watch && columns?.() !== undefined) world.terminal?.write(CLEAR)
      standardOutput(parsed.json ? JSON.stringify(readings) : screen(readings).join('\n'))
      return readings
    }
    const first = await show()
    if (!parsed.watch) return isWell(first) ? EXIT_DONE : EXIT_FAILED
    return every(call, program, { periodMs: REDRAW_MS, work: show })
  })
}

async function read(program: RunningProgram): Promise<Readings> {
  const [info, status, miner, devices, head, sync, requests, incidents] = await Promise.all([
    program.client.call('app.info', {}),
    currentOf(program, 'app.status'),
    currentOf(program, 'miner.status'),
    currentOf(program, 'miner.devices'),
    currentOf(program, 'node.head'),
    currentOf(program, 'node.sync'),
    currentOf(program, 'signer.requests'),
    currentOf(program, 'miner.incidents'),
  ])
  const place = { now: program.clock.now(), isShared: isSharedNetwork(info.network) }
  const node = standingOf({ head, sync, peers: null }, place)
  return { info, status, miner, devices, head, sync, node, requests, incidents: incidents?.open ?? null }
}

/** @param place UTC ms, and whether others mine on the network */
export function standingOf(
  known: NodeReadings,
  { now, isShared }: { readonly now: number; readonly isShared: boolean },
): NodeStanding {
  if (known.head === null || (known.head.head !== null && known.sync === null)) return { state: null, isCurrent: null }
  return { state: syncStateOf(known, now, isShared), isCurrent: isNodeCurrent(known, now, isShared) }
}

/** What isn't answered isn't well. */
export function isWell({ status, miner, devices, head, sync, requests, incidents }: Readings): boolean {
  if (status === null || miner === null || head === null || requests === null || incidents === null) return false
  const isMining = miner.state !== 'off' && miner.state !== 'failed'
  if ((isMining && devices === null) || (head.head !== null && sync === null)) return false
  if (status.services.some(({ state }) => state === 'failed')) return false
  return (
    !paysNobody(miner, head) && miner.source.diagnosis === null && !incidents.some(({ level }) => level === 'problem')
  )
}

/** Lines of at most a terminal's usual width, foreign words made visible. */
export function screen(readings: Readings): readonly string[] {
  const { info, status } = readings
  const now = status?.takenAt ?? readings.head?.takenAt ?? info.startedAt
  return [
    `Headframe ${info.version}, ${info.network} network, running for ${durationText(now - info.startedAt)}`,
    '',
    ...row('mining', miningLines(readings, now)),
    ...row('node', nodeLines(readings, now)),
    ...row('signer', signerLines(readings)),
    ...row('problems', problemLines(readings, now)),
    ...(status?.unconfined === undefined ? [] : row('keys', [`not confined: ${visibleText(status.unconfined)}`])),
  ]
}

function row(name: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, at) => `${(at === 0 ? name : '').padEnd(10)}${line}`)
}

const NO_ANSWER = ['no answer'] as const

export function miningLines({ miner, devices }: Readings, now: number): readonly string[] {
  if (miner === null) return NO_ANSWER
  if (miner.state === 'off') return ['off']
  if (miner.state === 'failed') return ['failed']
  const { source, shares, lastProof } = miner
  const counts = new Map<string, number>()
  for (const { state: told, responds } of devices?.devices ?? []) {
    const state = responds === false ? 'not responding' : told
    counts.set(state, (counts.get(state) ?? 0) + 1)
  }
  const states = [...counts].map(([state, count]) => `${count} ${state}`).join(', ')
  const where = source.kind === 'pool' ? `pool ${visibleText(source.host)}` : source.kind
  const proof = lastProof === null ? 'nothing accepted yet' : `last accepted ${durationText(now - lastProof.at)} ago`
  const { diagnosis } = source
  return [
    `${where}${source.connected ? '' : ', not connected'}, ${hashrate(miner.hashrate.s60)}`,
    `devices: ${devices === null ? 'no answer' : states || 'none'}`,
    `shares: ${shares.accepted} accepted, ${shares.rejected} rejected, ${shares.failed} wrong; ${proof}`,
    ...(diagnosis === null
      ? []
      : [
          `pool trouble: ${diagnosis.trouble}, ${diagnosis.count} times since ${clockTime(diagnosis.since)}` +
            (diagnosis.answer === '' ? '' : `: ${visibleText(diagnosis.answer).slice(0, 200)}`),
        ]),
  ]
}

const UNKNOWN_STANDING = "not known whether it's in sync"
const STANDINGS: Readonly<Record<SyncState, string>> = {
  stopped: 'stopped',
  failed: 'failed',
  starting: 'starting',
  peers: 'behind: no peers',
  headers: 'behind: fetching headers',
  blocks: 'behind: fetching blocks',
  unconfirmed: UNKNOWN_STANDING,
  stalled: 'no new block for too long',
  synced: 'in sync',
}

/** Lines about the node. */
export function nodeLines({ head: view, sync, node, status }: Readings, now: number): readonly string[] {
  if (view === null) return NO_ANSWER
  if (view.head === null) return [status !== null && isOff(status, 'node') ? 'off' : view.state]
  const { head, peers } = view
  const others = peers === null ? 'no network' : `${peers} ${peers === 1 ? 'peer' : 'peers'}`
  const health = sync?.health
  return [
    `${view.state}, block ${head.number}, ${durationText(now - head.time)} old, ${others}`,
    node.state === null ? `${UNKNOWN_STANDING}: no answer` : STANDINGS[node.state],
    ...(sync === null ? [] : syncLine(sync)),
    ...(health?.isBehind === true ? [`behind: a peer is ahead for ${durationText(health.behindSeconds * 1_000)}`] : []),
    ...(health?.split == null ? [] : [splitLine(health.split)]),
    ...(health?.wrongBlock == null ? [] : [wrongBlockLine(health.wrongBlock)]),
    ...(health?.mayBeCutOff === true ? ['may be cut off from the network'] : []),
  ]
}

type HealthView = NonNullable<SyncView['health']>

function splitLine({ height, peers }: NonNullable<HealthView['split']>): string {
  return `${peers} peers follow a chain that forks from this one${height === null ? '' : ` at block ${height}`}`
}

function wrongBlockLine({ height, here, required }: NonNullable<HealthView['wrongBlock']>): string {
  return `block ${height} is ${here}, required is ${required}`
}

function syncLine({ phase, currentBlock, highestBlock }: SyncView): readonly string[] {
  return phase === 'off' || phase === 'idle' ? [] : [`sync: ${phase}, block ${currentBlock} of ${highestBlock}`]
}

/** This run doesn't have it, or it was switched off. */
function isOff({ services }: AppStatusView, service: string): boolean {
  return services.every(({ name, state }) => name !== service || state === 'off')
}

function signerLines({ requests, status }: Readings): readonly string[] {
  if (status !== null && isOff(status, 'signer')) return ['off']
  if (status === null || requests === null) return NO_ANSWER
  const { waitingCount: count, quietUntil } = requests
  return [
    count === 0 ? 'nothing waits' : `${count} waiting for you: headframe requests`,
    ...(quietUntil === null || quietUntil === undefined ? [] : ['some callers are blocked for now']),
  ]
}

/** For a line of text; the window has longer sentences. */
const CAUSES: Readonly<Record<IncidentCause, string>> = {
  'device-error': 'stopped with an error',
  'device-silent': 'finishes nothing',
  'wrong-results': 'computes wrong results',
  hot: 'is too hot',
  fan: 'fan at its limit',
  'power-limit': 'at its power limit',
  slow: 'is slower than usual',
  'rejected-shares': 'its shares are rejected',
  'sensor-lost': 'reports no sensors',
  'heat-unseen': 'reports no temperature',
  'no-work': 'no work',
  'no-share': 'no share accepted for too long',
  'pool-lost': 'pool lost',
  'pool-trouble': 'pool trouble',
  paused: 'paused',
  building: 'building its DAG',
  off: 'off',
  'rig-offline': 'rig offline',
  'rig-stale': 'rig sends no new readings',
  'rig-hot': 'rig too hot',
  'rig-slow': 'rig slower than usual',
  'rig-pool': 'rig has pool trouble',
  'rig-silent': 'rig finds no shares',
  'rig-rejected': 'shares of a rig are rejected',
  'record-unsaved': 'the record of what was mined cannot be saved',
  'beside-differs': 'another node differs from ours',
  'beside-unknown': 'our node cannot be compared with the other one',
}

/** Solo mining needs an account to pay. */
function paysNobody(miner: MinerStatusView | null, view: NodeHeadView | null): boolean {
  if (miner === null || miner.state === 'off' || miner.source.kind !== 'solo') return false
  return view !== null && view.head !== null && view.coinbase === null
}

function problemLines(readings: Readings, now: number): readonly string[] {
  const { status, incidents, miner, head } = readings
  const unknown = [
    ...(status === null || incidents === null ? NO_ANSWER : []),
    ...(paysNobody(miner, head) ? ['no payout account, so nothing is mined: set --miner.coinbase'] : []),
  ]
  const failed = (status?.services ?? []).filter(({ state }) => state === 'failed')
  const open = (incidents ?? []).filter(({ level }) => level !== 'note')
  if (unknown.length + failed.length + open.length === 0) return [isWell(readings) ? 'none' : 'only what is said above']
  const failures = failed.map(({ name, reason }) => `${name} failed: ${visibleText(reason)}`)
  const told = open.map(({ cause, devices, pool, rig, since, income }) => {
    const named = devices.map(({ index, name }) => `device ${index} ${name}`)
    const who = [...named, pool, rig].filter((text) => text !== '')
    const lost = income.value === null ? '' : `, lost ${Number(formatDecimal(BigInt(income.value))).toFixed(4)} LAX`
    return `${[visibleText(who.join(', ')), CAUSES[cause]].filter((text) => text !== '').join(': ')}, ${durationText(now - since)}${lost}`
  })
  return [...unknown, ...failures, ...told]
}

function hashrate(rate: number | null): string {
  if (rate === null) return 'hashrate not measured yet'
  const units = ['H/s', 'kH/s', 'MH/s', 'GH/s', 'TH/s']
  const at = Math.min(units.length - 1, rate < 1 ? 0 : Math.floor(Math.log10(rate) / 3))
  return `${(rate / 1_000 ** at).toFixed(2)} ${units[at]}`
}

function clockTime(at: number): string {
  return `${new Date(at).toISOString().replace('T', ' ').slice(0, 19)} UTC`
}

/** Stops the program and waits for its end. @throws HostError HOST_NOT_RUNNING, HOST_NOT_OWNER, HOST_NO_ANSWER */
export async function runStop(call: CliCall): Promise<number> {
  expectNoWords(call.parsed)
  const { standardOutput } = call.world.platform
  return withProgram(call, async (program) => {
    const { clock, dataDir: dir } = program
    const holder = lockHolder(dataDirPaths(dir).lockFile)
    const { pid } = await program.client.call('app.stop', {})
    // Another program may get its number: only the one that holds the lock is waited for.
    if (holder?.pid !== pid)
      throw new HostError('HOST_NO_ANSWER', {
        dir,
        reason: `process ${pid} stops, but its end can't be seen from here`,
      })
    const limit = clock.monotonic() + STOP_LIMIT_MS
    while (isAlive(holder)) {
      if (clock.monotonic() > limit) {
        const reason = `process ${pid} is still running after ${STOP_LIMIT_MS / 1_000} s`
        throw new HostError('HOST_NO_ANSWER', { dir, reason })
      }
      await sleep(clock, ALIVE_MS)
    }
    standardOutput('stopped')
    return EXIT_DONE
  })
}

/** The log's last lines; with -f those that follow, until a signal or the program's end. @throws as `withProgram` */
export async function runLogs(call: CliCall): Promise<number> {
  const { parsed, world } = call
  expectNoWords(parsed)
  const { standardOutput } = world.platform
  return withProgram(call, async (program) => {
    // Beyond the last line there are none, but the answer says where the next one will be.
    const end = await program.client.call('app.logs', { from: Number.MAX_SAFE_INTEGER, count: 1 })
    let next = Math.max(0, end.next - LAST_LINES)
    const print = async (): Promise<void> => {
      for (;;) {
        const { lines, next: after } = await program.client.call('app.logs', { from: next, count: MAX_LOG_LINES })
        for (const text of logTexts(lines, next)) standardOutput(text)
        next = after
        if (lines.length < MAX_LOG_LINES) return
      }
    }
    await print()
    return parsed.follow ? every(call, program, { periodMs: FOLLOW_MS, work: print }) : EXIT_DONE
  })
}

/** @param from the id that was asked for: what came before the first one is gone */
export function logTexts(lines: readonly LogLineView[], from: number): readonly string[] {
  const missing = (lines[0]?.id ?? from) - from
  const texts = lines.map(
    ({ at, level, module, text }) =>
      `${new Date(at).toISOString()} ${level.toUpperCase().padEnd(5)} ${module} ${visibleText(text)}`,
  )
  return missing > 0 ? [`[${missing} lines are no longer kept]`, ...texts] : texts
}

interface Repeated {
  readonly periodMs: number
  readonly work: () => Promise<unknown>
}

/** Again and again, until a signal or the program's end. */
async function every(
  { world }: CliCall,
  { client, clock }: RunningProgram,
  { periodMs, work }: Repeated,
): Promise<number> {
  const stop = new AbortController()
  const signals = stopAtSignal(world, stop)
  client.onClose(() => stop.abort(new Error('the program ended')))
  try {
    for (;;) {
      await sleep(clock, periodMs, stop.signal)
      await work()
    }
  } catch (error) {
    if (stop.signal.aborted) return EXIT_DONE
    throw error
  } finally {
    signals.dispose()
  }
}
