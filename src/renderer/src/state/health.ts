// Is everything all right? Rules with ids over what was read; the worst first. Pure, so that each rule has a test.
import type { Alarm } from './alarms'
import type { AppState } from './app-store'
import type { MinerState } from './miner-store'
import { isHeadStale, isSyncing, type NodeState } from './node-store'
import type { SignerState } from './signer-store'

export type HealthLevel = 'ok' | 'attention' | 'problem'

export type HealthId =
  | 'health.service-failed'
  | 'health.engine'
  | 'health.gpu-error'
  | 'health.gpu-hot'
  | 'health.gpu-failed-shares'
  | 'health.gpu-paused'
  | 'health.gpu-slow'
  | 'health.pool-lost'
  | 'health.rig-offline'
  | 'health.no-share'
  | 'health.pool-warning'
  | 'health.no-peers'
  | 'health.node-behind'
  | 'health.stale-head'
  | 'health.approval-waiting'
  | 'health.keystore-problem'

export interface HealthFinding {
  readonly id: HealthId
  readonly level: 'attention' | 'problem'
  /** Where it can be mended. */
  readonly route: string
  readonly values: Readonly<Record<string, string | number>>
}

export interface HealthInput {
  readonly app: AppState
  readonly miner: MinerState
  readonly node: NodeState
  readonly signer: SignerState
  /** What lasts of the alarms. */
  readonly alarms: readonly Alarm[]
  /** UTC ms. */
  readonly now: number
}

/** A wrong result is never normal; fewer than this may be a glitch. */
const FAILED_SHARES = 3
/** Times the expected interval without an accepted share before it is said. */
const NO_SHARE_ATTENTION = 3
const NO_SHARE_PROBLEM = 6
/** Where blocks come every few seconds, chance alone makes such waits again and again. */
const LEAST_SILENCE_SECONDS = 60

/** Findings, problems first, otherwise in the order of the rules. */
export function healthFindings(input: HealthInput): readonly HealthFinding[] {
  const found = [
    ...serviceRules(input),
    ...deviceRules(input),
    ...sourceRules(input),
    ...alarmRules(input),
    ...nodeRules(input),
    ...signerRules(input),
  ]
  return [...found.filter(({ level }) => level === 'problem'), ...found.filter(({ level }) => level === 'attention')]
}

/** False while too little was read to say that everything is all right. */
export function isHealthKnown({ app, miner, node }: HealthInput): boolean {
  return app.info !== null && miner.status !== null && node.head !== null
}

export function healthLevel(findings: readonly HealthFinding[]): HealthLevel {
  return findings[0]?.level ?? 'ok'
}

/** Seconds a share of this difficulty takes on average; null while it cannot be said. */
export function expectedShareSeconds(difficulty: number | null, hashrate: number | null): number | null {
  if (difficulty === null || hashrate === null || hashrate <= 0) return null
  return difficulty / hashrate
}

/** How long the silence since the last accepted share is, against what chance allows. */
export function proofLevel(ageSeconds: number, expectedSeconds: number): HealthLevel {
  if (ageSeconds < NO_SHARE_ATTENTION * expectedSeconds) return 'ok'
  return ageSeconds < NO_SHARE_PROBLEM * expectedSeconds ? 'attention' : 'problem'
}

function serviceRules({ app }: HealthInput): HealthFinding[] {
  const failed = (app.status?.services ?? []).filter((service) => service.state === 'failed')
  const found: HealthFinding[] = failed.map(({ name, reason }) => ({
    id: 'health.service-failed',
    level: 'problem',
    route: '/settings/about',
    values: { name, reason },
  }))
  if (app.info?.engine.kind === 'typescript')
    found.push({ id: 'health.engine', level: 'attention', route: '/settings/about', values: {} })
  return found
}

/** Alarms that stand in the health line under the same words everywhere. */
const alarmIds = {
  slow: 'health.gpu-slow',
  poolLost: 'health.pool-lost',
  rigOffline: 'health.rig-offline',
} as const

function alarmRules({ alarms }: HealthInput): HealthFinding[] {
  const told = alarms.flatMap(({ kind, level, route, values }): HealthFinding[] =>
    kind === 'slow' || kind === 'poolLost' || kind === 'rigOffline'
      ? [{ id: alarmIds[kind], level, route, values }]
      : [],
  )
  return [...hotDevices(alarms), ...told]
}

/** One finding a device, with its hottest place; a warning is told by the alarm alone. */
function hotDevices(alarms: readonly Alarm[]): HealthFinding[] {
  const found = new Map<string, HealthFinding>()
  for (const { kind, level, route, values } of alarms) {
    const { index, celsius } = values
    if (kind !== 'hot' || level !== 'problem' || index === undefined || celsius === undefined) continue
    const before = found.get(route)?.values.celsius
    if (before !== undefined && before >= celsius) continue
    found.set(route, { id: 'health.gpu-hot', level, route, values: { index, celsius } })
  }
  return [...found.values()]
}

function deviceRules({ miner }: HealthInput): HealthFinding[] {
  return (miner.devices?.devices ?? []).flatMap((device): HealthFinding[] => {
    const { index } = device
    const route = `/gpus/${index}`
    const found: HealthFinding[] = []
    if (device.state === 'error')
      found.push({ id: 'health.gpu-error', level: 'problem', route, values: { index, reason: device.error } })
    if (device.shares.failed >= FAILED_SHARES)
      found.push({
        id: 'health.gpu-failed-shares',
        level: 'problem',
        route,
        values: { index, count: device.shares.failed },
      })
    if (device.paused)
      found.push({
        id: 'health.gpu-paused',
        level: 'attention',
        route,
        values: { index, reason: device.pauseReasons.join('; ') },
      })
    return found
  })
}

function sourceRules({ miner, now }: HealthInput): HealthFinding[] {
  const status = miner.status
  if (status === null || status.state !== 'running') return []
  const found: HealthFinding[] = []
  if (status.source.warning !== '')
    found.push({
      id: 'health.pool-warning',
      level: 'attention',
      route: '/',
      values: { warning: status.source.warning },
    })
  const expected = expectedShareSeconds(status.source.difficulty, status.hashrate.m15)
  if (expected === null || status.lastProof === null) return found
  const silentSeconds = (now - status.lastProof.at) / 1000
  // Three times the expected interval is one wait in twenty: the light beside the last proof shows it, no alarm is due.
  if (proofLevel(silentSeconds, expected) === 'problem' && silentSeconds >= LEAST_SILENCE_SECONDS)
    found.push({ id: 'health.no-share', level: 'attention', route: '/gpus', values: {} })
  return found
}

function nodeRules({ node, now }: HealthInput): HealthFinding[] {
  const view = node.head
  if (view?.head == null || view.state !== 'running') return []
  if (view.peers === 0) return [{ id: 'health.no-peers', level: 'attention', route: '/node/peers', values: {} }]
  if (isSyncing(node.sync)) {
    const count = node.sync.highestBlock - node.sync.currentBlock
    return [{ id: 'health.node-behind', level: 'attention', route: '/node', values: { count } }]
  }
  if (!isHeadStale(view, now)) return []
  const age = now - view.head.time
  return [
    { id: 'health.stale-head', level: 'attention', route: '/node', values: { minutes: Math.floor(age / 60_000) } },
  ]
}

function signerRules({ signer }: HealthInput): HealthFinding[] {
  const found: HealthFinding[] = []
  const count = signer.requests?.waitingCount ?? 0
  if (count > 0)
    found.push({ id: 'health.approval-waiting', level: 'attention', route: '/accounts', values: { count } })
  const problems = signer.accounts?.problems.length ?? 0
  if (problems > 0)
    found.push({ id: 'health.keystore-problem', level: 'attention', route: '/accounts', values: { count: problems } })
  return found
}
