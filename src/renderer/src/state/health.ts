// Is everything all right? Rules with ids over the current readings; worst first. Pure, so that each rule has a test.

import type { IncidentCause, IncidentView } from '../../../contract/incidents'
import { diskLevel } from '../../../contract/machine'
import type { MinerStatusView } from '../../../contract/miner'
import type { PoolTrouble } from '../../../contract/pools'
import { isHeadStale, isSyncing } from '../../../contract/sync-state'
import type { AppState, MinerState, NodeState } from './stores/program-store'
import { type SignerState, selectNotBackedUp } from './stores/signer-store'

type HealthLevel = 'ok' | 'attention' | 'problem'

/** The level, or why nothing is mined although nothing is wrong. `untold`: nothing is, as far as this page is told. */
export type HealthSummary = HealthLevel | 'preparing' | 'waiting' | 'unproven' | 'untold'

type HealthId =
  | 'health.unread'
  | 'health.service-failed'
  | 'health.engine'
  | 'health.gpu-error'
  | 'health.gpu-silent'
  | 'health.no-reward-account'
  | 'health.gpu-paused'
  | 'health.no-share'
  | 'health.pool-warning'
  | 'health.pool-trouble'
  | 'health.pool-lag'
  | 'health.no-peers'
  | 'health.node-behind'
  | 'health.behind-peers'
  | 'health.cut-off'
  | 'health.chain-split'
  | 'health.required-block'
  | 'health.stale-head'
  | 'health.clock'
  | 'health.disk'
  | 'health.approval-waiting'
  | 'health.keystore-problem'
  | 'health.keystore-not-backed-up'

export interface HealthFinding {
  readonly id: HealthId
  readonly level: 'attention' | 'problem'
  readonly route: string
  readonly values: Readonly<Record<string, string | number>>
}

export interface HealthInput {
  readonly app: AppState
  readonly miner: MinerState
  readonly node: NodeState
  readonly signer: SignerState
  /** What lasts and is more than a note. */
  readonly incidents: readonly IncidentView[]
  /** The program told of incidents, even of none. */
  readonly areIncidentsTold: boolean
  /** UTC ms. */
  readonly now: number
}

const problem = (id: HealthId, route: string, values: HealthFinding['values'] = {}): HealthFinding => ({
  id,
  level: 'problem',
  route,
  values,
})
const attention = (...given: Parameters<typeof problem>): HealthFinding => ({
  ...problem(...given),
  level: 'attention',
})

/** Shares due since the last accepted one, up to which chance explains the silence: its probability is above 1 in 20. */
const PROVEN_SHARES = 3
/** From here on it is below 1 in 1000. */
const IMPROBABLE_SHARES = -Math.log(0.001)

/** With blocks every few seconds, chance alone keeps causing such waits. */
const MIN_SILENCE_SECONDS = 60
/** A pool learns of a block and creates a job within seconds; behind for longer than this, it works for nothing. */
const POOL_LAG_MS = 60_000
/** How far ahead of an honest clock a block's time may be. */
const CLOCK_AHEAD_MS = 10_000

const GIBIBYTE = 1024 ** 3

/** Findings, problems first, otherwise in the order of the rules. */
export function healthFindings(input: HealthInput): readonly HealthFinding[] {
  const found = [
    ...serviceRules(input),
    ...deviceRules(input),
    ...sourceRules(input),
    ...rewardRules(input),
    ...nodeRules(input),
    ...headRules(input),
    ...machineRules(input),
    ...signerRules(input),
  ]
  const own = found.filter((finding) => !isTold(finding, input.incidents))
  return [...own.filter(({ level }) => level === 'problem'), ...own.filter(({ level }) => level === 'attention')]
}

/** False while too little is known to say that everything is all right. */
export function isHealthKnown({ app, miner, node }: Pick<HealthInput, 'app' | 'miner' | 'node'>): boolean {
  return app.info !== null && miner.status !== null && miner.devices !== null && node.head !== null
}

/** True for a reader who is never told of incidents. */
export function isUntold({ app, areIncidentsTold }: Pick<HealthInput, 'app' | 'areIncidentsTold'>): boolean {
  return !areIncidentsTold && app.info?.link?.hides === true
}

function healthLevel(findings: readonly HealthFinding[], incidents: readonly IncidentView[]): HealthLevel {
  const isProblem = [...findings, ...incidents].some(({ level }) => level === 'problem')
  return isProblem ? 'problem' : findings.length + incidents.length > 0 ? 'attention' : 'ok'
}

/** The summary: while an incident lasts or no device mines, it must not say that all is well. */
export function healthSummary(
  findings: readonly HealthFinding[],
  given: Pick<HealthInput, 'app' | 'incidents' | 'areIncidentsTold' | 'miner'>,
): HealthSummary {
  const { incidents, miner } = given
  const { devices, status } = miner
  const level = healthLevel(findings, incidents)
  if (level === 'ok' && isUntold(given)) return 'untold'
  const states = new Set(devices?.devices.map(({ state }) => state))
  if (level !== 'ok' || status?.state !== 'running') return level
  if (states.has('mining')) return isProven(status) ? level : 'unproven'
  if (states.has('starting') || states.has('compiling') || states.has('building')) return 'preparing'
  return states.has('waiting') ? 'waiting' : level
}

/** Something was accepted, and no longer ago than chance explains. */
function isProven({ lastProof, expectedSinceProof }: MinerStatusView): boolean {
  return lastProof !== null && expectedSinceProof < PROVEN_SHARES
}

/** The page that shows a service and its log. */
const serviceRoutes: Readonly<Record<string, string>> = { node: '/activity/node', miner: '/activity/miner' }

function serviceRules({ app }: HealthInput): HealthFinding[] {
  const failed = (app.status?.services ?? []).filter((service) => service.state === 'failed')
  const found = failed.map(({ name, reason }) =>
    problem('health.service-failed', serviceRoutes[name] ?? '/activity/all', { name, reason }),
  )
  if (app.unread.length > 0) found.push(problem('health.unread', '/activity/all', { names: app.unread.join(', ') }))
  if (app.info?.engine.kind === 'typescript') found.push(attention('health.engine', '/settings/about'))
  return found
}

/** Findings that say the same as an incident, which has its price and its start. */
const toldBy: Readonly<Partial<Record<HealthId, IncidentCause>>> = {
  'health.gpu-error': 'device-error',
  'health.gpu-silent': 'device-silent',
  'health.pool-trouble': 'pool-trouble',
  'health.no-share': 'no-share',
}

function isTold({ id, values }: HealthFinding, incidents: readonly IncidentView[]): boolean {
  const cause = toldBy[id]
  if (cause === undefined) return false
  const { index } = values
  return incidents.some(
    (incident) =>
      incident.cause === cause && (index === undefined || incident.devices.some((each) => each.index === index)),
  )
}

function deviceRules({ miner }: HealthInput): HealthFinding[] {
  return (miner.devices?.devices ?? []).flatMap(({ index, backend, state, error, responds, paused, pauseReasons }) => {
    const route = `/gpus/${index}`
    return [
      ...(state === 'error' ? [problem('health.gpu-error', route, { index, backend, reason: error })] : []),
      ...(responds === false ? [problem('health.gpu-silent', route, { index, backend })] : []),
      ...(paused ? [attention('health.gpu-paused', route, { index, backend, reason: pauseReasons.join('; ') })] : []),
    ]
  })
}

function sourceRules(input: HealthInput): HealthFinding[] {
  const { miner, now } = input
  const status = miner.status
  if (status === null || status.state !== 'running') return []
  const { source, lastProof, expectedSinceProof, uptimeSeconds } = status
  const found = [...poolLag(input), ...poolTrouble(source)]
  const silentSeconds = lastProof === null ? uptimeSeconds : (now - lastProof.at) / 1000
  if (expectedSinceProof >= IMPROBABLE_SHARES && silentSeconds >= MIN_SILENCE_SECONDS)
    found.push(source.kind === 'pool' ? problem('health.no-share', '/pools') : attention('health.no-share', '/gpus'))
  return found
}

/** Troubles that cost nothing yet. */
const mildTroubles: ReadonlySet<PoolTrouble> = new Set(['no-share-yet', 'share-flood', 'job-misfit'])

function poolTrouble({ diagnosis, warning, host }: MinerStatusView['source']): HealthFinding[] {
  if (diagnosis !== null) {
    const { trouble, answer } = diagnosis
    const tell = mildTroubles.has(trouble) ? attention : problem
    return [tell('health.pool-trouble', '/pools', { trouble, answer, host })]
  }
  return warning === '' ? [] : [attention('health.pool-warning', '/pools', { warning })]
}

/** Where coins have value, a miner without a pool needs an account to pay. */
function rewardRules({ app, miner, node }: HealthInput): HealthFinding[] {
  const isReal = app.info?.network === 'main' || app.info?.network === 'test'
  if (!isReal || miner.status === null || miner.status.state === 'off' || miner.status.source.kind === 'pool') return []
  if (node.head === null || node.head.coinbase !== null) return []
  return [problem('health.no-reward-account', '/welcome')]
}

/** The pool is still looking for a block that our node has had for a while. */
function poolLag({ miner, node, now }: HealthInput): HealthFinding[] {
  const source = miner.status?.source
  const head = node.head?.head ?? null
  if (source?.kind !== 'pool' || !source.connected || source.height === null || head === null) return []
  const count = head.number + 1 - source.height
  // The pool may not have received the next block yet; being two behind is no coincidence.
  const isLate = count > 1 || (count === 1 && now - head.time >= POOL_LAG_MS)
  return isLate ? [attention('health.pool-lag', '/pools', { count })] : []
}

function nodeRules({ node, now }: HealthInput): HealthFinding[] {
  const view = node.head
  if (view?.head == null || view.state !== 'running') return []
  if (view.peers === 0) return [attention('health.no-peers', '/node/peers')]
  if (isSyncing(node.sync))
    return [attention('health.node-behind', '/node', { count: node.sync.highestBlock - node.sync.currentBlock })]
  if (!isHeadStale(view, now)) return []
  return [attention('health.stale-head', '/node', { minutes: Math.floor((now - view.head.time) / 60_000) })]
}

/** Our head compared with what peers have shown, and the number of networks our peers are in. */
function headRules({ node }: HealthInput): HealthFinding[] {
  const health = node.sync?.health
  if (health === undefined) return []
  const { split, wrongBlock, behindSeconds: seconds, isBehind, mayBeCutOff, groups } = health
  return [
    // During sync, the block count says more.
    ...(isBehind && !isSyncing(node.sync) ? [problem('health.behind-peers', '/node', { seconds })] : []),
    ...(split === null
      ? []
      : [problem('health.chain-split', '/node/peers', { count: split.peers, height: split.height ?? 0 })]),
    ...(wrongBlock === null ? [] : [problem('health.required-block', '/node', { height: wrongBlock.height })]),
    ...(mayBeCutOff ? [problem('health.cut-off', '/node/peers', { count: groups })] : []),
  ]
}

/** The disk, and the clock: a latest block dated in the future means that ours is behind the miner's. */
function machineRules({ app, node }: HealthInput): HealthFinding[] {
  const found: HealthFinding[] = []
  const freeBytes = app.disk?.freeBytes ?? null
  const level = diskLevel({ freeBytes })
  if (level !== null && freeBytes !== null) {
    const gibibytes = Math.round((freeBytes / GIBIBYTE) * 10) / 10
    found.push((level === 'problem' ? problem : attention)('health.disk', '/settings/about', { gibibytes }))
  }
  const view = node.head
  const aheadMs = view?.head == null ? 0 : view.head.time - view.takenAt
  if (aheadMs > CLOCK_AHEAD_MS) found.push(attention('health.clock', '/node', { seconds: Math.round(aheadMs / 1000) }))
  return found
}

function signerRules({ app, signer }: HealthInput): HealthFinding[] {
  const found: HealthFinding[] = []
  const count = signer.requests?.waitingCount ?? 0
  const first = app.info?.access.approve === true ? signer.requests?.waiting[0] : undefined
  const route = first === undefined ? '/accounts' : `/accounts/approvals/${first.id}`
  if (count > 0) found.push(attention('health.approval-waiting', route, { count }))
  const problems = signer.accounts?.problems.length ?? 0
  if (problems > 0) found.push(attention('health.keystore-problem', '/accounts', { count: problems }))
  // Losing practice coins does no harm.
  const bare = app.info === null || app.info.network === 'practice' ? [] : selectNotBackedUp(signer)
  const [one] = bare
  if (one !== undefined)
    found.push(
      attention('health.keystore-not-backed-up', `/accounts/${one.address.toLowerCase()}`, { count: bare.length }),
    )
  return found
}
